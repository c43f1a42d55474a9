// Values of edges that are made, or checked, when the lists of a graph are there.
#ifndef GCOMPILE_SRC_EDGE_VALUES_H
#define GCOMPILE_SRC_EDGE_VALUES_H

#include "storage.h"

#include <cstddef>
#include <string>

namespace gc::detail {

/// Gives the arcs that this process keeps the weights that the options ask for.
template <class V> void add_weights(GraphStorage &storage, const LoadOptions &options);

/// Throws Error if column k must not be negative, and is, or is no number: for inputs without lines. Of the arcs that
/// this process keeps.
template <class V>
void check_values(const std::string &name, GraphStorage &storage, const LoadOptions &options, std::size_t k);

} // namespace gc::detail

#endif
