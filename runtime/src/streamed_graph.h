// Graphs whose arcs stay in a .gcsr file.
#ifndef GCOMPILE_SRC_STREAMED_GRAPH_H
#define GCOMPILE_SRC_STREAMED_GRAPH_H

#include "edges.h"
#include "storage.h"

#include <memory>
#include <optional>
#include <string>

namespace gc::detail {

/// A graph whose offsets are in memory, and whose arcs and columns are streamed: see StreamedFile. Null: all of it fits
/// into memory, or the file is none that can be streamed. Throws Error where it does not fit and the options ask for
/// what the file does not have, or the data of the vertices alone do not fit.
std::unique_ptr<GraphStorage> stream_graph(const std::string &path, const ReadContext &context);

/// Tests have small files streamed, and built outside of memory: GCOMPILE_STREAM=BYTES:BLOCKS says in how much,
/// whatever fits.
std::optional<StreamPlan> forced_plan();

/// The graph of a .gcsr file whose arcs and columns are streamed within `room` bytes. Null: its lists
/// are packed.
std::unique_ptr<GraphStorage> stream_arrays(const std::string &path, double room);

} // namespace gc::detail

#endif
