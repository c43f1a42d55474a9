// Everything that generated programs for a CPU and a GPU use, but for the frame of the program (program.h).
#ifndef GCOMPILE_HYBRID_H
#define GCOMPILE_HYBRID_H

#include <gcompile/cuda.h>
#include <gcompile/hybrid/program.h>

#endif
