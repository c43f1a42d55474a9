// Graphs whose file lists vertices and edges one by one, in any order: GML and GraphML.
#ifndef GCOMPILE_SRC_LISTED_GRAPH_H
#define GCOMPILE_SRC_LISTED_GRAPH_H

#include "edges.h"
#include "scan.h"

#include <deque>
#include <string_view>
#include <unordered_map>

namespace gc::detail {

/// Collects the vertices and edges; problems are ParseErrors.
class ListedGraph {
public:
  explicit ListedGraph(const ReadContext &context) : context_(context) {}

  /// A text that outlives the graph, for names that the file writes in another way.
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  /// A vertex and the name that it has in the graph, which may be another one than that by which edges name it.
  void add_vertex(std::string_view id, std::string_view name, const char *at);

  /// The edges have these numbers, in the order of the file; called once, before the first edge. `typed`: the columns
  /// have their types in the file, or else are double and become int or long where all values are whole.
  void set_columns(const std::vector<ColumnInfo> &available, bool typed, const char *at);
  bool has_columns() const { return has_columns_; }

  /// An edge; `values` are those of set_columns(), and empty where the edge has none.
  void add_edge(std::string_view source, std::string_view target, const std::vector<std::string_view> &values,
                const char *at);

  /// The graph. `integers`: the names are whole numbers, and vertices are numbered in their order.
  RawGraph finish(bool integers, bool directed);

private:
  struct Vertex {
    std::string_view id, name;
    const char *at;         ///< where it is listed, or first named by an edge
    std::uint64_t position; ///< among those that are listed; none: it is not
  };

  std::uint64_t number_of(std::string_view id, const char *at);
  std::vector<std::uint64_t> number_integers(std::vector<const Vertex *> &listed);

  const ReadContext &context_;
  std::vector<ColumnInfo> columns_;
  std::vector<std::size_t> fields_; ///< of each column, among the values of an edge
  bool has_columns_ = false;
  bool typed_ = true;
  std::unordered_map<std::string_view, std::uint64_t> numbers_;
  std::vector<Vertex> vertices_;
  std::uint64_t num_listed_ = 0;
  EdgeChunk edges_;
  std::deque<std::string> kept_;
};

} // namespace gc::detail

#endif
