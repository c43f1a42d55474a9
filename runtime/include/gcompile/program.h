// The frame of a generated program: its description, its parameters, its outputs, and main.
#ifndef GCOMPILE_PROGRAM_H
#define GCOMPILE_PROGRAM_H

#include <gcompile/program/arguments.h>
#include <gcompile/program/checked.h>
#include <gcompile/program/info.h>
#include <gcompile/program/load.h>
#include <gcompile/program/main.h>
#include <gcompile/program/outputs.h>
#include <gcompile/program/profile.h>
#include <gcompile/program/replay.h>
#include <gcompile/program/vertex_values.h>

#endif
