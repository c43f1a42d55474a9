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
/// A kernel by lanes whose call walks lists: only for vertices of which asks(v) holds. What else it does for each
/// vertex, after that, is rest(v).
template <class F, class = void> struct AsksFirst { static constexpr bool value = false; };
template <class F> struct AsksFirst<F, std::void_t<decltype(F::asks_first)>> {
  static constexpr bool value = F::asks_first;
};
template <class F, class = void> struct HasRest { static constexpr bool value = false; };
template <class F> struct HasRest<F, std::void_t<decltype(&F::rest)>> { static constexpr bool value = true; };
/// The lists, in or out, that a kernel by lanes walks, of its vertex: F::walks.
template <class F, class = void> struct WalksLists { static constexpr bool value = false; };
template <class F> struct WalksLists<F, std::void_t<decltype(F::walks)>> { static constexpr bool value = true; };
/// Whether a kernel by lanes has the lists of vertices that come later fetched.
template <class F> struct ReadsAhead { static constexpr bool value = true; };
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

template <class F, class V, class Parts>
__device__ void call_rest([[maybe_unused]] const F &f, [[maybe_unused]] Parts &parts, [[maybe_unused]] V v) {
  if constexpr (HasRest<F>::value) {
    if constexpr (std::is_same<Parts, NoParts>::value)
      f.rest(v);
    else
      f.rest(v, parts);
  }
}
/// All of a kernel by lanes for one vertex.
template <class F, class V, class Parts, class Lanes>
__device__ void call_by_lanes(const F &f, Parts &parts, V v, const Lanes &lanes) {
  if constexpr (AsksFirst<F>::value) {
    if (f.asks(v))
      call(f, parts, v, lanes);
    lanes.sync();
    if (lanes.leader())
      call_rest(f, parts, v);
  } else {
    call(f, parts, v, lanes);
  }
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
    if constexpr (ReadsAhead<F>::value)
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

/// Where bit number n of those that are set stands, from 0 on.
__device__ inline unsigned place_of_bit(unsigned word, unsigned n) {
  unsigned place = 0;
  for (unsigned width = 16; width > 0; width /= 2) {
    const unsigned lower = static_cast<unsigned>(__popc(word >> place & ((1u << width) - 1)));
    if (n >= lower) {
      n -= lower;
      place += width;
    }
  }
  return place;
}

/// The same for a kernel that asks first: a thread for each member of the tile, and then lanes for those that have a
/// list to walk. leave(slot, v) is called for the others of the longest lists alone where `leaves_all`, else only for
/// those that ask.
template <unsigned count, class V, class F, class Parts, class Leave>
__device__ void run_asked_tile(const F &f, const gc::Graph<V> &graph, const Members<V> &members, std::uint64_t tile,
                               unsigned turns, bool leaves_all, Parts &parts, Leave leave) {
  constexpr unsigned per_warp = 32 / count;
  const WarpLanes<count> lanes;
  // A warp has neighbouring members, of which one pass takes neighbouring ones.
  const unsigned slot = threadIdx.x / 32 * per_warp * turns + lane_of_warp();
  const bool inside = lane_of_warp() < per_warp * turns && tile + slot < members.count;
  const V v = inside ? members[tile + slot] : V(0);
  ArcId length = inside && leaves_all ? list_length(graph, v) : 0;
  bool own = inside && length <= hub_degree, asks = own && f.asks(v);
  if (asks && !leaves_all) {
    length = list_length(graph, v);
    own = length <= hub_degree;
  }
  if (inside && !own)
    leave(slot, v);
  asks = asks && own;
  const unsigned shorts = __ballot_sync(full_warp, asks && length <= 16 * count);
  for (unsigned first = 0; first < static_cast<unsigned>(__popc(shorts)); first += per_warp) {
    const unsigned at = first + lane_of_warp() / count;
    const bool has = at < static_cast<unsigned>(__popc(shorts));
    const V its = __shfl_sync(full_warp, v, has ? static_cast<int>(place_of_bit(shorts, at)) : 0);
    if (has)
      call(f, parts, its, lanes);
  }
  for (unsigned longer = __ballot_sync(full_warp, asks && length > 16 * count); longer != 0; longer &= longer - 1)
    call(f, parts, static_cast<V>(__shfl_sync(full_warp, v, __ffs(static_cast<int>(longer)) - 1)), WarpLanes<32>());
  __syncwarp();
  if (own)
    call_rest(f, parts, v);
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
