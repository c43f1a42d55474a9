#include "protocol.h"

#include <cmath>

namespace graph500 {

namespace {

constexpr std::int32_t unknown = -1, lost = -2;

template <class T> T look(const T &place) { return __atomic_load_n(&place, __ATOMIC_RELAXED); }
template <class T> void put(T &place, T value) { __atomic_store_n(&place, value, __ATOMIC_RELAXED); }

/// The number of tree edges from each vertex to the root, by the parents alone; `lost` of those from which they do not
/// lead there.
std::vector<std::int32_t> depths_of(const Tree &tree) {
  const auto n = static_cast<std::int32_t>(tree.parent.size());
  std::vector<std::int32_t> depth(tree.parent.size(), unknown);
  depth[tree.root] = tree.parent[tree.root] == tree.root ? 0 : lost;
#pragma omp parallel for schedule(dynamic, 4096)
  for (Vertex v = 0; v < depth.size(); ++v) {
    if (tree.parent[v] == no_vertex)
      continue;
    std::int32_t steps = 0, found = unknown;
    for (Vertex w = v; (found = look(depth[w])) == unknown; w = tree.parent[w])
      if (tree.parent[w] >= depth.size() || ++steps > n) { // no vertex, or a cycle
        found = lost;
        break;
      }
    // Once more along the way, to spare the others it.
    std::int32_t left = steps;
    for (Vertex w = v; left > 0 && w < depth.size() && look(depth[w]) == unknown; w = tree.parent[w], --left)
      put(depth[w], found == lost ? lost : found + left);
    if (look(depth[v]) == unknown)
      put(depth[v], lost);
  }
  return depth;
}

} // namespace

Findings check_tree(const Edges &edges, const Tree &tree, bool weighted) {
  Findings findings;
  const std::uint64_t n = edges.num_vertices;
  auto count = [&](Check check, std::uint64_t faults) { findings.faults[static_cast<std::size_t>(check)] += faults; };
  const bool by_parents = !weighted && tree.distance.empty();
  if (tree.parent.size() != n || (tree.distance.size() != n && !by_parents) || tree.root >= n) {
    count(Check::tree, 1);
    return findings;
  }

  const std::vector<std::int32_t> depth = depths_of(tree);
  auto reached = [&](Vertex v) { return tree.parent[v] != no_vertex; };
  auto distance = [&](Vertex v) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return !by_parents ? tree.distance[v] : depth[v] < 0 ? infinite : static_cast<double>(depth[v]);
  };
  std::uint64_t trees = distance(tree.root) != 0, steps = 0;
#pragma omp parallel for schedule(static) reduction(+ : trees, steps)
  for (Vertex v = 0; v < n; ++v) {
    if (!reached(v)) {
      trees += !std::isinf(distance(v));
      continue;
    }
    trees += depth[v] < 0 || !std::isfinite(distance(v)) || (tree.parent[v] == v && v != tree.root);
    if (!weighted && v != tree.root && tree.parent[v] < n)
      steps += distance(v) != distance(tree.parent[v]) + 1;
  }

  std::vector<std::uint8_t> joined(n, 0), tight(n, 0); // with the parent; by an edge of the right weight
  std::uint64_t spans = 0, leaves = 0, inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : spans, leaves, inside)
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const Vertex u = edges.sources[e], v = edges.targets[e];
    if (reached(u) != reached(v))
      ++leaves;
    if (!reached(u) || !reached(v))
      continue;
    ++inside;
    const double length = weighted ? static_cast<double>(edges.weights[e]) : 1;
    spans += !(std::abs(distance(u) - distance(v)) <= length);
    for (const auto &[from, to] : {std::pair(u, v), std::pair(v, u)})
      if (tree.parent[to] == from) {
        put(joined[to], std::uint8_t(1));
        if (distance(to) == distance(from) + length)
          put(tight[to], std::uint8_t(1));
      }
  }
  std::uint64_t apart = 0;
#pragma omp parallel for schedule(static) reduction(+ : apart, steps)
  for (Vertex v = 0; v < n; ++v)
    if (reached(v) && v != tree.root) {
      apart += !joined[v];
      steps += weighted && joined[v] && !tight[v];
    }
  count(Check::tree, trees);
  count(Check::steps, steps);
  count(Check::edges, spans);
  count(Check::component, leaves + !reached(tree.root));
  count(Check::joined, apart);
  findings.edges = inside;
  return findings;
}

bool Findings::sound() const {
  for (const std::uint64_t count : faults)
    if (count > 0)
      return false;
  return true;
}

std::string Findings::text() const {
  static const char *const names[num_checks] = {"tree", "steps", "edges", "component", "joined"};
  std::string text;
  for (std::size_t i = 0; i < num_checks; ++i)
    if (faults[i] > 0)
      text += (text.empty() ? "check " : ", check ") + std::to_string(i + 1) + " (" + names[i] +
              "): " + std::to_string(faults[i]) + (faults[i] == 1 ? " fault" : " faults");
  return text;
}

} // namespace graph500
