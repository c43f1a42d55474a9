// Graphs of edges that are in memory.
#include "helpers.h"

#include <gcompile/core/error.h>
#include <gcompile/program/arrays.h>

#include <gtest/gtest.h>

namespace {

using namespace test;
using gc::ColumnType;
using gc::Directedness;
using gc::LoadedGraph;
using gc::LoadOptions;

/// The edges of the test below, and the list that refers to them.
template <class V> struct Listed {
  std::vector<V> sources = {0, 3, 1, 2, 0}, targets = {1, 1, 0, 2, 1};
  std::vector<double> weights = {0.5, 2, 0.25, 1, 0.75};

  gc::EdgeList<V> list(bool directed) const {
    gc::EdgeList<V> result;
    result.num_vertices = 5;
    result.num_edges = sources.size();
    result.is_directed = directed;
    result.sources = sources.data();
    result.targets = targets.data();
    result.columns[0] = weights.data();
    return result;
  }
};

template <class V> std::string refusal(const gc::EdgeList<V> &list, const LoadOptions &options) {
  try {
    gc::build_of(list, options);
    return "";
  } catch (const gc::Error &error) {
    return error.what();
  }
}

template <class V> class EdgesInMemory : public testing::Test {};
using Widths = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(EdgesInMemory, Widths);

TYPED_TEST(EdgesInMemory, AreReadAsThoseOfAFile) {
  Listed<TypeParam> edges;
  LoadOptions options = weighted(ColumnType::float64);
  const LoadedGraph graph = gc::build_of(edges.list(false), options); // of copies the lightest stays
  EXPECT_EQ(arcs_of(graph),
            (Arcs{{{"0", "1"}, 0.25}, {{"1", "0"}, 0.25}, {{"1", "3"}, 2}, {{"3", "1"}, 2}, {{"2", "2"}, 1}}));
  EXPECT_EQ(graph.num_vertices(), 5u);
  EXPECT_EQ(graph.input_edges(), 5u);
  EXPECT_EQ(graph.vertex_bits(), 8 * static_cast<int>(sizeof(TypeParam)));
  EXPECT_EQ(arcs_of(gc::build_of(edges.list(true), options)),
            (Arcs{{{"0", "1"}, 0.5}, {{"1", "0"}, 0.25}, {{"3", "1"}, 2}, {{"2", "2"}, 1}}));
  EXPECT_EQ(gc::build_of(edges.list(true), LoadOptions()).num_edges(), 4); // a program that reads no weights
  EXPECT_EQ(gc::build_of(gc::EdgeList<TypeParam>(), LoadOptions()).num_vertices(), 0u);
}

TYPED_TEST(EdgesInMemory, ThatAreNoneAreRefused) {
  Listed<TypeParam> edges;
  LoadOptions options = weighted(ColumnType::float64);
  gc::EdgeList<TypeParam> list = edges.list(true);
  list.columns[0] = nullptr;
  EXPECT_EQ(refusal(list, options),
            "the graph: the program reads the edge property 'weight', of which there is no array");
  list = edges.list(true);
  list.targets = nullptr;
  EXPECT_EQ(refusal(list, options), "the graph: there are no sources or no targets");
  edges.sources[2] = 5;
  EXPECT_EQ(refusal(edges.list(true), options), "the graph: edge 2 has an end that is no vertex: 5 0");
  edges.sources[2] = 1;
  edges.weights[3] = -1;
  options.nonnegative = {"weight"};
  EXPECT_THROW(gc::build_of(edges.list(true), options), gc::Error);
}

} // namespace
