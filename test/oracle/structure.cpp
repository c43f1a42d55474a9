// Triangles, cores, trusses, clustering, communities, colourings and independent sets by their definitions.
#include "checks.h"
#include "values.h"

#include <algorithm>
#include <map>
#include <set>

namespace oracle {

namespace {

/// The neighbours of v in either direction, without v itself.
std::set<int> neighbours(const Graph &graph, int v) {
  std::set<int> result;
  for (const Arc &arc : graph.out[v])
    result.insert(arc.target);
  for (const Arc &arc : graph.in[v])
    result.insert(arc.target);
  result.erase(v);
  return result;
}

} // namespace

void checkTriangles(const Run &run) {
  const Graph &graph = run.graph;
  double count = 0;
  for (int u = 0; u < graph.size(); ++u)
    for (const Arc &uv : graph.out[u])
      for (const Arc &vw : graph.out[uv.target])
        if (u < uv.target && uv.target < vw.target && graph.arc(u, vw.target))
          ++count;
  double found = readScalar(run.output("count"));
  if (found != count)
    throw Mismatch("count: expected " + std::to_string(count) + ", found " + std::to_string(found));
}

void checkDegreeHistogram(const Run &run) {
  const Graph &graph = run.graph;
  std::size_t most = 0;
  for (int v = 0; v < graph.size(); ++v)
    most = std::max(most, graph.out[v].size());
  std::vector<double> vertices(most + 1), atLeast(most + 1);
  for (int v = 0; v < graph.size(); ++v) {
    ++vertices[graph.out[v].size()];
    for (std::size_t degree = 0; degree <= graph.out[v].size(); ++degree)
      ++atLeast[degree];
  }
  for (const auto &[name, expected] : {std::pair("vertices", vertices), {"at_least", atLeast}})
    if (readArray(run.output(name)) != expected)
      throw Mismatch(std::string(name) + ": another number of vertices for some degree");
}

void checkKcore(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<int> degree(graph.size());
  std::vector<double> core(graph.size());
  std::set<std::pair<int, int>> queue; // (degree, vertex)
  for (int v = 0; v < graph.size(); ++v) {
    degree[v] = static_cast<int>(graph.out[v].size());
    queue.emplace(degree[v], v);
  }
  int k = 0;
  while (!queue.empty()) {
    auto [smallest, v] = *queue.begin();
    queue.erase(queue.begin());
    k = std::max(k, smallest);
    core[v] = k;
    for (const Arc &arc : graph.out[v])
      if (queue.erase({degree[arc.target], arc.target}) != 0)
        queue.emplace(--degree[arc.target], arc.target);
  }
  compare("core", graph, core, readNumbers(run.output("core"), graph), 0);
}

/// For each k by the definition: edges in too few triangles are dropped until none is.
void checkKtruss(const Run &run) {
  const Graph &graph = run.graph;
  std::map<std::pair<int, int>, double> expected;
  std::vector<std::set<int>> left(graph.size());
  std::size_t edges = 0;
  for (int v = 0; v < graph.size(); ++v) {
    for (const Arc &arc : graph.out[v])
      expected[{v, arc.target}] = arc.target == v ? 0 : 2;
    left[v] = neighbours(graph, v);
    edges += left[v].size();
  }
  for (int k = 3; edges > 0; ++k) {
    for (bool changed = true; changed;) {
      changed = false;
      for (int u = 0; u < graph.size(); ++u)
        for (int v : std::set<int>(left[u])) {
          int triangles = 0;
          for (int w : left[u])
            triangles += static_cast<int>(left[v].count(w));
          if (triangles >= k - 2)
            continue;
          left[u].erase(v);
          left[v].erase(u);
          edges -= 2;
          changed = true;
        }
    }
    for (int u = 0; u < graph.size(); ++u)
      for (int v : left[u])
        expected[{u, v}] = k;
  }
  for (const auto &[ends, found] : readArcs(run.output("truss"), graph))
    if (found != expected[ends])
      fail("truss", graph, ends.first,
           "expected " + std::to_string(expected[ends]) + " to " + std::to_string(graph.ids[ends.second]) + ", found " +
               std::to_string(found));
}

void checkClustering(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<double> expected(graph.size());
  for (int v = 0; v < graph.size(); ++v) {
    std::set<int> around = neighbours(graph, v);
    double links = 0, size = static_cast<double>(around.size());
    for (int u : around)
      for (const Arc &arc : graph.out[u])
        links += arc.target != u && around.count(arc.target) != 0;
    expected[v] = size > 1 ? links / (size * (size - 1)) : 0;
  }
  compare("coefficient", graph, expected, readNumbers(run.output("coefficient"), graph), 1e-12);
}

void checkLabelPropagation(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<int> label(graph.size());
  for (int v = 0; v < graph.size(); ++v)
    label[v] = v;
  for (int round = 0; round < static_cast<int>(run.parameter("rounds", 10)); ++round) {
    std::vector<int> next = label;
    for (int v = 0; v < graph.size(); ++v) {
      std::map<int, int> votes;
      for (const Arc &arc : graph.out[v])
        ++votes[label[arc.target]];
      if (graph.directed)
        for (const Arc &arc : graph.in[v])
          ++votes[label[arc.target]];
      int most = 0;
      for (auto [candidate, count] : votes) // ascending: the smallest label wins a tie
        if (count > most) {
          most = count;
          next[v] = candidate;
        }
    }
    label = next;
  }
  std::vector<int> found = readVertices(run.output("label"), graph);
  for (int v = 0; v < graph.size(); ++v)
    if (found[v] != label[v])
      fail("label", graph, v, "expected " + std::to_string(graph.ids[label[v]]));
}

void checkColoring(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<double> color = readNumbers(run.output("color"), graph);
  for (int v = 0; v < graph.size(); ++v) {
    std::set<int> around = neighbours(graph, v);
    if (color[v] < 0 || color[v] > static_cast<double>(around.size()))
      fail("color", graph, v, "is outside of 0.." + std::to_string(around.size()));
    for (int u : around)
      if (color[u] == color[v])
        fail("color", graph, v, "is also that of its neighbour " + std::to_string(graph.ids[u]));
  }
}

void checkMis(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<bool> chosen = readFlags(run.output("chosen"), graph);
  for (int v = 0; v < graph.size(); ++v) {
    std::set<int> around = neighbours(graph, v);
    bool covered = std::any_of(around.begin(), around.end(), [&](int u) { return chosen[u]; });
    if (chosen[v] == covered)
      fail("chosen", graph, v, covered ? "it and a neighbour are chosen" : "neither it nor a neighbour is chosen");
  }
}

/// Peels by an ordered queue, and compares with the cores: no set has more edges a vertex than the largest core number.
void checkDensestSubgraph(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<std::set<int>> around(graph.size());
  std::set<std::pair<int, int>> queue; // (degree, vertex)
  long edges = 0;
  for (int v = 0; v < graph.size(); ++v) {
    around[v] = neighbours(graph, v);
    queue.emplace(static_cast<int>(around[v].size()), v);
    edges += static_cast<long>(around[v].size());
  }
  edges /= 2;
  std::vector<int> order;
  double best = 0;
  std::size_t before = 0;
  int core = 0;
  while (!queue.empty()) {
    const double here = static_cast<double>(edges) / static_cast<double>(queue.size());
    if (here > best) {
      best = here;
      before = order.size();
    }
    const auto [degree, v] = *queue.begin();
    queue.erase(queue.begin());
    core = std::max(core, degree);
    edges -= degree;
    order.push_back(v);
    for (int w : around[v]) {
      queue.erase({static_cast<int>(around[w].size()), w});
      around[w].erase(v);
      queue.emplace(static_cast<int>(around[w].size()), w);
    }
  }
  const double density = readScalar(run.output("density"));
  const std::vector<bool> member = readFlags(run.output("member"), graph);
  if (!close(density, best, 1e-12))
    throw Mismatch("density: expected " + std::to_string(best) + ", found " + std::to_string(density));
  if (2 * density < core)
    throw Mismatch("density is less than half of the core number " + std::to_string(core));
  for (std::size_t i = 0; i < order.size(); ++i)
    if (member[order[i]] != (i >= before))
      fail("member", graph, order[i], member[order[i]] ? "is removed" : "is left");
  double inside = 0, size = 0;
  for (int v = 0; v < graph.size(); ++v) {
    size += member[v];
    for (int w : neighbours(graph, v))
      inside += v < w && member[v] && member[w];
  }
  if (size > 0 && !close(inside / size, density, 1e-12))
    throw Mismatch("density is not that of the members");
}

/// The greedy choice by its definition: in every turn the gain of each vertex is counted anew. A vertex dominates
/// itself and those that edges out of it lead to.
void checkDominatingSet(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<bool> expected(graph.size()), dominated(graph.size());
  int size = 0;
  for (;;) {
    int most = 0, at = nothing;
    for (int v = 0; v < graph.size(); ++v) {
      int gain = !dominated[v];
      for (const Arc &arc : graph.out[v])
        gain += arc.target != v && !dominated[arc.target];
      if (gain > most) { // of several the first
        most = gain;
        at = v;
      }
    }
    if (at == nothing)
      break;
    expected[at] = true;
    ++size;
    dominated[at] = true;
    for (const Arc &arc : graph.out[at])
      dominated[arc.target] = true;
  }
  const std::vector<bool> chosen = readFlags(run.output("chosen"), graph);
  for (int v = 0; v < graph.size(); ++v)
    if (chosen[v] != expected[v])
      fail("chosen", graph, v, expected[v] ? "should be chosen" : "should not be chosen");
  if (readScalar(run.output("size")) != size)
    throw Mismatch("size: expected " + std::to_string(size));
}

} // namespace oracle
