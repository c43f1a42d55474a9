// Everything that generated programs for several GPUs use, but for the frame of the program (program.h).
#ifndef GCOMPILE_GPUS_H
#define GCOMPILE_GPUS_H

#include <gcompile/cuda.h>
#include <gcompile/gpus/arcs.h>
#include <gcompile/gpus/arrays.h>
#include <gcompile/gpus/buckets.h>
#include <gcompile/gpus/devices.h>
#include <gcompile/gpus/frontier.h>
#include <gcompile/gpus/levels.h>
#include <gcompile/gpus/main.h>
#include <gcompile/gpus/pairs.h>
#include <gcompile/gpus/set_copies.h>

#endif
