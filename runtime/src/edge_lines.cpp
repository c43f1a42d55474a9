// The parallel parser of lines "u v [values]", which most text formats share.
#include "edges.h"
#include "group_steps.h"
#include "line_parser.h"
#include "row_lines.h"
#include "runtime/tool_support/fields.h"
#include "scan.h"
#include "thread_errors.h"

#include <algorithm>
#include <cmath>

#include <gcompile/omp/threads/threads.h>

namespace gc::detail {

std::vector<const char *> split_lines(const char *begin, const char *end, std::size_t piece_bytes) {
  std::vector<const char *> bounds{begin};
  while (bounds.back() < end) {
    const char *next =
        bounds.back() + std::min<std::size_t>(piece_bytes, static_cast<std::size_t>(end - bounds.back()));
    next = next < end ? line_end(next, end) : end;
    bounds.push_back(next < end ? next + 1 : end);
  }
  return bounds;
}

std::string missing_column(const ColumnInfo &column, const std::string &edge) {
  return edge + " has no " + column.name +
         ", which the program reads; add the column or give --weights=LO..HI, as in --weights=1..255";
}

void check_nonnegative(std::uint64_t bits, const ReadContext &context, std::size_t column, const char *at,
                       const std::string &edge) {
  if (!context.must_not_be_negative(column))
    return;
  const ColumnInfo &info = context.columns[column];
  if (is_real(info.type) && std::isnan(real_of(bits)))
    throw ParseError{at, info.name + " of " + edge + " is not a number (nan), which the program does not allow"};
  if (is_real(info.type) ? real_of(bits) < 0 : static_cast<std::int64_t>(bits) < 0)
    throw ParseError{at, info.name + " " + value_text(bits, info.type) + " of " + edge +
                             " is negative, which the program does not allow"};
}

std::vector<EdgeChunk> parse_edge_lines(const InputFile &file, const char *from, const char *end,
                                        const LineSyntax &syntax, const ReadContext &context) {
  // A million bytes a piece; fewer for small files, so that every thread gets some.
  const std::size_t bytes = static_cast<std::size_t>(end - from);
  const std::size_t piece = std::clamp<std::size_t>(bytes / (4 * static_cast<std::size_t>(omp_get_max_threads()) + 1),
                                                    std::size_t(1) << 14, std::size_t(1) << 20);
  const std::vector<const char *> bounds = split_lines(from, end, piece);
  const std::size_t pieces = bounds.size() - 1;
  std::vector<EdgeChunk> chunks(pieces);
  const LineParser parser(syntax, context);

  ThreadErrors errors;
  std::size_t done = 0;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < pieces; ++i)
    errors.guard([&] {
      refuse_bare_returns(bounds[i], bounds[i + 1]);
      parser.parse(bounds[i], bounds[i + 1], chunks[i]);
      std::size_t so_far;
#pragma omp atomic capture
      so_far = ++done;
      if (omp_get_thread_num() == 0)
        context.progress.update("reading " + file.path, static_cast<double>(so_far) / static_cast<double>(pieces));
    });
  errors.raise(file);
  return chunks;
}

LineRange own_lines(const InputFile &file, const char *from, const ReadContext &context) {
  const char *const end = file.text.end();
  if (!context.readers)
    return {from, end};
  const std::size_t bytes = static_cast<std::size_t>(end - from),
                    of = static_cast<std::size_t>(context.readers->size());
  const auto begin = [&](std::size_t range) {
    const char *at = from + bytes / of * range + bytes % of * range / of;
    if (at == from || at == end || at[-1] == '\n')
      return at;
    at = line_end(at, end);
    return at < end ? at + 1 : end;
  };
  const std::size_t range = static_cast<std::size_t>(context.readers->rank());
  return {begin(range), begin(range + 1)};
}

RawGraph read_edge_text(const InputFile &file, const EdgeText &text, const ReadContext &outer) {
  ReadContext context = outer;
  context.columns = text.columns;
  const LineRange own = own_lines(file, text.lines, context);
  RawGraph graph;
  graph.in_ranges = true;
  agreed(context.readers, [&] { graph.chunks = parse_edge_lines(file, own.begin, own.end, text.syntax, context); });
  graph.columns = text.columns;
  graph.directed = text.directed;
  if (text.header) {
    const std::uint64_t entries = sums(context.readers, {graph.num_entries()})[0];
    agreed(context.readers, [&] { check_num_edges(file, text.header, text.declared, entries); });
    graph.ids = VertexIds::range(1, text.n);
  } else {
    graph.ids = compact_ids(graph.chunks, context);
  }
  if (text.complete)
    agreed(context.readers, [&] { text.complete(file, graph.chunks, context); });
  if (outer.options.all_columns)
    narrow_columns(graph);
  return graph;
}

} // namespace gc::detail
