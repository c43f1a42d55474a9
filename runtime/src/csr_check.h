// What is checked of CSR arrays that come from elsewhere.
#ifndef GCOMPILE_SRC_CSR_CHECK_H
#define GCOMPILE_SRC_CSR_CHECK_H

#include <gcompile/core/packed_graph.h>
#include <gcompile/program/process_group.h>

namespace gc::detail {

struct CsrCheck {
  const char *problem = nullptr; ///< null: kernels can trust the arrays
  std::int64_t edges = 0;        ///< see Graph::num_edges
};

/// Checks the out-arrays: `arcs` arcs, offsets and targets in range, lists ascending, an undirected graph symmetric.
/// Of a group, each process reads the lists of its own vertices, and all learn the same.
template <class V> CsrCheck check_csr(const Graph<V> &graph, ArcId arcs, ProcessGroup *group = nullptr);

/// The same of packed lists, whose places are sound.
template <class V> CsrCheck check_packed(const PackedGraph<V> &graph);

/// Whether the in-arrays have the arcs of the out-arrays, each as often, in lists that ascend: but for a chance of
/// 2^-64. Of a group, as above.
template <class V> bool in_arrays_match(const Graph<V> &graph, ProcessGroup *group = nullptr);

template <class V> bool in_arrays_match(const PackedGraph<V> &graph);

/// The vertices that this process of a group owns; all of them without a group.
template <class V> VertexBlock block_of(const Graph<V> &graph, const ProcessGroup *group) {
  return group ? group->block(graph) : VertexBlock{0, graph.n};
}

} // namespace gc::detail

#endif
