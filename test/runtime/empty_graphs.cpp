// Graphs without vertices, in every format that has a text.
#include "helpers.h"

#include <cstring>

#include <gtest/gtest.h>

namespace {

using namespace test;
using gc::ColumnType;
using gc::LoadedGraph;
using gc::LoadOptions;

TEST(EmptyGraph, FilesWithoutVertices) {
  const Folder folder;
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  const std::pair<const char *, std::string> files[] = {
      {"a.el", ""},
      {"b.el", "# nothing\n\n"},
      {"c.el", "\xEF\xBB\xBF"},
      {"a.csv", "src,dst\n"},
      {"a.konect", "% sym\n"},
      {"a.mtx", banner + "pattern general\n0 0 0\n"},
      {"a.gr", "p sp 0 0\n"},
      {"a.graph", "0 0\n"},
      {"a.graph-txt", "0\n"},
      {"a.adj", "# none\n"},
      {"a.gml", "graph []"},
      {"a.graphml", "<graphml><graph edgedefault='directed'/></graphml>"},
      {"a.el.gz", gzip("")},
  };
  for (const auto &[name, text] : files)
    for (const bool in_edges : {false, true}) {
      LoadOptions options = weighted(ColumnType::int32);
      if (std::strcmp(name, "a.el") != 0)
        options.weights = "1..9";
      options.in_edges = options.in_edge_ids = in_edges;
      const LoadedGraph graph = gc::load_graph(folder.write(name, text), options);
      EXPECT_EQ(graph.num_vertices(), 0u) << name;
      EXPECT_EQ(graph.num_edges(), 0) << name;
      EXPECT_EQ(graph.view<std::uint32_t>().out_offsets[0], 0u) << name;
      EXPECT_EQ(graph.ids().find(std::string_view("1")), std::nullopt) << name;
    }
}

} // namespace
