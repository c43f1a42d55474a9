// What printed CUDA includes, for precompiling.
#pragma once

#include <cuda_runtime.h>
#include <gcompile/gpus.h>
#include <gcompile/hybrid.h>
#include <gcompile/program.h>
