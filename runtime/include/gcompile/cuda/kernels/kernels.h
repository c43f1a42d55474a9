// Data-parallel loops: over vertices, arcs, pairs and sets.
//
// A kernel of a program is an object F with `operator()`, copied to every thread. With a member type `Parts` it also
// adds to one such object a thread, which the loop merges in a fixed order and returns. With `F::by_lanes` several
// lanes run each iteration together and F takes them as an argument.
#ifndef GCOMPILE_CUDA_KERNELS_KERNELS_H
#define GCOMPILE_CUDA_KERNELS_KERNELS_H

#include <gcompile/cuda/aligned/rows.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/kernels/parts.h>
#include <gcompile/cuda/kernels/share_out.h>
#include <gcompile/cuda/sets/vertex_set.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <vector>

namespace gc {
namespace cuda {

namespace detail {

template <class V, class F>
__global__ void __launch_bounds__(block_threads)
    vertices_kernel(F f, Members<V> members, typename PartsOf<F>::type *results) {
  using Parts = typename PartsOf<F>::type;
  Parts parts = {};
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i < members.count;
       i += std::uint64_t(gridDim.x) * block_threads)
    call(f, parts, members[i]);
  merge_block(parts, results + blockIdx.x);
}

/// Collects the hubs, the ids in the lower half of a word and half the lengths of their lists in the upper one: a list
/// has twice as many arcs as an int counts where both ways count.
template <class V>
__global__ void find_hubs_kernel(gc::Graph<V> graph, std::uint64_t first, std::uint64_t end, unsigned long long *found,
                                 unsigned long long *count) {
  for (std::uint64_t v = first + blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; v < end;
       v += std::uint64_t(gridDim.x) * block_threads)
    if (const ArcId length = list_length(graph, static_cast<V>(v)); length > hub_degree)
      found[atomicAdd(count, 1ull)] = (static_cast<unsigned long long>(length) / 2) << 32 | v;
}

/// Of consecutive vertices, which are always the same for a graph: those that a block takes each, those of the longest
/// lists first.
template <class V> Members<V> hubs_of(const Graph<V> &graph, const Members<V> &members) {
  const Buffer<V> &hubs = graph.hubs([&] {
    const gc::Graph<V> &view = graph.view();
    Buffer<unsigned long long> list(2 * graph.num_arcs() / hub_degree + 1);
    Cell<unsigned long long> count(0);
    GCOMPILE_CUDA_LAUNCH((find_hubs_kernel<V>), blocks_for(members.count), block_threads, view,
                         std::uint64_t(members.first), members.first + members.count, list.data(), count.data());
    std::vector<unsigned long long> found(count.read());
    list.download(found.data(), found.size());
    std::sort(found.begin(), found.end(), std::greater<>());
    std::vector<V> ids;
    for (const unsigned long long each : found)
      ids.push_back(static_cast<V>(each & 0xffffffffu));
    Buffer<V> sorted(ids.size());
    sorted.upload(ids.data(), ids.size());
    return sorted;
  });
  return {hubs.data(), hubs.size()};
}

/// The vertices of a tile for each group of `count` lanes: few where all blocks would not have one else.
template <unsigned count> __device__ unsigned turns_of_tile(std::uint64_t members, std::uint64_t blocks) {
  unsigned turns = 1;
  while (turns < count && block_threads / count * blocks * turns * 2 <= members)
    turns *= 2;
  return turns;
}

/// What one of `blocks` blocks does of a loop by lanes. The first `hub_blocks` of them take the listed hubs, a block
/// each, and the others all other members, in tiles of so many turns; without such blocks, a block takes the hubs of
/// its own tiles.
template <unsigned count, class V, class F>
__device__ void visit_by_lanes(const F &f, const gc::Graph<V> &graph, const Members<V> &members, const Members<V> &hubs,
                               unsigned hub_blocks, unsigned block, unsigned blocks, unsigned turns,
                               Hubs<block_threads> &own, typename PartsOf<F>::type &parts) {
  if (block < hub_blocks) {
    for (std::uint64_t i = block; i < hubs.count; i += hub_blocks)
      call_by_lanes(f, parts, hubs[i], BlockLanes<block_threads>());
    return;
  }
  if (threadIdx.x == 0)
    own.count = 0;
  __syncthreads();
  const std::uint64_t size = block_threads / count * turns;
  for (std::uint64_t tile = (block - hub_blocks) * size; tile < members.count; tile += (blocks - hub_blocks) * size) {
    const auto leave = [&](unsigned slot, V) {
      if (hub_blocks == 0)
        own.slots[atomicAdd(&own.count, 1u)] = static_cast<unsigned short>(slot);
    };
    if constexpr (AsksFirst<F>::value)
      run_asked_tile<count>(f, graph, members, tile, turns, hub_blocks > 0, parts, leave);
    else
      run_tile<count, block_threads>(f, graph, members, tile, turns, parts, leave);
    if (hub_blocks > 0)
      continue;
    // The block takes the longest lists of its tile together.
    __syncthreads();
    const unsigned found = own.count;
    __syncthreads();
    if (found == 0)
      continue;
    if (threadIdx.x == 0)
      own.count = 0;
    for (unsigned i = 0; i < found; ++i)
      call_by_lanes(f, parts, members[tile + own.slots[i]], BlockLanes<block_threads>());
    __syncthreads();
  }
}

template <unsigned count, class V, class F>
__global__ void __launch_bounds__(block_threads)
    lanes_kernel(F f, gc::Graph<V> graph, Members<V> members, Members<V> hubs, unsigned hub_blocks,
                 typename PartsOf<F>::type *results) {
  GCOMPILE_CUDA_SHARED(Hubs<block_threads>, own);
  typename PartsOf<F>::type parts = {};
  visit_by_lanes<count>(f, graph, members, hubs, hub_blocks, blockIdx.x, gridDim.x,
                        turns_of_tile<count>(members.count, gridDim.x - hub_blocks), own, parts);
  merge_block(parts, results + blockIdx.x);
}

/// The blocks that take the listed hubs.
template <class V> unsigned blocks_for_hubs(const Members<V> &hubs) {
  return static_cast<unsigned>(std::min<std::uint64_t>(hubs.count, multiprocessors() * 16));
}

/// A loop over vertices in a row that has their lists copied to the device (cuda/streamed/loop.h).
template <class V, class F> class StreamedLoop;

template <class V, class F>
typename PartsOf<F>::type run_vertices(const Graph<V> &graph, const F &f, const Members<V> &members) {
  using Parts = typename PartsOf<F>::type;
  if constexpr (WalksLists<F>::value)
    if (const HostLists<V> &lists = graph.host_lists(F::walks); lists.pinned && !members.items && members.count > 0) {
      ListRoom<V> *const room = graph.list_room();
      const bool streamed = room && StreamedLoop<V, F>::pays(*room);
      device_memory.count_loop(streamed);
      if (streamed)
        return StreamedLoop<V, F>::run(graph, f, members, lists, *room);
    }
  if constexpr (ByLanes<F>::value) {
    // Hubs may be neighbours: then one tile would have more to do than all others.
    const Members<V> hubs = members.items ? Members<V>{nullptr, 0} : hubs_of(graph, members);
    const unsigned hub_blocks = blocks_for_hubs(hubs);
    const unsigned blocks = hub_blocks + blocks_for(members.count * (graph.is_dense() ? 8 : 2), 32);
    BlockParts<Parts> parts(blocks);
    if (graph.is_dense())
      GCOMPILE_CUDA_LAUNCH((lanes_kernel<8, V, F>), blocks, block_threads, f, graph.view(), members, hubs, hub_blocks,
                           parts.data());
    else
      GCOMPILE_CUDA_LAUNCH((lanes_kernel<2, V, F>), blocks, block_threads, f, graph.view(), members, hubs, hub_blocks,
                           parts.data());
    return parts.merged();
  } else {
    const unsigned blocks = blocks_for(members.count);
    BlockParts<Parts> parts(blocks);
    GCOMPILE_CUDA_LAUNCH((vertices_kernel<V, F>), blocks, block_threads, f, members, parts.data());
    return parts.merged();
  }
}

template <class V, class F>
__global__ void __launch_bounds__(block_threads)
    edges_kernel(F f, gc::Graph<V> graph, Members<V> members, const ArcId *before, ArcId arcs,
                 typename PartsOf<F>::type *results) {
  using Parts = typename PartsOf<F>::type;
  Parts parts = {};
  const Team team(gridDim.x, nullptr);
  gather<V>(
      team, graph, members.count, arcs, [&](std::uint64_t i) { return before[i]; },
      [&](std::uint64_t i) { return members[i]; },
      [&](V u, ArcId e) { call(f, parts, u, graph.target(e), edge_of(f, graph, e)); }, [] {});
  merge_block(parts, results + blockIdx.x);
}

/// f(u, v, e) for the arcs out of one vertex, at thread `rank` of so many.
template <class V, class F, class Parts>
__device__ void each_edge_of(const F &f, Parts &parts, const gc::Graph<V> &graph, V u, std::uint64_t rank,
                             std::uint64_t threads) {
  if (u >= graph.num_vertices())
    return;
  const ArcId end = graph.out_end(u);
  for (ArcId e = graph.out_begin(u) + rank; e < end; e += threads)
    call(f, parts, u, graph.target(e), edge_of(f, graph, e));
}
template <class V, class F>
__global__ void __launch_bounds__(block_threads)
    edges_of_kernel(F f, gc::Graph<V> graph, V u, typename PartsOf<F>::type *results) {
  typename PartsOf<F>::type parts = {};
  each_edge_of(f, parts, graph, u, blockIdx.x * std::uint64_t(block_threads) + threadIdx.x,
               gridDim.x * std::uint64_t(block_threads));
  merge_block(parts, results + blockIdx.x);
}

template <class V, class F>
__global__ void __launch_bounds__(block_threads) arcs_kernel(F f, ArcId arcs, typename PartsOf<F>::type *results) {
  typename PartsOf<F>::type parts = {};
  for (ArcId e = blockIdx.x * ArcId(block_threads) + threadIdx.x; e < arcs; e += ArcId(gridDim.x) * block_threads)
    call(f, parts, e);
  merge_block(parts, results + blockIdx.x);
}

/// Calls f(i, j) for the pair number `first` of so many rows, row by row, and for every `stride`th behind it. A
/// division of 64 bits takes longer than most of what is done at a pair: there is none for each.
template <class V, class F>
__device__ void each_pair(V rows, V n, std::uint64_t first, std::uint64_t stride, const F &f) {
  if (first >= std::uint64_t(rows) * n)
    return;
  const std::uint64_t down = stride / n, columns = stride % n;
  std::uint64_t i = first / n, j = first % n;
  while (i < rows) {
    f(static_cast<V>(i), static_cast<V>(j));
    i += down;
    j += columns;
    if (j >= n) {
      j -= n;
      ++i;
    }
  }
}

template <class V, class F>
__global__ void __launch_bounds__(block_threads) pairs_kernel(F f, V n, typename PartsOf<F>::type *results) {
  typename PartsOf<F>::type parts = {};
  each_pair(n, n, blockIdx.x * std::uint64_t(block_threads) + threadIdx.x, std::uint64_t(gridDim.x) * block_threads,
            [&](V i, V j) { call(f, parts, i, j); });
  merge_block(parts, results + blockIdx.x);
}

template <class F, class Parts> __global__ void once_kernel(F f, Parts *parts) { f(*parts); }
template <class F> __global__ void once_plain_kernel(F f) { f(); }

} // namespace detail

/// f(v) for every vertex.
template <class V, class F> auto for_vertices(const Graph<V> &graph, const F &f) {
  if constexpr (detail::IsAligned<F>::value)
    return detail::AlignedLoop<V, F>::run(graph, f);
  else
    return detail::run_vertices<V>(graph, f, detail::Members<V>{nullptr, graph.num_vertices()});
}
/// f(v) for every member.
template <class V, class Set, class F> auto for_vertices(const Graph<V> &graph, const Set &set, const F &f) {
  return set.is_all() ? for_vertices(graph, f)
                      : detail::run_vertices<V>(
                            graph, f, detail::Members<V>{set.items(), static_cast<std::uint64_t>(set.size())});
}

/// f(u, v, e) for every arc e from u to v, shared out evenly among the threads.
template <class V, class F> auto for_out_edges(const Graph<V> &graph, const F &f) {
  const unsigned blocks = blocks_for(graph.num_arcs(), 8);
  detail::BlockParts<typename detail::PartsOf<F>::type> parts(blocks);
  GCOMPILE_CUDA_LAUNCH((detail::edges_kernel<V, F>), blocks, block_threads, f, graph.view(),
                       (detail::Members<V>{nullptr, graph.num_vertices()}), graph.view().out_offsets, graph.num_arcs(),
                       parts.data());
  return parts.merged();
}
/// The same for the arcs out of the members of a set.
template <class V, class Set, class F> auto for_out_edges(const Graph<V> &graph, const Set &set, const F &f) {
  if (set.is_all())
    return for_out_edges(graph, f);
  if (!set.lists(graph))
    return for_out_edges(graph, VertexSet<V>::of_items(graph, set.items(), static_cast<std::size_t>(set.size())), f);
  const unsigned blocks = blocks_for(set.arcs(), 8);
  detail::BlockParts<typename detail::PartsOf<F>::type> parts(blocks);
  GCOMPILE_CUDA_LAUNCH((detail::edges_kernel<V, F>), blocks, block_threads, f, graph.view(),
                       (detail::Members<V>{set.items(), static_cast<std::uint64_t>(set.size())}), set.before(),
                       set.arcs(), parts.data());
  return parts.merged();
}

/// The same for the arcs out of one vertex, of which `none` has none.
template <class V, class F> auto for_edges_of(const Graph<V> &graph, V u, const F &f) {
  // Only the device knows how many there are.
  const unsigned blocks = blocks_for(graph.num_arcs(), 1);
  detail::BlockParts<typename detail::PartsOf<F>::type> parts(blocks);
  GCOMPILE_CUDA_LAUNCH((detail::edges_of_kernel<V, F>), blocks, block_threads, f, graph.view(), u, parts.data());
  return parts.merged();
}

/// f(e) for every arc.
template <class V, class F> auto for_arcs(const Graph<V> &graph, const F &f) {
  const unsigned blocks = blocks_for(graph.num_arcs());
  detail::BlockParts<typename detail::PartsOf<F>::type> parts(blocks);
  GCOMPILE_CUDA_LAUNCH((detail::arcs_kernel<V, F>), blocks, block_threads, f, graph.num_arcs(), parts.data());
  return parts.merged();
}

/// f(i, j) for every ordered pair of vertices.
template <class V, class F> auto for_pairs(const Graph<V> &graph, const F &f) {
  const std::uint64_t n = graph.num_vertices();
  const unsigned blocks = blocks_for(n * n);
  detail::BlockParts<typename detail::PartsOf<F>::type> parts(blocks);
  GCOMPILE_CUDA_LAUNCH((detail::pairs_kernel<V, F>), blocks, block_threads, f, graph.num_vertices(), parts.data());
  return parts.merged();
}

/// f() by one thread of the device, between two kernels.
template <class F> void once(const F &f) {
  GCOMPILE_CUDA_LAUNCH((detail::once_plain_kernel<F>), 1, 1, f);
  check(cudaGetLastError(), "cannot start a kernel");
}
/// f(parts) by one thread of the device; gives what it leaves there.
template <class F> typename F::Parts once(const F &f, const typename F::Parts &parts) {
  Cell<typename F::Parts> cell(parts);
  GCOMPILE_CUDA_LAUNCH((detail::once_kernel<F, typename F::Parts>), 1, 1, f, cell.data());
  check(cudaGetLastError(), "cannot start a kernel");
  return cell.read();
}

} // namespace cuda
} // namespace gc

#endif
