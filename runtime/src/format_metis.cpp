// METIS files: "n m [fmt [ncon]]", then the neighbours of vertex i, with edge weights if fmt says so, on the i-th line.
#include "edges.h"
#include "generate.h"
#include "row_lines.h"
#include "scan.h"

namespace gc::detail {

namespace {

struct Header {
  std::uint64_t n = 0, m = 0;
  bool sizes = false;            ///< each line starts with the vertex's size
  std::uint64_t constraints = 0; ///< then come so many vertex weights
  bool weights = false;          ///< each neighbour is followed by the edge's weight

  std::uint64_t leading() const { return constraints + (sizes ? 1 : 0); }
};

Header read_header(const char *p, const char *end) {
  Header header;
  header.n = scan_count(p, end, "the number of vertices");
  p = skip_blanks(p, end);
  header.m = scan_count(p, end, "the number of edges");
  p = skip_blanks(p, end);
  if (p == end || *p == '\n')
    return header;
  const char *format = p;
  const std::uint64_t digits = scan_count(p, end, "the format");
  if (p - format > 3 || digits % 10 > 1 || digits / 10 % 10 > 1 || digits / 100 > 1)
    throw ParseError{format, "unknown METIS format " + quoted_field(format, end) + "; its digits are 0 or 1"};
  header.weights = digits % 10 == 1;
  header.constraints = digits / 10 % 10;
  header.sizes = digits / 100 == 1;
  p = skip_blanks(p, end);
  if (p < end && *p != '\n') {
    const std::uint64_t constraints = scan_count(p, end, "the number of vertex weights");
    if (header.constraints == 1)
      header.constraints = constraints;
  }
  expect_line_end(p, end);
  return header;
}

std::uint64_t count_fields(const char *p, const char *end) {
  std::uint64_t fields = 0;
  for (p = skip_blanks(p, end); p < end; p = skip_blanks(p, end)) {
    ++fields;
    while (p < end && !is_blank(*p))
      ++p;
  }
  return fields;
}

/// Some writers give fmt 100 to files without vertex sizes: whether only their absence makes the number of edges right.
bool sizes_are_absent(const InputFile &file, const RowText &text, const Header &header, const ReadContext &context) {
  std::uint64_t fields = 0;
  parse_rows(file, text, context, [&](std::uint64_t, const char *p, const char *end, EdgeChunk &) {
    const std::uint64_t count = count_fields(p, end);
#pragma omp atomic
    fields += count;
  });
  fields = sums(context.readers, {fields})[0];
  const std::uint64_t width = header.weights ? 2 : 1;
  const auto fits = [&](std::uint64_t leading) {
    const std::uint64_t before = header.n * leading;
    return fields >= before && (fields - before == header.m * width || fields - before == 2 * header.m * width);
  };
  return !fits(header.leading()) && fits(header.leading() - 1);
}

/// Keeps each edge of an undirected graph once. Returns a sum that is 0 over all chunks of the graph unless some edge
/// is not listed equally by both its ends.
std::uint64_t keep_one_side(std::vector<EdgeChunk> &chunks, std::size_t columns) {
  std::uint64_t balance = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : balance)
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    EdgeChunk &chunk = chunks[i];
    std::size_t kept = 0;
    for (std::size_t e = 0; e < chunk.size(); ++e) {
      const std::uint64_t u = chunk.ends[2 * e], v = chunk.ends[2 * e + 1];
      std::uint64_t hash = splitmix(std::min(u, v) ^ splitmix(std::max(u, v)));
      for (std::size_t k = 0; k < columns; ++k)
        hash = splitmix(hash ^ chunk.values[e * columns + k]);
      if (u != v)
        balance += u < v ? hash : 0 - hash;
      if (u > v)
        continue;
      chunk.ends[2 * kept] = u;
      chunk.ends[2 * kept + 1] = v;
      for (std::size_t k = 0; k < columns; ++k)
        chunk.values[kept * columns + k] = chunk.values[e * columns + k];
      ++kept;
    }
    chunk.ends.resize(2 * kept);
    chunk.values.resize(columns * kept);
  }
  return balance;
}

} // namespace

RawGraph read_metis(const InputFile &file, const ReadContext &outer) {
  const char *end = file.text.end();
  const char *first = skip_comment_lines(file.text.begin(), end, '%');
  if (first == end)
    fail_file(file.path, "the file has no header line 'vertices edges'");
  Header header;
  try {
    header = read_header(first, end);
  } catch (const ParseError &error) {
    fail_at(file, error.at, error.reason);
  }
  ReadContext context = outer;
  if (outer.options.all_columns && header.weights)
    context.columns = {{"weight", ColumnType::float64}};
  const std::size_t available = header.weights ? 1 : 0;
  if (context.columns.size() > available)
    fail_at(file, first, missing_column(context.columns[available], "the file"));

  const RowText text = number_rows(file, next_line(first, end), '%', context);
  // The line of a last vertex without neighbours may be missing altogether.
  if (text.rows + 1 < header.n)
    fail_at(file, first,
            "the file declares " + std::to_string(header.n) + " vertices, but has " + std::to_string(text.rows) +
                " lines of neighbours");
  if (header.sizes && sizes_are_absent(file, text, header, context))
    header.sizes = false;
  const auto parse_row = [&](std::uint64_t u, const char *p, const char *stop, EdgeChunk &chunk) {
    p = skip_blanks(p, stop);
    if (u >= header.n) {
      if (p < stop)
        throw ParseError{p, "the file declares " + std::to_string(header.n) + " vertices, but has more lines"};
      return;
    }
    for (std::uint64_t i = 0; i < header.leading(); ++i, p = skip_blanks(p, stop))
      scan_real(p, stop, i == 0 && header.sizes ? "a vertex size" : "a vertex weight");
    while (p < stop) {
      const char *field = p;
      const std::int64_t v = scan_integer(p, stop, "a vertex id");
      if (v < 1 || static_cast<std::uint64_t>(v) > header.n)
        throw ParseError{field, "vertex id " + std::to_string(v) + " is out of range: the file declares 1 to " +
                                    std::to_string(header.n)};
      chunk.ends.push_back(u);
      chunk.ends.push_back(static_cast<std::uint64_t>(v - 1));
      p = skip_blanks(p, stop);
      if (!header.weights)
        continue;
      field = p;
      if (p == stop)
        throw ParseError{stop - 1, "edge " + std::to_string(u + 1) + " " + std::to_string(v) + " has no weight"};
      if (context.columns.empty()) {
        scan_real(p, stop, "an edge weight");
      } else {
        const std::uint64_t bits = scan_value(p, stop, context.columns[0]);
        check_nonnegative(bits, context, 0, field, "edge " + std::to_string(u + 1) + " " + std::to_string(v));
        chunk.values.push_back(bits);
      }
      p = skip_blanks(p, stop);
    }
  };
  RawGraph graph;
  graph.in_ranges = true;
  graph.chunks = parse_rows(file, text, context, parse_row);
  graph.columns = context.columns;
  graph.ids = VertexIds::range(1, header.n);

  std::uint64_t own_loops = 0;
  for (const EdgeChunk &chunk : graph.chunks)
    for (std::size_t e = 0; e < chunk.size(); ++e)
      own_loops += chunk.ends[2 * e] == chunk.ends[2 * e + 1];
  const std::vector<std::uint64_t> counts = sums(context.readers, {graph.num_entries(), own_loops});
  const std::uint64_t entries = counts[0], loops = counts[1];
  graph.directed = entries == header.m && header.m > 0 && entries != 2 * header.m - loops;
  if (!graph.directed) {
    if (entries != 2 * header.m && entries != 2 * header.m - loops)
      fail_at(file, first,
              "the file declares " + std::to_string(header.m) + " edges, but lists " + std::to_string(entries) +
                  " neighbours; expected each edge twice");
    if (sums(context.readers, {keep_one_side(graph.chunks, graph.columns.size())})[0] != 0)
      fail_at(file, first, "the neighbours are not symmetric: some edge is not listed equally by both its ends");
  }
  if (outer.options.all_columns)
    narrow_columns(graph);
  return graph;
}

} // namespace gc::detail
