// What the results say of sums along paths, which the program says once: that one was too great for its type, or that a
// cycle of negative length leaves no least one.
#ifndef GCOMPILE_SRC_PATH_SUMS_H
#define GCOMPILE_SRC_PATH_SUMS_H

#include <gcompile/core/graph.h>
#include <gcompile/program/info.h>
#include <gcompile/program/load.h>
#include <gcompile/program/outputs.h>
#include <gcompile/program/process_group.h>

#include <string>
#include <vector>

namespace gc::detail {

/// The warning about the first output in which a vertex is infinitely far although it can be reached: a sum of finite
/// numbers was infinite there. Empty if there is none. Kernels need not look: the results tell.
/// Of a group, each process looks at the arcs out of its vertices, and all learn the same.
template <class V, class A>
std::string saturation_warning(const ProgramInfo &info, const Graph<V, A> &graph,
                               const std::vector<OutputView> &outputs, ProcessGroup *group = nullptr);

/// The warning about the first closure that leaves a negative number in its diagonal: a cycle of negative length. Empty
/// if there is none. Each process of a group calls it, and gets the same.
std::string negative_cycle_warning(const ProgramInfo &info, const LoadedGraph &graph,
                                   const std::vector<OutputView> &outputs, ProcessGroup *group);

} // namespace gc::detail

#endif
