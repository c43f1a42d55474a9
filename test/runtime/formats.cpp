// Every format that the loader reads, from small texts.
#include "helpers.h"

#include <cstring>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace {

using namespace test;
using gc::ColumnType;
using gc::Directedness;
using gc::LoadedGraph;
using gc::LoadOptions;

LoadOptions undirected() {
  LoadOptions options;
  options.user = Directedness::undirected;
  return options;
}

TEST(EdgeList, OnlyIdsThatOccurAreVertices) {
  const Folder folder;
  const LoadedGraph graph =
      gc::load_graph(folder.write("a.el", "# comment\n% another\n// third\n\n10 5\n5 7\r\n10\t10\n"));
  EXPECT_EQ(names_of(graph), (std::vector<std::string>{"5", "7", "10"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"5", "7"}, 0}, {{"10", "5"}, 0}, {{"10", "10"}, 0}}));
  EXPECT_TRUE(graph.directed());
  EXPECT_EQ(graph.num_edges(), 3);
  EXPECT_EQ(graph.vertex_bits(), 32);
}

TEST(EdgeList, Separators) {
  const Folder folder;
  const Arcs expected{{{"1", "2"}, 4}, {{"2", "3"}, 5}};
  for (const char *text : {"1 2 4\n2 3 5", "1,2,4\n2,3,5\n", "1\t2\t4\n2\t3\t5\n", "1;2;4\n2;3;5\n",
                           " 1 , 2 , 4 \n2, 3, 5\n", "source,target,weight\n1,2,4\n2,3,5\n",
                           "\xEF\xBB\xBF"
                           "1 2 4\r\n2 3 5\r\n"})
    EXPECT_EQ(arcs_of(gc::load_graph(folder.write("a.csv", text), weighted(ColumnType::int32))), expected) << text;
}

TEST(EdgeList, LargeSparseAndNegativeIds) {
  const Folder folder;
  const LoadedGraph graph =
      gc::load_graph(folder.write("a.el", "9223372036854775807 -9223372036854775808\n-3 5000000000\n"));
  EXPECT_EQ(names_of(graph),
            (std::vector<std::string>{"-9223372036854775808", "-3", "5000000000", "9223372036854775807"}));
  EXPECT_EQ(graph.ids().find(std::string_view("5000000000")), 2u);
  EXPECT_EQ(graph.ids().find(std::string_view("4")), std::nullopt);
}

TEST(EdgeList, TextIds) {
  const Folder folder;
  const LoadedGraph graph = gc::load_graph(folder.write("a.csv", "from,to,miles\nBGR,JFK,382\n\"New York\",BGR,10\n"),
                                           weighted(ColumnType::int64));
  EXPECT_EQ(names_of(graph), (std::vector<std::string>{"BGR", "JFK", "New York"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"BGR", "JFK"}, 382}, {{"New York", "BGR"}, 10}}));
  EXPECT_EQ(graph.ids().find(std::string_view("New York")), 2u);
}

TEST(EdgeList, QuotedFields) {
  const Folder folder;
  const auto names = [&](const std::string &name, const std::string &text) {
    return names_of(gc::load_graph(folder.write(name, text)));
  };
  const std::vector<std::string> cities{"New York", "Los Angeles"};
  EXPECT_EQ(names("a.csv", "\"New York\",\"Los Angeles\"\n"), cities);
  EXPECT_EQ(names("a.el", "\"New York\" \"Los Angeles\"\n"), cities);
  EXPECT_EQ(names("a.tsv", "\"New York\"\t\"Los Angeles\"\r\n"), cities);
  EXPECT_EQ(names("b.csv", "\"a\"\"b\",c\n"), (std::vector<std::string>{"a\"b", "c"}));
  EXPECT_EQ(names("b.el", "\"a, b\" \"c;d\"\n"), (std::vector<std::string>{"a, b", "c;d"}));
  EXPECT_EQ(names("c.csv", "c,\"\"\"\"\"\"\"\"\nc,\"\"\"\"\"\"\"\"\n"), (std::vector<std::string>{"c", "\"\"\""}));
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("d.csv", "\"1\",\"2\",\"0.5\"\n"), weighted(ColumnType::float64))),
            (Arcs{{{"1", "2"}, 0.5}}));
}

TEST(EdgeList, Headers) {
  const Folder folder;
  LoadOptions options;
  const std::string path = folder.write("a.csv", "alice,bob\ndave,1\n");
  EXPECT_EQ(gc::load_graph(path, options).num_edges(), 1);
  options.header = gc::HeaderLine::no;
  EXPECT_EQ(gc::load_graph(path, options).num_edges(), 2);
  options.header = gc::HeaderLine::yes;
  EXPECT_EQ(gc::load_graph(folder.write("b.csv", "one,two\nalice,bob\n"), options).num_edges(), 1);
  EXPECT_EQ(gc::load_graph(folder.write("c.csv", "one,two\n"), options).num_vertices(), 0u);
  options = LoadOptions();
  testing::internal::CaptureStderr();
  gc::load_graph(path, options);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  options.notes = true;
  testing::internal::CaptureStderr();
  gc::load_graph(path, options);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "note: " + path + ":1: this line is taken as a header: 'alice', 'bob'; --header=no makes it an edge\n");
}

/// Ids of blanks, quotes, separators, signs of comments, digits and several bytes each; no two are the same.
std::vector<std::string> random_ids(std::mt19937 &random, std::size_t count) {
  static const char *const parts[] = {" ",  "\"", ",", ";", "\t",       "#",           "%",
                                      "//", "1",  "a", "-", "\xC3\xA9", "\xE6\x9D\xB1"};
  std::set<std::string> ids;
  while (ids.size() < count) {
    std::string id;
    for (std::size_t length = 1 + random() % 5; length > 0; --length)
      id += parts[random() % std::size(parts)];
    ids.insert(id);
  }
  return {ids.begin(), ids.end()};
}

TEST(EdgeList, AnyIdIsReadBackFromItsField) {
  std::mt19937 random(5);
  const Folder folder;
  for (int round = 0; round < 10; ++round) {
    const std::vector<std::string> names = random_ids(random, 200);
    std::string characters;
    std::vector<std::uint64_t> ends;
    for (const std::string &name : names)
      ends.push_back((characters += name).size());
    const gc::VertexIds ids = gc::VertexIds::text(characters, ends);
    LoadOptions options;
    options.ids = gc::IdKind::text;
    options.header = gc::HeaderLine::no;
    for (const char separator : {',', ' '}) {
      std::string text;
      Arcs expected;
      for (std::size_t v = 0; v < names.size(); ++v) {
        const std::size_t u = random() % names.size();
        ids.append_field(v, text, /*begins_edge=*/true);
        text += separator;
        ids.append_field(u, text);
        text += '\n';
        expected.insert({{names[v], names[u]}, 0});
      }
      EXPECT_EQ(arcs_of(gc::load_graph(folder.write("a.csv", text), options)), expected) << text;
    }
  }
}

TEST(EdgeList, MarkOfUtf8) {
  const Folder folder;
  const std::string mark = "\xEF\xBB\xBF";
  for (const auto &[name, text] : {std::pair<const char *, const char *>{"a.el", "1 2\n2 1\n"},
                                   {"a.konect", "% asym\n1 2\n2 1\n"},
                                   {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n"},
                                   {"a.gr", "p sp 2 2\na 1 2 1\na 2 1 1\n"},
                                   {"a.graph", "2 1\n2\n1\n"},
                                   {"a.adj", "1 2\n2 1\n"}})
    EXPECT_EQ(arcs_of(gc::load_graph(folder.write(name, mark + text))), (Arcs{{{"1", "2"}, 0}, {{"2", "1"}, 0}}))
        << name;
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("a.el.gz", gzip(mark + "1 2\n")))), (Arcs{{{"1", "2"}, 0}}));
}

TEST(EdgeList, ColumnsByNameOrOrder) {
  const Folder folder;
  LoadOptions options;
  options.columns = {{"b", ColumnType::float64}};
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("a.csv", "x,y,a,b\n1,2,3,4.5\n"), options)), (Arcs{{{"1", "2"}, 4.5}}));
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("b.csv", "1,2,3,4.5\n"), options)), (Arcs{{{"1", "2"}, 3}}));
}

TEST(EdgeList, DuplicatesKeepTheSmallestValue) {
  const Folder folder;
  const std::string path = folder.write("a.wel", "1 2 7\n1 2 3\n2 1 5\n3 3 1\n");
  LoadOptions options = weighted(ColumnType::int32);
  EXPECT_EQ(arcs_of(gc::load_graph(path, options)), (Arcs{{{"1", "2"}, 3}, {{"2", "1"}, 5}, {{"3", "3"}, 1}}));
  options.user = Directedness::undirected;
  const LoadedGraph graph = gc::load_graph(path, options);
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"1", "2"}, 3}, {{"2", "1"}, 3}, {{"3", "3"}, 1}}));
  EXPECT_EQ(graph.num_edges(), 2);
  EXPECT_EQ(graph.dropped_arcs(), 4u);
  options.self_loops = gc::Keep::drop;
  EXPECT_EQ(gc::load_graph(path, options).num_edges(), 1);
  options.duplicates = gc::Keep::keep;
  options.user = Directedness::directed;
  EXPECT_EQ(arcs_of(gc::load_graph(path, options)), (Arcs{{{"1", "2"}, 3}, {{"1", "2"}, 7}, {{"2", "1"}, 5}}));
  EXPECT_EQ(gc::load_graph(path, options).dropped_arcs(), 0u);
}

TEST(EdgeList, ColumnTypes) {
  const Folder folder;
  const std::string path = folder.write("a.wel", "1 2 3\n");
  for (ColumnType type : {ColumnType::int32, ColumnType::int64, ColumnType::float32, ColumnType::float64})
    EXPECT_EQ(arcs_of(gc::load_graph(path, weighted(type))), (Arcs{{{"1", "2"}, 3}}));
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("b.wel", "1 2 -1.5e3\n"), weighted(ColumnType::float64))),
            (Arcs{{{"1", "2"}, -1500}}));
}

TEST(EdgeList, GeneratedWeightsAgreeInBothDirections) {
  const Folder folder;
  const std::string path = folder.write("a.el", "1 2\n2 3\n3 1\n2 1\n");
  const Arcs arcs = arcs_of(gc::load_graph(path + "?weights=1..255&seed=7", weighted(ColumnType::int32)));
  EXPECT_EQ(arcs.size(), 4u);
  for (const auto &[ends, value] : arcs) {
    EXPECT_GE(value, 1);
    EXPECT_LE(value, 255);
  }
  EXPECT_EQ(arcs.find({"1", "2"})->second, arcs.find({"2", "1"})->second);
}

TEST(EdgeList, Compressed) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += std::to_string(i) + " " + std::to_string(i * 7 % 20000) + "\n";
  const Arcs expected = arcs_of(gc::load_graph(folder.write("a.el", text)));
  EXPECT_EQ(expected.size(), 20000u);
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("a.el.gz", gzip(text)))), expected);
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("b.el.gz", gzip(text.substr(0, 1000)) + gzip(text.substr(1000))))),
            expected);
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("a.el.zst", zstd(text)))), expected);
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("a.el.xz", xz(text)))), expected);
}

TEST(Konect, HeaderSaysTheDirection) {
  const Folder folder;
  EXPECT_TRUE(gc::load_graph(folder.write("a.konect", "% asym weighted\n% 1 2 2\n1 2 3\n")).directed());
  const LoadedGraph graph = gc::load_graph(folder.write("b.konect", "% sym unweighted\n1 2\n"));
  EXPECT_FALSE(graph.directed());
  EXPECT_EQ(graph.num_arcs(), 2u);
}

const std::string banner = "%%MatrixMarket matrix coordinate ";

TEST(MatrixMarket, GeneralSymmetricAndSkew) {
  const Folder folder;
  const LoadedGraph general = gc::load_graph(folder.write("a.mtx", banner + "pattern general\n% c\n4 4 2\n1 2\n3 3\n"));
  EXPECT_EQ(general.num_vertices(), 4u);
  EXPECT_EQ(arcs_of(general), (Arcs{{{"1", "2"}, 0}, {{"3", "3"}, 0}}));
  const LoadedGraph symmetric = gc::load_graph(
      folder.write("b.mtx", banner + "real symmetric\n3 3 2\n2 1 0.5\n3 3 2\n"), weighted(ColumnType::float64));
  EXPECT_FALSE(symmetric.directed());
  EXPECT_EQ(arcs_of(symmetric), (Arcs{{{"1", "2"}, 0.5}, {{"2", "1"}, 0.5}, {{"3", "3"}, 2}}));
  const LoadedGraph skew = gc::load_graph(folder.write("c.mtx", banner + "integer skew-symmetric\n2 2 1\n2 1 4\n"),
                                          weighted(ColumnType::int32));
  EXPECT_TRUE(skew.directed());
  EXPECT_EQ(arcs_of(skew), (Arcs{{{"2", "1"}, 4}, {{"1", "2"}, -4}}));
}

TEST(Dimacs, ShortestPathWithAndWithoutHeader) {
  const Folder folder;
  const LoadedGraph graph =
      gc::load_graph(folder.write("a.gr", "c x\np sp 3 2\nc y\na 1 2 5\na 2 1 6\n"), weighted(ColumnType::int32));
  EXPECT_EQ(graph.num_vertices(), 3u);
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"1", "2"}, 5}, {{"2", "1"}, 6}}));
  const LoadedGraph bare = gc::load_graph(folder.write("b.gr", "a 0 2 5\n"), weighted(ColumnType::int32));
  EXPECT_EQ(arcs_of(bare), (Arcs{{{"0", "2"}, 5}}));
}

TEST(Dimacs, PaceAndColouring) {
  const Folder folder;
  const Arcs expected{{{"1", "2"}, 0}, {{"2", "1"}, 0}};
  for (const char *text : {"c x\np tw 3 1\n1 2\n", "p edge 3 1\ne 1 2\n", "p col 3 1\ne 1 2\n"}) {
    const LoadedGraph graph = gc::load_graph(folder.write("a.gr", text));
    EXPECT_EQ(graph.num_vertices(), 3u);
    EXPECT_FALSE(graph.directed());
    EXPECT_EQ(arcs_of(graph), expected);
  }
}

TEST(Metis, Variants) {
  const Folder folder;
  const Arcs plain{{{"1", "2"}, 0}, {{"2", "1"}, 0}, {{"2", "3"}, 0}, {{"3", "2"}, 0}};
  for (const char *text : {"% c\n4 2\n2\n1 3\n2\n\n", "4 2 0\n2\n1 3\n% c\n2\n", "4 2 10\n7 2\n7 1 3\n7 2\n7\n",
                           "4 2 11 2\n7 7 2 1\n7 7 1 1 3 1\n7 7 2 1\n7 7\n", "4 2 100\n9 2\n9 1 3\n9 2\n9\n"}) {
    const LoadedGraph graph = gc::load_graph(folder.write("a.graph", text));
    EXPECT_EQ(graph.num_vertices(), 4u) << text;
    EXPECT_FALSE(graph.directed()) << text;
    EXPECT_EQ(arcs_of(graph), plain) << text;
  }
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("b.graph", "2 1 1\n2 9\n1 9\n"), weighted(ColumnType::int32))),
            (Arcs{{{"1", "2"}, 9}, {{"2", "1"}, 9}}));
  const LoadedGraph directed = gc::load_graph(folder.write("c.graph", "3 2\n2 3\n\n\n"));
  EXPECT_TRUE(directed.directed());
  EXPECT_EQ(arcs_of(directed), (Arcs{{{"1", "2"}, 0}, {{"1", "3"}, 0}}));
}

TEST(WebGraph, SuccessorsByLine) {
  const Folder folder;
  const LoadedGraph graph = gc::load_graph(folder.write("a.graph-txt", "3\n1 2\n\n0 \n"));
  EXPECT_EQ(graph.num_vertices(), 3u);
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"0", "1"}, 0}, {{"0", "2"}, 0}, {{"2", "0"}, 0}}));
}

TEST(Adjacency, VerticesWithoutSuccessors) {
  const Folder folder;
  const LoadedGraph graph = gc::load_graph(folder.write("a.adj", "1 20 3\n7\n3 1\n"));
  EXPECT_EQ(names_of(graph), (std::vector<std::string>{"1", "3", "7", "20"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"1", "3"}, 0}, {{"1", "20"}, 0}, {{"3", "1"}, 0}}));
}

TEST(Ldbc, PairOfFiles) {
  const Folder folder;
  folder.write("a.v", "9\n2\n40000000000\n");
  const std::string edges = folder.write("a.e", "2 9 0.5\n");
  for (const std::string &path : {edges, folder.path("a.v")}) {
    const LoadedGraph graph = gc::load_graph(path, weighted(ColumnType::float64));
    EXPECT_EQ(names_of(graph), (std::vector<std::string>{"2", "9", "40000000000"}));
    EXPECT_EQ(arcs_of(graph), (Arcs{{{"2", "9"}, 0.5}}));
  }
  folder.write("b.v.gz", gzip("x\ny\nz\n"));
  const LoadedGraph named = gc::load_graph(folder.write("b.e", "z x\n"));
  EXPECT_EQ(names_of(named), (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(arcs_of(named), (Arcs{{{"z", "x"}, 0}}));
  // Vertices without edges.
  folder.write("c.v", "7\n3\n");
  for (const char *text : {"", "\n", "# none\n\n"}) {
    const LoadedGraph alone = gc::load_graph(folder.write("c.e", text), weighted(ColumnType::float64));
    EXPECT_EQ(names_of(alone), (std::vector<std::string>{"3", "7"}));
    EXPECT_EQ(arcs_of(alone), Arcs());
  }
}

template <class T> void put(std::string &bytes, T value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

std::string gap_file(bool directed, const std::vector<std::int64_t> &offsets, const std::vector<std::int32_t> &lists,
                     std::int64_t arcs) {
  std::string bytes;
  put<std::uint8_t>(bytes, directed);
  put<std::int64_t>(bytes, arcs);
  put<std::int64_t>(bytes, static_cast<std::int64_t>(offsets.size()) - 1);
  for (int side = 0; side < (directed ? 2 : 1); ++side) {
    for (std::int64_t offset : offsets)
      put(bytes, offset);
    for (std::int32_t v : lists)
      put(bytes, v);
  }
  return bytes;
}

TEST(Gap, SerializedGraphs) {
  const Folder folder;
  // The in-lists are not read, so that the out-lists may stand for them here.
  const LoadedGraph directed = gc::load_graph(folder.write("a.sg", gap_file(true, {0, 2, 2, 3}, {1, 2, 0}, 3)));
  EXPECT_EQ(arcs_of(directed), (Arcs{{{"0", "1"}, 0}, {{"0", "2"}, 0}, {{"2", "0"}, 0}}));
  const LoadedGraph graph =
      gc::load_graph(folder.write("a.wsg", gap_file(false, {0, 1, 2}, {1, 9, 0, 9}, 2)), weighted(ColumnType::int32));
  EXPECT_FALSE(graph.directed());
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"0", "1"}, 9}, {{"1", "0"}, 9}}));
  const std::string good = gap_file(false, {0, 1, 2}, {1, 0}, 2);
  EXPECT_EQ(message(folder, folder.write("b.sg", good.substr(0, good.size() - 1))),
            "b.sg: the file has 48 bytes, which does not fit the 2 vertices and 2 arcs that it declares");
  EXPECT_EQ(message(folder, folder.write("c.sg", gap_file(false, {0, 3, 2}, {1, 0}, 2))),
            "c.sg: corrupt offsets at vertex 0");
  EXPECT_EQ(message(folder, folder.write("d.sg", gap_file(false, {0, 1, 2}, {1, 5}, 2))),
            "d.sg: vertex id 5 is out of range: the file declares 0 to 1");
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("f.wsg", gap_file(false, {0, 2, 3, 4}, {1, 9, 2, -7, 0, 9, 0, -7}, 4)),
                                   weighted(ColumnType::float64))),
            (Arcs{{{"0", "1"}, 9}, {{"0", "2"}, -7}, {{"1", "0"}, 9}, {{"2", "0"}, -7}}));
  // Arrays that do not serve as they are: lists out of order, twice the same neighbour, ends that disagree about the
  // weight (the smaller id's list counts), an arc that one end does not know.
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("g.sg", gap_file(false, {0, 3, 4, 6}, {2, 1, 2, 0, 0, 0}, 6)))),
            (Arcs{{{"0", "1"}, 0}, {{"0", "2"}, 0}, {{"1", "0"}, 0}, {{"2", "0"}, 0}}));
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("h.wsg", gap_file(false, {0, 1, 2}, {1, 9, 0, 8}, 2)),
                                   weighted(ColumnType::int32))),
            (Arcs{{{"0", "1"}, 9}, {{"1", "0"}, 9}}));
  EXPECT_EQ(arcs_of(gc::load_graph(folder.write("i.sg", gap_file(false, {0, 1, 2, 2}, {1, 2}, 2)))),
            (Arcs{{{"0", "1"}, 0}, {{"1", "0"}, 0}, {{"1", "2"}, 0}, {{"2", "1"}, 0}}));
  EXPECT_EQ(message(folder, folder.write("e.sg", "short")), "e.sg: not an .sg file: the header is truncated");
}

TEST(Load, InEdgesAndBits) {
  const Folder folder;
  const std::string path = folder.write("a.el", "1 2\n1 3\n3 2\n2 2\n4 1\n2 1\n");
  LoadOptions options;
  options.in_edges = options.in_edge_ids = true;
  for (int bits : {32, 64}) {
    options.vertex_bits = bits;
    for (Directedness direction : {Directedness::directed, Directedness::undirected}) {
      options.user = direction;
      const LoadedGraph graph = gc::load_graph(path, options);
      EXPECT_EQ(graph.vertex_bits(), bits);
      EXPECT_EQ(graph.num_edges(), direction == Directedness::directed ? 6 : 5);
      expect_sound(graph);
    }
  }
}

TEST(Load, ProgramsDirection) {
  const Folder folder;
  LoadOptions options;
  options.program = Directedness::undirected;
  EXPECT_FALSE(gc::load_graph(folder.write("a.el", "1 2\n"), options).directed());
  EXPECT_EQ(gc::load_graph(folder.path("a.el"), undirected()).num_arcs(), 2u);
  options.user = Directedness::directed;
  EXPECT_EQ(message(folder, folder.path("a.el"), options),
            "the program is for undirected graphs: --directed cannot be used");
}

} // namespace
