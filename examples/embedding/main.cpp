// reach.gdsl inside a program that has its own graph.
#include "reach.h"

#include <cstdio>
#include <vector>

int main() try {
  // A ring of eight vertices and a ninth beside it: for each vertex where its list begins, then the neighbours, which
  // ascend. Every edge stands in the lists of both ends.
  const std::vector<gc::ArcId> offsets = {0, 2, 4, 6, 8, 10, 12, 14, 16, 16};
  const std::vector<std::uint32_t> targets = {1, 7, 0, 2, 1, 3, 2, 4, 3, 5, 4, 6, 5, 7, 0, 6};
  gc::Graph<std::uint32_t> graph;
  graph.n = 9;
  graph.is_directed = false;
  graph.edges = 8;
  graph.out_offsets = graph.in_offsets = offsets.data();
  graph.out_targets = graph.in_sources = targets.data();

  Reach<std::uint32_t> reach(graph, gc::VertexSet<std::uint32_t>::of(graph.n, {0, 3}));
  reach.run();
  for (std::uint32_t v = 0; v < graph.n; ++v)
    if (reach.hops()[v] == gc::inf<std::int32_t>())
      std::printf("%u is out of reach\n", v);
    else
      std::printf("%u is %d away\n", v, reach.hops()[v]);

  // The same on a graph from a file or a generator, which is read as the program needs it.
  const gc::LoadedGraph loaded = gc::load_graph("grid:40x40", gc::load_options(reach_info()));
  const auto &grid = loaded.view<std::uint32_t>();
  Reach<std::uint32_t> on_grid(grid, gc::VertexSet<std::uint32_t>::of(grid.n, {0}));
  on_grid.run();
  std::printf("the far corner of the grid is %d away\n", on_grid.hops()[grid.n - 1]);

  // From elsewhere, on the graph that the object has.
  on_grid.set_arguments(gc::VertexSet<std::uint32_t>::of(grid.n, {20 * 40 + 20}));
  on_grid.run();
  std::printf("from the middle it is %d away\n", on_grid.hops()[grid.n - 1]);

  // Around a wall: a value for each vertex of the graph.
  std::vector<std::uint8_t> wall(grid.n, 0);
  for (std::uint32_t row = 0; row < 39; ++row)
    wall[row * 40 + 1] = 1;
  Reach<std::uint32_t> around(grid, gc::VertexSet<std::uint32_t>::of(grid.n, {0}), 200, wall);
  around.run();
  std::printf("the near corner behind a wall is %d away\n", around.hops()[2]);
} catch (const gc::Error &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return error.exit_code();
}
