// Calling a kernel's function object: with what it accumulates, and by several lanes for each vertex.
#ifndef GCOMPILE_CUDA_KERNELS_SHARE_OUT_H
#define GCOMPILE_CUDA_KERNELS_SHARE_OUT_H

#include <gcompile/cuda/device/lanes.h>

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
/// A push that is called for each vertex, not for each arc.
template <class F, class = void> struct WholeVertex { static constexpr bool value = false; };
template <class F> struct WholeVertex<F, std::void_t<decltype(F::whole_vertex)>> {
  static constexpr bool value = F::whole_vertex;
};

template <class F, class Parts, class... Arguments>
__device__ void call(const F &f, Parts &parts, Arguments... arguments) {
  if constexpr (std::is_same<Parts, NoParts>::value)
    f(arguments...);
  else
    f(arguments..., parts);
}

/// The i-th of the vertices that a loop visits: of a list, or consecutive ones.
template <class V> struct Members {
  const V *items; // nullptr: consecutive vertices
  std::uint64_t count;
  V first = 0; // of consecutive ones
  __device__ V operator[](std::uint64_t i) const { return items ? items[i] : static_cast<V>(first + i); }
};

template <class V> __device__ ArcId list_length(const gc::Graph<V> &graph, V v) {
  ArcId length = graph.out_end(v) - graph.out_begin(v);
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
constexpr ArcId hub_degree = 8 * block_threads;

/// f for each member of a tile, `turns` for each group of `count` lanes: they take a short list, a warp a longer one;
/// leave(slot) is called by one lane for each vertex with a list that is longer still.
template <unsigned count, unsigned threads, class V, class F, class Parts, class Leave>
__device__ void run_tile(const F &f, const gc::Graph<V> &graph, const Members<V> &members, std::uint64_t tile,
                         unsigned turns, Parts &parts, Leave leave) {
  constexpr unsigned groups = threads / count;
  const WarpLanes<count> lanes;
  // Where lists are short, each lane fetches the vertex of one turn ahead.
  constexpr bool fetches = count <= 4;
  const std::uint64_t ahead = tile + lanes.rank() * groups + threadIdx.x / count;
  V its = 0;
  ArcId its_length = 0;
  if (fetches && lanes.rank() < turns && ahead < members.count) {
    its = members[ahead];
    its_length = list_length(graph, its);
    prefetch(graph.out_targets + graph.out_begin(its));
  }
  for (unsigned turn = 0; turn < turns; ++turn) {
    const unsigned slot = turn * groups + threadIdx.x / count;
    const bool inside = tile + slot < members.count;
    V v = 0;
    ArcId length = 0;
    if constexpr (fetches) {
      v = __shfl_sync(full_warp, its, static_cast<int>(turn), static_cast<int>(count));
      length = __shfl_sync(full_warp, its_length, static_cast<int>(turn), static_cast<int>(count));
    } else if (inside) {
      v = members[tile + slot];
      length = list_length(graph, v);
    }
    if (inside) {
      if (length <= 16 * count)
        call(f, parts, v, lanes);
      else if (length > hub_degree && lanes.leader())
        leave(slot, v);
    }
    unsigned longer = __ballot_sync(full_warp, lanes.leader() && length > 16 * count && length <= hub_degree);
    for (; longer != 0; longer &= longer - 1) {
      const int owner = __ffs(static_cast<int>(longer)) - 1;
      call(f, parts, static_cast<V>(__shfl_sync(full_warp, v, owner)), WarpLanes<32>());
    }
  }
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
