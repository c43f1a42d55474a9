// Arrays whose length a program computes, on the device.
#ifndef GCOMPILE_CUDA_KERNELS_START_H
#define GCOMPILE_CUDA_KERNELS_START_H

#include <gcompile/core/error.h>
#include <gcompile/core/numeric.h>
#include <gcompile/cuda/device/memory.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace gc {
namespace cuda {

namespace detail {
template <class T> __global__ void fill_kernel(ArrayView<T> array, T value) {
  for (std::size_t i = blockIdx.x * std::size_t(block_threads) + threadIdx.x; i < array.size();
       i += std::size_t(gridDim.x) * block_threads)
    array[i] = value;
}
} // namespace detail

/// Gives an array its length, which must not be negative, and all of its elements the same value.
template <class T>
void start(Property<T> &array, std::int64_t length, const gc::detail::SameAs<T> &value, const char *where) {
  if (length < 0)
    fail_runtime(where, "the length of the array is negative");
  if (length > (std::int64_t(1) << 40) / static_cast<std::int64_t>(sizeof(T)))
    throw Error(ErrorKind::resource, std::string(where) + ": out of memory on the GPU: an array of " +
                                         std::to_string(length) + " values does not fit");
  array.resize_discard(static_cast<std::size_t>(length));
  GCOMPILE_CUDA_LAUNCH((detail::fill_kernel<T>), blocks_for(array.size()), block_threads, array.view(), T(value));
}

} // namespace cuda
} // namespace gc

#endif
