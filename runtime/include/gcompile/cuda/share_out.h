// Calling a kernel's function object: with what it accumulates, and by several lanes for each vertex.
#ifndef GCOMPILE_CUDA_SHARE_OUT_H
#define GCOMPILE_CUDA_SHARE_OUT_H

#include <gcompile/cuda/lanes.h>

#include <type_traits>

namespace gc {
namespace cuda {

/// What a kernel without results adds to.
struct NoParts {
  GCOMPILE_HD void merge(const NoParts &) {}
};

namespace detail {

template <class F, class = void> struct PartsOf { using type = NoParts; };
template <class F> struct PartsOf<F, std::void_t<typename F::Parts>> { using type = typename F::Parts; };
template <class F, class = void> struct ByLanes { static constexpr bool value = false; };
template <class F> struct ByLanes<F, std::void_t<decltype(F::by_lanes)>> { static constexpr bool value = F::by_lanes; };

template <class F, class Parts, class... Arguments>
__device__ void call(const F &f, Parts &parts, Arguments... arguments) {
  if constexpr (std::is_same<Parts, NoParts>::value)
    f(arguments...);
  else
    f(arguments..., parts);
}

/// The i-th of the vertices that a loop visits: of a list, or all.
template <class V> struct Members {
  const V *items; // nullptr: all vertices
  std::uint64_t count;
  __device__ V operator[](std::uint64_t i) const { return items ? items[i] : static_cast<V>(i); }
};

template <class V> __device__ EdgeId list_length(const gc::Graph<V> &graph, V v) {
  EdgeId length = graph.out_end(v) - graph.out_begin(v);
  if (graph.is_directed && graph.in_offsets)
    length += graph.in_end(v) - graph.in_begin(v);
  return length;
}

/// The vertices of a tile that the whole block takes.
template <unsigned threads> struct Hubs {
  unsigned count;
  unsigned short slots[threads];
};

/// Lists longer than this are walked by a whole block.
constexpr EdgeId hub_degree = 8 * block_threads;

/// f for each member, by the first `blocks` blocks: `count` lanes take a short list, a warp a longer one, the block the
/// longest of its tile afterwards. A tile has as many vertices as the block's lanes take in `turns` turns, at most
/// `count`. Every thread of these blocks calls.
template <unsigned count, unsigned threads, class V, class F, class Parts>
__device__ void run_by_lanes(const F &f, const gc::Graph<V> &graph, const Members<V> &members, unsigned blocks,
                             unsigned turns, Hubs<threads> &hubs, Parts &parts) {
  constexpr unsigned groups = threads / count;
  const unsigned group = threadIdx.x / count;
  const WarpLanes<count> lanes;
  __syncthreads();
  if (threadIdx.x == 0)
    hubs.count = 0;
  __syncthreads();
  const std::uint64_t tile_size = std::uint64_t(groups) * turns;
  for (std::uint64_t tile = blockIdx.x * tile_size; tile < members.count; tile += blocks * tile_size) {
    for (unsigned turn = 0; turn < turns; ++turn) {
      const unsigned slot = turn * groups + group;
      V v = 0;
      EdgeId length = 0;
      if (tile + slot < members.count) {
        v = members[tile + slot];
        length = list_length(graph, v);
        if (length <= 16 * count)
          call(f, parts, v, lanes);
        else if (length > hub_degree && lanes.leader())
          hubs.slots[atomicAdd(&hubs.count, 1u)] = static_cast<unsigned short>(slot);
      }
      unsigned longer = __ballot_sync(full_warp, lanes.leader() && length > 16 * count && length <= hub_degree);
      for (; longer != 0; longer &= longer - 1) {
        const int owner = __ffs(static_cast<int>(longer)) - 1;
        call(f, parts, static_cast<V>(__shfl_sync(full_warp, v, owner)), WarpLanes<32>());
      }
    }
    __syncthreads();
    const unsigned found = hubs.count;
    __syncthreads();
    if (found == 0)
      continue;
    if (threadIdx.x == 0)
      hubs.count = 0;
    for (unsigned i = 0; i < found; ++i)
      call(f, parts, members[tile + hubs.slots[i]], BlockLanes<threads>());
    __syncthreads();
  }
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
