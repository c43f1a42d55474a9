// Graphs that are too large for a GPU are refused: with few bits for vertices, or for arcs, that are small ones.
#include "limits.h"
#include "searches.h"

namespace {

#if GCOMPILE_GPU_VERTEX_BITS == 5
TEST(Limits, AGraphHasFewerVerticesThanTheBitsSay) {
  EXPECT_EQ(refusal("path:31"), "");
  EXPECT_EQ(
      refusal("path:40"),
      "the graph is too large for the GPU: it has 40 vertices and 78 arcs, and this program is for fewer than 2^5 "
      "vertices and 2^59 arcs; compile it with --gpu-vertex-bits=29, for fewer than 2^29 vertices and 2^35 arcs");
  EXPECT_NE(refusal("path:32"), "");
}

/// What is said against a program whose lists hold what it reaches alone.
std::string refusal_of_search(const SmallGraph<V> &graph) {
  gc::ProgramInfo info;
  info.lists_only_reached = true;
  info.add_parameter("root", gc::ParameterType::vertex, true, "", "");
  try {
    const gc::cuda::Graph<V> device(graph.graph, info);
    check_search(graph.graph, device, 3, any_parent,
                 [&](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
                   frontier.propagate(BfsPush{parent, depth}, BfsPull{device.view(), parent, depth},
                                      gc::cuda::NoKernel(), gc::cuda::Rounds());
                 });
    return "";
  } catch (const gc::Error &error) {
    return error.what();
  }
}

TEST(Limits, VerticesWithoutEdgesDoNotCountWhereAProgramListsWhatItReaches) {
  const auto path = [](V edges, bool directed) {
    std::vector<std::tuple<V, V, std::int32_t>> all;
    for (V v = 0; v < edges; ++v)
      all.push_back({4 * v + 3, 4 * v + 7, 1});
    return SmallGraph<V>(200, all, directed);
  };
  EXPECT_EQ(refusal_of_search(path(29, false)), ""); // 30 vertices, and the root
  EXPECT_EQ(refusal_of_search(path(29, true)), "");
  EXPECT_NE(refusal_of_search(path(30, false)).find("it has 200 vertices, 32 of which count, and 60 arcs"),
            std::string::npos);
}
#elif GCOMPILE_GPU_VERTEX_BITS == 60
TEST(Limits, AGraphHasFewerArcsThanTheOtherBitsSay) {
  EXPECT_EQ(refusal("path:8"), "");  // 14 arcs
  EXPECT_EQ(refusal("cycle:7"), ""); // 14 arcs
  EXPECT_NE(refusal("cycle:8"), ""); // 16 arcs
  EXPECT_NE(refusal("path:40"), "");
}
#else
#error "compiled with 5 or 60 bits for vertices"
#endif

} // namespace
