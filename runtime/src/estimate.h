// How much memory a graph and the program's state will take.
#ifndef GCOMPILE_SRC_ESTIMATE_H
#define GCOMPILE_SRC_ESTIMATE_H

#include <gcompile/program/load.h>

#include <vector>

namespace gc::detail {

/// What is known of a graph before it is in memory.
struct GraphSize {
  double vertices = 0;
  double arcs = 0; ///< before duplicates are dropped
  bool directed = true;
};

/// How the arrays of a graph come into memory.
enum class Arrival {
  arrays,          ///< as a file has them
  part_of_arrays,  ///< of these, the part of a process of a group
  edges,           ///< they are built of edges
  repeating_edges, ///< and again without duplicates
  part_of_edges,   ///< of such a graph the part of a process of a group, each of which has some of the edges
};

/// Bytes of memory that a process needs.
struct MemoryNeeds {
  double graph = 0;   ///< arrays of the graph; of a process of a group, its part of them
  double state = 0;   ///< of the program
  double sharing = 0; ///< of a process of a group: which copies it has, notes of them, and messages
  double loading = 0; ///< besides, while the graph is loaded
  double results = 0; ///< of the process of a group that speaks, besides: the results of pairs that others send it

  /// Of each process.
  double sum() const { return graph + state + sharing + loading; }
};

/// `processes`: how many run the program together; 0: it runs alone. Each of them may have so many copies of vertices
/// as there are ends of its arcs.
MemoryNeeds memory_needs(const LoadOptions &options, const std::vector<ColumnInfo> &columns, const GraphSize &size,
                         Arrival arrival, int processes);

/// Bytes of the arrays of arcs by their targets, if the options ask for them: of a directed graph.
double in_array_bytes(const LoadOptions &options, const GraphSize &size);

} // namespace gc::detail

#endif
