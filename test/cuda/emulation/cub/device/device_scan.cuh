// What the runtime uses of CUB, in one thread.
#pragma once

#include "cuda_runtime.h"

#include <cstddef>

namespace cub {
namespace detail {

template <class T, class Count> __global__ void exclusive_sum_kernel(const T *values, T *sums, Count count) {
  T sum = 0;
  for (Count i = 0; i < count; ++i) {
    const T value = values[i];
    sums[i] = sum;
    sum += value;
  }
}

} // namespace detail

struct DeviceScan {
  /// Without `room`, how many bytes it takes; with that, sums[i] = values[0] + ... + values[i - 1].
  template <class T, class Count>
  static cudaError_t ExclusiveSum(void *room, std::size_t &bytes, const T *values, T *sums, Count count) {
    if (room)
      GCOMPILE_CUDA_LAUNCH((detail::exclusive_sum_kernel<T, Count>), 1, 1, values, sums, count);
    else
      bytes = 1;
    return cudaSuccess;
  }
};

} // namespace cub
