// An emulation of the CUDA runtime and of SIMT execution, so that generated CUDA programs run on machines without a
// GPU. Put this folder before any real CUDA in the include path, compile the .cu file as C++17, and link
// cuda_emulation.
//
// It differs from a GPU where that finds defects: the threads of a block are fibers of one operating system thread that
// run in random order (environment: GCOMPILE_EMULATION_SEED) and change places at barriers, warp collectives, sleeps
// and, now and then, at atomics; memory that nobody wrote holds garbage; work of streams may be delayed until the host
// waits for it; of several devices (GCOMPILE_EMULATION_DEVICES), each used by a thread of the host, no kernel may touch
// the memory of another; __device__ variables are the same for all of them; a collective that some thread can never
// join ends the program with a message.
#pragma once

#define GCOMPILE_CUDA_EMULATION 1

// The only pass of this compiler is the one of the device's code: the host runs that too.
#define __CUDACC__ 1
#define __CUDA_ARCH__ 900

#include "types.h"

#include "api.h"
#include "intrinsics.h"
#include "simt.h"
