// Which part owns a vertex: blocks of consecutive vertices, by default with about as many arcs each.
#ifndef GCOMPILE_CORE_PARTITION_H
#define GCOMPILE_CORE_PARTITION_H

#include <gcompile/core/graph.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gc {

/// The vertices from `first` up to `last`, whose lists a part goes by.
template <class V> struct Rows {
  V first, last;
  V size() const { return last - first; }
  template <class A> static Rows all(const Graph<V, A> &graph) { return {0, graph.num_vertices()}; }
};

/// The blocks of a graph's vertices. Every vertex counts as one arc more than it has, so blocks are also balanced where
/// there are few arcs. With more parts than vertices some blocks are empty.
template <class V> class Partition {
public:
  Partition(const Graph<V> &graph, int parts) : begins_(static_cast<std::size_t>(parts) + 1, graph.num_vertices()) {
    const std::uint64_t work = graph.num_vertices() + (graph.num_vertices() > 0 ? graph.num_arcs() : 0);
    for (int r = 0; r < parts; ++r)
      begins_[r] = first_with(graph, work / parts * r + work % parts * r / parts);
  }

  /// Of blocks that are known: where each begins, and the number of vertices.
  explicit Partition(const std::vector<std::uint64_t> &begins) : begins_(begins.begin(), begins.end()) {}

  V begin(int part) const { return begins_[part]; }
  V end(int part) const { return begins_[part + 1]; }
  int owner(V v) const {
    return static_cast<int>(std::upper_bound(begins_.begin(), begins_.end(), v) - begins_.begin()) - 1;
  }

private:
  /// The first vertex that has at least so much work before it.
  static V first_with(const Graph<V> &graph, std::uint64_t work) {
    V low = 0, high = graph.num_vertices();
    while (low < high) {
      const V middle = low + (high - low) / 2;
      if (graph.out_offsets[middle] + middle < work)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  std::vector<V> begins_; ///< and the number of vertices
};

/// Parts in a grid, row by row, or in one column, where each is a row of its own. The arcs at a vertex are divided
/// among the parts in its owner's row: each has those whose other end's owner is in its column.
class Grid {
public:
  /// So many parts in one column.
  explicit Grid(int parts = 1) : rows_(parts), columns_(1) {}
  /// In a grid with about as many columns as rows, or more; with a prime number of parts, in one row.
  static Grid of(int parts) {
    Grid grid(1);
    for (int rows = 1; rows * rows <= parts; ++rows)
      if (parts % rows == 0) {
        grid.rows_ = rows;
        grid.columns_ = parts / rows;
      }
    return grid;
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  /// Whether several parts share the arcs at a vertex.
  bool divided() const { return columns_ > 1; }
  int row(int part) const { return part / columns_; }
  int column(int part) const { return part % columns_; }
  /// The parts first_of_row(p), ..., last_of_row(p) - 1 are in the row of p.
  int first_of_row(int part) const { return row(part) * columns_; }
  int last_of_row(int part) const { return first_of_row(part) + columns_; }

private:
  int rows_, columns_;
};

/// Of each vertex, whether its owner is in the column of a part.
template <class V> std::vector<char> vertices_of_column(const Partition<V> &partition, const Grid &grid, int part) {
  const int parts = grid.rows() * grid.columns();
  std::vector<char> is(static_cast<std::size_t>(partition.end(parts - 1)), 0);
  for (int other = grid.column(part); other < parts; other += grid.columns())
    std::fill(is.begin() + static_cast<std::ptrdiff_t>(partition.begin(other)),
              is.begin() + static_cast<std::ptrdiff_t>(partition.end(other)), 1);
  return is;
}

} // namespace gc

#endif
