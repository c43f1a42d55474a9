// Graphs of whose edges each process of a group has some.
#ifndef GCOMPILE_SRC_READ_TOGETHER_H
#define GCOMPILE_SRC_READ_TOGETHER_H

#include "load.h"

#include <memory>
#include <string>

namespace gc::detail {

/// Whether a process of a group wants nothing but the arcs at its own vertices, in the input's order.
bool wants_own_arcs(const LoadOptions &options);
/// Whether there are several processes, and all of them do: then each needs some of the edges only. Each process calls
/// it, and all get the same.
bool reads_together(const LoadOptions &options);

/// Those of a source's chunks that this process has.
struct OwnChunks {
  std::size_t begin = 0, end = 0;
  std::size_t together = 1; ///< so many are sent at once
};
/// A share of the chunks of a source that each process can read.
OwnChunks share_of_chunks(const EdgeSource &source, const ProcessGroup &group);

/// Of a graph what this process keeps, as keep_part leaves it: the same for any number of processes. `input`: with the
/// entries of all processes. Arcs and degrees go to where they belong. Throws Error as build_graph does, in all
/// processes the same one. Each process calls it.
std::unique_ptr<GraphStorage> build_together(const std::string &name, Input input, const OwnChunks &own, VertexIds ids,
                                             const ReadContext &context);

} // namespace gc::detail

#endif
