#include "graph.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

namespace oracle {

int Graph::find(std::int64_t id) const {
  auto position = std::lower_bound(ids.begin(), ids.end(), id);
  if (position == ids.end() || *position != id)
    throw Mismatch("there is no vertex " + std::to_string(id));
  return static_cast<int>(position - ids.begin());
}

const Arc *Graph::arc(int u, int v) const {
  const auto &list = out[u];
  auto position = std::lower_bound(list.begin(), list.end(), v, [](const Arc &a, int t) { return a.target < t; });
  return position != list.end() && position->target == v ? &*position : nullptr;
}

Graph readGraph(const std::string &path, bool directed) {
  std::ifstream file(path);
  if (!file)
    throw Mismatch(path + " cannot be read");
  std::vector<std::tuple<std::int64_t, std::int64_t, double>> edges;
  Graph graph;
  graph.directed = directed;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream words(line);
    std::int64_t u, v;
    double weight = 1;
    if (!(words >> u))
      throw Mismatch(path + ": bad line: " + line);
    graph.ids.push_back(u);
    if (!(words >> v))
      continue;
    words >> weight;
    graph.ids.push_back(v);
    if (!directed && v < u)
      std::swap(u, v);
    edges.emplace_back(u, v, weight);
  }
  std::sort(graph.ids.begin(), graph.ids.end());
  graph.ids.erase(std::unique(graph.ids.begin(), graph.ids.end()), graph.ids.end());
  std::sort(edges.begin(), edges.end());
  graph.out.resize(graph.size());
  graph.in.resize(graph.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    auto [from, to, weight] = edges[i];
    if (i > 0 && std::get<0>(edges[i - 1]) == from && std::get<1>(edges[i - 1]) == to)
      continue;
    int u = graph.find(from), v = graph.find(to);
    graph.out[u].push_back({v, weight});
    if (directed)
      graph.in[v].push_back({u, weight});
    else if (u != v)
      graph.out[v].push_back({u, weight});
  }
  if (!directed) {
    for (auto &list : graph.out)
      std::sort(list.begin(), list.end(), [](const Arc &a, const Arc &b) { return a.target < b.target; });
    graph.in = graph.out;
  }
  return graph;
}

} // namespace oracle
