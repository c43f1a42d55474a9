// oracle check NAME GRAPH --directed|--undirected [--PARAMETER=VALUE]... [OUTPUT=FILE]...
// oracle compare EXPECTED FOUND [TOLERANCE]
// oracle generate SHAPE FILE
//
// Exits with 0 if the answer is right, and otherwise with 1 after printing the first difference.
#include "checks.h"
#include "values.h"

#include <cstdio>
#include <functional>

namespace oracle {

const std::string &Run::output(const std::string &name) const {
  auto found = outputs.find(name);
  if (found == outputs.end())
    throw Mismatch("the output '" + name + "' is missing");
  return found->second;
}

double Run::parameter(const std::string &name, double otherwise) const {
  auto found = parameters.find(name);
  return found == parameters.end() ? otherwise : std::stod(found->second);
}

std::string Run::file(const std::string &name) const {
  auto found = parameters.find(name);
  if (found == parameters.end() || found->second[0] != '@')
    throw Mismatch("the parameter '" + name + "' is no file");
  return found->second.substr(1);
}

int Run::vertex(const std::string &name) const {
  auto found = parameters.find(name);
  if (found == parameters.end())
    throw Mismatch("the parameter '" + name + "' is missing");
  return graph.find(std::stoll(found->second));
}

namespace {

const std::map<std::string, std::function<void(const Run &)>> checks = {
    {"apsp", checkApsp},
    {"apsp_paths", checkApspPaths},
    {"betweenness", checkBetweenness},
    {"bfs", checkBfs},
    {"boruvka", checkBoruvka},
    {"bottleneck", checkBottleneck},
    {"clustering", checkClustering},
    {"coloring", checkColoring},
    {"components", checkComponents},
    {"degree_histogram", checkDegreeHistogram},
    {"densest_subgraph", checkDensestSubgraph},
    {"diameter", checkDiameter},
    {"dijkstra", checkDijkstra},
    {"dominating_set", checkDominatingSet},
    {"hits", checkHits},
    {"kcore", checkKcore},
    {"ktruss", checkKtruss},
    {"label_propagation", checkLabelPropagation},
    {"mis", checkMis},
    {"pagerank", checkPagerank},
    {"personalised_pagerank", checkPersonalisedPagerank},
    {"residual_pagerank", checkResidualPagerank},
    {"prim", checkPrim},
    {"random_walks", checkRandomWalks},
    {"route", checkRoute},
    {"scc", checkScc},
    {"sssp", checkSssp},
    {"transitive_closure", checkTransitiveClosure},
    {"triangles", checkTriangles},
    {"widest_path", checkWidestPath}};

void check(const std::vector<std::string> &arguments) {
  auto found = arguments.size() > 3 ? checks.find(arguments[1]) : checks.end();
  if (found == checks.end() || (arguments[3] != "--directed" && arguments[3] != "--undirected"))
    throw Mismatch("usage: oracle check NAME GRAPH --directed|--undirected [--PARAMETER=VALUE]... [OUTPUT=FILE]...");
  Graph graph = readGraph(arguments[2], arguments[3] == "--directed");
  Run run{graph, {}, {}};
  for (std::size_t i = 4; i < arguments.size(); ++i) {
    std::size_t equals = arguments[i].find('=');
    if (equals == std::string::npos)
      throw Mismatch("'" + arguments[i] + "' is not NAME=VALUE");
    std::string name = arguments[i].substr(0, equals), value = arguments[i].substr(equals + 1);
    if (name.rfind("--", 0) == 0)
      run.parameters[name.substr(2)] = value;
    else
      run.outputs[name] = value;
  }
  found->second(run);
}

} // namespace

} // namespace oracle

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() >= 4 && arguments[0] == "check")
      oracle::check(arguments);
    else if (arguments.size() >= 3 && arguments[0] == "compare")
      oracle::compareFiles(arguments[1], arguments[2], arguments.size() > 3 ? std::stod(arguments[3]) : 0);
    else if (arguments.size() == 3 && arguments[0] == "generate")
      oracle::generate(arguments[1], arguments[2]);
    else
      throw oracle::Mismatch("usage: oracle check | compare | generate ...");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "oracle: %s\n", error.what());
    return 1;
  }
  return 0;
}
