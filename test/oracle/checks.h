// One check for each example program. Every check reads the program's outputs and throws Mismatch at the first
// difference.
#pragma once

#include "graph.h"

#include <map>
#include <string>

namespace oracle {

/// A checked run: the graph, the program's parameters (`root`, `rounds`, ...) and its outputs (name to file).
struct Run {
  const Graph &graph;
  std::map<std::string, std::string> parameters;
  std::map<std::string, std::string> outputs;

  /// The file of an output. Throws Mismatch if it was not given.
  const std::string &output(const std::string &name) const;
  /// A parameter, or `otherwise` if it was not given.
  double parameter(const std::string &name, double otherwise) const;
  /// The file of a parameter with a value for each vertex. Throws Mismatch if it was not given.
  std::string file(const std::string &name) const;
  /// A parameter that names a vertex.
  int vertex(const std::string &name) const;
};

/// The smallest vertex of every vertex's weak component.
std::vector<int> weakComponents(const Graph &graph);

void checkBfs(const Run &run);
void checkSssp(const Run &run);
void checkRoute(const Run &run);
void checkComponents(const Run &run);
void checkScc(const Run &run);
void checkBetweenness(const Run &run);
void checkApsp(const Run &run);
void checkApspPaths(const Run &run);
void checkTransitiveClosure(const Run &run);
void checkDijkstra(const Run &run);
void checkWidestPath(const Run &run);
void checkBottleneck(const Run &run);

void checkPagerank(const Run &run);
void checkPersonalisedPagerank(const Run &run);
void checkResidualPagerank(const Run &run);
void checkHits(const Run &run);
void checkRandomWalks(const Run &run);
void checkDiameter(const Run &run);

void checkTriangles(const Run &run);
void checkDegreeHistogram(const Run &run);
void checkKcore(const Run &run);
void checkKtruss(const Run &run);
void checkClustering(const Run &run);
void checkLabelPropagation(const Run &run);
void checkColoring(const Run &run);
void checkMis(const Run &run);
void checkDensestSubgraph(const Run &run);
void checkDominatingSet(const Run &run);

void checkPrim(const Run &run);
void checkBoruvka(const Run &run);

/// Writes a small graph of the given shape as `u v w` lines with weights 1..100. Throws Mismatch for an unknown shape.
void generate(const std::string &shape, const std::string &path);

} // namespace oracle
