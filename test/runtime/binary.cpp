// The binary format: what is saved is what is loaded, and damage is noticed.
#include "helpers.h"

#include <gtest/gtest.h>

namespace {

using namespace test;
using gc::ColumnType;
using gc::LoadedGraph;
using gc::LoadOptions;

TEST(Binary, RoundTrip) {
  const Folder folder;
  LoadOptions options;
  options.all_columns = true;
  for (const char *name : {"a.wel", "b.csv", "c.wel"}) {
    const std::string text = name[0] == 'a'   ? "1 2 3\n2 70 4\n5 5 6\n"
                             : name[0] == 'b' ? "x,yy,0.5\nyy,zzz,1.5\n"
                                              : "4 5 9000000000\n5 6 1\n";
    for (int bits : {32, 64}) {
      options.vertex_bits = bits;
      const LoadedGraph graph = gc::load_graph(folder.write(name, text), options);
      ASSERT_EQ(graph.columns().size(), 1u);
      gc::save_graph(graph, folder.path("a.gcsr"));
      const LoadedGraph again = gc::load_graph(folder.path("a.gcsr"), options);
      EXPECT_EQ(again.vertex_bits(), bits);
      EXPECT_EQ(again.columns()[0].type, graph.columns()[0].type);
      EXPECT_EQ(names_of(again), names_of(graph));
      EXPECT_EQ(arcs_of(again), arcs_of(graph));
      expect_sound(again);
    }
  }
}

TEST(Binary, OtherDirectionTypesAndBits) {
  const Folder folder;
  gc::save_graph(gc::load_graph(folder.write("a.wel", "1 2 3\n2 1 2\n2 2 1\n"), weighted(ColumnType::int32)),
                 folder.path("a.gcsr"));
  LoadOptions options = weighted(ColumnType::float32);
  options.user = gc::Directedness::undirected;
  options.vertex_bits = 64;
  EXPECT_EQ(arcs_of(gc::load_graph(folder.path("a.gcsr"), options)),
            (Arcs{{{"1", "2"}, 2}, {{"2", "1"}, 2}, {{"2", "2"}, 1}}));
  options.self_loops = gc::Keep::drop;
  EXPECT_EQ(gc::load_graph(folder.path("a.gcsr"), options).num_edges(), 1);
  EXPECT_TRUE(gc::load_graph(folder.path("a.gcsr")).columns().empty());
}

TEST(Binary, UndirectedStaysSo) {
  const Folder folder;
  const LoadedGraph graph = gc::load_graph("kronecker:scale=9,degree=8");
  gc::save_graph(graph, folder.path("a.gcsr"));
  LoadOptions options;
  options.in_edges = options.in_edge_ids = true;
  const LoadedGraph again = gc::load_graph(folder.path("a.gcsr"), options);
  EXPECT_FALSE(again.directed());
  EXPECT_EQ(arcs_of(again), arcs_of(graph));
  expect_sound(again);
  options.user = gc::Directedness::directed;
  const LoadedGraph directed = gc::load_graph(folder.path("a.gcsr"), options);
  EXPECT_TRUE(directed.directed());
  EXPECT_EQ(arcs_of(directed), arcs_of(graph));
}

TEST(Binary, KeptInMemoryOrMapped) {
  const Folder folder;
  const LoadedGraph graph = gc::load_graph("kronecker:scale=10,degree=8,weights=1..9", weighted(ColumnType::int32));
  gc::save_graph(graph, folder.path("a.gcsr"));
  const std::string stored = contents(folder.path("a.gcsr"));
  LoadOptions options = weighted(ColumnType::int32);
  options.memory_limit = stored.size(); // too little for a second copy
  EXPECT_EQ(arcs_of(gc::load_graph(folder.path("a.gcsr"), options)), arcs_of(graph));
  options.memory_limit = 0;
  const LoadedGraph copied = gc::load_graph(folder.path("a.gcsr"), options);
  folder.write("a.gcsr", std::string(stored.size(), 'x')); // nothing reads the file any more
  EXPECT_EQ(arcs_of(copied), arcs_of(graph));
  expect_sound(copied);
}

TEST(Binary, Damage) {
  const Folder folder;
  gc::save_graph(gc::load_graph("grid:5x5"), folder.path("a.gcsr"));
  const std::string good = contents(folder.path("a.gcsr"));
  EXPECT_EQ(message(folder, folder.write("b.gcsr", good)), "");
  EXPECT_EQ(message(folder, folder.write("b.gcsr", good.substr(0, good.size() - 64))),
            "b.gcsr: the file has " + std::to_string(good.size() - 64) + " bytes, its header says " +
                std::to_string(good.size()));
  EXPECT_EQ(message(folder, folder.write("b.gcsr", good.substr(0, 100))), "b.gcsr: the header is truncated");
  EXPECT_EQ(message(folder, folder.write("b.gcsr", "0 1\n1 2\n")), "b.gcsr: not a .gcsr file");
  std::string bad = good;
  bad[8] = 9;
  EXPECT_EQ(message(folder, folder.write("b.gcsr", bad)), "b.gcsr: the file has version 9, this program reads 1 to 4");
  bad[8] = 3;
  EXPECT_EQ(
      message(folder, folder.write("b.gcsr", bad)),
      "b.gcsr: the file has version 3, a form of packed lists that is no longer read: make it again with 'gcompile "
      "convert GRAPH FILE.gcsr --adjacency=packed'");
  bad = good;
  bad[24] ^= 1; // the number of vertices
  EXPECT_EQ(message(folder, folder.write("b.gcsr", bad)), "b.gcsr: the header is corrupt");
  // Whatever single byte of the arrays changes, either it is noticed or it is padding.
  const std::size_t header = 64 * ((good.size() - 64 * ((26 * 8 + 63) / 64) - 64 * ((80 * 4 + 63) / 64)) / 64);
  for (std::size_t i = 0; i < 26 * 8; ++i) {
    bad = good;
    bad[header + i] ^= 4;
    EXPECT_NE(message(folder, folder.write("b.gcsr", bad)), "") << i;
  }
  const std::size_t targets = header + 64 * ((26 * 8 + 63) / 64);
  for (std::size_t i = 0; i < 80 * 4; ++i) {
    bad = good;
    bad[targets + i] ^= 4;
    EXPECT_NE(message(folder, folder.write("b.gcsr", bad)), "") << i;
  }
}

TEST(Binary, CannotWrite) {
  const Folder folder;
  try {
    gc::save_graph(gc::load_graph("path:3"), folder.path("no/a.gcsr"));
    FAIL() << "no error";
  } catch (const std::exception &error) {
    EXPECT_EQ(std::string(error.what()),
              folder.path("no/a.gcsr") + ": cannot be written: there is no folder " + folder.path("no"));
  }
}

} // namespace
