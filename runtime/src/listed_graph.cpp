#include "listed_graph.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace gc::detail {

namespace {

constexpr std::uint64_t nowhere = none<std::uint64_t>();

std::string shown(std::string_view name) { return "'" + std::string(name.substr(0, 40)) + "'"; }

} // namespace

std::uint64_t ListedGraph::number_of(std::string_view id, const char *at) {
  const auto [entry, fresh] = numbers_.emplace(id, vertices_.size());
  if (fresh)
    vertices_.push_back({id, id, at, nowhere});
  return entry->second;
}

void ListedGraph::add_vertex(std::string_view id, std::string_view name, const char *at) {
  Vertex &vertex = vertices_[number_of(id, at)];
  if (vertex.position != nowhere)
    throw ParseError{at, "vertex " + shown(id) + " is listed twice"};
  vertex = {id, name, at, num_listed_++};
}

void ListedGraph::set_columns(const std::vector<ColumnInfo> &available, bool typed, const char *at) {
  has_columns_ = true;
  columns_ = context_.columns;
  if (context_.options.all_columns) {
    columns_ = available;
    typed_ = typed;
    constexpr std::size_t most = Graph<std::uint32_t>::max_columns;
    if (columns_.size() > most)
      throw ParseError{at, "edges have " + std::to_string(columns_.size()) + " numbers, a graph holds at most " +
                               std::to_string(most) + "; choose some with --column=NAME:TYPE"};
  }
  if (columns_.size() > available.size())
    throw ParseError{at, missing_column(columns_[available.size()], "the file")};
  std::vector<std::size_t> by_name;
  for (const ColumnInfo &column : columns_) {
    const auto found = std::find_if(available.begin(), available.end(),
                                    [&](const ColumnInfo &other) { return other.name == column.name; });
    if (found != available.end() && !context_.options.all_columns)
      by_name.push_back(static_cast<std::size_t>(found - available.begin()));
  }
  fields_.resize(columns_.size());
  std::iota(fields_.begin(), fields_.end(), 0);
  if (by_name.size() == columns_.size())
    fields_ = by_name;
}

void ListedGraph::add_edge(std::string_view source, std::string_view target,
                           const std::vector<std::string_view> &values, const char *at) {
  edges_.ends.push_back(number_of(source, at));
  edges_.ends.push_back(number_of(target, at));
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const auto edge = [&] { return "edge " + std::string(source) + " " + std::string(target); };
    const std::string_view value = values[fields_[k]];
    if (value.empty())
      throw ParseError{at, missing_column(columns_[k], edge())};
    const char *p = value.data(), *end = p + value.size();
    const std::uint64_t bits = scan_value(p, end, columns_[k]);
    if (p != end)
      throw ParseError{value.data(), "expected " + columns_[k].name + ", found " + shown(value)};
    if (context_.nonnegative != 0)
      check_nonnegative(bits, context_, k, value.data(), edge());
    edges_.values.push_back(bits);
  }
}

/// Sorts the vertices by their numbers, and returns those.
std::vector<std::uint64_t> ListedGraph::number_integers(std::vector<const Vertex *> &listed) {
  std::vector<std::pair<std::int64_t, const Vertex *>> numbered;
  for (const Vertex *vertex : listed) {
    const std::optional<std::int64_t> id = whole_integer(vertex->name);
    if (!id)
      throw ParseError{vertex->at, "vertex " + shown(vertex->name) + " is not called by a whole number"};
    numbered.emplace_back(*id, vertex);
  }
  std::sort(numbered.begin(), numbered.end(), [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first < b.first : a.second->at < b.second->at;
  });
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < numbered.size(); ++i) {
    if (i > 0 && numbered[i].first == numbered[i - 1].first)
      throw ParseError{numbered[i].second->at, "vertex " + shown(numbered[i].second->name) + " is listed twice"};
    listed[i] = numbered[i].second;
    ids.push_back(static_cast<std::uint64_t>(numbered[i].first));
  }
  return ids;
}

RawGraph ListedGraph::finish(bool integers, bool directed) {
  std::vector<const Vertex *> listed(num_listed_);
  for (const Vertex &vertex : vertices_) {
    if (vertex.position == nowhere)
      throw ParseError{vertex.at, "vertex " + shown(vertex.id) + " is not in the file"};
    listed[vertex.position] = &vertex;
  }
  RawGraph graph;
  graph.directed = directed;
  graph.columns = has_columns_ ? columns_ : context_.columns;
  if (integers) {
    const std::vector<std::uint64_t> ids = number_integers(listed);
    graph.ids = VertexIds::integers(std::vector<std::int64_t>(ids.begin(), ids.end()));
  } else {
    std::string characters;
    std::vector<std::uint64_t> ends;
    std::unordered_set<std::string_view> names;
    for (const Vertex *vertex : listed) {
      if (vertex->name.data() != vertex->id.data() && !names.insert(vertex->name).second)
        throw ParseError{vertex->at, "two vertices are called " + shown(vertex->name)};
      characters += vertex->name;
      ends.push_back(characters.size());
    }
    graph.ids = VertexIds::text(std::move(characters), std::move(ends));
  }
  std::vector<std::uint64_t> rename(vertices_.size());
  for (std::size_t v = 0; v < listed.size(); ++v)
    rename[static_cast<std::size_t>(listed[v] - vertices_.data())] = v;
  for (std::uint64_t &end : edges_.ends)
    end = rename[end];
  graph.chunks.push_back(std::move(edges_));
  if (context_.options.all_columns && !typed_)
    narrow_columns(graph);
  return graph;
}

} // namespace gc::detail
