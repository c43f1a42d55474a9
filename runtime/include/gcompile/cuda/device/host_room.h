// Pinned memory of the host.
#ifndef GCOMPILE_CUDA_DEVICE_HOST_ROOM_H
#define GCOMPILE_CUDA_DEVICE_HOST_ROOM_H

#include <gcompile/cuda/device/device.h>

#include <cstddef>
#include <utility>

namespace gc {
namespace cuda {

/// Memory of the host that kernels write into: what is there is seen once they have ended.
class HostRoom {
public:
  HostRoom() = default;
  HostRoom(const HostRoom &) = delete;
  HostRoom &operator=(const HostRoom &) = delete;
  ~HostRoom() { cudaFreeHost(data_); }
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_)
      return;
    cudaFreeHost(std::exchange(data_, nullptr));
    bytes_ = 0;
    check(cudaMallocHost(&data_, bytes), "cannot allocate memory of the host");
    bytes_ = bytes;
  }
  void *data() const { return data_; }

private:
  void *data_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace cuda
} // namespace gc

#endif
