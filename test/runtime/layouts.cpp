// The orders in which a schedule wants vertices and neighbours.
#include "helpers.h"

#include <gtest/gtest.h>
#include <omp.h>

namespace {

using namespace test;
using gc::ColumnType;
using gc::Directedness;
using gc::LoadedGraph;
using gc::LoadOptions;

TEST(Layout, ByDegree) {
  const Folder folder;
  // Out-degrees: a 0, b 1, c 3, d 1, e 0.
  const std::string path = folder.write("a.csv", "c,a,1\nc,e,2\nc,d,3\nd,c,4\nb,c,5\n");
  for (int bits : {32, 64}) {
    LoadOptions options = weighted(ColumnType::int32);
    options.vertex_bits = bits;
    options.in_edges = options.in_edge_ids = true;
    const LoadedGraph plain = gc::load_graph(path, options);
    options.vertex_order = gc::VertexOrder::by_degree;
    const LoadedGraph graph = gc::load_graph(path, options);
    EXPECT_EQ(names_of(graph), (std::vector<std::string>{"c", "d", "b", "a", "e"})); // ties: as they occur
    EXPECT_EQ(arcs_of(graph), arcs_of(plain));
    for (std::uint64_t i = 0; i < graph.num_vertices(); ++i) {
      EXPECT_EQ(graph.ids().name(graph.ids().at(i)), plain.ids().name(i));
      EXPECT_EQ(graph.ids().find(std::string_view(plain.ids().name(i))), graph.ids().at(i));
    }
  }
  const LoadedGraph numbers = [&] {
    LoadOptions options;
    options.vertex_order = gc::VertexOrder::by_degree;
    return gc::load_graph(folder.write("b.el", "10 20\n10 30\n20 30\n"), options);
  }();
  EXPECT_EQ(names_of(numbers), (std::vector<std::string>{"10", "20", "30"}));
  EXPECT_EQ(numbers.ids().find(std::int64_t(30)), 2u);
  EXPECT_EQ(numbers.ids().find(std::int64_t(40)), std::nullopt);
}

/// The names of the vertices in the order of a queue: from the heaviest vertex on, again from the heaviest one left.
template <class V> std::vector<std::string> names_by_bfs(const LoadedGraph &graph) {
  const gc::Graph<V> &g = graph.view<V>();
  std::vector<bool> seen(g.n, false);
  std::vector<V> queue;
  while (queue.size() < g.n) {
    V heaviest = gc::none<V>();
    for (V v = 0; v < g.n; ++v)
      if (!seen[v] && (heaviest == gc::none<V>() || g.out_degree(v) > g.out_degree(heaviest)))
        heaviest = v;
    std::size_t next = queue.size();
    queue.push_back(heaviest);
    for (seen[heaviest] = true; next < queue.size(); ++next)
      for (const V v : g.out_neighbors(queue[next]))
        if (!seen[v]) {
          seen[v] = true;
          queue.push_back(v);
        }
  }
  std::vector<std::string> names;
  for (const V v : queue)
    names.push_back(graph.ids().name(v));
  return names;
}

TEST(Layout, ByBreadthFirstSearch) {
  const Folder folder;
  // Out-degrees: a 1, b 1, c 3, d 1, e 0, f 2, h 1, i 0.
  const std::string path = folder.write("a.csv", "b,c,5\nc,e,2\nc,d,3\nc,a,1\nd,c,4\na,f,6\nf,d,7\nf,f,8\nh,i,9\n");
  for (int bits : {32, 64}) {
    LoadOptions options = weighted(ColumnType::int32);
    options.vertex_bits = bits;
    options.in_edges = options.in_edge_ids = true;
    const LoadedGraph plain = gc::load_graph(path, options);
    options.vertex_order = gc::VertexOrder::by_bfs;
    const LoadedGraph graph = gc::load_graph(path, options);
    // c, what it reaches in the order of its list, and then the heaviest that are left.
    EXPECT_EQ(names_of(graph), (std::vector<std::string>{"c", "e", "d", "a", "f", "b", "h", "i"}));
    EXPECT_EQ(arcs_of(graph), arcs_of(plain));
    EXPECT_GT(graph.layout_seconds(), 0);
    for (std::uint64_t i = 0; i < graph.num_vertices(); ++i)
      EXPECT_EQ(graph.ids().name(graph.ids().at(i)), plain.ids().name(i));
  }
}

TEST(Layout, ByBreadthFirstSearchOnAnyNumberOfThreads) {
  const int threads = omp_get_max_threads();
  for (const char *spec : {"kronecker:scale=13,degree=8", "uniform:scale=13,degree=1", "star:30000", "grid:3x9000"})
    for (Directedness direction : {Directedness::directed, Directedness::undirected}) {
      LoadOptions options;
      options.user = direction;
      options.duplicates = options.self_loops = gc::Keep::keep;
      const std::vector<std::string> expected = names_by_bfs<std::uint32_t>(gc::load_graph(spec, options));
      options.vertex_order = gc::VertexOrder::by_bfs;
      for (int count : {1, 2, 5}) {
        omp_set_num_threads(count);
        EXPECT_EQ(names_of(gc::load_graph(spec, options)), expected) << spec << ", threads: " << count;
      }
      omp_set_num_threads(threads);
    }
}

TEST(Layout, NeighborsByDegree) {
  const Folder folder;
  // Out-degrees: a 1, b 2, c 3, d 1, e 0; c twice to d, with the weights in the order of the lines.
  const std::string path = folder.write("a.csv", "c,a,1\nc,d,2\nc,d,3\nd,c,4\nb,e,5\nb,c,6\na,b,7\n");
  for (Directedness direction : {Directedness::directed, Directedness::undirected})
    for (int bits : {32, 64}) {
      LoadOptions options = weighted(ColumnType::int32);
      options.vertex_bits = bits;
      options.user = direction;
      options.duplicates = gc::Keep::keep;
      options.in_edges = options.in_edge_ids = true;
      const LoadedGraph plain = gc::load_graph(path, options);
      options.neighbors_by_degree = true;
      const LoadedGraph graph = gc::load_graph(path, options);
      EXPECT_EQ(names_of(graph), names_of(plain));
      EXPECT_EQ(arcs_of(graph), arcs_of(plain));
      const auto check = [](const auto &g) {
        using V = std::decay_t<decltype(g.n)>;
        for (V v = 0; v < g.n; ++v) {
          for (gc::ArcId e = g.out_begin(v) + 1; e < g.out_end(v); ++e)
            EXPECT_GE(g.out_degree(g.target(e - 1)), g.out_degree(g.target(e)));
          for (gc::ArcId k = g.in_begin(v); k < g.in_end(v); ++k) {
            EXPECT_EQ(g.target(g.in_edges[k]), v);
            const V u = g.in_source(k);
            EXPECT_TRUE(g.out_begin(u) <= g.in_edges[k] && g.in_edges[k] < g.out_end(u));
            if (k > g.in_begin(v)) {
              EXPECT_GE(g.out_degree(g.in_source(k - 1)), g.out_degree(u));
            }
          }
        }
      };
      if (bits == 32)
        check(graph.view<std::uint32_t>());
      else
        check(graph.view<std::uint64_t>());
    }
}

} // namespace
