// A directed graph whose edges are followed both ways: its lists for that.
#ifndef GCOMPILE_CUDA_KERNELS_BOTH_WAYS_H
#define GCOMPILE_CUDA_KERNELS_BOTH_WAYS_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/kernels.h>

namespace gc {
namespace cuda {

namespace detail {

/// Copies arc k of a list of the other end `v` to where `shift` puts the arcs of u, with the id of its edge.
template <class V> struct PlaceArc {
  const ArcId *shift; ///< of the arcs of each vertex
  const ArcId *edges; ///< of the arcs; nullptr: their own numbers
  V *targets;
  ArcId *ids; ///< nullptr: nobody asks
  __device__ void operator()(V u, V v, ArcId k) const {
    const ArcId to = k + shift[u];
    targets[to] = v;
    if (ids)
      ids[to] = edges ? edges[k] : k;
  }
};

template <class V> __global__ void add_offsets_kernel(gc::Graph<V> graph, ArcId *offsets) {
  for (std::uint64_t v = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x;
       v <= std::uint64_t(graph.num_vertices()); v += std::uint64_t(gridDim.x) * block_threads)
    offsets[v] = graph.out_offsets[v] + graph.in_offsets[v];
}

} // namespace detail

/// The graph in which the edges out of a vertex are followed by those into it, in one list; `in_edges` of its view maps
/// them to the edges of `graph`, if they have ids there. An undirected graph is such a graph as it is.
template <class V> Graph<V> both_ways(const Graph<V> &graph) {
  const gc::Graph<V> &one = graph.view();
  Graph<V> both;
  both.host_ = graph.host_;
  both.view_ = one;
  both.arcs_ = graph.arcs_;
  both.edge_room_ = graph.edge_room_;
  both.view_.in_edges = nullptr;
  if (!graph.directed())
    return both;
  both.doubled_ = true;
  both.arcs_ = 2 * graph.arcs_;
  both.out_offsets_ = PlacedArray<ArcId>(static_cast<std::size_t>(graph.num_vertices()) + 1, true);
  both.out_targets_ = PlacedArray<V>(both.arcs_, graph.both_on_device_);
  if (one.in_edges)
    both.in_edges_ = PlacedArray<ArcId>(both.arcs_, graph.both_numbers_on_device_);
  GCOMPILE_CUDA_LAUNCH((detail::add_offsets_kernel<V>), blocks_for(graph.num_vertices()), block_threads, one,
                       both.out_offsets_.data());
  ArcId *const ids = one.in_edges ? both.in_edges_.data() : nullptr;
  for_out_edges(graph, detail::PlaceArc<V>{one.in_offsets, nullptr, both.out_targets_.data(), ids});
  // The arcs into a vertex as if they went out of it; they come after those that do.
  Graph<V> against;
  against.host_ = graph.host_;
  against.view_ = one;
  against.view_.out_offsets = one.in_offsets;
  against.view_.out_targets = one.in_sources;
  against.arcs_ = graph.arcs_;
  for_out_edges(against, detail::PlaceArc<V>{one.out_offsets + 1, one.in_edges, both.out_targets_.data(), ids});
  synchronize();
  both.view_.is_directed = false;
  both.view_.out_offsets = both.view_.in_offsets = both.out_offsets_.data();
  both.view_.out_targets = both.view_.in_sources = both.out_targets_.data();
  both.view_.in_edges = ids;
  return both;
}

} // namespace cuda
} // namespace gc

#endif
