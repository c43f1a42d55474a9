// Minimum spanning trees and forests, against Kruskal's algorithm of the Boost Graph Library.
#include "checks.h"
#include "values.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <boost/pending/disjoint_sets.hpp>

#include <iterator>
#include <numeric>

namespace oracle {

namespace {

/// The weight of a minimum spanning forest of the part of the graph where `part` holds.
double forestWeight(const Graph &graph, const std::vector<bool> &part) {
  using Tree = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                     boost::property<boost::edge_weight_t, double>>;
  Tree edges(graph.size());
  for (int u = 0; u < graph.size(); ++u)
    for (const Arc &arc : graph.out[u])
      if (u < arc.target && part[u])
        boost::add_edge(u, arc.target, arc.weight, edges);
  std::vector<boost::graph_traits<Tree>::edge_descriptor> chosen;
  boost::kruskal_minimum_spanning_tree(edges, std::back_inserter(chosen));
  double total = 0;
  for (const auto &edge : chosen)
    total += boost::get(boost::edge_weight, edges, edge);
  return total;
}

/// Joins the ends of a tree edge; throws Mismatch if that closes a cycle.
class Forest {
public:
  explicit Forest(const Graph &graph) : graph(graph), parent(graph.size()) {
    std::iota(parent.begin(), parent.end(), 0);
  }
  int root(int v) {
    while (parent[v] != v)
      v = parent[v] = parent[parent[v]];
    return v;
  }
  void join(int u, int v) {
    if (root(u) == root(v))
      fail("the edge to " + std::to_string(graph.ids[u]), graph, v, "closes a cycle");
    parent[root(u)] = root(v);
  }

private:
  const Graph &graph;
  std::vector<int> parent;
};

} // namespace

void checkPrim(const Run &run) {
  const Graph &graph = run.graph;
  int root = run.vertex("root");
  std::vector<int> component = weakComponents(graph), parent = readVertices(run.output("parent"), graph);
  std::vector<double> key = readNumbers(run.output("key"), graph);
  std::vector<bool> part(graph.size());
  Forest forest(graph);
  double total = 0;
  for (int v = 0; v < graph.size(); ++v) {
    part[v] = component[v] == component[root];
    if ((parent[v] == nothing) != (!part[v] || v == root))
      fail("parent", graph, v, parent[v] == nothing ? "is missing" : "should be none");
    if (parent[v] == nothing) {
      if (key[v] != (v == root ? 0 : infinity))
        fail("key", graph, v, "is wrong for a vertex without a parent");
      continue;
    }
    const Arc *arc = graph.arc(parent[v], v);
    if (!arc || arc->weight != key[v])
      fail("key", graph, v, "is not the weight of the edge to its parent");
    forest.join(parent[v], v);
    total += key[v];
  }
  double expected = forestWeight(graph, part);
  if (total != expected)
    throw Mismatch("the tree weighs " + std::to_string(total) + " instead of " + std::to_string(expected));
}

void checkBoruvka(const Run &run) {
  const Graph &graph = run.graph;
  std::vector<int> component = readVertices(run.output("component"), graph),
                   tail = readVertices(run.output("tail"), graph), head = readVertices(run.output("head"), graph);
  Forest forest(graph);
  double total = 0;
  for (int v = 0; v < graph.size(); ++v) {
    if ((tail[v] == nothing) != (head[v] == nothing))
      fail("tail", graph, v, "an edge with one end");
    if (tail[v] == nothing)
      continue;
    const Arc *arc = graph.arc(tail[v], head[v]);
    if (!arc)
      fail("tail", graph, v, "there is no such edge");
    forest.join(tail[v], head[v]);
    total += arc->weight;
  }
  double expected = forestWeight(graph, std::vector<bool>(graph.size(), true));
  if (total != expected || readScalar(run.output("total")) != expected)
    throw Mismatch("the forest weighs " + std::to_string(total) + " instead of " + std::to_string(expected));
  std::vector<int> expectedComponent = weakComponents(graph);
  for (int v = 0; v < graph.size(); ++v) {
    if (component[v] == nothing || expectedComponent[component[v]] != expectedComponent[v])
      fail("component", graph, v, "is in another component");
    if (component[v] != component[expectedComponent[v]])
      fail("component", graph, v, "is not that of the rest of its component");
  }
}

} // namespace oracle
