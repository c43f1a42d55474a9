// Adjacency lists: lines "v n1 n2 ...", a vertex and its successors; ids are any integers.
#include "edges.h"
#include "row_lines.h"
#include "scan.h"

namespace gc::detail {

RawGraph read_adjacency(const InputFile &file, const ReadContext &context) {
  if (!context.columns.empty())
    fail_at(file, file.text.begin(), missing_column(context.columns[0], "the file"));
  const RowText text = number_rows(file, file.text.begin(), '#', context);
  RawGraph graph;
  graph.in_ranges = true;
  graph.chunks = parse_rows(file, text, context, [](std::uint64_t, const char *p, const char *stop, EdgeChunk &chunk) {
    p = skip_blanks(p, stop);
    if (p == stop)
      return;
    const std::int64_t u = scan_integer(p, stop, "a vertex id");
    // A vertex without successors is one, too: until the ids are renumbered, `values` holds the lines' first ids.
    chunk.values.push_back(static_cast<std::uint64_t>(u));
    for (p = skip_separator(p, stop); p < stop; p = skip_separator(p, stop)) {
      chunk.ends.push_back(static_cast<std::uint64_t>(u));
      chunk.ends.push_back(static_cast<std::uint64_t>(scan_integer(p, stop, "a vertex id")));
    }
  });
  const std::size_t pieces = graph.chunks.size();
  EdgeChunk vertices;
  for (EdgeChunk &chunk : graph.chunks) {
    for (std::uint64_t id : chunk.values)
      vertices.ends.insert(vertices.ends.end(), {id, id});
    std::vector<std::uint64_t>().swap(chunk.values);
  }
  graph.chunks.push_back(std::move(vertices));
  graph.ids = compact_ids(graph.chunks, context);
  graph.chunks.resize(pieces);
  return graph;
}

} // namespace gc::detail
