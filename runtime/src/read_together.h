// Texts of which each process of a group reads a range.
#ifndef GCOMPILE_SRC_READ_TOGETHER_H
#define GCOMPILE_SRC_READ_TOGETHER_H

#include "edges.h"
#include "storage.h"

#include <memory>
#include <string>

namespace gc::detail {

/// Whether the processes read a file by ranges, if its ids are whole numbers: all of them want nothing but the arcs at
/// their own vertices, in the input's order. Each process calls it, and all get the same.
bool reads_together(const std::string &path, const std::string &format, const LoadOptions &options);

/// Of the graph in a text with a line for each edge what this process keeps, as keep_part leaves it: the same for any
/// number of processes. Each process reads a range of the lines; then ids, arcs and degrees go to where they belong.
/// Null where the file has text ids or no edges: then each process reads all of it. Throws Error as read_raw does, in
/// all processes the same one. Each process calls it.
std::unique_ptr<GraphStorage> read_together(const std::string &path, const std::string &format,
                                            const ReadContext &context);

} // namespace gc::detail

#endif
