// Sums over an array in the device's memory.
#ifndef GCOMPILE_CUDA_DEVICE_SCAN_H
#define GCOMPILE_CUDA_DEVICE_SCAN_H

#include <gcompile/cuda/device/memory.h>

#include <cub/device/device_scan.cuh>

#include <cstddef>
#include <cstdint>

namespace gc {
namespace cuda {
namespace detail {

/// Replaces each element by the sum of those before it.
inline void exclusive_scan(Buffer<std::uint32_t> &values) {
  std::size_t bytes = 0;
  const auto scan = [&](void *room) {
    check(cub::DeviceScan::ExclusiveSum(room, bytes, values.data(), values.data(), values.size()), "cannot add up");
  };
  scan(nullptr); // says how much room it needs
  Buffer<unsigned char> room(bytes);
  scan(room.data());
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
