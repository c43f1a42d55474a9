// PageRank and HITS by plain power iteration.
#include "checks.h"
#include "values.h"

#include <cmath>

namespace oracle {

/// `start`: where the surfer begins, and begins again; it adds up to 1.
static void checkRank(const Run &run, const std::vector<double> &start) {
  const Graph &graph = run.graph;
  const double damping = run.parameter("damping", 0.85), tolerance = run.parameter("tolerance", 1e-4);
  const int rounds = static_cast<int>(run.parameter("rounds", 20)), n = graph.size();
  std::vector<double> rank = start;
  double change = infinity;
  for (int round = 0; round < rounds && change >= tolerance; ++round) {
    std::vector<double> next(n);
    for (int v = 0; v < n; ++v)
      next[v] = (1 - damping) * start[v];
    for (int u = 0; u < n; ++u)
      for (const Arc &arc : graph.out[u])
        next[arc.target] += damping * rank[u] / static_cast<double>(graph.out[u].size());
    change = 0;
    for (int v = 0; v < n; ++v)
      change += std::abs(next[v] - rank[v]);
    rank = next;
  }
  compare("rank", graph, rank, readNumbers(run.output("rank"), graph), 1e-10);
}

void checkPagerank(const Run &run) {
  const int n = run.graph.size();
  checkRank(run, std::vector<double>(n, 1.0 / n));
}

void checkPersonalisedPagerank(const Run &run) {
  std::vector<double> start = readNumbers(run.file("interest"), run.graph);
  double total = 0;
  for (double interest : start)
    total += interest;
  for (double &interest : start)
    interest /= total;
  checkRank(run, start);
}

void checkHits(const Run &run) {
  const Graph &graph = run.graph;
  const int rounds = static_cast<int>(run.parameter("rounds", 20)), n = graph.size();
  std::vector<double> hub(n, 1), authority(n, 1);
  auto normalise = [](std::vector<double> &values) {
    double squares = 0;
    for (double value : values)
      squares += value * value;
    if (squares > 0)
      for (double &value : values)
        value /= std::sqrt(squares);
  };
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> nextAuthority(n), nextHub(n);
    for (int u = 0; u < n; ++u)
      for (const Arc &arc : graph.out[u])
        nextAuthority[arc.target] += hub[u];
    normalise(nextAuthority);
    for (int u = 0; u < n; ++u)
      for (const Arc &arc : graph.out[u])
        nextHub[u] += nextAuthority[arc.target];
    normalise(nextHub);
    hub = nextHub;
    authority = nextAuthority;
  }
  compare("hub", graph, hub, readNumbers(run.output("hub"), graph), 1e-9);
  compare("authority", graph, authority, readNumbers(run.output("authority"), graph), 1e-9);
}

} // namespace oracle
