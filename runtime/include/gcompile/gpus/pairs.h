// A value for each pair of vertices: a device has the rows of its own vertices.
#ifndef GCOMPILE_GPUS_PAIRS_H
#define GCOMPILE_GPUS_PAIRS_H

#include <gcompile/core/property.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/gpus/devices.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {
namespace gpus {

/// One value per ordered pair of n vertices, of which this device has the rows of its own ones.
template <class T> class Dense {
public:
  template <class V>
  explicit Dense(const Devices<V> &devices)
      : n_(devices.count()), first_(devices.own_range().first), rows_(devices.own_range().size()), values_(rows_ * n_) {
  }

  std::size_t size() const { return n_; }
  std::size_t first() const { return first_; } ///< of the own rows
  std::size_t rows() const { return rows_; }
  /// Of all rows, of which kernels use the own ones.
  cuda::DenseView<T> view() { return {begin(), n_}; }
  cuda::DenseView<const T> view() const { return {begin(), n_}; }
  /// One value of an own row.
  T read(std::size_t i, std::size_t j) const {
    T value;
    values_.download(&value, 1, (i - first_) * n_ + j);
    return value;
  }
  void copy_from(const Dense &other) {
    if (rows_ > 0)
      values_.copy_from(other.values_, rows_ * n_);
  }

  /// Brings all values to the host, for the first device. All devices.
  template <class V> void gather(const Devices<V> &devices) {
    if (devices.rank() == 0)
      host_.resize_discard(n_);
    gc::Dense<T> *const all = devices.team().meet(&host_)[0];
    if (rows_ > 0)
      values_.download(all->row(first_), rows_ * n_);
    devices.team().meet(0); // before the host reads them
  }
  /// All values, as they were when they were brought together.
  const gc::Dense<T> &host() const { return host_; }

private:
  /// Where the first row of all would begin.
  T *begin() const { return values_.data() - first_ * n_; }

  std::size_t n_, first_, rows_;
  cuda::Buffer<T> values_;
  gc::Dense<T> host_;
};

namespace detail {
template <class V, class F>
__global__ void __launch_bounds__(cuda::block_threads)
    own_pairs_kernel(F f, Range<V> own, V n, typename cuda::detail::PartsOf<F>::type *results) {
  typename cuda::detail::PartsOf<F>::type parts = {};
  cuda::detail::each_pair(static_cast<V>(own.size()), n, blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x,
                          std::uint64_t(gridDim.x) * cuda::block_threads,
                          [&](V i, V j) { cuda::detail::call(f, parts, static_cast<V>(own.first + i), j); });
  cuda::detail::merge_block(parts, results + blockIdx.x);
}
} // namespace detail

/// f(i, j) for every own vertex i and every vertex j. All devices, where f has parts.
template <class V, class F> auto for_pairs(const Devices<V> &devices, const F &f) {
  const Range<V> own = devices.own_range();
  const unsigned blocks = cuda::blocks_for(own.size() * devices.count());
  cuda::detail::BlockParts<typename cuda::detail::PartsOf<F>::type> parts(blocks);
  GCOMPILE_CUDA_LAUNCH((detail::own_pairs_kernel<V, F>), blocks, cuda::block_threads, f, own, devices.count(),
                       parts.data());
  return devices.together(parts.merged());
}

/// The value of a pair, from the owner of its row. All devices.
template <class V, class T> T value_of_owner(const Devices<V> &devices, const Dense<T> &state, V v, V u) {
  return devices.of_owner(v, [&]() -> T { return state.read(v, u); });
}

/// The owner gives row v to all devices. All devices.
template <class V, class T> void copy_row(const Devices<V> &devices, cuda::Property<T> &to, const Dense<T> &from, V v) {
  const int owner = devices.partition().owner(v);
  if (devices.rank() == owner)
    cuda::check(cudaMemcpyAsync(to.data(), from.view().row(v), from.size() * sizeof(T), cudaMemcpyDeviceToDevice, 0),
                "copy on the device");
  if (devices.size() == 1)
    return;
  cuda::synchronize();
  const T *const row = devices.team().meet(static_cast<const T *>(to.data()))[static_cast<std::size_t>(owner)];
  if (devices.rank() != owner)
    detail::copy_from_peer(to.data(), row, from.size(), devices.rank(), owner);
  cuda::synchronize();
  devices.team().meet(0); // before the owner changes what others fetch
}
/// Column u, as far as this device has its rows.
template <class V, class T> void copy_column(const Devices<V> &, cuda::Property<T> &to, const Dense<T> &from, V u) {
  if (from.rows() > 0)
    cuda::check(cudaMemcpy2DAsync(to.data() + from.first(), sizeof(T), from.view().row(from.first()) + u,
                                  from.size() * sizeof(T), sizeof(T), from.rows(), cudaMemcpyDeviceToDevice, 0),
                "copy on the device");
}
/// The own rows.
template <class V, class T> void copy_rows(const Devices<V> &, Dense<T> &to, const Dense<T> &from) {
  to.copy_from(from);
}

} // namespace gpus
} // namespace gc

#endif
