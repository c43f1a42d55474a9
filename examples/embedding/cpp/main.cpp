// ./evacuate PLAN: how far everybody on a floor has to go to an exit, without and with the fire. See README.md.
#include "reach.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using Vertex = std::uint32_t;

namespace {

/// A floor as squares in rows, each of which is a vertex.
struct Floor {
  std::size_t width = 0;
  std::string squares;
  std::vector<gc::ArcId> offsets; // where the neighbours of each square begin
  std::vector<Vertex> neighbors;

  explicit Floor(const char *path) {
    std::ifstream file(path);
    std::vector<std::string> rows;
    for (std::string row; std::getline(file, row); rows.push_back(row))
      width = std::max(width, row.size());
    if (rows.empty())
      throw gc::Error(gc::ErrorKind::input, std::string(path) + ": there is no plan of a floor");
    for (std::string &row : rows) {
      row.resize(width, ' ');
      squares += row;
    }
    connect();
  }

  /// Each square beside those above, to the left, to the right and below: neighbours ascend.
  void connect() {
    offsets.push_back(0);
    for (std::size_t v = 0; v < squares.size(); ++v) {
      const std::size_t column = v % width;
      if (v >= width)
        neighbors.push_back(static_cast<Vertex>(v - width));
      if (column > 0)
        neighbors.push_back(static_cast<Vertex>(v - 1));
      if (column + 1 < width)
        neighbors.push_back(static_cast<Vertex>(v + 1));
      if (v + width < squares.size())
        neighbors.push_back(static_cast<Vertex>(v + width));
      offsets.push_back(static_cast<gc::ArcId>(neighbors.size()));
    }
  }

  gc::Graph<Vertex> graph() const {
    gc::Graph<Vertex> graph;
    graph.n = static_cast<Vertex>(squares.size());
    graph.is_directed = false;
    graph.edges = static_cast<std::int64_t>(neighbors.size() / 2);
    graph.out_offsets = graph.in_offsets = offsets.data();
    graph.out_targets = graph.in_sources = neighbors.data();
    return graph;
  }

  /// For each square whether one of these signs stands there.
  std::vector<std::uint8_t> closed(const std::string &signs) const {
    std::vector<std::uint8_t> result;
    for (const char square : squares)
      result.push_back(signs.find(square) != std::string::npos);
    return result;
  }

  std::vector<Vertex> all(char sign) const {
    std::vector<Vertex> result;
    for (std::size_t v = 0; v < squares.size(); ++v)
      if (squares[v] == sign)
        result.push_back(static_cast<Vertex>(v));
    return result;
  }
};

constexpr std::int32_t far_away = 10000; // rounds: no floor is larger

} // namespace

int main(int argc, char **argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: evacuate PLAN\n");
    return 2;
  }
  const Floor floor(argv[1]);
  const gc::Graph<Vertex> graph = floor.graph();
  const auto exits = gc::VertexSet<Vertex>::of(graph.n, floor.all('E'));

  Reach<Vertex> reach(graph, exits, far_away, floor.closed("#"));
  reach.run();
  std::vector<std::int32_t> before;
  for (const Vertex person : floor.all('o'))
    before.push_back(reach.hops()[person]);

  // The same graph, with other squares that are closed.
  reach.set_arguments(exits, far_away, floor.closed("#F"));
  reach.run();

  std::size_t number = 0;
  for (const Vertex person : floor.all('o')) {
    const std::int32_t steps = before[number++], after = reach.hops()[person];
    std::printf("row %zu, column %zu: ", person / floor.width + 1, person % floor.width + 1);
    if (steps == gc::inf<std::int32_t>())
      std::printf("no way out\n");
    else if (after == gc::inf<std::int32_t>())
      std::printf("%d steps, cut off by the fire\n", steps);
    else if (after > steps)
      std::printf("%d steps, %d around the fire\n", steps, after);
    else
      std::printf("%d steps\n", steps);
  }
} catch (const gc::Error &error) {
  std::fprintf(stderr, "evacuate: %s\n", error.what());
  return error.exit_code();
}
