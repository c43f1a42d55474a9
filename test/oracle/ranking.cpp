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

void checkResidualPagerank(const Run &run) {
  const Graph &graph = run.graph;
  const double damping = run.parameter("damping", 0.85), bound = run.parameter("bound", 1e-3);
  const int n = graph.size();
  std::vector<double> rank(n, (1 - damping) / n);
  for (double rest = 1; rest > 1e-14; rest *= damping) { // what is left of the fixpoint, of each rank
    std::vector<double> next(n, (1 - damping) / n);
    for (int u = 0; u < n; ++u)
      for (const Arc &arc : graph.out[u])
        next[arc.target] += damping * rank[u] / static_cast<double>(graph.out[u].size());
    rank = next;
  }
  // The ranks only grow, and what all vertices may keep is that part of what each has by itself.
  const std::vector<double> found = readNumbers(run.output("rank"), graph);
  for (int v = 0; v < n; ++v)
    if (found[v] > rank[v] * (1 + 1e-9))
      fail("rank", graph, v, "it is above that of the fixpoint");
  compare("rank", graph, rank, found, bound / (1 - damping) + 1e-9);
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

/// The language's hash: the finaliser of splitmix64 over each value in turn, without the sign.
static std::int64_t hashOf(std::initializer_list<std::uint64_t> values) {
  std::uint64_t state = 0;
  for (std::uint64_t value : values) {
    state += 0x9e3779b97f4a7c15u + value;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    state ^= state >> 31;
  }
  return static_cast<std::int64_t>(state >> 1);
}

void checkRandomWalks(const Run &run) {
  const Graph &graph = run.graph;
  const auto steps = static_cast<std::uint64_t>(run.parameter("steps", 10)),
             seed = static_cast<std::uint64_t>(run.parameter("seed", 27));
  std::vector<double> visits(graph.size());
  std::vector<int> end(graph.size());
  for (int walk = 0; walk < graph.size(); ++walk) {
    int at = walk;
    for (std::uint64_t step = 0; step < steps; ++step) {
      const std::vector<Arc> &list = graph.out[at];
      const std::int64_t drawn = hashOf({static_cast<std::uint64_t>(walk), step, seed});
      at = list.empty() ? walk : list[static_cast<std::size_t>(drawn) % list.size()].target;
      ++visits[at];
    }
    end[walk] = at;
  }
  compare("visits", graph, visits, readNumbers(run.output("visits"), graph), 0);
  const std::vector<int> found = readVertices(run.output("end"), graph);
  for (int v = 0; v < graph.size(); ++v)
    if (found[v] != end[v])
      fail("end", graph, v, "expected " + std::to_string(graph.ids[end[v]]));
}

} // namespace oracle
