// Edge lists: lines "u v [values]", with blanks, commas, semicolons or tabs; ids are integers or strings.
#include "edges.h"
#include "external_build.h"
#include "runtime/tool_support/fields.h"
#include "scan.h"
#include "thread_errors.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
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

/// What separates the fields of a file of text ids: a comma, a semicolon, a tab, or (0) any blanks. Those between
/// quotes do not count.
char separator_of(DataLine line) {
  std::string outside;
  bool begins = true; // a field, which may be quoted
  for (const char *p = line.begin; p < line.end;) {
    if (begins && *p == '"') {
      cut_quoted_field(p, line.end);
      begins = false;
    } else {
      begins = is_separator(*p);
      outside += *p++;
    }
  }
  for (char c : {',', ';', '\t'})
    if (outside.find(c) != std::string::npos)
      return c;
  return 0;
}

/// The fields of a line, for decisions about the file.
struct Fields {
  std::vector<std::string> values;
  bool quoted = false; ///< some of them are
};

Fields fields_of(DataLine line, char separator) {
  Fields fields;
  FieldCutter cutter(line.begin, line.end, separator);
  for (Field field; cutter.next(field);) {
    fields.values.push_back(field.value());
    fields.quoted |= field.quoted;
  }
  return fields;
}

bool is_number(std::string_view field) { return whole_integer(field) || whole_real(field); }

/// Whether field k is a number. A value may also be `nan`, which as an id is a text.
bool is_number_at(const std::vector<std::string> &fields, std::size_t k) {
  return is_number(fields[k]) || (k >= 2 && (fields[k] == "nan" || fields[k] == "-nan"));
}

/// Whether any of the first `count` fields is a number.
bool has_number(const std::vector<std::string> &fields, std::size_t count) {
  for (std::size_t k = 0; k < std::min(count, fields.size()); ++k)
    if (is_number_at(fields, k))
      return true;
  return false;
}

/// Whether the first data line names columns: no field is a number, and a field of the next line is where the first
/// line's is not, or the names are a usual pair.
bool is_header(const std::vector<std::string> &first, const std::vector<std::string> &second) {
  if (first.size() < 2 || first[0].empty() || first[1].empty() || has_number(first, first.size()))
    return false;
  if (has_number(second, first.size()))
    return true;
  const auto lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
  };
  static const std::array<std::array<const char *, 2>, 4> pairs = {
      {{"source", "target"}, {"from", "to"}, {"src", "dst"}, {"src", "dest"}}};
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const auto &pair) { return lower(first[0]) == pair[0] && lower(first[1]) == pair[1]; });
}

/// How a file is laid out, as its first data lines show.
struct Layout {
  const char *header = nullptr; ///< the line that names the columns, or none
  const char *data = nullptr;   ///< where the lines of edges begin
  bool text_ids = false;
  char separator = 0;
  std::vector<std::string> names; ///< of all fields, if there is a header
  std::size_t num_fields = 0;     ///< on the first line of edges
  std::size_t num_numbers = 0;    ///< numbers that follow the two ids there
};

Layout layout_of(const InputFile &file, const LoadOptions &options) {
  Layout layout;
  layout.data = file.text.begin();
  const DataLine first = next_data_line(layout.data, file.text.end());
  if (!first.begin)
    return layout;
  layout.separator = separator_of(first);
  Fields fields = fields_of(first, layout.separator);
  const DataLine second = next_data_line(first.end, file.text.end());
  Fields next;
  if (second.begin)
    next = fields_of(second, layout.separator);
  if (options.header == HeaderLine::yes ||
      (options.header == HeaderLine::standard && is_header(fields.values, next.values))) {
    layout.header = first.begin;
    layout.names = std::move(fields.values);
    layout.data = second.begin ? second.begin : file.text.end();
    fields = std::move(next);
  }
  const std::vector<std::string> &values = fields.values;
  layout.num_fields = values.size();
  for (std::size_t k = 2; k < values.size() && is_number_at(values, k); ++k)
    ++layout.num_numbers;
  if (options.ids == IdKind::standard)
    layout.text_ids = fields.quoted || (values.size() >= 2 && !(whole_integer(values[0]) && whole_integer(values[1])) &&
                                        !(!values[0].empty() && is_digit(values[0].front()) && is_number(values[0])));
  else
    layout.text_ids = options.ids == IdKind::text;
  return layout;
}

/// Says that a line is taken as a header, which it may not be.
void note_header(const InputFile &file, const Layout &layout) {
  const std::string_view text = file.text.view();
  const auto line = 1 + std::count(text.begin(), text.begin() + (layout.header - text.data()), '\n');
  std::string names;
  for (const std::string &name : layout.names)
    names += (names.empty() ? "'" : ", '") + name.substr(0, 40) + "'";
  std::fprintf(stderr, "note: %s:%ld: this line is taken as a header: %s; --header=no makes it an edge\n",
               file.path.c_str(), static_cast<long>(line), names.c_str());
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
  std::deque<std::string> undoubled; ///< names that have quotes in them, and so differ from the file's text
};

class TextParser {
public:
  TextParser(const Layout &layout, std::vector<int> fields, const ReadContext &context)
      : layout_(layout), fields_(std::move(fields)), context_(context) {}

  TextPiece parse(const char *p, const char *end) const {
    refuse_bare_returns(p, end);
    TextPiece piece;
    std::unordered_map<std::string_view, std::uint64_t> numbers;
    std::vector<Field> values;
    while (true) {
      const DataLine line = next_data_line(p, end);
      if (!line.begin)
        return piece;
      p = line_end(line.end, end);
      values.clear();
      FieldCutter cutter(line.begin, line.end, layout_.separator);
      for (Field field; cutter.next(field);)
        values.push_back(field);
      for (std::size_t side = 0; side < 2; ++side) {
        if (side >= values.size() || values[side].text.empty())
          throw ParseError{line.begin, std::string("the ") + (side == 0 ? "first" : "second") +
                                           " end of the edge is missing: '" +
                                           std::string(line.begin, std::min(line.end, line.begin + 40)) + "'"};
        std::string_view name = values[side].text;
        if (values[side].doubled)
          name = piece.undoubled.emplace_back(values[side].value());
        const auto [entry, fresh] = numbers.emplace(name, piece.names.size());
        if (fresh)
          piece.names.push_back(name);
        else if (values[side].doubled)
          piece.undoubled.pop_back();
        piece.edges.ends.push_back(entry->second);
      }
      parse_values(line, values, piece.edges);
    }
  }

private:
  void parse_values(DataLine line, const std::vector<Field> &values, EdgeChunk &edges) const {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      const ColumnInfo &column = context_.columns[k];
      const std::string edge = "edge " + values[0].value() + " " + values[1].value();
      const std::size_t field = static_cast<std::size_t>(fields_[k]) + 2;
      if (field >= values.size() || values[field].text.empty())
        throw ParseError{line.begin, missing_column(column, edge)};
      const std::string_view text = values[field].text;
      const char *q = text.data(), *stop = q + text.size();
      const std::uint64_t bits = scan_value(q, stop, column);
      if (q != stop)
        throw ParseError{line.begin, "expected " + column.name + ", found '" + std::string(text) + "'"};
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

Layout checked_layout(const InputFile &file, const LoadOptions &options) {
  if (file.text.view().substr(0, 4096).find('\0') != std::string_view::npos)
    fail_file(file.path, "is not a text file");
  const Layout layout = [&] {
    try {
      return layout_of(file, options);
    } catch (const ParseError &error) {
      fail_at(file, error.at, error.reason);
    }
  }();
  if (layout.header && options.header == HeaderLine::standard && options.notes)
    note_header(file, layout);
  return layout;
}

/// The columns that are read of the lines.
std::vector<ColumnInfo> columns_of(const Layout &layout, const ReadContext &context) {
  if (context.options.all_columns && layout.num_numbers > 0)
    return {{"weight", ColumnType::float64}};
  return context.columns;
}

LineSyntax syntax_of(const Layout &layout, const std::vector<ColumnInfo> &columns) {
  LineSyntax syntax;
  syntax.comments = true;
  syntax.fields = column_fields(layout, columns);
  return syntax;
}

EdgeText list_text(const Layout &layout, const ReadContext &context) {
  EdgeText text;
  text.lines = layout.data;
  text.columns = columns_of(layout, context);
  text.syntax = syntax_of(layout, text.columns);
  return text;
}

RawGraph read_lines(const InputFile &file, const ReadContext &outer) {
  const Layout layout = checked_layout(file, outer.options);
  if (layout.num_fields == 0) {
    RawGraph graph;
    graph.columns = outer.columns;
    return graph;
  }
  if (!layout.text_ids)
    return read_edge_text(file, list_text(layout, outer), outer);
  if (outer.readers)
    require_whole_text(file, '\n', outer);
  ReadContext context = outer;
  context.columns = columns_of(layout, outer);
  RawGraph graph = read_text_ids(file, layout, context);
  if (outer.options.all_columns)
    narrow_columns(graph);
  return graph;
}

/// Whether the first line of a KONECT file says "% asym ..." (directed), not "% sym ...". Throws Error for "% bip ...".
bool is_directed_konect(const InputFile &file) {
  const char *p = file.text.begin(), *end = line_end(p, file.text.end());
  if (p == end || *p != '%')
    return true;
  p = skip_blanks(p + 1, end);
  const std::string_view header(p, static_cast<std::size_t>(end - p));
  if (header.substr(0, 3) == "bip")
    fail_at(file, p, "the graph is bipartite: its two sides have separate vertex ids, which is not supported");
  return header.substr(0, 3) != "sym";
}

} // namespace

RawGraph read_edge_list(const InputFile &file, const ReadContext &context) { return read_lines(file, context); }

std::optional<EdgeStream> stream_edge_list(const InputFile &file, ReadContext &context) {
  const Layout layout = checked_layout(file, context.options);
  if (layout.num_fields == 0 || layout.text_ids)
    return std::nullopt;
  context.columns = columns_of(layout, context);
  EdgeStream stream;
  stream.edges = edges_of_lines(file, layout.data, syntax_of(layout, context.columns), context,
                                context.options.all_columns, stream.ids, stream.num_entries);
  stream.columns = context.columns;
  return stream;
}

RawGraph read_konect(const InputFile &file, const ReadContext &context) {
  const bool directed = is_directed_konect(file);
  RawGraph graph = read_lines(file, context);
  graph.directed = directed;
  return graph;
}

} // namespace gc::detail
