// How much memory a graph and the program's state will take.
#ifndef GCOMPILE_SRC_ESTIMATE_H
#define GCOMPILE_SRC_ESTIMATE_H

#include <gcompile/program/load.h>

#include <vector>

namespace gc::detail {

/// In bytes, for n vertices and `arcs` arcs before duplicates are dropped.
double estimate(const LoadOptions &options, const std::vector<ColumnInfo> &columns, double n, double arcs,
                bool directed, bool drops_duplicates);

} // namespace gc::detail

#endif
