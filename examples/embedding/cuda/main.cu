// ./rank LINKS [COUNT]: the pages that a surfer visits most, computed on a GPU. See README.md.
#include "rank.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

using Vertex = std::uint32_t;

int main(int argc, char **argv) try {
  if (argc < 2) {
    std::fprintf(stderr, "usage: rank LINKS [COUNT]\n");
    return 2;
  }
  // On the host: pages are known by their names.
  const gc::LoadedGraph links = gc::load_graph(argv[1], gc::load_options(rank_info()));
  if (links.vertex_bits() != 32)
    throw gc::Error(gc::ErrorKind::input, "there are too many pages for one GPU");

  Rank<Vertex> rank(links.view<Vertex>()); // copies the graph to the device
  rank.run();

  const auto &share = rank.share(); // copied to the host at the first use
  std::vector<Vertex> order(links.num_vertices());
  std::iota(order.begin(), order.end(), Vertex(0));
  std::sort(order.begin(), order.end(),
            [&](Vertex a, Vertex b) { return share[a] != share[b] ? share[a] > share[b] : a < b; });
  const std::size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 5;
  for (std::size_t place = 0; place < std::min(count, order.size()); ++place)
    std::printf("%zu. %s %.4f\n", place + 1, links.ids().name(order[place]).c_str(), share[order[place]]);
} catch (const gc::Error &error) {
  std::fprintf(stderr, "rank: %s\n", error.what());
  return error.exit_code();
}
