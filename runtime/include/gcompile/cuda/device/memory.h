// Memory of the device: arrays, properties, and cells that kernels update.
#ifndef GCOMPILE_CUDA_DEVICE_MEMORY_H
#define GCOMPILE_CUDA_DEVICE_MEMORY_H

#include <gcompile/core/device_memory.h>
#include <gcompile/core/property.h>
#include <gcompile/cuda/device/host_room.h>
#include <gcompile/cuda/device/link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {
namespace cuda {

namespace detail {

/// Memory that has been given back, by size: the device's own allocator is slow.
class SpareMemory {
public:
  static void *take(std::size_t bytes) {
    auto found = spare().find(bytes);
    if (found != spare().end() && !found->second.empty()) {
      void *memory = found->second.back();
      found->second.pop_back();
      return memory;
    }
    void *memory = nullptr;
    cudaError_t status = allocate(&memory, bytes);
    if (status == cudaErrorMemoryAllocation) {
      release();
      status = allocate(&memory, bytes);
    }
    if (status != cudaSuccess) {
      const std::string what = "cannot allocate " + std::to_string(bytes) + " bytes";
      check(status, what.c_str());
    }
    return memory;
  }
  static void give_back(void *memory, std::size_t bytes) { spare()[bytes].push_back(memory); }
  /// Gives all of it back to the device.
  static void release() {
    for (auto &[bytes, memories] : spare())
      for (void *memory : memories) {
        cudaFree(memory);
        device_memory.remove(bytes);
      }
    spare().clear();
  }

private:
  static cudaError_t allocate(void **memory, std::size_t bytes) {
    if (!device_memory.has_room(bytes))
      return cudaErrorMemoryAllocation;
    const cudaError_t status = cudaMalloc(memory, bytes);
    if (status == cudaSuccess)
      device_memory.add(bytes);
    else if (status == cudaErrorMemoryAllocation)
      cudaGetLastError();
    return status;
  }
  static std::map<std::size_t, std::vector<void *>> &spare() {
    static auto *memory = new PerGpu<std::map<std::size_t, std::vector<void *>>>; // as long as the process
    return memory->mine();
  }
};

} // namespace detail

/// An owning array of the device; its elements start uninitialised. Throws Error when the device's memory runs out.
template <class T> class Buffer {
public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    // An array of no elements has an address too, and a failed index reads element 0.
    data_ = static_cast<T *>(detail::SpareMemory::take(bytes()));
  }
  Buffer(Buffer &&other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() {
    if (data_)
      detail::SpareMemory::give_back(data_, bytes());
  }

  std::size_t size() const { return size_; }
  T *data() const { return data_; }

  /// Makes room for `size` elements. The contents are lost unless there is.
  void reserve_discard(std::size_t size) {
    if (data_ && size <= size_)
      return;
    *this = Buffer();
    *this = Buffer(size);
  }
  void upload(const T *from, std::size_t count) { copy_to_device(data_, from, count * sizeof(T)); }
  void download(T *to, std::size_t count, std::size_t first = 0) const {
    copy_to_host(to, data_ + first, count * sizeof(T));
  }
  void copy_from(const Buffer &other, std::size_t count) {
    check(cudaMemcpyAsync(data_, other.data_, count * sizeof(T), cudaMemcpyDeviceToDevice, 0), "copy on the device");
  }
  void clear_bytes() { check(cudaMemsetAsync(data_, 0, size_ * sizeof(T), 0), "clear"); }

private:
  std::size_t bytes() const { return (size_ * sizeof(T) / 256 + 1) * 256; }

  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// An array of a program as kernels see it.
template <class T> struct ArrayView {
  T *values;
  std::size_t length;
  __host__ __device__ std::size_t size() const { return length; }
  __host__ __device__ T &operator[](std::size_t i) const { return values[i]; }
  template <class U, class = std::enable_if_t<std::is_same<U, const T>::value && !std::is_const<T>::value>>
  __host__ __device__ operator ArrayView<U>() const {
    return {values, length};
  }
};

/// One value per vertex or per arc, or an array of a program, on the device. The host sees a copy, made when it asks.
template <class T> class Property {
public:
  Property() = default;
  explicit Property(std::size_t size) : values_(size) {}
  /// A copy of values on the host.
  Property &operator=(const Array<T> &values) {
    values_.reserve_discard(values.size());
    values_.upload(values.data(), values.size());
    fresh_ = false;
    return *this;
  }

  std::size_t size() const { return values_.size(); }
  T *data() {
    fresh_ = false;
    return values_.data();
  }
  const T *data() const { return values_.data(); }
  ArrayView<T> view() { return {data(), size()}; }
  /// One value, fetched from the device.
  T read(std::size_t i) const {
    T value;
    values_.download(&value, 1, i);
    return value;
  }
  /// All values, on the host.
  const Array<T> &host() const {
    if (!fresh_) {
      host_.resize_discard(size());
      values_.download(host_.data(), size());
      fresh_ = true;
    }
    return host_;
  }
  const T &operator[](std::size_t i) const { return host()[i]; }

  void copy_from(const Property &other) {
    resize_discard(other.size());
    fresh_ = false;
    values_.copy_from(other.values_, size());
  }
  /// Makes it `size` elements long. The contents are lost unless it has that size.
  void resize_discard(std::size_t size) {
    if (values_.data() && size == this->size())
      return;
    values_ = Buffer<T>();
    values_ = Buffer<T>(size);
    fresh_ = false;
  }

private:
  Buffer<T> values_;
  mutable Array<T> host_;
  mutable bool fresh_ = false;
};

/// A matrix as kernels see it.
template <class T> struct DenseView {
  T *values;
  std::size_t n;
  __host__ __device__ T &operator()(std::size_t i, std::size_t j) const { return values[i * n + j]; }
  __host__ __device__ T *row(std::size_t i) const { return values + i * n; }
  template <class U, class = std::enable_if_t<std::is_same<U, const T>::value && !std::is_const<T>::value>>
  __host__ __device__ operator DenseView<U>() const {
    return {values, n};
  }
};

/// One value per ordered pair of vertices, n x n, row-major, on the device.
template <class T> class Dense {
public:
  explicit Dense(std::size_t n) : values_(checked_square(n)), n_(n) {}

  std::size_t size() const { return n_; }
  DenseView<T> view() {
    fresh_ = false;
    return {values_.data(), n_};
  }
  DenseView<const T> view() const { return {values_.data(), n_}; }
  T read(std::size_t i, std::size_t j) const {
    T value;
    values_.download(&value, 1, i * n_ + j);
    return value;
  }
  const gc::Dense<T> &host() const {
    if (!fresh_) {
      host_.resize_discard(n_);
      values_.download(host_.data(), n_ * n_);
      fresh_ = true;
    }
    return host_;
  }
  const T &operator()(std::size_t i, std::size_t j) const { return host()(i, j); }
  /// A copy of as many values on the host, and one there.
  Dense &operator=(const gc::Dense<T> &values) {
    values_.upload(values.data(), n_ * n_);
    fresh_ = false;
    return *this;
  }

  void copy_from(const Dense &other) {
    fresh_ = false;
    values_.copy_from(other.values_, n_ * n_);
  }

private:
  static std::size_t checked_square(std::size_t n) {
    if (n != 0 && n > (std::size_t(1) << 40) / n / sizeof(T))
      throw Error(ErrorKind::resource, "out of memory on the GPU: a matrix of " + std::to_string(n) + " x " +
                                           std::to_string(n) + " values does not fit");
    return n * n;
  }

  Buffer<T> values_;
  std::size_t n_ = 0;
  mutable gc::Dense<T> host_;
  mutable bool fresh_ = false;
};

/// A scalar that a kernel updates for all its threads: on the device while the kernel runs.
template <class T> class Cell {
public:
  explicit Cell(const T &value) : value_(1) { value_.upload(&value, 1); }
  T *data() { return value_.data(); }
  T read() const {
    T value;
    value_.download(&value, 1);
    return value;
  }

private:
  Buffer<T> value_;
};

} // namespace cuda
} // namespace gc

#endif
