// Generated graphs: their shapes, and that they depend on the seed alone.
#include "helpers.h"

#include <gtest/gtest.h>
#include <omp.h>

namespace {

using namespace test;
using gc::ColumnType;
using gc::LoadedGraph;

class Threads : public testing::Test {
protected:
  void TearDown() override { omp_set_num_threads(before_); }

private:
  int before_ = omp_get_max_threads();
};

TEST_F(Threads, DoNotChangeTheGraph) {
  for (const char *spec :
       {"kronecker:scale=10,degree=8,seed=3,weights=1..100", "uniform:scale=9,degree=6,seed=5,weights=0.5..1.5",
        "rmat:vertices=1000,degree=5,seed=2,weights=1..9", "grid:20x30,weights=1..9"}) {
    omp_set_num_threads(1);
    const LoadedGraph first = gc::load_graph(spec, weighted(ColumnType::float64));
    const Arcs expected = arcs_of(first);
    EXPECT_FALSE(expected.empty());
    expect_sound(first);
    for (int threads : {2, 4}) {
      omp_set_num_threads(threads);
      EXPECT_EQ(arcs_of(gc::load_graph(spec, weighted(ColumnType::float64))), expected) << spec << " " << threads;
    }
  }
}

TEST(Generators, SeedsDiffer) {
  EXPECT_NE(arcs_of(gc::load_graph("kronecker:scale=8,degree=4,seed=1")),
            arcs_of(gc::load_graph("kronecker:scale=8,degree=4,seed=2")));
}

TEST(Generators, Shapes) {
  struct Shape {
    const char *spec;
    std::uint64_t vertices;
    std::int64_t edges;
  };
  for (const Shape &shape : {Shape{"path:5", 5, 4}, Shape{"cycle:5", 5, 5}, Shape{"star:5", 5, 4},
                             Shape{"complete:5", 5, 10}, Shape{"grid:3x4", 12, 17}, Shape{"path:1", 1, 0}}) {
    const LoadedGraph graph = gc::load_graph(shape.spec);
    EXPECT_EQ(graph.num_vertices(), shape.vertices) << shape.spec;
    EXPECT_EQ(graph.num_edges(), shape.edges) << shape.spec;
    EXPECT_FALSE(graph.directed()) << shape.spec;
    expect_sound(graph);
  }
  EXPECT_EQ(gc::load_graph("kronecker:scale=7,degree=4").num_vertices(), 128u);
  EXPECT_EQ(arcs_of(gc::load_graph("path:3")),
            (Arcs{{{"0", "1"}, 0}, {{"1", "0"}, 0}, {{"1", "2"}, 0}, {{"2", "1"}, 0}}));
}

TEST(Generators, Directed) {
  const LoadedGraph graph = gc::load_graph("uniform:scale=8,degree=4,directed=true");
  EXPECT_TRUE(graph.directed());
  expect_sound(graph);
  for (const auto &[ends, value] : arcs_of(graph))
    EXPECT_NE(ends.first, ends.second);
}

TEST(Generators, WeightsInRange) {
  const LoadedGraph graph = gc::load_graph("uniform:scale=8,degree=8,weights=3..5", weighted(ColumnType::int32));
  std::map<double, int> counts;
  for (const auto &[ends, value] : arcs_of(graph))
    ++counts[value];
  EXPECT_EQ(counts.size(), 3u);
  EXPECT_EQ(counts.begin()->first, 3);
  EXPECT_EQ(counts.rbegin()->first, 5);
}

TEST(Generators, DegenerateProbabilitiesEnd) {
  // Nearly all edges have the same ends, which may not be among the vertices.
  for (const char *spec : {"rmat:vertices=9,degree=2,a=0,b=0,c=0", "rmat:vertices=9,degree=2,a=1,b=0,c=0"})
    for (int seed = 1; seed < 9; ++seed)
      EXPECT_EQ(gc::load_graph(spec + (",seed=" + std::to_string(seed))).num_vertices(), 9u);
}

} // namespace
