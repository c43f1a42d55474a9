// Building of a .gcsr file in less memory than the graph takes.
#ifndef GCOMPILE_SRC_EXTERNAL_BUILD_H
#define GCOMPILE_SRC_EXTERNAL_BUILD_H

#include "csr_build.h"
#include "edges.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gc::detail {

/// Edges that are not in memory.
struct EdgeStream {
  std::unique_ptr<EdgeSource> edges;
  VertexIds ids;
  std::vector<ColumnInfo> columns; ///< that the edges carry
  double num_entries = 0;
  bool directed = true;
  bool generated = false;
};

/// The edges of an edge list with whole numbers as ids, and with the columns that the context then has. Nothing for one
/// with texts as ids: its reader must have all of it in memory. Refers to both arguments.
std::optional<EdgeStream> stream_edge_list(const InputFile &file, ReadContext &context);

/// Writes the file that save_graph writes of the graph with these edges. The arcs are sorted in `memory` bytes and
/// temporary files beside `path`; what belongs to vertices is in memory.
void build_file(const std::string &path, const EdgeStream &stream, const BuildOptions &options, int vertex_bits,
                std::uint64_t memory, const ReadContext &context);

} // namespace gc::detail

#endif
