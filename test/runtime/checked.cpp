#include <gcompile/omp/sets/vertex_set.h>
#include <gcompile/program.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using Graph = gc::Graph<std::uint32_t>;

std::string refusal(const Graph &graph, const gc::ProgramInfo &info) {
  try {
    gc::checked(graph, info);
    return "";
  } catch (const gc::Error &error) {
    return error.what();
  }
}

TEST(Checked, WhatAProgramNeedsOfItsGraph) {
  const gc::ArcId offsets[] = {0, 1, 2};
  const std::uint32_t targets[] = {1, 0};
  const std::int32_t weights[] = {5, 5};
  Graph graph;
  graph.n = 2;
  graph.out_offsets = offsets;
  graph.out_targets = targets;
  gc::ProgramInfo info;
  info.name = "p";
  EXPECT_EQ(refusal(graph, info), "");
  info.directedness = gc::Directedness::undirected;
  EXPECT_EQ(refusal(graph, info), "p: the program is for undirected graphs, and this one is directed");
  graph.is_directed = false;
  EXPECT_EQ(refusal(graph, info), "");
  info.needs_in_edges = true;
  EXPECT_EQ(refusal(graph, info),
            "p: the program reads the edges into vertices, and the graph has no in_offsets and in_sources");
  graph.in_offsets = offsets;
  graph.in_sources = targets;
  EXPECT_EQ(refusal(graph, info), "");
  info.edge_columns = {{"weight", gc::ColumnType::int32}};
  EXPECT_EQ(refusal(graph, info), "p: the graph has no edge property 'weight', which is columns[0]");
  graph.columns[0] = weights;
  EXPECT_EQ(refusal(graph, info), "");
  info.nonnegative_weights = {"weight"};
  EXPECT_EQ(refusal(graph, info), "");
  const std::int32_t negative[] = {5, -3};
  graph.columns[0] = negative;
  EXPECT_EQ(refusal(graph, info),
            "p: weight -3, the value of columns[0] at arc 1, is negative, which the program does not allow");
  const double real[] = {0.5, std::nan("")};
  graph.columns[0] = real;
  info.edge_columns[0].type = gc::ColumnType::float64;
  EXPECT_NE(refusal(graph, info), "");
  info.nonnegative_weights.clear();
  EXPECT_EQ(refusal(graph, info), "");
  const gc::ArcId none[] = {0, 0, 0};
  graph = {};
  graph.n = 2;
  graph.is_directed = false;
  graph.out_offsets = graph.in_offsets = none; // without edges there are no values
  EXPECT_EQ(refusal(graph, info), "");
  EXPECT_EQ(gc::checked(graph, std::uint32_t(1), "root"), 1u);
  EXPECT_EQ(gc::checked(graph, gc::none<std::uint32_t>(), "root"), gc::none<std::uint32_t>());
  EXPECT_THROW(gc::checked(graph, std::uint32_t(2), "root"), gc::Error);
  EXPECT_THROW(gc::checked(graph, gc::VertexSet<std::uint32_t>::all(3), "from"), gc::Error);
}

TEST(Checked, ParametersWithoutNegativeValues) {
  const auto refused = [](const auto &value) -> std::string {
    try {
      gc::nonnegative(value, "x");
      return "";
    } catch (const gc::Error &error) {
      return error.what();
    }
  };
  EXPECT_EQ(gc::nonnegative(7, "x"), 7);
  EXPECT_EQ(refused(-7), "x: -7 is negative, which the program does not allow");
  EXPECT_EQ(refused(gc::inf<double>()), "");
  EXPECT_NE(refused(std::nan("")), "");
  using List = std::vector<std::int64_t>;
  EXPECT_EQ(gc::nonnegative(List{0, 4, gc::inf<std::int64_t>()}, "x").size(), 3u);
  EXPECT_EQ(refused(List()), "");
  EXPECT_EQ(refused(List{1, -5, -6}), "x: -5 of vertex 1 is negative, which the program does not allow");
}

using Values = gc::VertexValues<std::int64_t>;

TEST(Checked, ValuesOfVertices) {
  const gc::ArcId out_offsets[] = {0, 2, 2, 3}, in_offsets[] = {0, 0, 2, 3};
  Graph graph;
  graph.n = 3;
  graph.out_offsets = out_offsets;
  graph.in_offsets = in_offsets;
  const auto on = [&](const auto &values) {
    const auto property = values.on(graph, "x");
    return std::vector<std::int64_t>(property.begin(), property.end());
  };
  using List = std::vector<std::int64_t>;
  EXPECT_EQ(on(Values(7)), (List{7, 7, 7}));
  EXPECT_EQ(on(Values(std::vector<std::int64_t>{3, -1, 5})), (List{3, -1, 5}));
  EXPECT_EQ(on(Values(gc::VertexRule::self)), (List{0, 1, 2}));
  EXPECT_EQ(on(Values(gc::VertexRule::out_degree)), (List{2, 0, 1}));
  EXPECT_EQ(on(Values(gc::VertexRule::in_degree)), (List{0, 2, 1}));
  EXPECT_EQ(on(Values(gc::VertexRule::degree)), (List{2, 2, 2}));
  EXPECT_EQ(on(gc::VertexValues<std::uint8_t>(std::vector<std::uint8_t>{0, 1, 255})), (List{0, 1, 1}));
  const auto none = gc::none<std::uint32_t>();
  EXPECT_EQ(on(gc::VertexValues<std::uint32_t>(std::vector<std::uint32_t>{none, 2, 0})), (List{none, 2, 0}));
  const auto refused = [&](const auto &values) -> std::string {
    try {
      values.on(graph, "x");
      return "";
    } catch (const gc::Error &error) {
      return error.what();
    }
  };
  EXPECT_EQ(refused(Values(std::vector<std::int64_t>{1, 2})), "x: 2 values, and the graph has 3 vertices");
  EXPECT_EQ(refused(Values(std::vector<std::int64_t>())), "x: 0 values, and the graph has 3 vertices");
  EXPECT_EQ(refused(gc::VertexValues<std::uint32_t>(std::vector<std::uint32_t>{0, 3, 1})),
            "x: the graph has no vertex 3");
  EXPECT_EQ(refused(gc::VertexValues<std::uint32_t>(5)), "x: the graph has no vertex 5");
}

} // namespace
