// Edge lists: lines "u v [values]", with blanks, commas, semicolons or tabs; ids are integers or strings.
#include "edges.h"
#include "scan.h"
#include "thread_errors.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace gc::detail {

namespace {

/// A line that is neither empty nor a comment, without its end.
struct DataLine {
  const char *begin = nullptr; ///< nullptr: there is none
  const char *end = nullptr;
};

DataLine next_data_line(const char *p, const char *end) {
  while (p < end) {
    const char *stop = line_end(p, end);
    p = skip_blanks(p, stop);
    const bool comment = p < stop && (*p == '#' || *p == '%' || (*p == '/' && p + 1 < stop && p[1] == '/'));
    if (p < stop && !comment) {
      while (stop > p && is_blank(stop[-1]))
        --stop;
      return {p, stop};
    }
    p = stop < end ? stop + 1 : end;
  }
  return {};
}

/// What separates the fields of a file of text ids: a comma, a semicolon, a tab, or (0) any blanks.
char separator_of(DataLine line) {
  const std::string_view text(line.begin, static_cast<std::size_t>(line.end - line.begin));
  for (char c : {',', ';', '\t'})
    if (text.find(c) != std::string_view::npos)
      return c;
  return 0;
}

/// Cuts one field from the line at p, moves p behind its separator, and strips blanks and double quotes around it.
std::string_view cut_field(const char *&p, const char *end, char separator) {
  p = skip_blanks(p, end);
  const char *begin = p;
  if (p < end && *p == '"') {
    const void *quote = std::memchr(p + 1, '"', static_cast<std::size_t>(end - p - 1));
    if (!quote)
      throw ParseError{p, "unterminated quoted field"};
    const char *close = static_cast<const char *>(quote);
    p = skip_blanks(close + 1, end);
    if (p < end && *p == (separator ? separator : *p))
      p += separator != 0;
    return {begin + 1, static_cast<std::size_t>(close - begin - 1)};
  }
  while (p < end && !(separator ? *p == separator : is_blank(*p)))
    ++p;
  const char *stop = p;
  while (stop > begin && is_blank(stop[-1]))
    --stop;
  if (p < end && separator)
    ++p;
  return {begin, static_cast<std::size_t>(stop - begin)};
}

std::vector<std::string_view> fields_of(DataLine line, char separator) {
  std::vector<std::string_view> fields;
  for (const char *p = line.begin; p < line.end;)
    fields.push_back(cut_field(p, line.end, separator));
  return fields;
}

bool is_number(std::string_view field) { return whole_integer(field) || whole_real(field); }

/// Whether the first data line names columns: no field is a number, and a field of the next line is where the first
/// line's is not, or the names are a usual pair.
bool is_header(const std::vector<std::string_view> &first, const std::vector<std::string_view> &second) {
  if (first.size() < 2 || std::any_of(first.begin(), first.end(), is_number))
    return false;
  if (std::any_of(second.begin(), second.begin() + static_cast<std::ptrdiff_t>(std::min(first.size(), second.size())),
                  is_number))
    return true;
  const auto lower = [](std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
    return result;
  };
  static const std::array<std::array<const char *, 2>, 4> pairs = {
      {{"source", "target"}, {"from", "to"}, {"src", "dst"}, {"src", "dest"}}};
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const auto &pair) { return lower(first[0]) == pair[0] && lower(first[1]) == pair[1]; });
}

/// How a file is laid out, as its first data lines show.
struct Layout {
  const char *data = nullptr; ///< where the lines of edges begin
  bool text_ids = false;
  char separator = 0;
  std::vector<std::string> names; ///< of all fields, if there is a header
  std::size_t num_fields = 0;     ///< on the first line of edges
  std::size_t num_numbers = 0;    ///< numbers that follow the two ids there
};

Layout layout_of(const InputFile &file, IdKind ids) {
  Layout layout;
  layout.data = file.text.begin();
  if (file.text.size() >= 3 && file.text.view().substr(0, 3) == "\xEF\xBB\xBF")
    layout.data += 3; // byte-order mark
  DataLine first = next_data_line(layout.data, file.text.end());
  if (!first.begin)
    return layout;
  layout.separator = separator_of(first);
  std::vector<std::string_view> fields = fields_of(first, layout.separator);
  const DataLine second = next_data_line(std::min(first.end, file.text.end()), file.text.end());
  if (second.begin) {
    const std::vector<std::string_view> next = fields_of(second, layout.separator);
    if (is_header(fields, next)) {
      layout.names.assign(fields.begin(), fields.end());
      layout.data = second.begin;
      first = second;
      fields = next;
    }
  }
  layout.num_fields = fields.size();
  for (std::size_t k = 2; k < fields.size() && is_number(fields[k]); ++k)
    ++layout.num_numbers;
  if (ids == IdKind::standard)
    layout.text_ids = fields.size() >= 2 && !(whole_integer(fields[0]) && whole_integer(fields[1])) &&
                      !(!fields[0].empty() && is_digit(fields[0].front()) && is_number(fields[0]));
  else
    layout.text_ids = ids == IdKind::text;
  return layout;
}

/// Which field after the ids holds each column: by name if the header has all of them, else in order.
std::vector<int> column_fields(const Layout &layout, const std::vector<ColumnInfo> &columns) {
  std::vector<int> by_name, in_order;
  for (const ColumnInfo &column : columns) {
    in_order.push_back(static_cast<int>(in_order.size()));
    const auto found = std::find(layout.names.begin(), layout.names.end(), column.name);
    if (found != layout.names.end() && found - layout.names.begin() >= 2)
      by_name.push_back(static_cast<int>(found - layout.names.begin()) - 2);
  }
  return by_name.size() == columns.size() ? by_name : in_order;
}

/// Edges between numbered strings: the strings of one piece of the file, in the order in which they first occur.
struct TextPiece {
  EdgeChunk edges;
  std::vector<std::string_view> names;
};

class TextParser {
public:
  TextParser(const Layout &layout, std::vector<int> fields, const ReadContext &context)
      : layout_(layout), fields_(std::move(fields)), context_(context) {}

  TextPiece parse(const char *p, const char *end) const {
    TextPiece piece;
    std::unordered_map<std::string_view, std::uint64_t> numbers;
    std::vector<std::string_view> values;
    while (true) {
      const DataLine line = next_data_line(p, end);
      if (!line.begin)
        return piece;
      p = line_end(line.end, end);
      const char *q = line.begin;
      values.clear();
      while (q < line.end)
        values.push_back(cut_field(q, line.end, layout_.separator));
      if (values.size() < 2 || values[0].empty() || values[1].empty())
        throw ParseError{line.begin, "expected two vertex names, found '" +
                                         std::string(line.begin, std::min(line.end, line.begin + 40)) + "'"};
      for (std::size_t side = 0; side < 2; ++side) {
        const auto [entry, fresh] = numbers.emplace(values[side], piece.names.size());
        if (fresh)
          piece.names.push_back(values[side]);
        piece.edges.ends.push_back(entry->second);
      }
      parse_values(line, values, piece.edges);
    }
  }

private:
  void parse_values(DataLine line, const std::vector<std::string_view> &values, EdgeChunk &edges) const {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      const std::string edge = "edge " + std::string(values[0]) + " " + std::string(values[1]);
      const std::size_t field = static_cast<std::size_t>(fields_[k]) + 2;
      if (field >= values.size())
        throw ParseError{line.begin, missing_column(context_.columns[k], edge)};
      const char *q = values[field].data(), *stop = q + values[field].size();
      const std::uint64_t bits = scan_value(q, stop, context_.columns[k]);
      if (q != stop)
        throw ParseError{line.begin,
                         "expected " + context_.columns[k].name + ", found '" + std::string(values[field]) + "'"};
      check_nonnegative(bits, context_, k, line.begin, edge);
      edges.values.push_back(bits);
    }
  }

  const Layout &layout_;
  std::vector<int> fields_;
  const ReadContext &context_;
};

/// Reads a file with text ids; vertices are numbered in the order in which they first occur.
RawGraph read_text_ids(const InputFile &file, const Layout &layout, const ReadContext &context) {
  const std::vector<const char *> bounds = split_lines(layout.data, file.text.end(), std::size_t(1) << 20);
  const std::size_t count = bounds.size() - 1;
  std::vector<TextPiece> pieces(count);
  const TextParser parser(layout, column_fields(layout, context.columns), context);
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < count; ++i)
    errors.guard([&] { pieces[i] = parser.parse(bounds[i], bounds[i + 1]); });
  errors.raise(file);

  RawGraph graph;
  graph.columns = context.columns;
  graph.chunks.resize(count);
  std::unordered_map<std::string_view, std::uint64_t> numbers;
  std::string characters;
  std::vector<std::uint64_t> ends;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint64_t> rename;
    for (std::string_view name : pieces[i].names) {
      const auto [entry, fresh] = numbers.emplace(name, ends.size());
      if (fresh) {
        characters += name;
        ends.push_back(characters.size());
      }
      rename.push_back(entry->second);
    }
    graph.chunks[i] = std::move(pieces[i].edges);
    for (std::uint64_t &id : graph.chunks[i].ends)
      id = rename[id];
  }
  graph.ids = VertexIds::text(std::move(characters), std::move(ends));
  return graph;
}

RawGraph read_lines(const InputFile &file, const ReadContext &outer) {
  if (file.text.view().substr(0, 4096).find('\0') != std::string_view::npos)
    fail_file(file.path, "is not a text file");
  const Layout layout = [&] {
    try {
      return layout_of(file, outer.options.ids);
    } catch (const ParseError &error) {
      fail_at(file, error.at, error.reason);
    }
  }();
  if (layout.num_fields == 0)
    fail_file(file.path, "the file has no edges");
  ReadContext context = outer;
  if (outer.options.all_columns && layout.num_numbers > 0)
    context.columns = {{"weight", ColumnType::float64}};
  RawGraph graph;
  if (layout.text_ids) {
    graph = read_text_ids(file, layout, context);
  } else {
    LineSyntax syntax;
    syntax.comments = true;
    syntax.fields = column_fields(layout, context.columns);
    graph.chunks = parse_edge_lines(file, layout.data, syntax, context);
    graph.columns = context.columns;
    graph.ids = compact_ids(graph.chunks, context);
  }
  if (outer.options.all_columns)
    narrow_column(graph);
  return graph;
}

} // namespace

void narrow_column(RawGraph &graph) {
  if (graph.columns.size() != 1)
    return;
  bool whole = true, narrow = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : whole, narrow)
  for (std::size_t i = 0; i < graph.chunks.size(); ++i)
    for (std::uint64_t bits : graph.chunks[i].values) {
      const double value = real_of(bits);
      whole = whole && value > -9e15 && value < 9e15 && value == static_cast<double>(static_cast<std::int64_t>(value));
      narrow = narrow && value >= INT32_MIN && value <= INT32_MAX;
    }
  if (!whole)
    return;
  graph.columns[0].type = narrow ? ColumnType::int32 : ColumnType::int64;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < graph.chunks.size(); ++i)
    for (std::uint64_t &bits : graph.chunks[i].values)
      bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(real_of(bits)));
}

RawGraph read_edge_list(const InputFile &file, const ReadContext &context) { return read_lines(file, context); }

RawGraph read_konect(const InputFile &file, const ReadContext &context) {
  // The first line says "% asym ..." (directed), "% sym ..." or "% bip ...".
  const char *p = file.text.begin(), *end = line_end(p, file.text.end());
  bool undirected = false;
  if (p < end && *p == '%') {
    p = skip_blanks(p + 1, end);
    const std::string_view header(p, static_cast<std::size_t>(end - p));
    if (header.substr(0, 3) == "bip")
      fail_at(file, p, "the graph is bipartite: its two sides have separate vertex ids, which is not supported");
    undirected = header.substr(0, 3) == "sym";
  }
  RawGraph graph = read_lines(file, context);
  graph.directed = !undirected;
  return graph;
}

} // namespace gc::detail
