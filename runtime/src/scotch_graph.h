// The form in which Scotch and PT-Scotch read a graph.
#ifndef GCOMPILE_SRC_SCOTCH_GRAPH_H
#define GCOMPILE_SRC_SCOTCH_GRAPH_H

#include "memory.h"

#include <gcompile/core/graph.h>
#include <gcompile/program/process_group.h>

#include <vector>

namespace gc::detail {

/// The neighbours of each vertex of a block, without itself, each once with the number of arcs between them, whatever
/// their direction. The arrays are there even where the block is empty: Scotch takes a null pointer for no weights.
template <class Number> struct ScotchGraph {
  std::vector<Number> begins; ///< in `lists` and `arcs`, of each vertex, and their length
  std::vector<Number> lists;  ///< vertices of the whole graph
  std::vector<Number> arcs;
  std::vector<Number> work; ///< of each vertex: one more than it has arcs
};

/// `Number`: that of the library, std::int32_t or std::int64_t. Throws Error (resource) if it cannot count the whole
/// graph, or if the memory does not suffice for the block here and in the library.
template <class Number, class V>
ScotchGraph<Number> scotch_graph(const Graph<V> &graph, VertexBlock block, MemoryBudget &budget);

} // namespace gc::detail

#endif
