// Graphs that are in memory already: CSR arrays of the caller, or a list of edges.
#ifndef GCOMPILE_PROGRAM_ARRAYS_H
#define GCOMPILE_PROGRAM_ARRAYS_H

#include <gcompile/core/graph.h>
#include <gcompile/program/load.h>

#include <cstdint>

namespace gc {

/// Edges of the vertices 0..n-1, one after another, in arrays of the caller.
template <class V> struct EdgeList {
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  bool is_directed = true; ///< an undirected edge is listed once
  const V *sources = nullptr, *targets = nullptr;
  const void *columns[Graph<V>::max_columns] = {}; ///< of the columns that the program reads: one value per edge each
};

/// A graph that refers to the caller's arrays, which must outlive it and stay as they are: `n`, `is_directed`,
/// `out_offsets`, `out_targets` and the `columns` of `options` are taken. What else the options ask for, such as the
/// in-arrays, is made beside them. Throws Error if offsets or targets are out of range, a list does not ascend, an
/// undirected graph is not symmetric, or the graph lacks a column or the direction that the program needs.
template <class V> LoadedGraph refer_to(const Graph<V> &arrays, const LoadOptions &options);

/// A graph that is built of edges, which may go after that. Throws Error if an end is no vertex, and as refer_to does.
template <class V> LoadedGraph build_of(const EdgeList<V> &edges, const LoadOptions &options);

} // namespace gc

#endif
