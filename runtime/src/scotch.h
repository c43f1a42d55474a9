// Parts of a graph with few arcs between them, as the library Scotch finds them in one process.
#ifndef GCOMPILE_SRC_SCOTCH_H
#define GCOMPILE_SRC_SCOTCH_H

#include "memory.h"
#include "scotch_library.h"

#include <gcompile/core/graph.h>

#include <cstdint>
#include <vector>

namespace gc::detail {

class Scotch {
public:
  /// Throws Error (resource) if it is not installed.
  Scotch();

  /// The part of each vertex, 0 to parts - 1: the same each time. Each part has about as much work, of a vertex one
  /// more than it has arcs. Throws Error (resource) if the graph is too large for the library or for the memory.
  template <class V> std::vector<std::uint32_t> parts(const Graph<V> &graph, int parts, MemoryBudget &budget) const;

private:
  template <class Number, class V>
  std::vector<std::uint32_t> parts_with(const Graph<V> &graph, int parts, MemoryBudget &budget) const;

  ScotchLibrary library_;
};

} // namespace gc::detail

#endif
