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

EdgeText dimacs_text(const InputFile &file, const ReadContext &context) {
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
  EdgeText text;
  text.directed = weighted;
  text.columns = context.columns;
  if (context.options.all_columns && weighted)
    text.columns = {{"weight", ColumnType::float64}};
  const std::size_t available = weighted ? 1 : 0;
  if (text.columns.size() > available)
    fail_at(file, first, missing_column(text.columns[available], "the file"));
  text.lines = declared ? next_line(first, end) : first;
  text.syntax.comment_letter = 'c';
  text.syntax.prefix = weighted ? 'a' : problem.kind == "tw" ? 0 : 'e';
  text.syntax.exact_values = weighted ? 1 : 0;
  text.syntax.bounded = declared;
  if (declared) {
    text.header = first;
    text.n = problem.n;
    text.declared = problem.m;
    text.syntax.first_id = 1;
    text.syntax.last_id = static_cast<std::int64_t>(problem.n);
  }
  if (!text.columns.empty())
    text.syntax.fields = {0};
  return text;
}

} // namespace

RawGraph read_dimacs(const InputFile &file, const ReadContext &context) {
  return read_edge_text(file, dimacs_text(file, context), context);
}

} // namespace gc::detail
