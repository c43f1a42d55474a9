// Everything that generated CUDA programs use, but for the frame of the program (program.h).
#ifndef GCOMPILE_CUDA_H
#define GCOMPILE_CUDA_H

#include <gcompile/cuda/algorithms/components.h>
#include <gcompile/cuda/algorithms/mode.h>
#include <gcompile/cuda/frontier/frontier.h>
#include <gcompile/cuda/frontier/sweep.h>
#include <gcompile/cuda/frontier/take_over.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/kernels/both_ways.h>
#include <gcompile/cuda/kernels/by_target.h>
#include <gcompile/cuda/kernels/copy.h>
#include <gcompile/cuda/kernels/filter.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/cuda/kernels/start.h>
#include <gcompile/cuda/loop/loop.h>
#include <gcompile/cuda/order/kept_index.h>
#include <gcompile/cuda/order/near_far.h>
#include <gcompile/cuda/sets/set_view.h>
#include <gcompile/cuda/streamed/loop.h>
#include <gcompile/cuda/triangles/triangles.h>
#include <gcompile/omp.h>

#endif
