// Matrix Market coordinate files: entry (i, j) is the arc from i to j; a symmetric matrix is an undirected graph.
#include "edges.h"
#include "row_lines.h"
#include "scan.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace gc::detail {

namespace {

struct Banner {
  bool pattern = false;
  std::string symmetry; ///< "general", "symmetric", "skew-symmetric"
};

std::string next_word(const char *&p, const char *end) {
  p = skip_blanks(p, end);
  std::string word;
  while (p < end && !is_blank(*p))
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(*p++)));
  return word;
}

Banner read_banner(const char *p, const char *end) {
  const char *begin = p;
  if (next_word(p, end) != "%%matrixmarket")
    throw ParseError{begin, "expected a Matrix Market banner that starts with '%%MatrixMarket'"};
  const std::string object = next_word(p, end), layout = next_word(p, end), field = next_word(p, end);
  Banner banner;
  banner.symmetry = next_word(p, end);
  if (object != "matrix" || layout != "coordinate")
    throw ParseError{begin, "only 'matrix coordinate' files are graphs, not '" + object + " " + layout + "'"};
  banner.pattern = field == "pattern";
  if (!banner.pattern && field != "real" && field != "double" && field != "integer" && field != "unsigned-integer")
    throw ParseError{begin, "values of kind '" + field + "' are not supported; use pattern, integer or real"};
  if (banner.symmetry != "general" && banner.symmetry != "symmetric" && banner.symmetry != "skew-symmetric")
    throw ParseError{begin,
                     "symmetry '" + banner.symmetry + "' is not supported; use general, symmetric or skew-symmetric"};
  if (banner.symmetry == "skew-symmetric" && banner.pattern)
    throw ParseError{begin, "a skew-symmetric matrix needs values"};
  return banner;
}

/// Of a skew-symmetric matrix: adds the entry (j, i, -value) for every entry (i, j, value) off the diagonal.
void add_opposite(const InputFile &file, std::vector<EdgeChunk> &chunks, const ReadContext &context) {
  const std::vector<ColumnInfo> &columns = context.columns;
  for (EdgeChunk &chunk : chunks) {
    const std::size_t size = chunk.size();
    for (std::size_t e = 0; e < size; ++e) {
      const std::uint64_t u = chunk.ends[2 * e], v = chunk.ends[2 * e + 1];
      if (u == v)
        continue;
      chunk.ends.push_back(v);
      chunk.ends.push_back(u);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::uint64_t bits = chunk.values[e * columns.size() + k];
        const std::int64_t low = columns[k].type == ColumnType::int32 ? std::numeric_limits<std::int32_t>::min()
                                                                      : std::numeric_limits<std::int64_t>::min();
        if (!is_real(columns[k].type) && static_cast<std::int64_t>(bits) == low)
          fail_file(file.path, columns[k].name + " " + std::to_string(low) + " cannot be negated (overflow)");
        const std::uint64_t opposite = is_real(columns[k].type) ? bits_of(-real_of(bits)) : 0 - bits;
        if (context.must_not_be_negative(k) &&
            (is_real(columns[k].type) ? real_of(opposite) < 0 : static_cast<std::int64_t>(opposite) < 0))
          fail_file(file.path, columns[k].name + " " + value_text(opposite, columns[k].type) + " of edge " +
                                   std::to_string(v + 1) + " " + std::to_string(u + 1) +
                                   " is negative, which the program does not allow");
        chunk.values.push_back(opposite);
      }
    }
  }
}

EdgeText matrix_text(const InputFile &file, const ReadContext &context) {
  const char *begin = file.text.begin(), *end = file.text.end();
  Banner banner;
  EdgeText text;
  const char *sizes = begin;
  try {
    banner = read_banner(begin, line_end(begin, end));
    sizes = skip_comment_lines(next_line(begin, end), end, '%');
    if (sizes == end)
      throw ParseError{end - 1, "the file ends before the line 'rows columns entries'"};
    const char *p = sizes;
    const std::uint64_t n = text.n = scan_count(p, end, "the number of rows");
    p = skip_blanks(p, end);
    const std::uint64_t columns = scan_count(p, end, "the number of columns");
    p = skip_blanks(p, end);
    text.declared = scan_count(p, end, "the number of entries");
    expect_line_end(p, end);
    if (n != columns)
      throw ParseError{sizes, "the matrix has " + std::to_string(n) + " rows and " + std::to_string(columns) +
                                  " columns; a graph needs a square matrix"};
  } catch (const ParseError &error) {
    fail_at(file, error.at, error.reason);
  }
  text.header = sizes;
  text.lines = next_line(sizes, end);
  text.directed = banner.symmetry != "symmetric";
  text.complete = banner.symmetry == "skew-symmetric" ? add_opposite : nullptr;
  text.columns = context.columns;
  if (context.options.all_columns && !banner.pattern)
    text.columns = {{"weight", ColumnType::float64}};
  const std::size_t available = banner.pattern ? 0 : 1;
  if (text.columns.size() > available)
    fail_at(file, begin, missing_column(text.columns[available], "the matrix"));
  text.syntax.comment_letter = '%';
  text.syntax.bounded = true;
  text.syntax.first_id = 1;
  text.syntax.last_id = static_cast<std::int64_t>(text.n);
  text.syntax.exact_values = banner.pattern ? 0 : 1;
  if (!text.columns.empty())
    text.syntax.fields = {0};
  return text;
}

} // namespace

RawGraph read_matrix_market(const InputFile &file, const ReadContext &context) {
  return read_edge_text(file, matrix_text(file, context), context);
}

} // namespace gc::detail
