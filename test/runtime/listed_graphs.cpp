// GML and GraphML: what is read, and what is refused.
#include "helpers.h"

#include <gtest/gtest.h>

namespace {

using namespace test;
using gc::ColumnType;
using gc::LoadedGraph;
using gc::LoadOptions;

LoadOptions all_columns() {
  LoadOptions options;
  options.all_columns = true;
  return options;
}

LoadOptions two_columns(const char *first, const char *second) {
  LoadOptions options;
  options.columns = {{first, ColumnType::float64}, {second, ColumnType::float64}};
  return options;
}

LoadOptions named(gc::IdKind ids) {
  LoadOptions options;
  options.ids = ids;
  return options;
}

const char *const gml = "Creator \"a [ program ]\"\r\n"
                        "# a comment ]\n"
                        "graph [ directed 1 comment \"two\nlines\"\n"
                        "  edge [ source 7 target 10 weight 3 id 5 length 2.5 label \"x\" ]\n"
                        "  node [ id 10 label \"New York\" graphics [ x 1 fill [ a 2 ] ] ]\n"
                        "  node [id 007 label\"LA\"]node[id +3 label \"\xC3\xA9\"]\n"
                        "  edge [ source 10 target 7 length -0.5 weight 4]\n"
                        "]\n";

TEST(Gml, Graph) {
  const Folder folder;
  const std::string path = folder.write("a.gml", gml);
  const LoadedGraph graph = gc::load_graph(path, weighted(ColumnType::int32));
  EXPECT_TRUE(graph.directed());
  EXPECT_EQ(names_of(graph), (std::vector<std::string>{"3", "7", "10"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"7", "10"}, 3}, {{"10", "7"}, 4}}));
  EXPECT_EQ(arcs_of(gc::load_graph(path, two_columns("length", "weight"))),
            (Arcs{{{"7", "10"}, 2.5}, {{"10", "7"}, -0.5}}));
  // Without those names: in the order of the first edge.
  EXPECT_EQ(arcs_of(gc::load_graph(path, two_columns("cost", "time"))), (Arcs{{{"7", "10"}, 3}, {{"10", "7"}, 4}}));
  const LoadedGraph all = gc::load_graph(path, all_columns());
  ASSERT_EQ(all.columns().size(), 2u);
  EXPECT_EQ(all.columns()[0].name, "weight");
  EXPECT_EQ(all.columns()[0].type, ColumnType::int32);
  EXPECT_EQ(all.columns()[1].type, ColumnType::float64);
}

TEST(Gml, LabelsAndDirection) {
  const Folder folder;
  EXPECT_EQ(names_of(gc::load_graph(folder.write("a.gml", gml), named(gc::IdKind::text))),
            (std::vector<std::string>{"New York", "LA", "\xC3\xA9"}));
  const LoadedGraph graph =
      gc::load_graph(folder.write("b.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"));
  EXPECT_FALSE(graph.directed());
  EXPECT_EQ(graph.num_edges(), 1);
  EXPECT_EQ(gc::load_graph(folder.write("c.gml", "graph [ node [ id 5 ] ]"), weighted(ColumnType::int64)).num_arcs(),
            0u);
}

const std::string head = "<?xml version='1.0' encoding='utf-8' ?>\n<!DOCTYPE graphml>\n<!-- <graph> -->\n"
                         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                         "<key id=\"d0\" for=\"node\" attr.name=\"weight\" attr.type=\"int\"/>\n"
                         "<key id=\"d1\" for=\"edge\" attr.name=\"length\" attr.type=\"double\"><desc>miles</desc>"
                         "<default> 1.5 </default></key>\n"
                         "<key id=\"d2\" for=\"edge\" attr.name=\"kind\" attr.type=\"string\"/>\n"
                         "<key id=\"d3\" attr.name=\"weight\" attr.type=\"long\"/>\n";
const std::string graphml = head +
                            "<graph id=\"G\" edgedefault=\"undirected\">\n"
                            "<edge source=\"n0\" target=\"&lt;n&#x41;&#233;&gt;\"><data key=\"d3\">3</data></edge>\n"
                            "<node id=\"n0\"><data key=\"d0\">9</data></node><node id=\"&lt;n&#65;\xC3\xA9&gt;\"/>\n"
                            "<y:node xmlns:y='u' id='n2' />\n"
                            "<edge source=\"n2\" target=\"n0\"><data key=\"d2\">x<![CDATA[</edge>]]></data>"
                            "<data key=\"d3\">\n 4\n</data><data key=\"d1\">0.25</data></edge>\n"
                            "</graph>\n</graphml>\n";

TEST(GraphMl, Graph) {
  const Folder folder;
  const std::string path = folder.write("a.graphml", graphml), second = "<nA\xC3\xA9>";
  const LoadedGraph graph = gc::load_graph(path, weighted(ColumnType::int32));
  EXPECT_FALSE(graph.directed());
  EXPECT_EQ(names_of(graph), (std::vector<std::string>{"n0", second, "n2"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{{"n0", second}, 3}, {{second, "n0"}, 3}, {{"n0", "n2"}, 4}, {{"n2", "n0"}, 4}}));
  EXPECT_EQ(arcs_of(gc::load_graph(path, two_columns("length", "weight"))),
            (Arcs{{{"n0", second}, 1.5}, {{second, "n0"}, 1.5}, {{"n0", "n2"}, 0.25}, {{"n2", "n0"}, 0.25}}));
  const LoadedGraph all = gc::load_graph(path, all_columns());
  ASSERT_EQ(all.columns().size(), 2u);
  EXPECT_EQ(all.columns()[0].name, "length");
  EXPECT_EQ(all.columns()[0].type, ColumnType::float64);
  EXPECT_EQ(all.columns()[1].type, ColumnType::int64);
}

TEST(GraphMl, DirectionAndIds) {
  const Folder folder;
  const auto load = [&](const std::string &text, const LoadOptions &options = {}) {
    return gc::load_graph(folder.write("a.graphml", text), options);
  };
  const std::string nodes = "<node id='10'/><node id='9'/>";
  EXPECT_TRUE(load("<graphml><graph edgedefault='directed'>" + nodes + "</graph></graphml>").directed());
  const std::string turned = "<graphml><graph edgedefault='directed'>" + nodes +
                             "<edge source='9' target='10' directed='false'/></graph></graphml>";
  EXPECT_FALSE(load(turned).directed());
  EXPECT_EQ(names_of(load(turned)), (std::vector<std::string>{"10", "9"}));
  EXPECT_EQ(names_of(load(turned, named(gc::IdKind::integer))), (std::vector<std::string>{"9", "10"}));
}

TEST(BadInput, Gml) {
  const std::pair<std::string, const char *> cases[] = {
      {"Version 1\n", "a.gml: the file has no 'graph [ ... ]'"},
      {"graph 5\n", "a.gml:1: expected '[' after 'graph'"},
      {"graph [\n", "a.gml:1: 'graph' has no closing ']'"},
      {"graph [ ]\ngraph [ ]\n", "a.gml:2: the file holds a second graph"},
      {"graph [ ]\n7 [ ]\n", "a.gml:2: expected a key, found '7'"},
      {"graph [ ] ]\n", "a.gml:1: expected a key, found ']'"},
      {"a [ b [ c 1 ]\n", "a.gml:1: '[' has no closing ']'"},
      {"graph [\ndirected 2 ]", "a.gml:2: directed is 0 or 1, not '2'"},
      {"graph [\ncomment \"x ]", "a.gml:2: a text has no closing quote"},
      {"graph [\ncomment ]", "a.gml:2: there is no value of 'comment'"},
      {"graph [\nnode [ label \"a\" ] ]", "a.gml:2: the node has no id"},
      {"graph [\nnode [ id \"a\" ] ]", "a.gml:2: expected a whole number after 'id'"},
      {"graph [\nnode [ id a1 ] ]", "a.gml:2: expected a vertex id, found 'a1'"},
      {"graph [ node [ id 1 ]\nnode [ id 01 ] ]", "a.gml:2: vertex '1' is listed twice"},
      {"graph [ node [ id 1 ]\nedge [ source 1 ] ]", "a.gml:2: the edge has no target"},
      {"graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]", "a.gml:2: vertex '2' is not in the file"},
      {"graph [ node [ id 1 ]\r]", "a.gml:1: a carriage return (CR) stands without a line feed (LF); lines end with "
                                   "LF or CR LF"},
  };
  for (const auto &[text, expected] : cases) {
    const Folder folder;
    EXPECT_EQ(message(folder, folder.write("a.gml", text)), expected) << text;
  }
  const Folder folder;
  const std::string edges = "graph [ node [ id 1 ]\nedge [ source 1 target 1 weight 3 ]\nedge [ source 1 target 1 ",
                    end = "] ]";
  const auto weight = [&](const std::string &text) {
    LoadOptions options = weighted(ColumnType::int32);
    options.nonnegative = {"weight"};
    return message(folder, folder.write("a.gml", edges + text + end), options);
  };
  const std::string rest = " has no weight, which the program reads; add the column or give --weights=LO..HI, as in "
                           "--weights=1..255";
  EXPECT_EQ(weight(""), "a.gml:3: edge 1 1" + rest);
  EXPECT_EQ(weight("weight 2.5"), "a.gml:3: real value 2.5 where the program wants weight to be an int");
  EXPECT_EQ(weight("weight x"), "a.gml:3: expected weight, found 'x'");
  EXPECT_EQ(weight("weight 2;3"), "a.gml:3: expected weight, found '2;3'");
  EXPECT_EQ(weight("weight -2"), "a.gml:3: weight -2 of edge 1 1 is negative, which the program does not allow");
  EXPECT_EQ(message(folder, folder.write("b.gml", "graph [ node [ id 1 ]\nedge [ source 1 target 1 ] ]"),
                    weighted(ColumnType::int32)),
            "b.gml:2: the file" + rest);
  const LoadOptions labels = named(gc::IdKind::text);
  EXPECT_EQ(message(folder, folder.write("c.gml", "graph [\nnode [ id 1 ] ]"), labels),
            "c.gml:2: node 1 has no label, which --ids=text asks for");
  EXPECT_EQ(
      message(folder, folder.write("d.gml", "graph [ node [ id 1 label \"a\" ]\nnode [ id 2 label \"a\" ] ]"), labels),
      "d.gml:2: two vertices are called 'a'");
  std::string many;
  for (int i = 0; i < 17; ++i)
    many += " w" + std::to_string(i) + " 1";
  EXPECT_EQ(message(folder, folder.write("e.gml", "graph [ node [ id 1 ]\nedge [ source 1 target 1" + many + " ] ]"),
                    all_columns()),
            "e.gml:2: edges have 17 numbers, a graph holds at most 16; choose some with --column=NAME:TYPE");
}

TEST(BadInput, GraphMl) {
  const std::string open = "<graphml>\n<key id='w' attr.type='int'/><graph edgedefault='directed'>\n<node id='a'/>";
  const std::pair<std::string, const char *> cases[] = {
      {"words", "a.graphml:1: expected the element 'graphml'"},
      {"<html></html>", "a.graphml:1: expected the element 'graphml'"},
      {"<graphml></graphml>", "a.graphml: the file has no element 'graph'"},
      {"<graphml>\n<graph edgedefault='directed'>\n", "a.graphml:2: the element 'graph' does not end"},
      {"<graphml>\n<graph edgedefault='both'/></graphml>",
       "a.graphml:2: edgedefault is directed or undirected, not 'both'"},
      {"<graphml>\n<graph/></graphml>", "a.graphml:2: edgedefault is directed or undirected, not ''"},
      {open + "\n</graphml>", "a.graphml:4: </graphml> ends no element that has begun: expected </graph>"},
      {open + "</graph>\n<graph edgedefault='directed'/></graphml>", "a.graphml:4: the file holds a second graph"},
      {open + "</graph></graphml>\n<more/>", "a.graphml:4: expected the end of the file behind </graphml>"},
      {open + "</graph></graphml></x>", "a.graphml:3: </x> ends no element that has begun"},
      {open + "\n<node/></graph></graphml>", "a.graphml:4: the node has no id"},
      {open + "\n<node id='a'/></graph></graphml>", "a.graphml:4: vertex 'a' is listed twice"},
      {open + "\n<node id='&b;'/></graph></graphml>", "a.graphml:4: '&' begins no character that is known: '&b;'"},
      {open + "\n<node id='&#0;'/></graph></graphml>", "a.graphml:4: '&' begins no character that is known: '&#0;'"},
      {open + "\n<node id=b/></graph></graphml>", "a.graphml:4: attribute 'id' has no value in quotes"},
      {open + "\n<node id/></graph></graphml>", "a.graphml:4: attribute 'id' has no value"},
      {open + "\n<node id='b/></graph></graphml>", "a.graphml:4: the value of attribute 'id' has no closing quote"},
      {open + "\n<node id='b' <", "a.graphml:4: expected a name, found '<'"},
      {open + "\n<node id='b'", "a.graphml:4: the tag of 'node' has no '>'"},
      {open + "\n<!-- x", "a.graphml:4: expected '-->' before the end of the file"},
      {open + "\n<edge source='a'/></graph></graphml>", "a.graphml:4: the edge has no target"},
      {open + "\n<edge source='a' target='b'/></graph></graphml>", "a.graphml:4: vertex 'b' is not in the file"},
      {open + "<edge source='a' target='a'/>\n<edge source='a' target='a' directed='false'/></graph></graphml>",
       "a.graphml:4: some edges are directed and some are not; a graph has one kind"},
      {open + "\n<edge source='a' target='a' directed='no'/></graph></graphml>",
       "a.graphml:4: directed is true or false, not 'no'"},
      {open + "\n<hyperedge/></graph></graphml>", "a.graphml:4: edges with more than two ends are not supported"},
      {open + "\n<node id='b'><graph edgedefault='directed'/></node></graph></graphml>",
       "a.graphml:4: a graph inside of a node is not supported"},
      {"<graphml>\n<key attr.type='int'/></graphml>", "a.graphml:2: the key has no id"},
      {"<?xml version='1.0' encoding='latin1'?><graphml/>", "a.graphml:1: the file is in latin1, not in UTF-8"},
      {"<!DOCTYPE graphml [ <!ENTITY a 'b'> ]><graphml/>",
       "a.graphml:1: a document type with declarations of its own is not supported"},
  };
  for (const auto &[text, expected] : cases) {
    const Folder folder;
    EXPECT_EQ(message(folder, folder.write("a.graphml", text)), expected) << text;
  }
  const Folder folder;
  const auto weight = [&](const std::string &text) {
    return message(
        folder, folder.write("a.graphml", open + "\n<edge source='a' target='a'>" + text + "</edge></graph></graphml>"),
        weighted(ColumnType::int32));
  };
  EXPECT_EQ(weight(""), "a.graphml:4: edge a a has no weight, which the program reads; add the column or give "
                        "--weights=LO..HI, as in --weights=1..255");
  EXPECT_EQ(weight("<data key='w'>x</data>"), "a.graphml:4: expected weight, found 'x'");
  EXPECT_EQ(weight("<data key='w'>1 2</data>"), "a.graphml:4: expected weight, found '1 2'");
  EXPECT_EQ(weight("<data key='w'><b/></data>"), "a.graphml:4: expected a number as w");
  EXPECT_EQ(weight("<data key='w'>7</data>"), "");
  EXPECT_EQ(message(folder,
                    folder.write("b.graphml", "<graphml>\n<graph edgedefault='directed'><node id='a'/>"
                                              "<edge source='a' target='a'/></graph></graphml>"),
                    weighted(ColumnType::int32)),
            "b.graphml:2: the file has no weight, which the program reads; add the column or give --weights=LO..HI, as "
            "in --weights=1..255");
  EXPECT_EQ(message(folder, folder.path("a.graphml"), named(gc::IdKind::integer)),
            "a.graphml:3: vertex 'a' is not called by a whole number");
}

} // namespace
