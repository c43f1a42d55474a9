// DIMACS files: shortest-path graphs ("p sp n m" and "a u v w", or lines "a u v w" alone), PACE graphs ("p tw n m" and
// "u v") and colouring graphs ("p edge n m" and "e u v").
#include "edges.h"
#include "row_lines.h"
#include "scan.h"

namespace gc::detail {

namespace {

struct Problem {
  std::string kind;
  std::uint64_t n = 0, m = 0;
};

Problem read_problem_line(const char *p, const char *end) {
  const char *begin = p;
  Problem problem;
  p = skip_blanks(p + 1, end);
  while (p < end && !is_blank(*p) && *p != '\n')
    problem.kind += *p++;
  if (problem.kind != "sp" && problem.kind != "tw" && problem.kind != "edge" && problem.kind != "col")
    throw ParseError{begin, "expected 'p sp', 'p tw', 'p edge' or 'p col', found 'p " + problem.kind + "'"};
  p = skip_blanks(p, end);
  problem.n = scan_count(p, end, "the number of vertices");
  p = skip_blanks(p, end);
  problem.m = scan_count(p, end, "the number of edges");
  expect_line_end(p, end);
  return problem;
}

} // namespace

RawGraph read_dimacs(const InputFile &file, const ReadContext &outer) {
  const char *end = file.text.end();
  const char *first = skip_comment_lines(file.text.begin(), end, 'c');
  if (first == end)
    fail_file(file.path, "the file has no edges");
  Problem problem;
  const bool declared = *first == 'p';
  if (declared) {
    try {
      problem = read_problem_line(first, end);
    } catch (const ParseError &error) {
      fail_at(file, error.at, error.reason);
    }
  } else if (*first != 'a') {
    fail_at(file, first, "expected a line that starts with 'c', 'p' or 'a', found " + quoted_field(first, end));
  }
  const bool weighted = !declared || problem.kind == "sp";

  ReadContext context = outer;
  if (outer.options.all_columns && weighted)
    context.columns = {{"weight", ColumnType::float64}};
  const std::size_t available = weighted ? 1 : 0;
  if (context.columns.size() > available)
    fail_at(file, first, missing_column(context.columns[available], "the file"));
  LineSyntax syntax;
  syntax.comment_letter = 'c';
  syntax.prefix = weighted ? 'a' : problem.kind == "tw" ? 0 : 'e';
  syntax.exact_values = weighted ? 1 : 0;
  syntax.bounded = declared;
  if (declared) {
    syntax.first_id = 1;
    syntax.last_id = static_cast<std::int64_t>(problem.n);
  }
  if (!context.columns.empty())
    syntax.fields = {0};
  RawGraph graph;
  graph.chunks = parse_edge_lines(file, declared ? next_line(first, end) : first, end, syntax, context);
  graph.columns = context.columns;
  graph.directed = weighted;
  if (declared) {
    check_num_edges(file, first, problem.m, graph.num_entries());
    graph.ids = VertexIds::range(1, problem.n);
  } else {
    graph.ids = compact_ids(graph.chunks, context);
  }
  if (outer.options.all_columns)
    narrow_columns(graph);
  return graph;
}

} // namespace gc::detail
