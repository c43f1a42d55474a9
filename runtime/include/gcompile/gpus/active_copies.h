// Which vertices are active on all devices, and what every device learns of the others' ones.
#ifndef GCOMPILE_GPUS_ACTIVE_COPIES_H
#define GCOMPILE_GPUS_ACTIVE_COPIES_H

#include <gcompile/gpus/bit_copies.h>
#include <gcompile/gpus/devices.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace gc {
namespace gpus {

namespace detail {

/// A record of each listed vertex.
template <class V, class... T>
__global__ void list_active_kernel(const V *items, std::uint64_t count, V *vertices, Columns<T...> columns) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * cuda::block_threads) {
    vertices[i] = items[i];
    columns.put(items[i], i);
  }
}

/// Marks the vertices of the records, and takes their values.
template <class V, class... T>
__global__ void take_active_kernel(std::uint32_t *words, const V *vertices, std::uint64_t count,
                                   Columns<T...> columns) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * cuda::block_threads) {
    set_bit(words, vertices[i]);
    columns.take(vertices[i], i);
  }
}

} // namespace detail

/// A bitmap of all vertices with the active ones, as of the last update.
template <class V> class ActiveCopies {
public:
  explicit ActiveCopies(Devices<V> &devices) : devices_(devices), bits_(devices) {}

  /// Takes each device's list of active vertices. All devices.
  void update(const V *items, std::uint64_t count) {
    bits_.update(items, count);
    words_ = bits_.words();
  }
  /// The same, and the copies of those of others take their values of these states. A record of each travels, which
  /// says that it is active. All devices.
  template <class T, class... Rest>
  void update(const V *items, std::uint64_t count, cuda::Property<T> &state, cuda::Property<Rest> &...rest) {
    update_values<T, Rest...>(std::index_sequence_for<T, Rest...>(), items, count, state.data(), rest.data()...);
  }

  const std::uint32_t *words() const { return words_; }

private:
  /// What a device tells the others.
  template <std::size_t columns> struct Card {
    const V *vertices;
    const void *values[columns];
    std::uint64_t count;
  };

  template <class... T, std::size_t... k>
  void update_values(std::index_sequence<k...>, const V *items, std::uint64_t count, T *...states) {
    const int rank = devices_.rank();
    marked_.reserve_discard(detail::words_for(bits_.size()));
    marked_.clear_bytes();
    words_ = marked_.data();
    if (count > 0)
      GCOMPILE_CUDA_LAUNCH((detail::mark_members_kernel<V>), cuda::blocks_for(count), cuda::block_threads,
                           marked_.data(), (Range<V>{0, bits_.size()}), items, count);
    if (devices_.size() == 1)
      return;

    // As in detail::Exchange, what others fetch stands in one of two memories.
    detail::Records &out = out_[turn_++ % 2];
    const std::size_t own = devices_.own_range().size();
    out.template reserve<V, T...>(own);
    V *const vertices = out.template array<V, V, T...>(own, 0);
    if (count > 0)
      GCOMPILE_CUDA_LAUNCH((detail::list_active_kernel<V, T...>), cuda::blocks_for(count), cuda::block_threads, items,
                           count, vertices,
                           detail::columns(detail::Column<T>{states, out.template array<T, V, T...>(own, k + 1)}...));
    cuda::synchronize();
    const Card<sizeof...(T)> card = {vertices, {out.template array<T, V, T...>(own, k + 1)...}, count};
    const auto cards = devices_.team().meet(card);
    for (int r = 0; r < devices_.size(); ++r) {
      const Card<sizeof...(T)> &from = cards[static_cast<std::size_t>(r)];
      if (r == rank || from.count == 0)
        continue;
      const std::size_t most = devices_.partition().end(r) - devices_.partition().begin(r);
      in_.template reserve<V, T...>(most);
      V *const to = in_.template array<V, V, T...>(most, 0);
      detail::copy_from_peer(to, from.vertices, from.count, rank, r);
      (detail::copy_from_peer(in_.template array<T, V, T...>(most, k + 1), static_cast<const T *>(from.values[k]),
                              from.count, rank, r),
       ...);
      GCOMPILE_CUDA_LAUNCH((detail::take_active_kernel<V, T...>), cuda::blocks_for(from.count), cuda::block_threads,
                           marked_.data(), static_cast<const V *>(to), from.count,
                           detail::columns(detail::Column<T>{states, in_.template array<T, V, T...>(most, k + 1)}...));
    }
    cuda::check(cudaGetLastError(), "cannot start a kernel");
  }

  Devices<V> &devices_;
  BitCopies<V> bits_;                  ///< where nothing but bits travels
  cuda::Buffer<std::uint32_t> marked_; ///< where records do
  const std::uint32_t *words_ = nullptr;
  detail::Records out_[2], in_;
  unsigned turn_ = 0;
};

} // namespace gpus
} // namespace gc

#endif
