// What is checked of CSR arrays that come from elsewhere.
#ifndef GCOMPILE_SRC_CSR_CHECK_H
#define GCOMPILE_SRC_CSR_CHECK_H

#include <gcompile/core/graph.h>

namespace gc::detail {

struct CsrCheck {
  const char *problem = nullptr; ///< null: kernels can trust the arrays
  std::int64_t edges = 0;        ///< see Graph::num_edges
};

/// Checks the out-arrays: `arcs` arcs, offsets and targets in range, lists ascending, an undirected graph symmetric.
template <class V> CsrCheck check_csr(const Graph<V> &graph, ArcId arcs);

/// Whether the in-arrays have the arcs of the out-arrays, each as often, in lists that ascend: but for a chance of
/// 2^-64.
template <class V> bool in_arrays_match(const Graph<V> &graph);

} // namespace gc::detail

#endif
