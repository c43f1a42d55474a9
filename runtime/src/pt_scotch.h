// Parts of a graph with few arcs between them, as the library PT-Scotch finds them in all processes together.
#ifndef GCOMPILE_SRC_PT_SCOTCH_H
#define GCOMPILE_SRC_PT_SCOTCH_H

#include "memory.h"
#include "scotch_library.h"

#include <gcompile/core/graph.h>
#include <gcompile/program/process_group.h>

#include <cstdint>
#include <vector>

namespace gc::detail {

/// The library, if it is there and uses the MPI of the program. That has to be Open MPI, in which the runtime, which is
/// compiled without MPI, finds the communicator by its name.
class PtScotch {
public:
  PtScotch();

  /// Of its numbers: 32 or 64; 0: it cannot be used here.
  int number_bits() const;

  /// The part of each vertex, 0 to group.size() - 1: the same in each process, and each time with so many. Each part
  /// has about as much work, of a vertex one more than it has arcs. Each process has all of the graph and calls this,
  /// where number_bits() is the same in all. They wait for each other without a limit. Throws Error (resource) if the
  /// graph is too large for the library or for the memory of a process, or if the library fails.
  template <class V>
  std::vector<std::uint32_t> parts(const Graph<V> &graph, ProcessGroup &group, MemoryBudget &budget) const;

private:
  template <class Number, class V>
  std::vector<std::uint64_t> own_parts(const Graph<V> &graph, ProcessGroup &group, MemoryBudget &budget) const;

  ScotchLibrary library_;
};

} // namespace gc::detail

#endif
