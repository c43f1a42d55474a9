// The device: errors and launches.
#ifndef GCOMPILE_CUDA_DEVICE_DEVICE_H
#define GCOMPILE_CUDA_DEVICE_DEVICE_H

#include <cuda_runtime.h>

#include <gcompile/core/error.h>
#include <gcompile/cuda/device/atomics.h>
#include <gcompile/cuda/device/failure.h>
#include <gcompile/program/watch.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

// How kernels are launched and how a block's memory is declared; an emulation defines these its own way.
#ifndef GCOMPILE_CUDA_LAUNCH
#define GCOMPILE_CUDA_LAUNCH(kernel, grid, block, ...) (kernel<<<(grid), (block)>>>(__VA_ARGS__))
#define GCOMPILE_CUDA_LAUNCH_ON(stream, kernel, grid, block, ...)                                                      \
  (kernel<<<(grid), (block), 0, (stream)>>>(__VA_ARGS__))
#define GCOMPILE_CUDA_LAUNCH_COOPERATIVE(kernel, grid, block, ...)                                                     \
  gc::cuda::detail::launch_cooperative(kernel, grid, block, __VA_ARGS__)
#define GCOMPILE_CUDA_SHARED(Type, name) __shared__ Type name
#endif

// In front of a loop: `unroll`, so that its arrays are in registers, or `unroll 4`.
#ifdef GCOMPILE_CUDA_EMULATION
#define GCOMPILE_CUDA_UNROLL(pragma)
#else
#define GCOMPILE_CUDA_UNROLL(pragma) _Pragma(#pragma)
#endif

namespace gc {
namespace cuda {

/// Threads of a block, in all kernels.
#ifdef GCOMPILE_CUDA_BLOCK
constexpr unsigned block_threads = GCOMPILE_CUDA_BLOCK;
#else
constexpr unsigned block_threads = 256;
#endif
/// Threads of a block in cooperative kernels: few blocks wait for each other sooner.
constexpr unsigned team_threads = 4 * block_threads;

namespace detail {

/// If a kernel has ended with fail_runtime, says what it said and ends the process.
inline void report_failure() {
  if (const gc::detail::FailureRecord *record = gc::detail::host_failure_record(); record && record->taken)
    fail_runtime(record->place, record->what);
}

} // namespace detail

/// Throws Error if a call of the CUDA runtime has failed. Who watches a run is asked here: the host waits for the
/// device in such calls, or gives it work.
inline void check(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return look_up();
  detail::report_failure();
  if (status == cudaErrorMemoryAllocation)
    throw Error(ErrorKind::resource, std::string("out of memory on the GPU: ") + what);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver)
    throw Error(ErrorKind::resource, std::string("no CUDA device can be used: ") + cudaGetErrorString(status));
  throw Error(ErrorKind::runtime, std::string("the GPU failed: ") + what + ": " + cudaGetErrorString(status));
}

/// Waits for the kernels; throws Error or ends the process if one has failed. Who watches the run is asked meanwhile.
inline void synchronize() {
  check(cudaGetLastError(), "cannot start a kernel");
#ifdef GCOMPILE_SHARED_LIBRARY
  while (gc::detail::watch() && cudaStreamQuery(0) == cudaErrorNotReady) {
    look_up();
    std::this_thread::yield();
  }
#endif
  check(cudaDeviceSynchronize(), "a kernel did not end well");
}

/// The number of multiprocessors of the device in use.
inline unsigned multiprocessors() {
  static PerGpu<unsigned> counts;
  unsigned &count = counts.mine();
  if (count == 0) {
    int device = 0, processors = 0;
    check(cudaGetDevice(&device), "no device");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "no device");
    count = static_cast<unsigned>(processors);
  }
  return count;
}

/// The bytes of its second-level cache.
inline std::size_t second_level_cache() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "no device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "no device");
  return static_cast<std::size_t>(bytes);
}

/// Blocks for `threads` threads, at most so many that each multiprocessor gets `per_processor` of them: kernels stride.
inline unsigned blocks_for(std::uint64_t threads, unsigned per_processor = 16) {
  const std::uint64_t wanted = (threads + block_threads - 1) / block_threads;
  const std::uint64_t most = std::uint64_t(multiprocessors()) * per_processor;
  return static_cast<unsigned>(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

namespace detail {

#ifdef __CUDACC__
template <class... Parameters, class... Given>
void launch_cooperative(void (*kernel)(Parameters...), unsigned grid, unsigned block, Given... given) {
  auto launch = [&](Parameters... parameters) {
    void *pointers[] = {static_cast<void *>(&parameters)...};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), dim3(grid), dim3(block), pointers, 0, 0),
          "cannot start a kernel");
  };
  launch(given...);
}
#endif

/// The number of blocks of a cooperative kernel that fit on the device at once.
template <class Kernel> unsigned resident_blocks(Kernel kernel, unsigned threads = team_threads) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0),
        "cannot start a kernel");
  return multiprocessors() * static_cast<unsigned>(blocks < 1 ? 1 : blocks);
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
