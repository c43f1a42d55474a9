// What devices send each other: records of changed copies, and whole blocks of values.
#ifndef GCOMPILE_GPUS_EXCHANGE_H
#define GCOMPILE_GPUS_EXCHANGE_H

#include <gcompile/core/partition.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/parts.h>
#include <gcompile/cuda/sets/queue.h>
#include <gcompile/gpus/marks.h>
#include <gcompile/gpus/team.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace gc {
namespace gpus {
namespace detail {

/// Copies between the memories of two devices, behind what this one, `rank`, is doing.
template <class T> void copy_from_peer(T *to, const T *from, std::size_t count, int rank, int peer) {
  if (count > 0)
    cuda::check(cudaMemcpyPeerAsync(to, rank, from, peer, count * sizeof(T), 0), "copy between devices");
}

template <class V, class F>
__global__ void __launch_bounds__(cuda::block_threads)
    own_edges_kernel(F f, gc::Graph<V> graph, Range<V> own, ArcId arcs,
                     typename cuda::detail::PartsOf<F>::type *results) {
  typename cuda::detail::PartsOf<F>::type parts = {};
  const cuda::Team team(gridDim.x, nullptr);
  const ArcId first = graph.out_offsets[own.first];
  cuda::gather<V>(
      team, graph, static_cast<std::uint32_t>(own.size()), arcs,
      [&](std::uint64_t i) { return graph.out_offsets[own.first + i] - first; },
      [&](std::uint64_t i) { return static_cast<V>(own.first + i); },
      [&](V u, ArcId e) { cuda::detail::call(f, parts, u, graph.target(e), cuda::edge_of(f, graph, e)); }, [] {});
  cuda::detail::merge_block(parts, results + blockIdx.x);
}

template <class V, class F, class... More>
__global__ void __launch_bounds__(cuda::block_threads)
    each_of_kernel(F f, const V *items, std::uint64_t count, typename cuda::detail::PartsOf<F>::type *results,
                   More... more) {
  typename cuda::detail::PartsOf<F>::type parts = {};
  for (std::uint64_t i = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * cuda::block_threads)
    cuda::detail::call(f, parts, items[i], more...);
  cuda::detail::merge_block(parts, results + blockIdx.x);
}

template <class V, class T> __global__ void reset_copies_kernel(T *values, T value, V n, Range<V> own) {
  for (std::uint64_t v = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; v < n;
       v += std::uint64_t(gridDim.x) * cuda::block_threads)
    if (!own.owns(static_cast<V>(v)))
      values[v] = value;
}

/// What becomes of a copy that is sent.
struct Keep {
  template <class T> __device__ void operator()(T &) const {}
};
template <class T> struct Become {
  T value;
  __device__ void operator()(T &copy) const { copy = value; }
};

/// Where the records for each owner go: a list for each device.
template <class V> struct Owners {
  V begins[most_gpus + 1];
  unsigned long long places[most_gpus + 1]; ///< where its list begins
  int count;
  __device__ int of(std::uint64_t v) const {
    int owner = 0;
    while (owner + 1 < count && begins[owner + 1] <= v)
      ++owner;
    return owner;
  }
};

/// An array of the states and of the records.
template <class T> struct Column { T *state, *record; };
template <class... T> struct Columns;
template <> struct Columns<> {
  __device__ void put(std::uint64_t, std::uint64_t) const {}
  __device__ void take(std::uint64_t, std::uint64_t) const {}
};
template <class T, class... Rest> struct Columns<T, Rest...> {
  Column<T> column;
  Columns<Rest...> rest;
  __device__ void put(std::uint64_t v, std::uint64_t place) const {
    column.record[place] = column.state[v];
    rest.put(v, place);
  }
  __device__ void take(std::uint64_t v, std::uint64_t place) const {
    column.state[v] = column.record[place];
    rest.take(v, place);
  }
};
inline Columns<> columns() { return {}; }
template <class T, class... Rest> Columns<T, Rest...> columns(Column<T> column, Column<Rest>... rest) {
  return {column, columns(rest...)};
}

/// Counts the bits of each owner's block.
template <class V>
__global__ void count_kernel(const std::uint32_t *touched, std::uint64_t words, Owners<V> owners,
                             unsigned long long *counts) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < words;
       i += std::uint64_t(gridDim.x) * cuda::block_threads)
    for (std::uint32_t rest = touched[i]; rest;) {
      const int owner = owners.of(i * 32 + static_cast<unsigned>(__ffs(static_cast<int>(rest)) - 1));
      const std::uint64_t end = owners.begins[owner + 1];
      const std::uint32_t mine = end < (i + 1) * 32 ? rest & ((std::uint32_t(1) << (end - i * 32)) - 1) : rest;
      atomicAdd(&counts[owner], static_cast<unsigned long long>(__popc(mine)));
      rest &= ~mine;
    }
}

template <class V, class Sent, class... T>
__global__ void collect_kernel(std::uint32_t *touched, std::uint64_t words, Owners<V> owners, V *vertices,
                               unsigned long long *counts, Sent sent, Columns<T...> columns) {
  take_bits(touched, words, [&](std::uint64_t v, bool set) {
    // The lanes of a warp that send to the same device take their places together.
    for (unsigned rest = __ballot_sync(cuda::full_warp, set); rest;) {
      const int first = __ffs(static_cast<int>(rest)) - 1;
      const std::uint64_t some = __shfl_sync(cuda::full_warp, static_cast<unsigned long long>(v), first);
      const int owner = owners.of(some);
      const bool mine = set && v >= owners.begins[owner] && v < owners.begins[owner + 1];
      const unsigned lanes = __ballot_sync(cuda::full_warp, mine);
      unsigned long long place = 0;
      if (static_cast<int>(cuda::lane_of_warp()) == first)
        place = atomicAdd(&counts[owner], static_cast<unsigned long long>(__popc(lanes)));
      place = __shfl_sync(cuda::full_warp, place, first) + owners.places[owner] +
              static_cast<unsigned>(__popc(lanes & ((1u << cuda::lane_of_warp()) - 1)));
      if (mine) {
        vertices[place] = static_cast<V>(v);
        columns.put(v, place);
        if constexpr (sizeof...(T) > 0)
          sent(columns.column.state[v]);
      }
      rest &= ~lanes;
    }
  });
}

/// Calls apply(v, values..., next) for each record.
template <class V, class Apply, class Next, class... T>
__global__ void apply_kernel(Apply apply, std::uint64_t count, const V *vertices, Next next, const T *...values) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * cuda::block_threads)
    apply(vertices[i], values[i]..., next);
}

/// Memory for records: vertices, then an array for each of their values.
class Records {
public:
  template <class V, class... T> void reserve(std::size_t count) {
    memory_.reserve_discard(offset<V, T...>(count, 1 + sizeof...(T)));
  }
  /// Array number k of records of these types.
  template <class Wanted, class... All> Wanted *array(std::size_t count, std::size_t k) const {
    return reinterpret_cast<Wanted *>(memory_.data() + offset<All...>(count, k));
  }

private:
  /// Where array number k begins.
  template <class... All> static std::size_t offset(std::size_t count, std::size_t k) {
    const std::size_t sizes[] = {sizeof(All)...};
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < k; ++i)
      bytes += (count * sizes[i] + 15) / 16 * 16;
    return bytes;
  }

  cuda::Buffer<unsigned char> memory_;
};

/// Sends records of changed copies to the owners of the vertices, or of the arcs. What is sent stands in one of two
/// memories, since others may still read the last one: they are done with it before the next meeting. The lists for
/// owners have room for all records that there may be; with `counted`, for those that there are, which takes a kernel
/// more.
template <class V, bool counted> class Exchange {
public:
  explicit Exchange(Team &team) : team_(team), counts_(most_gpus) {}

  template <class... T, class Sent, class Apply, class Next>
  void send(cuda::Buffer<std::uint32_t> &touched, const Partition<V> &partition, const Sent &sent, const Apply &apply,
            const Next &next, T *...states) {
    send_columns<T...>(std::index_sequence_for<T...>(), touched, partition, sent, apply, next, states...);
  }

private:
  /// What a device tells the others: where its lists are, how long they are, and how much room they have together. The
  /// last value is none.
  template <std::size_t columns> struct Card {
    const V *vertices;
    const void *values[columns + 1];
    unsigned long long places[most_gpus], counts[most_gpus];
  };

  /// Some more than is needed now: memory grows seldom.
  static std::size_t room_for(std::uint64_t records) {
    std::size_t room = 1024;
    while (room < records)
      room *= 2;
    return room;
  }
  /// The lists' places; the room that they take.
  std::size_t divide(Owners<V> &owners, const cuda::Buffer<std::uint32_t> &touched, const Partition<V> &partition) {
    for (int r = 0; r <= owners.count; ++r)
      owners.places[r] = owners.begins[r] = r < owners.count ? partition.begin(r) : partition.end(r - 1);
    if constexpr (counted) {
      unsigned long long counts[most_gpus];
      counts_.clear_bytes();
      GCOMPILE_CUDA_LAUNCH((count_kernel<V>), cuda::blocks_for(touched.size()), cuda::block_threads, touched.data(),
                           std::uint64_t(touched.size()), owners, counts_.data());
      cuda::check(cudaGetLastError(), "cannot start a kernel");
      counts_.download(counts, static_cast<std::size_t>(owners.count));
      owners.places[0] = 0;
      for (int r = 0; r < owners.count; ++r)
        owners.places[r + 1] = owners.places[r] + counts[r];
      return room_for(owners.places[owners.count]);
    }
    return static_cast<std::size_t>(owners.places[owners.count]);
  }

  template <class... T, std::size_t... k, class Sent, class Apply, class Next>
  void send_columns(std::index_sequence<k...>, cuda::Buffer<std::uint32_t> &touched, const Partition<V> &partition,
                    const Sent &sent, const Apply &apply, const Next &next, T *...states) {
    const int rank = team_.rank();
    Owners<V> owners = {{}, {}, team_.size()};
    const std::size_t n = divide(owners, touched, partition);

    Records &out = out_[turn_++ % 2];
    out.template reserve<V, T...>(n);
    V *const vertices = out.template array<V, V, T...>(n, 0);
    counts_.clear_bytes();
    GCOMPILE_CUDA_LAUNCH((collect_kernel<V, Sent, T...>), cuda::blocks_for(touched.size()), cuda::block_threads,
                         touched.data(), std::uint64_t(touched.size()), owners, vertices, counts_.data(), sent,
                         columns(Column<T>{states, out.template array<T, V, T...>(n, k + 1)}...));
    cuda::check(cudaGetLastError(), "cannot start a kernel");
    Card<sizeof...(T)> card = {vertices, {out.template array<T, V, T...>(n, k + 1)...}, {}, {}};
    std::copy_n(owners.places, team_.size(), card.places);
    counts_.download(card.counts, static_cast<std::size_t>(team_.size()));

    const auto cards = team_.meet(card);
    std::size_t most = static_cast<std::size_t>(partition.end(rank) - partition.begin(rank));
    if constexpr (counted) {
      most = 0;
      for (const Card<sizeof...(T)> &from : cards)
        most = std::max<std::size_t>(most, from.counts[rank]);
      most = room_for(most);
    }
    in_.template reserve<V, T...>(most);
    for (int r = 0; r < team_.size(); ++r) {
      const Card<sizeof...(T)> &from = cards[static_cast<std::size_t>(r)];
      const std::size_t count = from.counts[rank];
      if (r == rank || count == 0)
        continue;
      const std::size_t first = from.places[rank];
      V *const to = in_.template array<V, V, T...>(most, 0);
      copy_from_peer(to, from.vertices + first, count, rank, r);
      (copy_from_peer(in_.template array<T, V, T...>(most, k + 1), static_cast<const T *>(from.values[k]) + first,
                      count, rank, r),
       ...);
      GCOMPILE_CUDA_LAUNCH((apply_kernel<V, Apply, Next, T...>), cuda::blocks_for(count), cuda::block_threads, apply,
                           std::uint64_t(count), to, next,
                           static_cast<const T *>(in_.template array<T, V, T...>(most, k + 1))...);
      cuda::check(cudaGetLastError(), "cannot start a kernel");
    }
  }

  Team &team_;
  cuda::Buffer<unsigned long long> counts_; ///< of the records for each device
  Records out_[2], in_;
  unsigned turn_ = 0;
};

} // namespace detail
} // namespace gpus
} // namespace gc

#endif
