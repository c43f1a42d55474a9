// The two halves of a gather by segments (cuda/segments.h): spreading values, and putting them together.
#ifndef GCOMPILE_CUDA_SEGMENTS_GATHER_H
#define GCOMPILE_CUDA_SEGMENTS_GATHER_H

#include <gcompile/cuda/segments/layout.h>

namespace gc {
namespace cuda {
namespace detail {

/// Values that are read and written at once.
template <class T> struct alignas(16) Pack {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of one or two words");
  static constexpr unsigned size = 16 / sizeof(T);
  T of[size];
};
template <unsigned size> struct alignas(2 * size) Numbers { unsigned short of[size]; };

/// What arcs bring from the source with a number.
template <class V, class F> __device__ typename F::Value value_of(const F &f, const V *list, V number) {
  if (list)
    return f.source(list[number]);
  // What may fail is evaluated where the loop would: at sources of arcs.
  if constexpr (F::may_fail)
    if (f.graph.out_begin(number) == f.graph.out_end(number))
      return F::first();
  return f.source(number);
}

/// Writes the values of all packs. Each block has as many packs as the others, of segments in a row.
template <class V, class F>
__global__ void __launch_bounds__(team_threads) spread_kernel(F f, SegmentsView<V> s, Pack<typename F::Value> *values) {
  using T = typename F::Value;
  GCOMPILE_CUDA_LARGE_SHARED(SegmentValues<T>, own);
  constexpr unsigned each = Pack<T>::size;
  const auto start_of = [&](unsigned segment) { return s.starts[std::uint64_t(segment) * s.tiles]; };
  const std::uint64_t total = start_of(s.segments), end = total * (blockIdx.x + 1) / gridDim.x;
  std::uint64_t at = total * blockIdx.x / gridDim.x;
  unsigned segment = 0;
  for (unsigned count = s.segments; count > 1;) {
    const unsigned half = count / 2;
    if (start_of(segment + half) <= at)
      segment += half;
    count -= half;
  }
  const auto *const sources = reinterpret_cast<const Numbers<each> *>(s.sources);
  for (; at < end; ++segment) {
    const std::uint64_t behind = start_of(segment + 1), until = behind < end ? behind : end;
    if (until <= at)
      continue;
    const V first = static_cast<V>(segment) * s.width;
    const unsigned count = s.n - first < s.width ? static_cast<unsigned>(s.n - first) : s.width;
    __syncthreads();
    GCOMPILE_CUDA_UNROLL(unroll 8)
    for (unsigned i = threadIdx.x; i < count; i += team_threads)
      own.of[i] = value_of<V>(f, s.list, first + i);
    __syncthreads();
    constexpr unsigned batch = 8; // loads that do not wait for each other
    // A warp takes neighbours: memory prefers long rows.
    for (std::uint64_t k = at + threadIdx.x / 32 * (32 * batch) + lane_of_warp(); k < until;
         k += batch * team_threads) {
      Numbers<each> its[batch];
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned b = 0; b < batch; ++b)
        if (k + b * 32 < until)
          its[b] = sources[k + b * 32];
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned b = 0; b < batch; ++b)
        if (k + b * 32 < until) {
          Pack<T> pack;
          for (unsigned i = 0; i < each; ++i)
            pack.of[i] = own.of[its[b].of[i]];
          values[k + b * 32] = pack;
        }
    }
    at = until;
  }
}

/// Starts to copy 16 bytes to shared memory.
__device__ inline void start_copy(void *to, const void *from) {
#ifdef GCOMPILE_CUDA_EMULATION
  memcpy(to, from, 16);
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
#endif
}
/// Waits for the copies that this thread has started.
__device__ inline void wait_copies() {
#ifndef GCOMPILE_CUDA_EMULATION
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Lists of a tile that more lanes take than short ones.
struct LongerLists {
  static constexpr unsigned least = 64; // arcs, at least one more than that
  struct List {
    unsigned row;
    unsigned short begin, end;
    __device__ unsigned length() const { return unsigned(end) - begin; }
  };
  unsigned count, taken;
  List lists[tile_bytes / 6 / least + 1];
};

/// Puts together the lists of each tile. What a tile has of a list that began before it goes to `carries`. Blocks take
/// the tiles in turn, as each is done with one: what they read at a time lies close together then.
template <class V, class F>
__global__ void __launch_bounds__(tile_threads, 3)
    collect_kernel(F, const ArcId *offsets, SegmentsView<V> s, const Pack<typename F::Value> *values,
                   typename F::Value *results, typename F::Value *carries) {
  using T = typename F::Value;
  GCOMPILE_CUDA_LARGE_SHARED(TileValues<T>, own);
  GCOMPILE_CUDA_SHARED(LongerLists, longer);
  GCOMPILE_CUDA_SHARED(unsigned, taken);
  auto *const places = reinterpret_cast<unsigned short *>(own.of + s.room);
  constexpr unsigned each = Pack<T>::size, batch = 6;
  constexpr unsigned warps = tile_threads / 32, most_lanes = 8, long_list = 4 * tile_threads;
  const unsigned lane = lane_of_warp();
  const WarpLanes<32> warp;
  for (unsigned t = blockIdx.x, next = t + gridDim.x; t < s.tiles; t = next, next = taken) {
    const unsigned after_next = threadIdx.x == 0 ? 2 * gridDim.x + atomicAdd(s.taken, 1u) : 0;
    const ArcId begin = s.begin_of(t), end = begin + s.tile_arcs < s.end ? begin + s.tile_arcs : s.end;
    const auto arcs = static_cast<unsigned>(end - begin);
    const unsigned packs = s.counts[t];
    const std::uint32_t *const its_packs = s.packs + std::uint64_t(t) * s.most_packs();
    const V first = s.first[t], last = s.first[t + 1];
    __syncthreads();
    if (threadIdx.x == 0)
      longer.count = longer.taken = 0;
    for (unsigned k = threadIdx.x * 8; k < arcs; k += tile_threads * 8)
      start_copy(places + k, s.places + begin + k);
    for (unsigned j = threadIdx.x; j < packs; j += batch * tile_threads) {
      std::uint32_t from[batch];
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned b = 0; b < batch; ++b)
        from[b] = j + b * tile_threads < packs ? its_packs[j + b * tile_threads] : 0;
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned b = 0; b < batch; ++b)
        if (const unsigned at = j + b * tile_threads; at < packs)
          start_copy(&own.of[at * each], values + from[b]);
    }
    // Row 0 may be the rest of a list that began before.
    const bool carries_on = offsets[first] > begin;
    const auto rows = static_cast<unsigned>(last - first) + carries_on;
    if (next < s.tiles) {
      for (unsigned k = threadIdx.x * 64; k < s.tile_arcs; k += tile_threads * 64)
        prefetch(s.places + s.begin_of(next) + k);
      for (unsigned k = threadIdx.x * 32; k < s.most_packs(); k += tile_threads * 32)
        prefetch(s.packs + std::uint64_t(next) * s.most_packs() + k);
    }
    if (threadIdx.x == 0)
      taken = after_next;
    // So many lanes take a short list that all warps have one, and at least two. A warp takes a list for each such
    // group at a time, or two. Each lane knows one of these lists; the first ones are looked up while the copies are
    // under way.
    unsigned lanes = 2;
    while (lanes < most_lanes && rows * lanes * 2 <= tile_threads)
      lanes *= 2;
    const unsigned short_list = LongerLists::least / 2 * lanes;
    const unsigned mine = 32 / lanes * (rows * lanes <= tile_threads ? 1 : 2);
    unsigned base = threadIdx.x / 32 * mine, from = 0, to = 0;
    const auto find_row = [&] {
      from = to = 0;
      if (base + lane < rows && lane < mine) {
        const V v = first + base + lane - carries_on;
        const ArcId its_begin = offsets[v], its_end = offsets[v + 1];
        from = its_begin > begin ? static_cast<unsigned>(its_begin - begin) : 0;
        to = static_cast<unsigned>((its_end < end ? its_end : end) - begin);
      }
    };
    find_row();
    wait_copies();
    __syncthreads();
    const auto together = [&](const auto &these, unsigned from, unsigned to) {
      T all = F::first();
      GCOMPILE_CUDA_UNROLL(unroll 4)
      for (unsigned k = from + these.rank(); k < to; k += these.size())
        all = F::combine(all, own.of[places[k]]);
      return these.fold(all, [](T a, T b) { return F::combine(a, b); });
    };
    const auto put = [&](unsigned row, T value) {
      if (carries_on && row == 0)
        carries[t] = value;
      else
        results[first + row - carries_on] = value;
    };
    const auto put_short_lists = [&](const auto &team) {
      constexpr unsigned groups = 32 / std::decay_t<decltype(team)>::size();
      for (; base < rows; base += warps * mine, find_row()) {
        if (to - from > short_list)
          longer.lists[atomicAdd(&longer.count, 1u)] = {base + lane, static_cast<unsigned short>(from),
                                                        static_cast<unsigned short>(to)};
        for (unsigned turn = 0; turn < mine; turn += groups) {
          const unsigned which = turn + lane / team.size();
          const unsigned its_from = __shfl_sync(full_warp, from, static_cast<int>(which)),
                         its_to = __shfl_sync(full_warp, to, static_cast<int>(which));
          if (base + which < rows && its_to - its_from <= short_list) {
            const T value = together(team, its_from, its_to);
            if (team.leader())
              put(base + which, value);
          }
          __syncwarp();
        }
      }
    };
    if (lanes == 2)
      put_short_lists(WarpLanes<2>());
    else if (lanes == 4)
      put_short_lists(WarpLanes<4>());
    else
      put_short_lists(WarpLanes<most_lanes>());
    __syncthreads();
    const unsigned found = longer.count;
    for (;;) {
      unsigned i = 0;
      if (warp.leader())
        i = atomicAdd(&longer.taken, 1u);
      i = __shfl_sync(full_warp, i, 0);
      if (i >= found)
        break;
      const LongerLists::List list = longer.lists[i];
      if (list.length() > long_list)
        continue;
      const T value = together(warp, list.begin, list.end);
      if (warp.leader())
        put(list.row, value);
    }
    // The block takes the longest lists together.
    for (unsigned i = 0; arcs > long_list && i < found; ++i) {
      const LongerLists::List list = longer.lists[i];
      if (list.length() <= long_list)
        continue;
      const BlockLanes<tile_threads> block;
      const T value = together(block, list.begin, list.end);
      if (block.leader())
        put(list.row, value);
    }
  }
}

/// Adds what tiles have of lists that began before them: a warp for each such list. No tile is taken any more.
template <class V, class F>
__global__ void __launch_bounds__(block_threads)
    carry_kernel(F, const ArcId *offsets, SegmentsView<V> s, typename F::Value *results,
                 const typename F::Value *carries) {
  using T = typename F::Value;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *s.taken = 0;
  const WarpLanes<32> warp;
  const unsigned warps = gridDim.x * (block_threads / 32);
  for (unsigned t = (blockIdx.x * block_threads + threadIdx.x) / 32; t < s.tiles; t += warps) {
    const ArcId begin = s.begin_of(t);
    const V first = s.first[t];
    // The warp of the second tile that the list is in.
    if (offsets[first] <= begin || offsets[first - 1] + s.tile_arcs < begin)
      continue;
    const ArcId end = offsets[first];
    T all = F::first();
    for (unsigned k = t + lane_of_warp(); k < s.tiles && s.begin_of(k) < end; k += 32)
      all = F::combine(all, carries[k]);
    all = warp.fold(all, [](T a, T b) { return F::combine(a, b); });
    if (warp.leader())
      results[first - 1] = F::combine(results[first - 1], all);
  }
}

/// The same without segments.
template <class V, class F> struct GatherPlainly {
  static constexpr bool by_lanes = true;
  static constexpr Along walks = Along::in;
  F f;
  gc::Graph<V> graph;
  typename F::Value *results;

  template <class Lanes> __device__ void operator()(const V v, const Lanes lanes) const {
    using T = typename F::Value;
    T all = F::first();
    for (const V u : lanes.share(graph.in_neighbors(v)))
      all = F::combine(all, f.source(u));
    all = lanes.fold(all, [](T a, T b) { return F::combine(a, b); });
    if (lanes.leader())
      results[v] = all;
  }
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
