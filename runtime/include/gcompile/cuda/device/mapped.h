// Memory of the host that kernels read and write in place.
#ifndef GCOMPILE_CUDA_DEVICE_MAPPED_H
#define GCOMPILE_CUDA_DEVICE_MAPPED_H

#include <gcompile/core/property.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/program/parts.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace gc {
namespace cuda {
namespace detail {

/// Pinned memory of the host, which the device sees under an address of its own. Kernels read it over the link to the
/// host: a warp that reads in a row asks for whole lines.
class MappedMemory {
public:
  MappedMemory() = default;
  /// Room for `bytes`.
  explicit MappedMemory(std::size_t bytes) {
    const cudaError_t status = cudaHostAlloc(&own_, bytes + 1, cudaHostAllocMapped | cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation)
      throw Error(ErrorKind::resource, "out of memory: cannot pin " + std::to_string(bytes) + " bytes for the GPU");
    check(status, "cannot pin memory of the host");
    map(own_);
  }
  /// What stands at `from`, which stays there as long as this does: it is pinned where it is, if that can be, else
  /// copied.
  static MappedMemory of(const void *from, std::size_t bytes) {
    MappedMemory memory;
    // Small arrays share pages with others.
    if (bytes >= gc::detail::big_allocation) {
      void *const there = const_cast<void *>(from);
      if (cudaHostRegister(there, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable) == cudaSuccess) {
        memory.registered_ = there;
        memory.map(there);
        return memory;
      }
      cudaGetLastError();
    }
    memory = MappedMemory(bytes);
    constexpr std::size_t part = std::size_t(1) << 20;
    gc::detail::for_parts((bytes + part - 1) / part, [&](std::uint64_t begin, std::uint64_t end) {
      const std::size_t at = begin * part, last = std::min<std::size_t>(end * part, bytes);
      std::memcpy(static_cast<char *>(memory.own_) + at, static_cast<const char *>(from) + at, last - at);
    });
    return memory;
  }
  MappedMemory(MappedMemory &&other) noexcept { *this = std::move(other); }
  MappedMemory &operator=(MappedMemory &&other) noexcept {
    std::swap(own_, other.own_);
    std::swap(registered_, other.registered_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~MappedMemory() {
    if (own_)
      cudaFreeHost(own_);
    if (registered_)
      cudaHostUnregister(registered_);
  }

  /// As kernels see it.
  void *data() const { return data_; }
  /// As the host and the link see it.
  void *pinned() const { return own_ ? own_ : registered_; }

private:
  void map(void *address) { check(cudaHostGetDevicePointer(&data_, address, 0), "cannot map memory of the host"); }

  void *own_ = nullptr, *registered_ = nullptr, *data_ = nullptr;
};

} // namespace detail

/// An array of a graph, in the device's memory or in the host's.
template <class T> class PlacedArray {
public:
  PlacedArray() = default;
  /// A copy of an array of the host on the device; or that array, which stays as long as this does.
  PlacedArray(const T *from, std::size_t count, bool on_device) {
    if (on_device) {
      device_ = Buffer<T>(count);
      device_.upload(from, count);
    } else {
      host_ = detail::MappedMemory::of(from, count * sizeof(T));
    }
  }
  /// Room that kernels fill.
  PlacedArray(std::size_t count, bool on_device) {
    if (on_device)
      device_ = Buffer<T>(count);
    else
      host_ = detail::MappedMemory(count * sizeof(T));
  }

  T *data() const { return host_.data() ? static_cast<T *>(host_.data()) : device_.data(); }
  /// Where it is in the host's memory; nullptr: it is on the device.
  const T *pinned() const { return static_cast<const T *>(host_.pinned()); }

private:
  Buffer<T> device_;
  detail::MappedMemory host_;
};

} // namespace cuda
} // namespace gc

#endif
