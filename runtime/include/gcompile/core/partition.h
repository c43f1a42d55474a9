// Which part owns a vertex: blocks of consecutive vertices, by default with about as many arcs each.
#ifndef GCOMPILE_CORE_PARTITION_H
#define GCOMPILE_CORE_PARTITION_H

#include <gcompile/core/graph.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gc {

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

} // namespace gc

#endif
