// Connected components by hooking and pointer jumping with neighbour sampling (Afforest, Sutton et al. 2018).
#ifndef GCOMPILE_OMP_ALGORITHMS_COMPONENTS_H
#define GCOMPILE_OMP_ALGORITHMS_COMPONENTS_H

#include <gcompile/core/graph.h>
#include <gcompile/core/locality.h>
#include <gcompile/core/operators.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gc {

namespace detail {

/// Joins the trees of u and v: the greater root is hooked to the smaller.
template <class V> inline void hook(V u, V v, V *parent) {
  V a = load(parent[u]), b = load(parent[v]);
  while (a != b) {
    const V low = std::min(a, b), high = a ^ b ^ low; // without a branch: no processor could guess it
    V above = load(parent[high]);
    if (above == low)
      return;
    if (above == high && claim(parent[high], high, low))
      return;
    a = load(parent[load(parent[high])]);
    b = load(parent[low]);
  }
}

/// Has what hook(u, v, parent) reads of u's neighbour number `round` fetched; and where that of a `later` vertex is.
template <class V, class A>
GCOMPILE_FETCHES void prefetch_hook(const Graph<V, A> &graph, V u, V later, ArcId round, const V *parent) {
  __builtin_prefetch(graph.out_list(later) + round);
  const auto list = graph.out_neighbors(u);
  if (round < list.size())
    __builtin_prefetch(parent + list[round]);
}

/// Makes every vertex point to its root.
template <class V, class A> void compress(const Graph<V, A> &graph, V *labels) {
  parallel(graph.wide(), [&](const Share &mine) {
    V *const parent = labels;
    for (auto part = mine.ascending(graph.num_vertices(), 16384); part.next();)
      for (V v = part.begin; v < part.end; ++v) {
        V p = load(parent[v]), root = load(parent[p]);
        if (p == root)
          continue;
        for (V next = load(parent[root]); next != root; next = load(parent[root]))
          root = next;
        __atomic_store_n(&parent[v], root, __ATOMIC_RELAXED);
      }
  });
}

/// The root that most of 1024 sampled vertices have: most likely that of the greatest component.
template <class V> inline V frequent_root(V n, const V *parent) {
  std::array<V, 1024> sample;
  std::uint64_t state = 0;
  for (V &root : sample) {
    state += 0x9e3779b97f4a7c15u;
    root = parent[static_cast<V>(mix(state) % n)];
  }
  std::sort(sample.begin(), sample.end());
  V best = sample[0];
  std::size_t longest = 0;
  for (std::size_t i = 0; i < sample.size();) {
    std::size_t end = i + 1;
    while (end < sample.size() && sample[end] == sample[i])
      ++end;
    if (end - i > longest) {
      longest = end - i;
      best = sample[i];
    }
    i = end;
  }
  return best;
}

} // namespace detail

/// Gives every vertex the smallest id in its (weakly) connected component. `label` holds each vertex's own id.
template <class V, class A> void connect_components(const Graph<V, A> &graph, V *label) {
  constexpr ArcId rounds = 2;
  const V n = graph.num_vertices();
  if (n == 0)
    return;
  // All loops ascend: trees grow from the least vertices, and a thread finds the roots that the others have made.
  // The vertices of the giant component need no further look, if the other end of each of their arcs takes it.
  const bool skips = !graph.directed() || graph.has_in_arcs();
  constexpr V ahead = 16; // vertices whose neighbours' labels are fetched
  const std::size_t near = detail::second_level_cache() / 2 / sizeof(V);
  const bool scattered =
      n > 3 * near && detail::are_scattered(V(0), n, near, [&](V v) { return graph.out_neighbors(v); });
  for (ArcId round = 0; round < rounds; ++round) {
    parallel(graph.wide(), [&](const Share &mine) {
      const Graph<V, A> g = graph;
      V *const parent = label;
      const ArcId at = round;
      const V fetched = scattered ? n - std::min<V>(n, 2 * ahead) : 0; // the vertices with others far enough behind
      for (auto part = mine.ascending(n, 16384); part.next();)
        for (V u = part.begin; u < part.end; ++u) {
          if (u < fetched)
            detail::prefetch_hook(g, u + ahead, u + 2 * ahead, at, parent);
          if (const auto list = g.out_neighbors(u); at < list.size())
            detail::hook(u, list[at], parent);
        }
    });
    detail::compress(graph, label);
  }
  const V giant = skips ? detail::frequent_root(n, label) : none<V>();
  parallel(graph.wide(), [&](const Share &mine) {
    const Graph<V, A> g = graph;
    V *const parent = label;
    const V skipped = giant;
    const bool both_ways = skips && g.directed();
    for (auto part = mine.ascending(n, 1024); part.next();)
      for (V u = part.begin; u < part.end; ++u) {
        if (load(parent[u]) == skipped)
          continue;
        if (const auto list = g.out_neighbors(u); list.size() > rounds)
          for (const V v : decltype(list){list.first + rounds, list.last})
            detail::hook(u, v, parent);
        if (both_ways)
          for (const V v : g.in_neighbors(u))
            detail::hook(u, v, parent);
      }
  });
  detail::compress(graph, label);
}

/// Gives every vertex the minimum of the values in its (weakly) connected component.
template <class V, class A, class T> void spread_minimum(const Graph<V, A> &graph, T *value) {
  const V n = graph.num_vertices();
  Array<V> label(n);
  parallel_for(graph.wide(), n, [&](std::size_t v) { label[v] = static_cast<V>(v); });
  connect_components(graph, label.data());
  // The root's value becomes the minimum while others read their own.
  parallel_for(graph.wide(), n, [&](std::size_t v) {
    if (label[v] != v)
      atomic_min(value[label[v]], load(value[v]));
  });
  parallel_for(graph.wide(), n, [&](std::size_t v) {
    if (label[v] != v)
      value[v] = value[label[v]];
  });
}

} // namespace gc

#endif
