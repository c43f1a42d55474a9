// Real graphs: their sizes as computed by other means (stats.tsv), and one graph in seven formats.
#include "helpers.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace {

using namespace test;
using gc::LoadedGraph;
using gc::LoadOptions;

std::string shared_data() {
  const char *folder = std::getenv("GCOMPILE_SHARED_DATA");
  return folder ? folder : SHARED_DATA;
}

std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');)
    fields.push_back(field);
  return fields;
}

std::uint64_t num_self_loops(const LoadedGraph &graph) {
  const auto &g = graph.view<std::uint32_t>();
  std::uint64_t loops = 0;
  for (std::uint32_t v = 0; v < g.n; ++v)
    for (std::uint32_t u : g.out_neighbors(v))
      loops += u == v;
  return loops;
}

TEST(SharedData, Statistics) {
  std::ifstream table(shared_data() + "/stats.tsv");
  if (!table)
    GTEST_SKIP() << "no real graphs at " << shared_data();
  std::string line;
  std::getline(table, line);
  const std::vector<std::string> names = split(line);
  int files = 0;
  while (std::getline(table, line)) {
    const std::vector<std::string> fields = split(line);
    const auto field = [&](const char *name) {
      return fields.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    };
    const auto number = [&](const char *name) { return std::stoll(field(name)); };
    const std::string path = shared_data() + "/" + field("file");
    SCOPED_TRACE(path);
    ++files;

    // As it is stored: every entry of a directed file, each edge of an undirected one.
    LoadOptions options;
    options.duplicates = gc::Keep::keep;
    const LoadedGraph stored = gc::load_graph(path, options);
    EXPECT_EQ(stored.num_vertices(), static_cast<std::uint64_t>(number("n")));
    EXPECT_EQ(stored.num_edges(), number("m"));
    EXPECT_EQ(num_self_loops(stored), static_cast<std::uint64_t>(number("self_loops")));

    options.duplicates = gc::Keep::standard;
    options.user = gc::Directedness::undirected;
    options.self_loops = gc::Keep::drop;
    const LoadedGraph simple = gc::load_graph(path, options);
    EXPECT_EQ(simple.num_vertices(), static_cast<std::uint64_t>(number("n")));
    EXPECT_EQ(simple.num_edges(), number("simple_undirected_edges"));
    const auto &g = simple.view<std::uint32_t>();
    std::int64_t max_degree = 0;
    for (std::uint32_t v = 0; v < g.n; ++v)
      max_degree = std::max<std::int64_t>(max_degree, g.degree(v));
    const auto column =
        std::find_if(names.begin(), names.end(), [](const auto &name) { return name.rfind("max_", 0) == 0; });
    ASSERT_NE(column, names.end());
    EXPECT_EQ(max_degree, number(column->c_str()));
  }
  EXPECT_GE(files, 40);
}

/// Arcs without self-loops, by ids from `first` on moved to 0.
Arcs relabelled(const LoadedGraph &graph, std::int64_t first, bool weights) {
  Arcs arcs;
  for (const auto &[ends, value] : arcs_of(graph))
    if (ends.first != ends.second)
      arcs.emplace(std::make_pair(std::to_string(std::stoll(ends.first) - first),
                                  std::to_string(std::stoll(ends.second) - first)),
                   weights ? value : 0);
  return arcs;
}

TEST(SharedData, OneGraphInSevenFormats) {
  const std::string folder = shared_data() + "/gapbs-test/graphs/";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no real graphs at " << shared_data();
  const Arcs plain = relabelled(gc::load_graph(folder + "4.el"), 0, false);
  EXPECT_EQ(plain.size(), 53u);
  for (const char *name : {"4.gr", "4.graph", "4.mtx", "4w.graph", "4w.mtx"})
    EXPECT_EQ(relabelled(gc::load_graph(folder + name), 1, false), plain) << name;
  const LoadOptions options = weighted(gc::ColumnType::int32);
  const Arcs heavy = relabelled(gc::load_graph(folder + "4.wel", options), 0, true);
  EXPECT_EQ(heavy.size(), 53u);
  for (const char *name : {"4.gr", "4w.graph", "4w.mtx"})
    EXPECT_EQ(relabelled(gc::load_graph(folder + name, options), 1, true), heavy) << name;
}

TEST(SharedData, LdbcExamples) {
  const std::string folder = shared_data() + "/ldbc-graphalytics/";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no real graphs at " << shared_data();
  LoadOptions options;
  options.format = "adjacency";
  EXPECT_EQ(arcs_of(gc::load_graph(folder + "example/example-directed-input", options)),
            arcs_of(gc::load_graph(folder + "example/example-directed.v")));
  LoadOptions undirected;
  undirected.user = gc::Directedness::undirected;
  const LoadedGraph graph = gc::load_graph(folder + "example/example-undirected.e", undirected);
  EXPECT_EQ(graph.num_vertices(), 9u);
  EXPECT_EQ(graph.num_edges(), 12);
  EXPECT_EQ(arcs_of(gc::load_graph(folder + "example/example-undirected-input", options)), arcs_of(graph));
}

} // namespace
