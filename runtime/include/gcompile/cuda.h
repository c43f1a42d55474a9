// Everything that generated CUDA programs use, but for the frame of the program (program.h).
#ifndef GCOMPILE_CUDA_H
#define GCOMPILE_CUDA_H

#include <gcompile/cuda/set_view.h>

#include <gcompile/cuda/both_ways.h>
#include <gcompile/cuda/by_target.h>
#include <gcompile/cuda/components.h>
#include <gcompile/cuda/frontier.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/kernels.h>
#include <gcompile/cuda/loop.h>
#include <gcompile/cuda/mode.h>
#include <gcompile/cuda/near_far.h>
#include <gcompile/cuda/triangles.h>
#include <gcompile/omp.h>

#endif
