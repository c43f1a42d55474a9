#include "scotch_graph.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace gc::detail {

namespace {

/// Calls f(i, v) for each arc at the i-th vertex of the block from both sides, with its other end v.
template <class V, class F> void for_ends(const Graph<V> &graph, VertexBlock block, const F &f) {
  const auto own = [&](std::uint64_t v) { return v >= block.begin && v < block.end; };
  const bool directed = graph.directed(); // arcs into the block are then in any list
  for (std::uint64_t u = directed ? 0 : block.begin, end = directed ? graph.num_vertices() : block.end; u < end; ++u)
    for (const V v : graph.out_neighbors(static_cast<V>(u)))
      if (u != v) {
        if (own(u))
          f(u - block.begin, static_cast<V>(v));
        if (directed && own(v))
          f(v - block.begin, static_cast<V>(u));
      }
}

template <class Number, class V> void require_countable(const Graph<V> &graph) {
  const std::uint64_t n = graph.num_vertices(), arcs = (graph.directed() ? 2 : 1) * graph.num_arcs();
  if (n + arcs > static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
    throw Error(ErrorKind::resource, "--partition=scotch: the Scotch that is installed counts in " +
                                         std::to_string(8 * sizeof(Number)) + " bits, and the graph has " +
                                         std::to_string(n) + " vertices with " + std::to_string(arcs) +
                                         " ends of arcs; write a file of parts by other means");
}

} // namespace

template <class Number, class V>
ScotchGraph<Number> scotch_graph(const Graph<V> &graph, VertexBlock block, MemoryBudget &budget) {
  require_countable<Number>(graph);
  const std::uint64_t n = block.end - block.begin;
  std::vector<std::uint64_t> begins(n + 1, 0);
  for_ends(graph, block, [&](std::uint64_t i, V) { ++begins[i + 1]; });
  for (std::uint64_t i = 0; i < n; ++i)
    begins[i + 1] += begins[i];
  // The arrays here, and in the library about as much again for each of: itself, its coarser forms, and their bands.
  budget.require(static_cast<double>(n) * (16 + 12 * sizeof(Number)) +
                     static_cast<double>(begins[n]) * (sizeof(V) + 8 * sizeof(Number)),
                 "dividing the graph by Scotch");
  std::vector<V> ends(begins[n]);
  std::vector<std::uint64_t> at(begins.begin(), begins.end() - 1);
  for_ends(graph, block, [&](std::uint64_t i, V v) { ends[at[i]++] = v; });

  ScotchGraph<Number> result;
  result.begins.reserve(n + 1);
  result.work.reserve(std::max<std::uint64_t>(n, 1));
  result.lists.reserve(1);
  result.arcs.reserve(1);
  result.begins.push_back(0);
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto first = ends.begin() + static_cast<std::ptrdiff_t>(begins[i]),
               last = ends.begin() + static_cast<std::ptrdiff_t>(begins[i + 1]);
    std::sort(first, last);
    for (auto v = first; v != last;) {
      const auto next = std::upper_bound(v, last, *v);
      result.lists.push_back(static_cast<Number>(*v));
      result.arcs.push_back(static_cast<Number>(next - v));
      v = next;
    }
    result.begins.push_back(static_cast<Number>(result.lists.size()));
    const V vertex = static_cast<V>(block.begin + i);
    result.work.push_back(static_cast<Number>(1 + graph.out_end(vertex) - graph.out_begin(vertex)));
  }
  return result;
}

#define GCOMPILE_SCOTCH_GRAPH(Number, V)                                                                               \
  template ScotchGraph<Number> scotch_graph(const Graph<V> &, VertexBlock, MemoryBudget &);
GCOMPILE_SCOTCH_GRAPH(std::int32_t, std::uint32_t)
GCOMPILE_SCOTCH_GRAPH(std::int32_t, std::uint64_t)
GCOMPILE_SCOTCH_GRAPH(std::int64_t, std::uint32_t)
GCOMPILE_SCOTCH_GRAPH(std::int64_t, std::uint64_t)
#undef GCOMPILE_SCOTCH_GRAPH

} // namespace gc::detail
