// Building of CSR arrays from edges.
#ifndef GCOMPILE_SRC_CSR_BUILD_H
#define GCOMPILE_SRC_CSR_BUILD_H

#include "edges.h"
#include "storage.h"

namespace gc::detail {

struct BuildOptions {
  bool directed = true; ///< of the result
  bool mirror = false;  ///< add the opposite arc of every edge that is not a self-loop
  bool drop_self_loops = false;
  bool drop_duplicates = true;
  bool count_input = false; ///< fill storage.input_edges
};

/// Fills the out-arrays, the columns and the view of `storage` by a parallel counting sort over n vertices; the lists
/// are sorted by target, then by the columns. `storage.columns` says what the source's values are.
template <class V>
void build_csr(EdgeSource &source, std::uint64_t n, const BuildOptions &options, const ReadContext &context,
               GraphStorage &storage);

/// Fills in_offsets and in_sources and, with edge_ids, in_edges; an undirected graph's alias its out-arrays.
template <class V> void build_in_edges(GraphStorage &storage, bool edge_ids, const ReadContext &context);

/// Replaces offsets[0..n) by their running sums from 0 and sets offsets[n] to the total.
void exclusive_scan(ArcId *offsets, std::uint64_t n);

/// Throws Error if a vertex has more arcs than an int can count.
void check_degrees(const ArcId *offsets, std::uint64_t n, const VertexIds &ids);

} // namespace gc::detail

#endif
