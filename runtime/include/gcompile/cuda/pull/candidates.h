// Pull candidates: a few sources of each vertex, which a pull asks before it goes to the vertex's list.
//
// Where a pull ends with the first active neighbour, most vertices look no further, and threads side by side read
// neighbouring memory. In a graph of uneven degrees the candidates are the sources of the highest degrees, which are
// active soonest: the best, which is asked first of all, and four more. In other graphs they are the four that the list
// begins with.
#ifndef GCOMPILE_CUDA_PULL_CANDIDATES_H
#define GCOMPILE_CUDA_PULL_CANDIDATES_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/frontier/propagate.h>
#include <gcompile/cuda/graph.h>

namespace gc {
namespace cuda {

namespace detail {

/// The greatest number of arcs out of a vertex.
template <class V>
__global__ void __launch_bounds__(block_threads) most_arcs_kernel(gc::Graph<V> graph, unsigned long long *most) {
  unsigned long long mine = 0;
  for (std::uint64_t v = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; v < graph.num_vertices();
       v += std::uint64_t(gridDim.x) * block_threads) {
    const unsigned long long degree = graph.out_end(static_cast<V>(v)) - graph.out_begin(static_cast<V>(v));
    mine = degree > mine ? degree : mine;
  }
  mine = WarpLanes<32>().max(mine);
  if (lane_of_warp() == 0)
    atomicMax(most, mine);
}

/// Whether the numbers of arcs out of vertices are even.
template <class V> bool has_even_degrees(const Graph<V> &graph) {
  Cell<unsigned long long> most(0);
  GCOMPILE_CUDA_LAUNCH((most_arcs_kernel<V>), blocks_for(graph.num_vertices()), block_threads, graph.view(),
                       most.data());
  check(cudaGetLastError(), "cannot start a kernel");
  return are_even(most.read(), graph.num_vertices(), graph.num_arcs());
}

/// Puts a value among the `few` with the greatest keys, the greatest first; of equal ones the first stay.
template <unsigned few, class T>
__device__ void keep_greatest(ArcId (&keys)[few], T (&values)[few], ArcId key, T value) {
  for (unsigned place = 0; place < few; ++place)
    if (key > keys[place]) {
      const ArcId less = keys[place];
      keys[place] = key;
      key = less;
      const T other = values[place];
      values[place] = value;
      value = other;
    }
}

/// By degree, if there is a place for the best: of the first 64 sources of a list.
template <class V>
__global__ void __launch_bounds__(block_threads)
    candidates_kernel(gc::Graph<V> graph, V *best, PullCandidates<V> *lists, std::uint32_t *any, std::uint32_t *more) {
  const std::uint64_t n = graph.num_vertices(), words = (n + 31) / 32;
  const ArcId most = best ? 64 : 4;
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i / 32 < words;
       i += std::uint64_t(gridDim.x) * block_threads) {
    V found[5] = {none<V>(), none<V>(), none<V>(), none<V>(), none<V>()};
    if (i < n) {
      ArcId degrees[5] = {0, 0, 0, 0, 0};
      const ArcId begin = graph.in_begin(static_cast<V>(i)), length = graph.in_end(static_cast<V>(i)) - begin;
      for (ArcId k = 0; k < length && k < most; ++k) {
        const V u = graph.in_source(begin + k);
        keep_greatest(degrees, found, best ? graph.out_end(u) - graph.out_begin(u) : most - k, u);
      }
      PullCandidates<V> its;
      for (unsigned k = 0; k < 4; ++k)
        its.u[k] = found[best ? k + 1 : k];
      lists[i] = its;
      if (best)
        best[i] = found[0];
    }
    const unsigned filled = __ballot_sync(full_warp, found[0] != none<V>());
    const unsigned several = __ballot_sync(full_warp, found[1] != none<V>());
    if (lane_of_warp() == 0) {
      any[i / 32] = filled;
      more[i / 32] = several;
    }
  }
}

/// The candidates of a graph, made once for it.
template <class V> PullCandidatesView<V> candidates_of(const Graph<V> &graph) {
  const PullCandidatesOfAll<V> &all = graph.candidates([&] {
    const std::size_t n = graph.num_vertices();
    const bool even = has_even_degrees(graph);
    const std::size_t words = (n + 31) / 32;
    PullCandidatesOfAll<V> made = {even ? Buffer<V>() : Buffer<V>(n), Buffer<PullCandidates<V>>(n),
                                   Buffer<std::uint32_t>(words), Buffer<std::uint32_t>(words)};
    GCOMPILE_CUDA_LAUNCH((candidates_kernel<V>), blocks_for(n), block_threads, graph.view(), made.best.data(),
                         made.lists.data(), made.any.data(), made.more.data());
    check(cudaGetLastError(), "cannot start a kernel");
    return made;
  });
  return {all.best.data(), all.lists.data(), all.any.data(), all.more.data()};
}

} // namespace detail

/// What Rounds::alpha is where a pull ends with its first success, if it is `alpha` for values of vertices that the
/// second-level cache holds: twice that where it does not, and each vertex has a best source. A push then waits for
/// memory at every arc, and most vertices ask one source in a pull.
template <class V> double alpha_beyond_cache(const Graph<V> &graph, double alpha) {
  const bool beyond = static_cast<std::size_t>(graph.num_vertices()) * sizeof(V) > second_level_cache();
  return beyond && detail::candidates_of(graph).best ? 2 * alpha : alpha;
}

} // namespace cuda
} // namespace gc

#endif
