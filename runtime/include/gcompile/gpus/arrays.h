// Arrays of a program, which every device has whole: each collects what its kernel contributes, and all combine it.
#ifndef GCOMPILE_GPUS_ARRAYS_H
#define GCOMPILE_GPUS_ARRAYS_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/start.h>
#include <gcompile/gpus/devices.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {
namespace gpus {

namespace detail {
template <class T, class Combine>
__global__ void combine_kernel(Combine combine, T *totals, const T *parts, std::uint64_t count) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * cuda::block_threads)
    combine(totals[i], parts[i]);
}
} // namespace detail

/// In front of a kernel that contributes to an array: its elements stay with the first device, the others collect in
/// `neutral` ones.
template <class V, class T>
void start_parts(const Devices<V> &devices, cuda::Property<T> &array, const gc::detail::SameAs<T> &neutral) {
  if (devices.rank() > 0 && array.size() > 0)
    GCOMPILE_CUDA_LAUNCH((cuda::detail::fill_kernel<T>), cuda::blocks_for(array.size()), cuda::block_threads,
                         array.view(), T(neutral));
}

/// Behind it: every device gets what combine(total, part) makes of the arrays of all of them, in their order. All
/// devices.
template <class V, class T, class Combine>
void combine_parts(const Devices<V> &devices, cuda::Property<T> &array, const Combine &combine) {
  const std::size_t count = array.size();
  if (devices.size() == 1 || count == 0)
    return;
  cuda::synchronize();
  const std::vector<T *> all = devices.team().meet(array.data());
  cuda::Buffer<T> total(count), part(count);
  for (int r = 0; r < devices.size(); ++r) {
    detail::copy_from_peer((r == 0 ? total : part).data(), static_cast<const T *>(all[static_cast<std::size_t>(r)]),
                           count, devices.rank(), r);
    if (r > 0)
      GCOMPILE_CUDA_LAUNCH((detail::combine_kernel<T, Combine>), cuda::blocks_for(count), cuda::block_threads, combine,
                           total.data(), static_cast<const T *>(part.data()), std::uint64_t(count));
  }
  cuda::check(cudaGetLastError(), "cannot start a kernel");
  cuda::synchronize();
  devices.team().meet(0); // before a device changes what others fetch
  cuda::check(cudaMemcpyAsync(array.data(), total.data(), count * sizeof(T), cudaMemcpyDeviceToDevice, 0),
              "copy on the device");
}

} // namespace gpus
} // namespace gc

#endif
