// prepare SPEC FILE.gcsr COUNT: writes a generated graph with integer weights 1..255, and prints COUNT vertices that
// have neighbours, the same in every run: the sources of a benchmark.
#include <gcompile/core/error.h>
#include <gcompile/program/load.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

template <class V> void print_sources(const gc::LoadedGraph &loaded, int count) {
  const gc::Graph<V> &graph = loaded.view<V>();
  std::mt19937_64 random(27);
  for (int tries = 0; count > 0 && graph.num_arcs() > 0 && tries < 1000000; ++tries) {
    const V v = static_cast<V>(random() % graph.num_vertices());
    if (graph.out_degree(v) == 0)
      continue;
    std::printf("%s\n", loaded.ids().name(v).c_str());
    --count;
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: prepare SPEC FILE.gcsr COUNT\n");
    return 2;
  }
  try {
    gc::LoadOptions options;
    options.weights = "1..255";
    options.columns.push_back({"weight", gc::ColumnType::int32});
    const gc::LoadedGraph graph = gc::load_graph(argv[1], options);
    gc::save_graph(graph, argv[2]);
    if (graph.vertex_bits() == 32)
      print_sources<std::uint32_t>(graph, std::atoi(argv[3]));
    else
      print_sources<std::uint64_t>(graph, std::atoi(argv[3]));
  } catch (const gc::Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return 0;
}
