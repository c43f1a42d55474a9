// The Boost Graph Library, on its compressed sparse rows. It has no betweenness of single sources and no triangles.
#include "kernels.h"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/core_numbers.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/incremental_components.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <boost/graph/page_rank.hpp>
#include <boost/graph/prim_minimum_spanning_tree.hpp>

#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

namespace bench {

namespace {

struct Weight {
  std::int32_t weight;
};
using Rows = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Weight, boost::no_property,
                                                std::uint32_t, std::size_t>;

class BoostGraph final : public Library {
public:
  BoostGraph(const View &view, const std::int32_t *weights, int rounds) : rounds(rounds), n(view.num_vertices()) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
    std::vector<Weight> values;
    arcs.reserve(view.num_arcs());
    values.reserve(view.num_arcs());
    for (std::uint32_t u = 0; u < n; ++u)
      for (gc::ArcId e = view.out_begin(u); e < view.out_end(u); ++e) {
        arcs.emplace_back(u, view.target(e));
        values.push_back({weights[e]});
      }
    graph = Rows(boost::edges_are_sorted, arcs.begin(), arcs.end(), values.begin(), n);
    // Each edge once, as Kruskal's algorithm takes them.
    std::size_t kept = 0;
    for (std::size_t e = 0; e < arcs.size(); ++e)
      if (arcs[e].first < arcs[e].second) {
        arcs[kept] = arcs[e];
        values[kept++] = values[e];
      }
    once = Rows(boost::edges_are_sorted, arcs.begin(), arcs.begin() + static_cast<std::ptrdiff_t>(kept), values.begin(),
                n);
  }
  std::string name() const override { return "Boost"; }
  /// Its PageRank starts from other values, of which d^20 is left.
  std::vector<Task> tasks() const override {
    return {{Kernel::bfs},   {Kernel::sssp}, {Kernel::pagerank, 0.05}, {Kernel::components},
            {Kernel::kcore}, {Kernel::prim}, {Kernel::forest}};
  }

  void run(Kernel kernel, std::uint32_t source) override {
    scale = 1;
    auto index = boost::get(boost::vertex_index, graph);
    auto map = [&](auto &values) { return boost::make_iterator_property_map(values.begin(), index); };
    if (kernel == Kernel::bfs) {
      whole.assign(n, -1);
      whole[source] = 0;
      auto visitor = boost::make_bfs_visitor(boost::record_distances(map(whole), boost::on_tree_edge()));
      boost::breadth_first_search(graph, source, boost::visitor(visitor));
    } else if (kernel == Kernel::sssp) {
      whole.assign(n, 0);
      boost::dijkstra_shortest_paths(graph, source,
                                     boost::weight_map(boost::get(&Weight::weight, graph)).distance_map(map(whole)));
      for (std::int32_t &distance : whole)
        if (distance == std::numeric_limits<std::int32_t>::max())
          distance = -1;
    } else if (kernel == Kernel::pagerank) {
      real.assign(n, 0);
      std::vector<double> other(n);
      boost::graph::page_rank(graph, map(real), boost::graph::n_iterations(rounds), 0.85, n, map(other));
      scale = 1.0 / n; // its ranks add up to n
    } else if (kernel == Kernel::components) {
      std::vector<std::uint32_t> rank(n), parent(n);
      boost::disjoint_sets sets(map(rank), map(parent));
      boost::initialize_incremental_components(graph, sets);
      boost::incremental_components(graph, sets);
      whole.resize(n);
      for (std::uint32_t v = 0; v < n; ++v)
        whole[v] = static_cast<std::int32_t>(sets.find_set(v));
    } else if (kernel == Kernel::kcore) {
      whole.assign(n, 0);
      boost::core_numbers(graph, map(whole));
    } else if (kernel == Kernel::prim) {
      whole.assign(n, 0);
      parents.resize(n);
      boost::prim_minimum_spanning_tree(
          graph, map(parents),
          boost::root_vertex(source).weight_map(boost::get(&Weight::weight, graph)).distance_map(map(whole)));
    }
    if (kernel == Kernel::forest) {
      forest.clear();
      boost::kruskal_minimum_spanning_tree(
          once, std::back_inserter(forest),
          boost::weight_map(boost::get(&Weight::weight, once)).vertex_index_map(boost::get(boost::vertex_index, once)));
    }
    isTree = kernel == Kernel::prim;
    isForest = kernel == Kernel::forest;
    isReal = kernel == Kernel::pagerank;
  }
  std::vector<double> answer() const override {
    if (isForest) {
      double sum = 0;
      for (const auto &edge : forest)
        sum += once[edge].weight;
      return {sum};
    }
    if (isTree) {
      double sum = 0;
      for (const std::int32_t key : whole)
        sum += key == std::numeric_limits<std::int32_t>::max() ? 0 : key;
      return {sum};
    }
    std::vector<double> values(n);
    for (std::uint32_t v = 0; v < n; ++v)
      values[v] = isReal ? real[v] * scale : whole[v];
    return values;
  }

private:
  int rounds;
  std::uint32_t n;
  Rows graph, once;
  std::vector<boost::graph_traits<Rows>::edge_descriptor> forest;
  std::vector<std::int32_t> whole;
  std::vector<double> real;
  double scale = 1;
  std::vector<std::uint32_t> parents;
  bool isReal = false, isTree = false, isForest = false;
};

} // namespace

std::unique_ptr<Library> boost_graph(const View &graph, const std::int32_t *weights, int rounds) {
  return std::make_unique<BoostGraph>(graph, weights, rounds);
}

} // namespace bench
