// LDBC Graphalytics: a file of vertex ids, one per line, and a file of edges "u v [weight]".
#include "edges.h"
#include "row_lines.h"
#include "scan.h"

#include <algorithm>
#include <optional>

namespace gc::detail {

namespace {

/// The first field of each line that is not blank.
std::vector<std::string_view> first_fields(const InputFile &file) {
  const char *end = file.text.end();
  std::vector<std::string_view> fields;
  for (const char *p = skip_comment_lines(file.text.begin(), end, '#'); p < end;
       p = skip_comment_lines(next_line(p, end), end, '#')) {
    const char *stop = p;
    while (stop < end && *stop != '\n' && !is_separator(*stop))
      ++stop;
    fields.emplace_back(p, static_cast<std::size_t>(stop - p));
  }
  return fields;
}

VertexIds text_ids(const std::vector<std::string_view> &fields) {
  std::string characters;
  std::vector<std::uint64_t> ends;
  for (std::string_view field : fields) {
    characters += field;
    ends.push_back(characters.size());
  }
  return VertexIds::text(std::move(characters), std::move(ends));
}

VertexIds read_vertices(const InputFile &file, bool &integers) {
  std::vector<std::string_view> fields = first_fields(file);
  std::vector<std::int64_t> ids;
  ids.reserve(fields.size());
  for (std::string_view field : fields) {
    const std::optional<std::int64_t> id = whole_integer(field);
    if (!id)
      break;
    ids.push_back(*id);
  }
  integers = ids.size() == fields.size();
  std::vector<std::string_view> sorted = fields;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    const auto first = std::find(fields.begin(), fields.end(), *twice);
    const auto second = std::find(first + 1, fields.end(), *twice);
    fail_at(file, second->data(), "vertex " + std::string(*twice) + " is listed twice");
  }
  if (!integers)
    return text_ids(fields);
  std::sort(ids.begin(), ids.end());
  const auto same = std::adjacent_find(ids.begin(), ids.end());
  if (same != ids.end())
    fail_file(file.path, "vertex " + std::to_string(*same) + " is listed twice");
  return VertexIds::integers(std::move(ids));
}

/// Names the first edge that has an end which is no vertex.
[[noreturn]] void fail_unknown_vertex(const InputFile &edges, const InputFile &vertices, const std::string &name) {
  const std::string reason = "vertex " + name + " is not in " + vertices.path;
  const char *end = edges.text.end();
  for (const char *p = skip_comment_lines(edges.text.begin(), end, '#'); p < end;
       p = skip_comment_lines(next_line(p, end), end, '#')) {
    const char *q = p;
    for (int side = 0; side < 2; ++side, q = skip_separator(q, end)) {
      const char *field = q;
      while (q < end && *q != '\n' && !is_separator(*q))
        ++q;
      if (std::string_view(field, static_cast<std::size_t>(q - field)) == name)
        fail_at(edges, p, reason);
    }
  }
  fail_file(edges.path, reason);
}

} // namespace

RawGraph read_ldbc(const InputFile &vertices, const InputFile &edges, const ReadContext &outer) {
  bool integers = true;
  VertexIds ids = read_vertices(vertices, integers);
  RawGraph graph;
  if (skip_comment_lines(edges.text.begin(), edges.text.end(), '#') == edges.text.end()) {
    graph.columns = outer.columns;
    graph.ids = std::move(ids);
    return graph;
  }
  LoadOptions options = outer.options;
  options.header = HeaderLine::no;
  options.ids = integers ? IdKind::integer : IdKind::text;
  const ReadContext context{options, outer.columns, outer.nonnegative, outer.budget, outer.progress, outer.readers};
  graph = read_edge_list(edges, context);

  // The edge list numbers the ids that occur in it; now they get their places among all.
  std::vector<std::uint64_t> rename(graph.ids.size());
  for (std::uint64_t v = 0; v < graph.ids.size(); ++v) {
    const std::string name = graph.ids.name(v);
    const std::optional<std::uint64_t> found = ids.find(std::string_view(name));
    if (!found)
      fail_unknown_vertex(edges, vertices, name);
    rename[v] = *found;
  }
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < graph.chunks.size(); ++i)
    for (std::uint64_t &id : graph.chunks[i].ends)
      id = rename[id];
  graph.ids = std::move(ids);
  return graph;
}

} // namespace gc::detail
