// The binary graphs of the GAP benchmark suite (.sg, .wsg).
#ifndef GCOMPILE_SRC_GAP_H
#define GCOMPILE_SRC_GAP_H

#include "edges.h"
#include "estimate.h"
#include "storage.h"

#include <memory>

namespace gc::detail {

/// The file's lists as arrays, with the program's columns; the in-lists of a directed graph are not read. Null where
/// they do not serve: lists that do not ascend strictly, an undirected graph whose arcs or weights are not symmetric
/// (by a sum of hashes), corrupt lists. Throws Error if the header does not fit the file or a column is missing.
std::unique_ptr<GraphStorage> read_gap_arrays(const InputFile &file, bool weighted, const ReadContext &context);

/// The edges of any such file; of an undirected one those that the end with the smaller id lists. Throws Error for
/// corrupt lists as well.
RawGraph read_gap(const InputFile &file, bool weighted, const ReadContext &context);

/// What the header says. Throws Error if it does not fit the file.
GraphSize gap_size(const InputFile &file, bool weighted);

} // namespace gc::detail

#endif
