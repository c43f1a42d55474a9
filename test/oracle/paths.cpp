// Traversals and shortest paths, from the Boost Graph Library.
#include "checks.h"
#include "values.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <boost/graph/strong_components.hpp>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

namespace oracle {

namespace {

using Weight = boost::property<boost::edge_weight_t, double>;
using Directed = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Weight>;
using Undirected = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Weight>;

/// Every arc; an undirected graph has each edge as two of them.
Directed arcsOf(const Graph &graph) {
  Directed result(graph.size());
  for (int u = 0; u < graph.size(); ++u)
    for (const Arc &arc : graph.out[u])
      boost::add_edge(u, arc.target, arc.weight, result);
  return result;
}

/// Every edge once, without direction.
Undirected edgesOf(const Graph &graph) {
  Undirected result(graph.size());
  for (int u = 0; u < graph.size(); ++u)
    for (const Arc &arc : graph.out[u])
      if (graph.directed || u <= arc.target)
        boost::add_edge(u, arc.target, arc.weight, result);
  return result;
}

std::vector<double> distances(const Graph &graph, int source) {
  Directed arcs = arcsOf(graph);
  std::vector<double> result(graph.size());
  boost::dijkstra_shortest_paths(arcs, source,
                                 boost::distance_map(result.data()).distance_inf(infinity).distance_zero(0.0));
  return result;
}

} // namespace

std::vector<int> weakComponents(const Graph &graph) {
  Undirected edges = edgesOf(graph);
  std::vector<int> component(graph.size()), smallest(graph.size(), nothing), result(graph.size());
  boost::connected_components(edges, component.data());
  for (int v = 0; v < graph.size(); ++v) {
    if (smallest[component[v]] == nothing)
      smallest[component[v]] = v;
    result[v] = smallest[component[v]];
  }
  return result;
}

void checkBfs(const Run &run) {
  const Graph &graph = run.graph;
  int root = run.vertex("root");
  Directed arcs = arcsOf(graph);
  std::vector<double> depth(graph.size(), infinity);
  depth[root] = 0;
  boost::breadth_first_search(
      arcs, root,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(depth.data(), boost::on_tree_edge()))));
  compare("depth", graph, depth, readNumbers(run.output("depth"), graph), 0);

  std::vector<int> parent = readVertices(run.output("parent"), graph);
  for (int v = 0; v < graph.size(); ++v) {
    if ((parent[v] == nothing) != (depth[v] == infinity))
      fail("parent", graph, v, "a parent without a depth, or a depth without a parent");
    if (parent[v] == nothing)
      continue;
    if (v == root ? parent[v] != root : !graph.arc(parent[v], v) || depth[parent[v]] + 1 != depth[v])
      fail("parent", graph, v, std::to_string(graph.ids[parent[v]]) + " is no parent");
  }
}

void checkDiameter(const Run &run) {
  const Graph &graph = run.graph;
  int at = run.vertex("start"), bound = 0, from = at;
  for (int sweep = 0; sweep < static_cast<int>(run.parameter("sweeps", 4)); ++sweep) {
    std::vector<double> depth(graph.size(), infinity);
    depth[at] = 0;
    std::deque<int> queue = {at};
    int last = at; // the queue is in the order of the depths
    for (; !queue.empty(); queue.pop_front()) {
      int u = queue.front();
      last = depth[u] > depth[last] ? u : depth[u] == depth[last] ? std::min(u, last) : last;
      for (const Arc &arc : graph.out[u])
        if (depth[arc.target] == infinity) {
          depth[arc.target] = depth[u] + 1;
          queue.push_back(arc.target);
        }
    }
    if (depth[last] > bound) {
      bound = static_cast<int>(depth[last]);
      from = at;
    }
    at = last;
  }
  if (readScalar(run.output("bound")) != bound)
    throw Mismatch("bound is " + std::to_string(bound));
  if (readScalar(run.output("from")) != static_cast<double>(graph.ids[from]))
    throw Mismatch("from is " + std::to_string(graph.ids[from]));
}

void checkSssp(const Run &run) {
  compare("dist", run.graph, distances(run.graph, run.vertex("source")), readNumbers(run.output("dist"), run.graph),
          1e-9);
}

void checkRoute(const Run &run) {
  const Graph &graph = run.graph;
  const int source = run.vertex("source"), target = run.vertex("target");
  const double length = distances(graph, source)[target], found = readScalar(run.output("length"));
  if (found != length)
    throw Mismatch("length: expected " + std::to_string(length) + ", found " + std::to_string(found));
  const std::vector<double> stop = readNumbers(run.output("stop"), graph);
  std::map<int, int> way; // by the number of the stop
  for (int v = 0; v < graph.size(); ++v)
    if (stop[v] >= 0 && !way.emplace(static_cast<int>(stop[v]), v).second)
      fail("stop", graph, v, "is there twice");
  if (length == infinity) {
    if (!way.empty())
      fail("stop", graph, way.begin()->second, "is on no way");
    return;
  }
  if (way.empty() || way.begin()->second != source || way.rbegin()->second != target)
    throw Mismatch("stop: the way does not lead from the source to the target");
  double sum = 0;
  for (auto at = way.begin(), next = std::next(at); next != way.end(); ++at, ++next) {
    const Arc *arc = graph.arc(at->second, next->second);
    if (!arc || next->first != at->first + 1)
      fail("stop", graph, next->second, "no edge leads there from the stop before");
    sum += arc->weight;
  }
  if (sum != length)
    throw Mismatch("stop: the way is " + std::to_string(sum) + " long");
}

void checkDijkstra(const Run &run) {
  const Graph &graph = run.graph;
  const int source = run.vertex("source");
  const std::vector<double> dist = distances(graph, source);
  compare("dist", graph, dist, readNumbers(run.output("dist"), graph), 0);
  const std::vector<int> parent = readVertices(run.output("parent"), graph);
  for (int v = 0; v < graph.size(); ++v) {
    if ((parent[v] == nothing) != (v == source || dist[v] == infinity))
      fail("parent", graph, v, parent[v] == nothing ? "is missing" : "should be none");
    if (parent[v] == nothing)
      continue;
    const Arc *arc = graph.arc(parent[v], v);
    if (!arc || dist[parent[v]] + arc->weight != dist[v])
      fail("parent", graph, v, std::to_string(graph.ids[parent[v]]) + " is on no shortest path");
  }
}

void checkComponents(const Run &run) {
  std::vector<int> label = readVertices(run.output("label"), run.graph), expected = weakComponents(run.graph);
  for (int v = 0; v < run.graph.size(); ++v)
    if (label[v] != expected[v])
      fail("label", run.graph, v, "expected " + std::to_string(run.graph.ids[expected[v]]));
}

void checkScc(const Run &run) {
  const Graph &graph = run.graph;
  Directed arcs = arcsOf(graph);
  std::vector<int> number(graph.size()), smallest(graph.size(), nothing);
  auto index = boost::get(boost::vertex_index, arcs);
  boost::strong_components(arcs, boost::make_iterator_property_map(number.begin(), index));
  std::vector<int> component = readVertices(run.output("component"), graph);
  for (int v = 0; v < graph.size(); ++v) {
    int &first = smallest[number[v]];
    if (first == nothing)
      first = v;
    if (component[v] != first)
      fail("component", graph, v, "expected " + std::to_string(graph.ids[first]));
  }
}

void checkBetweenness(const Run &run) {
  // From both ends of each path, also where the graph is undirected: so every edge is given as two arcs.
  Directed arcs = arcsOf(run.graph);
  std::vector<double> expected(run.graph.size());
  auto index = boost::get(boost::vertex_index, arcs);
  boost::brandes_betweenness_centrality(arcs, boost::make_iterator_property_map(expected.begin(), index));
  compare("score", run.graph, expected, readNumbers(run.output("score"), run.graph), 1e-6);
}

void checkApsp(const Run &run) {
  const Graph &graph = run.graph;
  Directed arcs = arcsOf(graph);
  std::vector<std::vector<double>> expected(graph.size(), std::vector<double>(graph.size()));
  boost::floyd_warshall_all_pairs_shortest_paths(arcs, expected, boost::distance_inf(infinity).distance_zero(0.0));
  std::vector<std::vector<double>> found = readMatrix(run.output("dist"), graph);
  for (int u = 0; u < graph.size(); ++u)
    compare("dist from " + std::to_string(graph.ids[u]), graph, expected[u], found[u], 1e-9);
}

/// The distances, and that each predecessor is the end of an edge that completes a shortest path: with positive weights
/// the predecessors of a source are then a tree of shortest paths.
void checkApspPaths(const Run &run) {
  checkApsp(run);
  const Graph &graph = run.graph;
  const std::vector<std::vector<double>> dist = readMatrix(run.output("dist"), graph);
  const std::vector<std::vector<int>> pred = readVertexMatrix(run.output("pred"), graph);
  for (int u = 0; u < graph.size(); ++u)
    for (int v = 0; v < graph.size(); ++v) {
      const std::string name = "pred from " + std::to_string(graph.ids[u]);
      const int before = pred[u][v];
      if ((before == nothing) != (u == v || dist[u][v] == infinity))
        fail(name, graph, v, before == nothing ? "is missing" : "should be none");
      if (before == nothing)
        continue;
      const Arc *arc = graph.arc(before, v);
      if (!arc || dist[u][before] + arc->weight != dist[u][v])
        fail(name, graph, v, std::to_string(graph.ids[before]) + " is on no shortest path");
    }
}

/// A search from every vertex, which reaches itself.
void checkTransitiveClosure(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<std::vector<double>> found = readMatrix(run.output("reach"), graph);
  for (int u = 0; u < graph.size(); ++u) {
    std::vector<double> reached(graph.size());
    std::vector<int> stack = {u};
    reached[u] = 1;
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      for (const Arc &arc : graph.out[at])
        if (!std::exchange(reached[arc.target], 1))
          stack.push_back(arc.target);
    }
    compare("reach from " + std::to_string(graph.ids[u]), graph, reached, found[u], 0);
  }
}

/// The arcs by falling weight.
static std::vector<std::pair<double, std::pair<int, int>>> widestFirst(const Graph &graph) {
  std::vector<std::pair<double, std::pair<int, int>>> arcs;
  for (int u = 0; u < graph.size(); ++u)
    for (const Arc &arc : graph.out[u])
      arcs.push_back({arc.weight, {u, arc.target}});
  std::sort(arcs.rbegin(), arcs.rend());
  return arcs;
}

/// The arcs are added one by one: the width of a vertex is the weight with which it can be reached. A search goes on
/// where it stopped.
static std::vector<double> widths(const Graph &graph, int source,
                                  const std::vector<std::pair<double, std::pair<int, int>>> &arcs) {
  std::vector<double> width(graph.size());
  width[source] = infinity;
  std::vector<std::vector<int>> added(graph.size());
  for (const auto &[weight, ends] : arcs) {
    added[ends.first].push_back(ends.second);
    std::vector<int> stack;
    if (width[ends.first] > 0 && width[ends.second] == 0)
      stack.push_back(ends.second);
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      if (width[at] > 0)
        continue;
      width[at] = weight;
      stack.insert(stack.end(), added[at].begin(), added[at].end());
    }
  }
  return width;
}

void checkWidestPath(const Run &run) {
  const Graph &graph = run.graph;
  const std::vector<std::vector<double>> found = readMatrix(run.output("width"), graph);
  const auto arcs = widestFirst(graph);
  for (int source = 0; source < graph.size(); ++source)
    compare("width from " + std::to_string(graph.ids[source]), graph, widths(graph, source, arcs), found[source], 0);
}

void checkBottleneck(const Run &run) {
  compare("width", run.graph, widths(run.graph, run.vertex("source"), widestFirst(run.graph)),
          readNumbers(run.output("width"), run.graph), 0);
}

} // namespace oracle
