// WebGraph's ASCII format: the number of vertices, then the successors of vertex i on the i-th line; ids start at 0.
#include "edges.h"
#include "row_lines.h"
#include "scan.h"

namespace gc::detail {

RawGraph read_webgraph(const InputFile &file, const ReadContext &context) {
  const char *begin = file.text.begin(), *end = file.text.end();
  std::uint64_t n = 0;
  try {
    const char *p = skip_blanks(begin, end);
    n = scan_count(p, end, "the number of vertices");
    expect_line_end(p, end);
  } catch (const ParseError &error) {
    fail_at(file, error.at, error.reason);
  }
  if (!context.columns.empty())
    fail_at(file, begin, missing_column(context.columns[0], "the file"));
  const RowText text = number_rows(file, next_line(begin, end), 0, context);
  if (text.rows < n)
    fail_at(file, begin,
            "the file declares " + std::to_string(n) + " vertices, but has " + std::to_string(text.rows) +
                " lines of successors");
  RawGraph graph;
  graph.in_ranges = true;
  graph.chunks =
      parse_rows(file, text, context, [&](std::uint64_t u, const char *p, const char *stop, EdgeChunk &chunk) {
        p = skip_blanks(p, stop);
        if (u >= n && p < stop)
          throw ParseError{p, "the file declares " + std::to_string(n) + " vertices, but has more lines"};
        for (; p < stop; p = skip_blanks(p, stop)) {
          const char *field = p;
          const std::int64_t v = scan_integer(p, stop, "a vertex id");
          if (v < 0 || static_cast<std::uint64_t>(v) >= n)
            throw ParseError{field, "vertex id " + std::to_string(v) + " is out of range: the file declares 0 to " +
                                        std::to_string(n - 1)};
          chunk.ends.push_back(u);
          chunk.ends.push_back(static_cast<std::uint64_t>(v));
        }
      });
  graph.ids = VertexIds::range(0, n);
  return graph;
}

} // namespace gc::detail
