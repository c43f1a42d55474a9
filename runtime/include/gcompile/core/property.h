// Owning arrays for vertex, edge and vertex-pair properties.
#ifndef GCOMPILE_CORE_PROPERTY_H
#define GCOMPILE_CORE_PROPERTY_H

#include <gcompile/core/error.h>

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace gc {

namespace detail {

/// Allocations of at least this many bytes are mapped directly and advised to use huge pages.
constexpr std::size_t big_allocation = std::size_t(4) << 20;

[[noreturn]] void fail_allocation(std::size_t bytes);

/// Uninitialised memory for values of `size` bytes, aligned to at least 64 bytes. Throws Error if there is not
/// enough.
void *allocate(std::size_t count, std::size_t size);
/// The same, of zeros. A big allocation takes memory only where it is touched.
void *allocate_zeros(std::size_t count, std::size_t size);
void release(void *memory, std::size_t bytes);

} // namespace detail

/// An owning, move-only array whose elements start uninitialised; the caller touches them first, from the threads that
/// will use them. Aligned to 64 bytes; big arrays use huge pages. Throws Error when memory runs out.
template <class T> class Array {
  static_assert(std::is_trivially_destructible<T>::value, "elements must be plain values");

public:
  using value_type = T;

  Array() = default;
  explicit Array(std::size_t size) : data_(static_cast<T *>(detail::allocate(size, sizeof(T)))), size_(size) {}
  Array(Array &&other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Array &operator=(Array &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Array() {
    if (data_)
      detail::release(data_, size_ * sizeof(T));
  }

  /// An array of zeros, of which a big one takes memory only where it is touched.
  static Array zeros(std::size_t size) {
    Array array;
    array.data_ = static_cast<T *>(detail::allocate_zeros(size, sizeof(T)));
    array.size_ = size;
    return array;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *data() { return data_; }
  const T *data() const { return data_; }
  T &operator[](std::size_t i) { return data_[i]; }
  const T &operator[](std::size_t i) const { return data_[i]; }
  T *begin() { return data_; }
  T *end() { return data_ + size_; }
  const T *begin() const { return data_; }
  const T *end() const { return data_ + size_; }

  /// Makes the array `size` elements long. The contents are lost unless it already has that size.
  void resize_discard(std::size_t size) {
    if (size == size_)
      return;
    *this = Array();
    *this = Array(size);
  }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// One value per vertex or per arc.
template <class T> using Property = Array<T>;

/// One value per ordered pair of vertices: n x n, row-major.
template <class T> class Dense {
public:
  Dense() = default;
  explicit Dense(std::size_t n) : values_(checked_square(n)), n_(n) {}

  /// Of zeros, of which many take memory only where they are touched.
  static Dense zeros(std::size_t n) {
    Dense pairs;
    pairs.values_ = Array<T>::zeros(checked_square(n));
    pairs.n_ = n;
    return pairs;
  }

  /// Number of rows, which is the number of columns.
  std::size_t size() const { return n_; }
  T *data() { return values_.data(); }
  const T *data() const { return values_.data(); }
  T &operator()(std::size_t i, std::size_t j) { return values_[i * n_ + j]; }
  const T &operator()(std::size_t i, std::size_t j) const { return values_[i * n_ + j]; }
  T *row(std::size_t i) { return values_.data() + i * n_; }
  const T *row(std::size_t i) const { return values_.data() + i * n_; }

  void resize_discard(std::size_t n) {
    values_.resize_discard(checked_square(n));
    n_ = n;
  }

private:
  static std::size_t checked_square(std::size_t n) {
    if (n != 0 && n > std::numeric_limits<std::size_t>::max() / n)
      detail::fail_allocation(std::numeric_limits<std::size_t>::max());
    return n * n;
  }

  Array<T> values_;
  std::size_t n_ = 0;
};

} // namespace gc

#endif
