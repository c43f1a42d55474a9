// Packed lists of neighbours in .gcsr files.
#include "helpers.h"

#include <gcompile/core/packed_graph.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

namespace {

using namespace test;
using gc::LoadedGraph;
using gc::LoadOptions;

/// What a program asks of a graph.
struct Request {
  bool packed, in_edges, in_edge_ids, keeps_plain, by_degree;
  int bits;
};

LoadOptions options_of(const Request &request) {
  LoadOptions options = weighted(gc::ColumnType::int32);
  options.packed = request.packed;
  options.in_edges = request.in_edges;
  options.in_edge_ids = request.in_edge_ids;
  options.keeps_plain = request.keeps_plain;
  options.vertex_order = request.by_degree ? gc::VertexOrder::by_degree : gc::VertexOrder::input;
  options.vertex_bits = request.bits;
  return options;
}

/// The lists, positions of arcs and weights, as kernels see them.
template <class G> std::vector<std::int64_t> seen(const G &g, bool in_edges) {
  std::vector<std::int64_t> all{static_cast<std::int64_t>(g.num_vertices()), static_cast<std::int64_t>(g.num_arcs()),
                                g.num_edges(), g.directed()};
  const std::int32_t *const weights = g.template edge_column<std::int32_t>(0);
  for (std::uint64_t i = 0; i < g.num_vertices(); ++i) {
    const auto v = static_cast<decltype(g.num_vertices())>(i);
    gc::ArcId arc = g.out_begin(v);
    for (const std::uint64_t u : g.out_neighbors(v)) {
      all.push_back(static_cast<std::int64_t>(u));
      all.push_back(weights[arc++]);
    }
    all.push_back(static_cast<std::int64_t>(g.out_end(v)));
    if (!in_edges)
      continue;
    for (const std::uint64_t u : g.in_neighbors(v))
      all.push_back(static_cast<std::int64_t>(u));
    for (gc::ArcId k = g.in_begin(v); g.in_edges && k < g.in_end(v); ++k)
      all.push_back(static_cast<std::int64_t>(g.in_edges[k]));
  }
  return all;
}

template <class V> std::vector<std::int64_t> seen(const LoadedGraph &graph, bool in_edges) {
  const gc::Graph<V> &plain = graph.view<V>();
  return plain.packed ? seen(gc::PackedGraph<V>(plain), in_edges) : seen(plain, in_edges);
}

std::vector<std::int64_t> seen(const LoadedGraph &graph, bool in_edges) {
  return graph.vertex_bits() == 32 ? seen<std::uint32_t>(graph, in_edges) : seen<std::uint64_t>(graph, in_edges);
}

bool is_packed(const LoadedGraph &graph) {
  return graph.view<std::uint32_t>().packed || graph.view<std::uint64_t>().packed;
}

/// Writes a graph with packed lists.
std::string write(const Folder &folder, const std::string &spec, LoadOptions options, bool in_edges) {
  options.packed = true;
  options.in_edges = in_edges;
  gc::save_graph(gc::load_graph(spec, options), folder.path("a.gcsr"));
  return folder.path("a.gcsr");
}

TEST(PackedFiles, EveryProgramReadsThem) {
  const Folder folder;
  for (const char *spec :
       {"kronecker:scale=8,degree=12,weights=1..99", "rmat:scale=7,degree=5,directed=true,weights=1..9",
        "star:9000,weights=1..9", "grid:40x50,weights=1..9", "path:1,weights=1..9"})
    for (const bool stored_in_edges : {false, true})
      for (const int bits : {32, 64}) {
        LoadOptions given = weighted(gc::ColumnType::int32);
        given.vertex_bits = bits;
        const std::string path = write(folder, spec, given, stored_in_edges);
        for (unsigned asked = 0; asked < 32; ++asked) {
          const Request request{(asked & 1) != 0, (asked & 2) != 0,  (asked & 4) != 0,
                                (asked & 8) != 0, (asked & 16) != 0, bits};
          const LoadOptions options = options_of(request);
          const LoadedGraph direct = gc::load_graph(spec, options), stored = gc::load_graph(path, options);
          EXPECT_EQ(is_packed(stored), request.packed);
          const bool sides = request.in_edges || request.in_edge_ids;
          EXPECT_EQ(seen(stored, sides), seen(direct, sides)) << spec << " " << asked << " " << bits;
          EXPECT_EQ(stored.adjacency_bytes(), direct.adjacency_bytes()) << spec << " " << asked;
          EXPECT_EQ(stored.plain_adjacency_bytes(), direct.plain_adjacency_bytes());
        }
      }
}

TEST(PackedFiles, ServeAtOnce) {
  const Folder folder;
  const std::string path =
      write(folder, "kronecker:scale=10,degree=8,weights=1..9", weighted(gc::ColumnType::int32), false);
  LoadOptions options = weighted(gc::ColumnType::int32);
  options.packed = true;
  EXPECT_EQ(gc::load_graph(path, options).layout_seconds(), 0);
  const LoadedGraph direct = gc::load_graph("kronecker:scale=10,degree=8,weights=1..9", options);
  const std::string stored = contents(path);
  options.memory_limit = stored.size(); // too little for a second copy
  const LoadedGraph mapped = gc::load_graph(path, options);
  EXPECT_EQ(seen(mapped, false), seen(direct, false));
  gc::save_graph(mapped, folder.path("b.gcsr"));
  EXPECT_EQ(contents(folder.path("b.gcsr")), stored);
  options.memory_limit = 0;
  const LoadedGraph copied = gc::load_graph(path, options);
  folder.write("a.gcsr", std::string(stored.size(), 'x')); // nothing reads the file any more
  EXPECT_EQ(seen(copied, false), seen(direct, false));
}

TEST(PackedFiles, OtherDirectionsAndColumns) {
  const Folder folder;
  const std::string spec = "rmat:scale=7,degree=5,directed=true,weights=1..9";
  const std::string path = write(folder, spec, weighted(gc::ColumnType::int32), true);
  for (const gc::Directedness direction : {gc::Directedness::directed, gc::Directedness::undirected})
    for (const gc::ColumnType type : {gc::ColumnType::int32, gc::ColumnType::int64})
      for (const bool packed : {false, true}) {
        LoadOptions options = weighted(type);
        options.user = direction;
        options.packed = packed;
        const LoadedGraph graph = gc::load_graph(path, options);
        options.packed = false;
        EXPECT_EQ(is_packed(graph), packed);
        options.user = direction;
        const LoadedGraph plain = gc::load_graph(path, options);
        EXPECT_EQ(graph.num_edges(), plain.num_edges());
        EXPECT_EQ(graph.num_arcs(), plain.num_arcs());
      }
}

/// Values are looked at where the lists are packed too, and others may be given.
TEST(PackedFiles, Weights) {
  const Folder folder;
  folder.write("a.el", "0 1 4\n2 0 1\n2 1 -7\n");
  const std::string path = write(folder, folder.path("a.el"), weighted(gc::ColumnType::int32), true);
  LoadOptions options = weighted(gc::ColumnType::int32);
  options.packed = options.in_edges = true;
  options.nonnegative = {options.columns[0].name};
  EXPECT_EQ(message(folder, path, options),
            "a.gcsr: " + options.columns[0].name + " -7 of edge 2 1 is negative, which the program does not allow");
  options.weights = "3..9";
  const LoadedGraph stored = gc::load_graph(path, options), direct = gc::load_graph(folder.path("a.el"), options);
  EXPECT_EQ(seen(stored, true), seen(direct, true));
}

/// Whatever single byte changes, it is noticed, or the graph is as good as any.
TEST(PackedFiles, Damage) {
  const Folder folder;
  LoadOptions options;
  options.packed = options.in_edges = true;
  const auto damage = [&](const char *spec) {
    gc::save_graph(gc::load_graph(spec, options), folder.path("a.gcsr"));
    const std::string good = contents(folder.path("a.gcsr"));
    ASSERT_EQ(message(folder, folder.write("b.gcsr", good), options), "");
    std::size_t noticed = 0, tried = 0;
    for (std::size_t i = 0; i < good.size(); i += i < 1200 && i > 100 ? 11 : 3) { // the header has its checksums
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << i % 8));
      const std::string said = message(folder, folder.write("b.gcsr", bad), options);
      ++tried;
      noticed += !said.empty();
      if (!said.empty())
        continue;
      LoadOptions plain;
      plain.in_edges = plain.in_edge_ids = true;
      expect_sound(gc::load_graph(folder.path("b.gcsr"), plain));
    }
    EXPECT_GT(noticed, tried / 4);
  };
  damage("grid:6x7");
  damage("rmat:scale=5,degree=4,directed=true,seed=3");
  gc::save_graph(gc::load_graph("star:9000", options), folder.path("a.gcsr"));
  std::string bad = contents(folder.path("a.gcsr"));
  const std::size_t groups = bad.size() - 64; // somewhere in the fields
  EXPECT_EQ(message(folder, folder.write("b.gcsr", bad.substr(0, groups)), options),
            "b.gcsr: the file has " + std::to_string(groups) + " bytes, its header says " + std::to_string(bad.size()));
  EXPECT_EQ(message(folder, folder.write("b.gcsr", bad.substr(0, 700)), options), "b.gcsr: the header is truncated");
}

} // namespace
