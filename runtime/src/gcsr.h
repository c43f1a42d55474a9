// The binary CSR format, .gcsr: a header, then the arrays as they lie in memory.
#ifndef GCOMPILE_SRC_GCSR_H
#define GCOMPILE_SRC_GCSR_H

#include "edges.h"
#include "storage.h"

#include <memory>

namespace gc::detail {

/// A graph whose arrays lie in the mapped file. Throws Error if the header, the sizes or the arrays are not sound.
std::unique_ptr<GraphStorage> read_gcsr(InputFile file, const ReadContext &context);

/// The edges of a graph, each edge of an undirected graph once; for building it anew with other options.
std::unique_ptr<EdgeSource> edges_of(const GraphStorage &storage);

} // namespace gc::detail

#endif
