// Trees that are right pass the checks of Graph500, and each of five kinds of damage is refused, by the check for it.
#include "protocol.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <queue>

#include <gtest/gtest.h>

#include <unistd.h>

namespace {

using namespace graph500;
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Arc {
  Vertex to;
  double length;
};

/// A graph, and the tree of Dijkstra's algorithm from its first root: by levels or by lengths.
struct Case {
  Edges edges = kronecker(9, 4, 7);
  bool weighted;
  std::vector<std::vector<Arc>> arcs;
  Tree tree;
  std::vector<int> children;

  explicit Case(bool weighted) : weighted(weighted), arcs(edges.num_vertices) {
    for (std::size_t e = 0; e < edges.weights.size(); ++e) {
      const Vertex u = edges.sources[e], v = edges.targets[e];
      const double length = weighted ? static_cast<double>(edges.weights[e]) : 1;
      arcs[u].push_back({v, length});
      arcs[v].push_back({u, length});
    }
    tree.root = draw_roots(edges, 1, 7).at(0);
    tree.parent.assign(edges.num_vertices, no_vertex);
    tree.distance.assign(edges.num_vertices, infinite);
    std::priority_queue<std::pair<double, Vertex>, std::vector<std::pair<double, Vertex>>, std::greater<>> queue;
    tree.parent[tree.root] = tree.root;
    tree.distance[tree.root] = 0;
    for (queue.emplace(0, tree.root); !queue.empty();) {
      const auto [distance, u] = queue.top();
      queue.pop();
      if (distance == tree.distance[u])
        for (const Arc &arc : arcs[u])
          if (distance + arc.length < tree.distance[arc.to]) {
            tree.distance[arc.to] = distance + arc.length;
            tree.parent[arc.to] = u;
            queue.emplace(distance + arc.length, arc.to);
          }
    }
    children.assign(edges.num_vertices, 0);
    for (Vertex v = 0; v < tree.parent.size(); ++v)
      if (tree.parent[v] != no_vertex && v != tree.root)
        ++children[tree.parent[v]];
  }

  bool inside(Vertex v) const { return tree.parent[v] != no_vertex && v != tree.root; }
  bool leaf(Vertex v) const { return inside(v) && children[v] == 0; }
  bool adjacent(Vertex u, Vertex v) const {
    for (const Arc &arc : arcs[u])
      if (arc.to == v)
        return true;
    return false;
  }
  /// The first vertex that is as wanted.
  Vertex first(const std::function<bool(Vertex)> &wanted) const {
    for (Vertex v = 0; v < edges.num_vertices; ++v)
      if (wanted(v))
        return v;
    throw std::runtime_error("the graph has no such vertex");
  }
  /// A leaf with a neighbour that is no farther than it, and along whose edge it is not reached.
  std::pair<Vertex, Arc> detour() const {
    for (Vertex v = 0; v < edges.num_vertices; ++v)
      if (leaf(v))
        for (const Arc &arc : arcs[v]) {
          const bool reaches = tree.distance[arc.to] + shortest(v, arc.to) == tree.distance[v];
          if (arc.to != v && inside(arc.to) && !reaches && tree.distance[arc.to] <= tree.distance[v])
            return {v, {arc.to, shortest(v, arc.to)}};
        }
    throw std::runtime_error("the graph has no detour");
  }
  double shortest(Vertex u, Vertex v) const {
    double length = infinite;
    for (const Arc &arc : arcs[u])
      if (arc.to == v)
        length = std::min(length, arc.length);
    return length;
  }
  Findings check() const { return check_tree(edges, tree, weighted); }
};

/// The tree is refused, and by that check alone.
void expect_refused(const Findings &findings, Check check) {
  EXPECT_FALSE(findings.sound());
  for (std::size_t i = 0; i < num_checks; ++i)
    EXPECT_EQ(findings.faults[i] > 0, i == static_cast<std::size_t>(check)) << findings.text();
}

class Trees : public testing::TestWithParam<bool> {
protected:
  Case damaged{GetParam()};
  Tree &tree = damaged.tree;
};

TEST_P(Trees, RightOnesPass) {
  const Findings findings = damaged.check();
  EXPECT_TRUE(findings.sound()) << findings.text();
  std::uint64_t inside = 0;
  for (std::size_t e = 0; e < damaged.edges.weights.size(); ++e)
    inside += tree.parent[damaged.edges.sources[e]] != no_vertex;
  EXPECT_EQ(findings.edges, inside);
  EXPECT_GT(inside, damaged.edges.num_vertices);
}

TEST_P(Trees, ACycleIsRefused) {
  // A vertex hangs on its own child: neither leads to the root any more.
  const Vertex child = damaged.first([&](Vertex v) { return damaged.inside(v) && tree.parent[v] != tree.root; });
  tree.parent[tree.parent[child]] = child;
  const Findings findings = damaged.check();
  EXPECT_FALSE(findings.sound());
  EXPECT_GE(findings.of(Check::tree), 2u) << findings.text();
}

TEST_P(Trees, AStepOfTheWrongLengthIsRefused) {
  const auto [v, arc] = damaged.detour();
  tree.parent[v] = arc.to; // an edge of the graph, but not one along which the distance was found
  expect_refused(damaged.check(), Check::steps);
}

TEST_P(Trees, AnEdgeThatSpansTooMuchIsRefused) {
  const auto [v, arc] = damaged.detour();
  tree.parent[v] = arc.to; // a tree, but not of shortest paths
  tree.distance[v] = tree.distance[arc.to] + arc.length;
  expect_refused(damaged.check(), Check::edges);
}

TEST_P(Trees, ALostVertexIsRefused) {
  const Vertex v = damaged.first([&](Vertex w) { return damaged.leaf(w); });
  tree.parent[v] = no_vertex;
  tree.distance[v] = infinite;
  expect_refused(damaged.check(), Check::component);
}

TEST_P(Trees, AParentWithoutAnEdgeIsRefused) {
  Vertex stranger = no_vertex;
  const Vertex v = damaged.first([&](Vertex w) {
    if (!damaged.leaf(w))
      return false;
    for (Vertex u = 0; u < tree.parent.size() && stranger == no_vertex; ++u)
      if (damaged.inside(u) && u != w && !damaged.adjacent(u, w) &&
          (GetParam() ? tree.distance[u] < tree.distance[w] : tree.distance[u] + 1 == tree.distance[w]))
        stranger = u;
    return stranger != no_vertex;
  });
  tree.parent[v] = stranger;
  expect_refused(damaged.check(), Check::joined);
}

TEST_P(Trees, OtherNonsenseIsRefused) {
  const auto refused = [&](const std::function<void(Tree &)> &damage) {
    const Tree kept = tree;
    damage(tree);
    EXPECT_GT(damaged.check().of(Check::tree), 0u);
    tree = kept;
  };
  const Vertex leaf = damaged.first([&](Vertex w) { return damaged.leaf(w); });
  const Vertex outside = damaged.first([&](Vertex w) { return tree.parent[w] == no_vertex; });
  refused([&](Tree &t) { t.parent[leaf] = leaf; });
  refused([&](Tree &t) { t.parent[leaf] = outside; });
  refused([&](Tree &t) { t.parent[leaf] = t.parent.size(); });
  refused([&](Tree &t) { t.distance[leaf] = infinite; });
  refused([&](Tree &t) { t.distance[leaf] = std::nan(""); });
  refused([&](Tree &t) { t.distance[outside] = 3; });
  refused([&](Tree &t) { t.distance[t.root] = 1; });
  refused([&](Tree &t) { t.parent[t.root] = no_vertex; });
  refused([&](Tree &t) { t.parent.pop_back(); });
  EXPECT_TRUE(damaged.check().sound());
}

/// A tree of levels that says no more than its parents.
class Parents : public testing::Test {
protected:
  void SetUp() override { given = damaged.tree, damaged.tree.distance.clear(); }
  Findings with_parent(Vertex v, Vertex parent) {
    const Tree kept = damaged.tree;
    damaged.tree.parent[v] = parent;
    const Findings findings = damaged.check();
    damaged.tree = kept;
    return findings;
  }
  Case damaged{false};
  Tree given;
};

TEST_F(Parents, RightOnesPass) {
  EXPECT_TRUE(damaged.check().sound());
  EXPECT_EQ(damaged.check().edges, check_tree(damaged.edges, given, false).edges);
}

TEST_F(Parents, DamagedOnesAreRefused) {
  const Tree &tree = damaged.tree;
  const Vertex child = damaged.first([&](Vertex v) { return damaged.inside(v) && tree.parent[v] != tree.root; });
  EXPECT_GE(with_parent(tree.parent[child], child).of(Check::tree), 2u);
  const Vertex leaf = damaged.first([&](Vertex v) { return damaged.leaf(v); });
  expect_refused(with_parent(leaf, no_vertex), Check::component);
  damaged.tree.distance = given.distance; // to find what damages it
  const auto [v, arc] = damaged.detour();
  const Vertex stranger = damaged.first([&, w = v](Vertex u) {
    return damaged.inside(u) && !damaged.adjacent(u, w) && given.distance[u] + 1 == given.distance[w];
  });
  damaged.tree.distance.clear();
  expect_refused(with_parent(v, arc.to), Check::edges);
  expect_refused(with_parent(v, stranger), Check::joined);
  EXPECT_TRUE(damaged.check().sound());
  damaged.weighted = true; // lengths do not follow from parents
  EXPECT_GT(damaged.check().of(Check::tree), 0u);
}

INSTANTIATE_TEST_SUITE_P(LevelsAndLengths, Trees, testing::Bool(),
                         [](const auto &info) { return info.param ? "Lengths" : "Levels"; });

/// A folder as Linux shows energy counters in.
class Powercap : public testing::Test {
protected:
  void SetUp() override {
    for (const char *name : {"intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0", "dtpm"})
      std::filesystem::create_directories(folder / name);
    for (const char *name : {"intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0"})
      write(name, "max_energy_range_uj", 9000000);
    show(1000000, 8000000);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write(const char *name, const char *file, long value) { std::ofstream(folder / name / file) << value << "\n"; }
  void show(long first, long second) {
    write("intel-rapl:0", "energy_uj", first);
    write("intel-rapl:1", "energy_uj", second);
    write("intel-rapl:0:0", "energy_uj", first); // a part of the first
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("graph500_powercap_" + std::to_string(getpid()));
};

TEST_F(Powercap, CountsPackagesAndTheGpu) {
  EnergyMeter meter("0000:17:00.0", folder, NVML_STUB);
  ASSERT_TRUE(meter.readable());
  meter.start();
  show(3000000, 1000000); // the second has wrapped around
  const Joules joules = meter.stop();
  EXPECT_DOUBLE_EQ(joules.processors.value(), 2 + 2);
  EXPECT_DOUBLE_EQ(joules.gpu.value(), 2.5);
}

TEST_F(Powercap, SaysWhatItCannotRead) {
  const std::string none = folder / "none";
  EXPECT_FALSE(EnergyMeter("0000:17:00.0", none, none).readable());
  EXPECT_FALSE(EnergyMeter("0000:99:00.0", none, NVML_STUB).readable()); // no such GPU
  EXPECT_FALSE(EnergyMeter("", none, NVML_STUB).readable());             // no GPU is used
  EnergyMeter processors("", folder, NVML_STUB);
  ASSERT_TRUE(processors.readable());
  processors.start();
  EXPECT_FALSE(processors.stop().gpu.has_value());
  EnergyMeter gpu("0000:17:00.0", none, NVML_STUB);
  ASSERT_TRUE(gpu.readable());
  gpu.start();
  EXPECT_FALSE(gpu.stop().processors.has_value());
  EXPECT_DOUBLE_EQ(gpu.stop().gpu.value(), 2 * 2.5); // the second look since start()
}

TEST(EdgeListOfAKroneckerGraph, IsTheSameOnAnyNumberOfThreads) {
  const Edges list = kronecker(8, 16, 3);
  EXPECT_EQ(list.num_vertices, 256u);
  EXPECT_EQ(list.sources.size(), 16u * 256);
  EXPECT_EQ(list.targets.size(), 16u * 256);
  std::vector<int> degree(256, 0);
  for (std::size_t e = 0; e < list.weights.size(); ++e) {
    EXPECT_GT(list.weights[e], 0);
    EXPECT_LT(list.weights[e], 1);
    ++degree.at(list.sources[e]);
    ++degree.at(list.targets[e]);
  }
  EXPECT_GT(*std::max_element(degree.begin(), degree.end()), 8 * 32); // far from uniform
  EXPECT_EQ(kronecker(8, 16, 3).sources, list.sources);
  EXPECT_EQ(kronecker(8, 16, 3).targets, list.targets);
  EXPECT_NE(kronecker(8, 16, 4).sources, list.sources);
  EXPECT_NE(kronecker(8, 16, 4).targets, list.targets);
}

TEST(Roots, AreDifferentAndNotAlone) {
  Edges list;
  list.num_vertices = 6;
  list.sources = {0, 3, 4, 0};
  list.targets = {3, 5, 4, 3}; // 4 has nothing but a loop
  std::vector<Vertex> roots = draw_roots(list, 64, 1);
  std::sort(roots.begin(), roots.end());
  EXPECT_EQ(roots, (std::vector<Vertex>{0, 3, 5}));
  EXPECT_EQ(draw_roots(list, 2, 1).size(), 2u);
}

TEST(StatisticsOfRuns, AreThoseOfTheSpecification) {
  const Statistics times = statistics_of({7, 1, 6, 2, 5, 3, 4}, false);
  EXPECT_EQ(times.minimum, 1);
  EXPECT_EQ(times.first_quartile, 2);
  EXPECT_EQ(times.median, 4);
  EXPECT_EQ(times.third_quartile, 6);
  EXPECT_EQ(times.maximum, 7);
  EXPECT_EQ(times.mean, 4);
  EXPECT_NEAR(times.deviation, 2.160247, 1e-6);
  const Statistics rates = statistics_of({4, 1, 2}, true);
  EXPECT_NEAR(rates.mean, 12.0 / 7, 1e-12);
  EXPECT_NEAR(rates.deviation, 0.793560, 1e-6);
  const Statistics one = statistics_of({5}, true);
  EXPECT_EQ(one.third_quartile, 5);
  EXPECT_EQ(one.mean, 5);
  EXPECT_EQ(one.deviation, 0);
  EXPECT_EQ(statistics_of({1, 2}, false).median, 1.5);
}

} // namespace
