#include "vertex_file.h"

#include "storage.h"

#include "edges.h"
#include "row_lines.h"
#include "runtime/tool_support/fields.h"
#include "scan.h"
#include "text.h"
#include "thread_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

namespace gc::detail {

namespace {

/// One line of the file.
template <class T> struct Line {
  std::uint64_t vertex;
  T value;
  const char *at;
};

/// Whether two lines give the same value; two that are not a number do.
template <class T> bool is_same(T a, T b) {
  if constexpr (std::is_floating_point<T>::value)
    return a == b || (std::isnan(a) && std::isnan(b));
  else
    return a == b;
}

/// The field that starts at p; moves p behind it.
std::string_view take_field(const char *&p, const char *end) {
  const char *first = p;
  while (p < end && *p != '\n' && !is_separator(*p))
    ++p;
  return {first, static_cast<std::size_t>(p - first)};
}

template <class V, class T> class LineParser {
public:
  LineParser(const ParameterInfo &parameter, const VertexIds &ids)
      : ids_(ids), what_(parameter.name), nonnegative_(parameter.nonnegative), number_(parameter.column),
        numbers_(parameter.columns) {
    column_.name = parameter.name;
    column_.type = parameter.type == ParameterType::integer32   ? ColumnType::int32
                   : parameter.type == ParameterType::integer64 ? ColumnType::int64
                   : parameter.type == ParameterType::real32    ? ColumnType::float32
                                                                : ColumnType::float64;
    ids_.find(std::string_view()); // builds the index of names, which threads then share
  }

  void parse(const char *p, const char *end, std::vector<Line<T>> &out) const {
    refuse_bare_returns(p, end);
    out.reserve(static_cast<std::size_t>(end - p) / 8 + 16);
    for (; p < end; p = next_line(p, end)) {
      p = skip_blanks(p, end);
      if (p == end || *p == '\n' || is_comment(p, end))
        continue;
      const char *at = p;
      const std::uint64_t v = vertex(p, end, "");
      p = skip_separator(p, end);
      for (std::size_t i = 0; i < number_; ++i)
        skip_value(p, end);
      const char *number = p;
      const T read = value(p, end);
      if (nonnegative_ && !(read >= T(0)))
        throw ParseError{number, what_ + " " + std::string(number, p) + " of vertex " + ids_.name(v) +
                                     (read < T(0) ? " is negative" : " is not a number") +
                                     ", which the program does not allow"};
      for (std::size_t i = number_ + 1; i < numbers_; ++i) {
        p = skip_separator(p, end);
        skip_value(p, end);
      }
      expect_line_end(p, end);
      out.push_back({v, read, at});
    }
  }

private:
  /// A name may begin as a comment does.
  bool is_comment(const char *p, const char *end) const {
    if (*p != '#' && *p != '%')
      return false;
    return ids_.kind() != VertexIds::Kind::text || !ids_.find(take_field(p, end));
  }

  std::uint64_t vertex(const char *&p, const char *end, const char *where) const {
    std::optional<std::uint64_t> found;
    const char *first = p;
    if (ids_.kind() == VertexIds::Kind::text)
      found = text_vertex(p, end);
    else
      found = ids_.find(scan_integer(p, end, "a vertex id"));
    if (!found)
      throw ParseError{first, where + ("the graph has no vertex " + quoted_field(first, end))};
    return *found;
  }

  std::optional<std::uint64_t> text_vertex(const char *&p, const char *end) const {
    if (*p != '"')
      return ids_.find(take_field(p, end));
    const Field field = cut_quoted_field(p, end);
    if (p < end && *p != '\n' && !is_separator(*p))
      throw ParseError{p, "expected the end of the field after its closing quote, found " + quoted_field(p, end)};
    return ids_.find(std::string_view(field.value()));
  }

  /// Goes behind a value of another parameter, and to the next one if there is one.
  void skip_value(const char *&p, const char *end) const {
    if (p == end || *p == '\n')
      throw ParseError{p, "expected " + std::to_string(numbers_) + " values of the vertex"};
    if (*p == '"')
      cut_quoted_field(p, end);
    else
      take_field(p, end);
    const char *next = skip_separator(p, end);
    if (next < end && *next != '\n')
      p = next;
  }

  T value(const char *&p, const char *end) const {
    if (p == end || *p == '\n')
      fail_number(p, end, what_.c_str());
    const char *rest = p;
    const std::string_view word = take_field(rest, end);
    if constexpr (std::is_same<T, std::uint8_t>::value) {
      if (word != "true" && word != "false")
        fail_number(p, end, (what_ + " to be true or false").c_str());
      p = rest;
      return word == "true";
    } else if constexpr (std::is_same<T, V>::value) {
      if (word != "none")
        return static_cast<T>(vertex(p, end, (what_ + ": ").c_str()));
      if (has_vertex_none(ids_))
        throw ParseError{p, what_ + ": a vertex of the graph is called 'none', which stands for no vertex"};
      p = rest;
      return none<T>();
    } else if constexpr (std::is_floating_point<T>::value) {
      return static_cast<T>(real_of(scan_value(p, end, column_)));
    } else {
      if (word != "inf")
        return static_cast<T>(scan_value(p, end, column_));
      p = rest;
      return inf<T>();
    }
  }

  const VertexIds &ids_;
  std::string what_;
  bool nonnegative_;
  std::size_t number_, numbers_; // of the values in a line, and how many these are
  ColumnInfo column_;
};

} // namespace

template <class V, class T>
Property<T> read_vertex_values(const ParameterInfo &parameter, const std::string &path, const LoadedGraph &graph,
                               const std::optional<VertexValues<T>> &others) {
  const VertexIds &ids = graph.ids();
  const std::uint64_t n = graph.num_vertices();
  MemoryBudget budget(0);
  const InputFile file = open_input(path, budget, /*may_be_empty=*/true);
  const std::vector<const char *> bounds = split_lines(file.text.begin(), file.text.end(), std::size_t(1) << 20);
  const std::size_t pieces = bounds.size() - 1;
  std::vector<std::vector<Line<T>>> lines(pieces);
  const LineParser<V, T> parser(parameter, ids);
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < pieces; ++i)
    errors.guard([&] { parser.parse(bounds[i], bounds[i + 1], lines[i]); });
  errors.raise(file);

  Property<T> values = others
                           ? with_graph<V>(graph, [&](const auto &g) { return others->on(g, parameter.name.c_str()); })
                           : Property<T>(n);
  std::vector<bool> given(n);
  std::uint64_t missing = n;
  for (const std::vector<Line<T>> &piece : lines)
    for (const Line<T> &line : piece) {
      if (given[line.vertex] && !is_same(values[line.vertex], line.value))
        fail_at(file, line.at,
                "vertex " + ids.name(line.vertex) + " has another value of " + parameter.name + " in a line before");
      missing -= !given[line.vertex];
      given[line.vertex] = true;
      values[line.vertex] = line.value;
    }
  if (missing > 0 && !others) {
    std::uint64_t position = 0; // in the input's order, so that the first of them is named
    while (given[ids.at(position)])
      ++position;
    fail_file(path, "there is no " + parameter.name + " of vertex " + ids.name(ids.at(position)) +
                        (missing > 1 ? " and " + std::to_string(missing - 1) + " more" : "") +
                        ", and the program has no default value for it");
  }
  return values;
}

template Property<std::uint8_t>
read_vertex_values<std::uint32_t, std::uint8_t>(const ParameterInfo &, const std::string &, const LoadedGraph &,
                                                const std::optional<VertexValues<std::uint8_t>> &);
template Property<std::int32_t>
read_vertex_values<std::uint32_t, std::int32_t>(const ParameterInfo &, const std::string &, const LoadedGraph &,
                                                const std::optional<VertexValues<std::int32_t>> &);
template Property<std::int64_t>
read_vertex_values<std::uint32_t, std::int64_t>(const ParameterInfo &, const std::string &, const LoadedGraph &,
                                                const std::optional<VertexValues<std::int64_t>> &);
template Property<float> read_vertex_values<std::uint32_t, float>(const ParameterInfo &, const std::string &,
                                                                  const LoadedGraph &,
                                                                  const std::optional<VertexValues<float>> &);
template Property<double> read_vertex_values<std::uint32_t, double>(const ParameterInfo &, const std::string &,
                                                                    const LoadedGraph &,
                                                                    const std::optional<VertexValues<double>> &);
template Property<std::uint32_t>
read_vertex_values<std::uint32_t, std::uint32_t>(const ParameterInfo &, const std::string &, const LoadedGraph &,
                                                 const std::optional<VertexValues<std::uint32_t>> &);
template Property<std::uint8_t>
read_vertex_values<std::uint64_t, std::uint8_t>(const ParameterInfo &, const std::string &, const LoadedGraph &,
                                                const std::optional<VertexValues<std::uint8_t>> &);
template Property<std::int32_t>
read_vertex_values<std::uint64_t, std::int32_t>(const ParameterInfo &, const std::string &, const LoadedGraph &,
                                                const std::optional<VertexValues<std::int32_t>> &);
template Property<std::int64_t>
read_vertex_values<std::uint64_t, std::int64_t>(const ParameterInfo &, const std::string &, const LoadedGraph &,
                                                const std::optional<VertexValues<std::int64_t>> &);
template Property<float> read_vertex_values<std::uint64_t, float>(const ParameterInfo &, const std::string &,
                                                                  const LoadedGraph &,
                                                                  const std::optional<VertexValues<float>> &);
template Property<double> read_vertex_values<std::uint64_t, double>(const ParameterInfo &, const std::string &,
                                                                    const LoadedGraph &,
                                                                    const std::optional<VertexValues<double>> &);
template Property<std::uint64_t>
read_vertex_values<std::uint64_t, std::uint64_t>(const ParameterInfo &, const std::string &, const LoadedGraph &,
                                                 const std::optional<VertexValues<std::uint64_t>> &);

} // namespace gc::detail
