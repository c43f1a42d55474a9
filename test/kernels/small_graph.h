// Small graphs for tests.
#pragma once

#include <gcompile/omp.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

/// A graph that owns its arrays, with one integer weight per arc.
template <class V> struct SmallGraph {
  gc::Graph<V> graph;
  std::vector<gc::ArcId> out_offsets, in_offsets, in_edges;
  std::vector<V> out_targets, in_sources;
  std::vector<std::int32_t> weights;

  /// From arcs (source, target, weight); an undirected graph gets both arcs of each edge. Repeated arcs are dropped.
  SmallGraph(V n, const std::vector<std::tuple<V, V, std::int32_t>> &edges, bool directed) {
    std::set<std::tuple<V, V>> seen;
    std::vector<std::tuple<V, V, std::int32_t>> arcs;
    auto add = [&](V u, V v, std::int32_t w) {
      if (seen.insert({u, v}).second)
        arcs.push_back({u, v, w});
    };
    for (auto [u, v, w] : edges) {
      add(u, v, w);
      if (!directed)
        add(v, u, w);
    }
    std::sort(arcs.begin(), arcs.end());
    out_offsets.assign(n + 1, 0);
    in_offsets.assign(n + 1, 0);
    for (auto [u, v, w] : arcs) {
      ++out_offsets[u + 1];
      ++in_offsets[v + 1];
      out_targets.push_back(v);
      weights.push_back(w);
    }
    for (V v = 0; v < n; ++v) {
      out_offsets[v + 1] += out_offsets[v];
      in_offsets[v + 1] += in_offsets[v];
    }
    in_sources.resize(arcs.size());
    in_edges.resize(arcs.size());
    std::vector<gc::ArcId> at(in_offsets.begin(), in_offsets.end());
    for (gc::ArcId e = 0; e < arcs.size(); ++e) {
      const gc::ArcId k = at[std::get<1>(arcs[e])]++;
      in_sources[k] = std::get<0>(arcs[e]);
      in_edges[k] = e;
    }
    graph.n = n;
    graph.is_directed = directed;
    graph.edges = static_cast<std::int64_t>(edges.size());
    graph.out_offsets = out_offsets.data();
    graph.out_targets = out_targets.data();
    graph.in_offsets = in_offsets.data();
    graph.in_sources = in_sources.data();
    graph.in_edges = in_edges.data();
    graph.columns[0] = weights.data();
  }
};

/// `count` random edges; with `hubs`, most of them touch the first few vertices.
template <class V> SmallGraph<V> random_graph(V n, std::size_t count, bool directed, bool hubs, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (std::size_t i = 0; i < count; ++i) {
    V u = static_cast<V>(random() % n), v = static_cast<V>(random() % n);
    if (hubs && random() % 4 != 0)
      u = static_cast<V>(random() % (n / 50 + 1));
    edges.push_back({u, v, static_cast<std::int32_t>(1 + random() % 255)});
  }
  return SmallGraph<V>(n, edges, directed);
}
