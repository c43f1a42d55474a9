// The edges of a stored graph with other columns than the file's.
#ifndef GCOMPILE_SRC_CONVERTED_EDGES_H
#define GCOMPILE_SRC_CONVERTED_EDGES_H

#include "edges.h"
#include "storage.h"

#include <memory>

namespace gc::detail {

/// The edges of `storage` with its columns converted to those of the context. Throws Error if a value does not fit the
/// program's column; of several, about the first edge. `storage` must outlive the result.
std::unique_ptr<EdgeSource> converted_edges(std::unique_ptr<EdgeSource> edges, const GraphStorage &storage,
                                            const std::string &path, const ReadContext &context);

} // namespace gc::detail

#endif
