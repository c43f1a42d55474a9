// Whole algorithms of the headers: components, triangles, vertices in the order of a priority.
#include "small_graph.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <set>
#include <string>

namespace {

template <class V> std::vector<V> components(const gc::Graph<V> &graph) {
  std::vector<V> parent(graph.num_vertices());
  std::iota(parent.begin(), parent.end(), V(0));
  std::function<V(V)> find = [&](V v) { return parent[v] == v ? v : parent[v] = find(parent[v]); };
  for (V u = 0; u < graph.num_vertices(); ++u)
    for (const V v : graph.out_neighbors(u)) {
      const V a = find(u), b = find(v);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (V v = 0; v < graph.num_vertices(); ++v)
    find(v);
  return parent;
}

template <class V> void check_components(SmallGraph<V> g) {
  for (const bool transposed : {true, false}) {
    if (!transposed)
      g.graph.in_offsets = nullptr, g.graph.in_sources = nullptr, g.graph.in_edges = nullptr;
    const std::vector<V> expected = components(g.graph);
    std::vector<V> label(g.graph.num_vertices());
    std::iota(label.begin(), label.end(), V(0));
    gc::connect_components(g.graph, label.data());
    EXPECT_EQ(label, expected);
    std::vector<double> value(g.graph.num_vertices()), least(g.graph.num_vertices(), 1e9);
    for (V v = 0; v < g.graph.num_vertices(); ++v) {
      value[v] = static_cast<double>((v * 7919) % 10007);
      least[expected[v]] = std::min(least[expected[v]], value[v]);
    }
    gc::spread_minimum(g.graph, value.data());
    for (V v = 0; v < g.graph.num_vertices(); ++v)
      EXPECT_EQ(value[v], least[expected[v]]);
  }
}

TEST(Components, AgreeWithUnionFind) {
  check_components(random_graph<std::uint32_t>(5000, 3000, true, false, 1));
  check_components(random_graph<std::uint32_t>(5000, 12000, false, true, 2));
  check_components(random_graph<std::uint64_t>(3000, 2500, true, true, 3));
  check_components(SmallGraph<std::uint32_t>(1, {}, false));
  check_components(SmallGraph<std::uint32_t>(3, {{2, 1, 1}}, true));
}

template <class V> std::int64_t triangles(const gc::Graph<V> &graph) {
  std::int64_t count = 0;
  for (V u = 0; u < graph.num_vertices(); ++u)
    for (const V v : graph.out_neighbors(u))
      for (const V w : graph.out_neighbors(v))
        if (u < v && v < w)
          count += gc::contains(graph.out_neighbors(u), w);
  return count;
}

TEST(Triangles, AgreeWithTheDefinition) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::mt19937 random(seed); // some of the edges are self-loops
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>> edges;
    auto often_small = [&] {
      return static_cast<std::uint32_t>(3000 * std::pow(static_cast<double>(random()) / 4294967296.0, 8));
    };
    for (int i = 0; i < 200000; ++i)
      edges.push_back({often_small(), often_small(), 1});
    const SmallGraph<std::uint32_t> skewed(3000, edges, false);
    EXPECT_TRUE(gc::detail::is_skewed(skewed.graph));
    EXPECT_EQ(gc::count_triangles(skewed.graph), triangles(skewed.graph));
    const auto even = random_graph<std::uint64_t>(300, 4000, false, false, seed);
    EXPECT_FALSE(gc::detail::is_skewed(even.graph));
    EXPECT_EQ(gc::count_triangles(even.graph), triangles(even.graph));
  }
  EXPECT_EQ(gc::count_triangles(SmallGraph<std::uint32_t>(0, {}, false).graph), 0);
}

TEST(Triangles, OfShortListsBesideLongOnes) {
  // Most vertices have few neighbours, which are compared; hubs with all numbers are searched.
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>> edges;
    const std::uint32_t n = 3000, hubs[] = {0, n / 3, n / 3 + 1, n / 2, n - 1};
    for (std::uint32_t v = 0; v < n; ++v) {
      for (const std::uint32_t hub : hubs)
        if (random() % 3 != 0)
          edges.push_back({v, hub, 1}); // some are self-loops
      edges.push_back({v, static_cast<std::uint32_t>((v + 1 + random() % 4) % n), 1});
      edges.push_back({v, static_cast<std::uint32_t>(random() % n), 1});
    }
    SmallGraph<std::uint32_t> g(n, edges, false);
    EXPECT_FALSE(gc::detail::is_skewed(g.graph));
    EXPECT_EQ(gc::count_triangles(g.graph), triangles(g.graph));
  }
}

TEST(Triangles, OfACliqueWithAPath) {
  // All long lists stand side by side, among many more short ones.
  for (const std::uint32_t first : {0, 20000, 59800}) {
    const std::uint32_t n = 60000, clique = 200;
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>> edges;
    for (std::uint32_t v = 1; v < n; ++v)
      edges.push_back({v - 1, v, 1});
    for (std::uint32_t a = 0; a < clique; ++a)
      for (std::uint32_t b = a + 2; b < clique; ++b)
        edges.push_back({first + a, first + b, 1});
    SmallGraph<std::uint32_t> g(n, edges, false);
    EXPECT_FALSE(gc::detail::is_skewed(g.graph));
    EXPECT_EQ(gc::count_triangles(g.graph), 200 * 199 * 198 / 6);
  }
}

TEST(Triangles, RepeatedEdgesCountAsTheyAreWritten) {
  // sum(u -> v where u < v : count(w in u.neighbors & v.neighbors where v < w)), where neighbours are a set.
  for (const bool skewed : {false, true}) {
    auto g = random_graph<std::uint32_t>(200, 6000, false, skewed, 5);
    const auto targets = g.out_targets;
    const auto offsets = g.out_offsets;
    g.out_targets.clear();
    std::int64_t expected = 0;
    for (std::uint32_t u = 0; u < 200; ++u) {
      const std::set<std::uint32_t> near(targets.begin() + offsets[u], targets.begin() + offsets[u + 1]);
      for (const std::uint32_t v : near) {
        const int times = (u + v) % 3 == 0 ? 3 : 1;
        g.out_targets.insert(g.out_targets.end(), times, v);
        for (gc::ArcId k = offsets[v]; u < v && k < offsets[v + 1]; ++k)
          expected += v < targets[k] && near.count(targets[k]) != 0 ? times : 0;
      }
      g.out_offsets[u + 1] = g.out_targets.size();
    }
    g.graph.out_targets = g.out_targets.data();
    EXPECT_EQ(gc::count_triangles(g.graph), expected);
  }
}

template <class P, class V> void check_ordered(const SmallGraph<V> &g, double delta, P unit, int threads) {
  const gc::Graph<V> &graph = g.graph;
  std::vector<P> dist(graph.num_vertices(), gc::inf<P>()), expected = dist;
  std::priority_queue<std::pair<P, V>, std::vector<std::pair<P, V>>, std::greater<>> queue;
  queue.push({expected[0] = 0, 0});
  while (!queue.empty()) {
    const auto [d, u] = queue.top();
    queue.pop();
    for (gc::ArcId e = graph.out_begin(u); d == expected[u] && e < graph.out_end(u); ++e)
      if (gc::update_min(expected[graph.target(e)], d + unit * static_cast<P>(g.weights[e])))
        queue.push({expected[graph.target(e)], graph.target(e)});
  }
  dist[0] = 0;
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  gc::Buckets<V, P> buckets;
  buckets.order_by(graph, dist.data(), 3 * delta); // a run that is given up leaves nothing
  buckets.end_with_all({V(0)});
  buckets.start(gc::VertexSet<V>::of(graph.num_vertices(), {V(0), V(1), V(2)}));
  EXPECT_TRUE(buckets.advance());
  buckets.order_by(graph, dist.data(), delta, 1000);
  buckets.start(gc::VertexSet<V>::of(graph.num_vertices(), {V(0)}));
  while (buckets.advance())
    gc::parallel(buckets.wide(), [&](const auto &mine) {
      auto bins = buckets.bins();
      for (V u; bins.next(u);)
        for (gc::ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e) {
          const V v = graph.target(e);
          if (mine.atomic_min(dist[v], static_cast<P>(gc::load(dist[u]) + unit * static_cast<P>(g.weights[e]))))
            bins.push(v);
        }
    });
  omp_set_num_threads(before);
  EXPECT_EQ(dist, expected);
}

/// The same with lists that seem to stay in a file.
template <class P, class V> void check_swept(SmallGraph<V> g, P unit, int threads) {
  g.graph.out_offsets = g.out_offsets.data();
  g.graph.out_targets = g.out_targets.data();
  g.graph.lists_in_file = true;
  check_ordered<P>(g, 8, unit, threads);
}

TEST(Buckets, AgreeWithDijkstra) {
  const auto g = random_graph<std::uint32_t>(2000, 9000, true, false, 4);
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>> path;
  for (std::uint32_t v = 0; v < 3000; ++v)
    path.push_back({v, v + 1, static_cast<std::int32_t>(v % 7 + 1)});
  const SmallGraph<std::uint32_t> line(3001, path, true);
  for (const int threads : {1, 2, 4}) {
    for (const double delta : {1.0, 8.0, 37.0, 100000.0})
      check_ordered<std::int32_t>(g, delta, 1, threads);
    check_ordered<std::int64_t>(g, 16, std::int64_t(1) << 40, threads); // far beyond one window of buckets
    check_ordered<double>(g, 0.25, 0.001, threads);
    check_ordered<double>(g, 1e-9, 1000.0, threads);
    check_ordered<std::int32_t>(line, 1, 1, threads);
  }
}

TEST(Buckets, GoByTheFileWhereListsStayThere) {
  const auto g = random_graph<std::uint32_t>(3000, 300000, true, false, 6); // several spans
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>> back;
  for (std::uint32_t v = 0; v < 3000; ++v)
    back.push_back({v == 0 ? 0 : 3001 - v, 3000 - v, static_cast<std::int32_t>(v % 7 + 1)});
  const SmallGraph<std::uint32_t> against_it(3001, back, true);
  for (const int threads : {1, 2, 4}) {
    check_swept<std::int32_t>(g, 1, threads);
    check_swept<double>(g, 0.001, threads);
    check_swept<std::int64_t>(against_it, std::int64_t(1) << 40, threads);
  }
}

/// Widest paths, which take the greatest priorities first: `weight` of an arc's weight is how wide the arc is.
template <class P, class Weight> void check_widest(double delta, int threads, Weight weight) {
  const auto g = random_graph<std::uint32_t>(2000, 9000, true, false, 5);
  const gc::Graph<std::uint32_t> &graph = g.graph;
  std::vector<P> width(graph.num_vertices(), gc::lowest<P>());
  width[0] = gc::inf<P>();
  std::vector<P> expected = width;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t u = 0; u < graph.num_vertices(); ++u)
      for (gc::ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e)
        changed |= gc::update_max(expected[graph.target(e)], std::min<P>(expected[u], weight(g.weights[e])));
  }
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  gc::Buckets<std::uint32_t, gc::Greatest<P>> buckets;
  buckets.order_by(graph, width.data(), delta, 1000);
  buckets.start(gc::VertexSet<std::uint32_t>::of(graph.num_vertices(), {0u}));
  while (buckets.advance())
    gc::parallel(buckets.wide(), [&](const auto &mine) {
      auto bins = buckets.bins();
      for (std::uint32_t u; bins.next(u);)
        for (gc::ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e)
          if (mine.atomic_max(width[graph.target(e)], std::min<P>(gc::load(width[u]), weight(g.weights[e]))))
            bins.push(graph.target(e));
    });
  omp_set_num_threads(before);
  EXPECT_EQ(width, expected);
}

TEST(Buckets, TakeTheGreatestFirst) {
  for (const int threads : {1, 2, 4}) {
    for (const double delta : {1.0, 8.0, 37.0})
      check_widest<std::int32_t>(delta, threads, [](std::int32_t w) { return w - 100; });
    // From one end of the numbers to the other: the distance of two buckets has 64 bits.
    check_widest<std::int64_t>(1, threads, [](std::int32_t w) { return (w - 128) * (std::int64_t(1) << 55); });
    check_widest<double>(0.25, threads, [](std::int32_t w) { return 0.1 * w - 9; });
  }
}

TEST(Buckets, WidthOfTheDefault) {
  const auto g = random_graph<std::uint32_t>(100, 1000, true, false, 9);
  EXPECT_GE(gc::choose_delta<std::int32_t>(g.graph, g.weights.data()), 1);
  EXPECT_LE(gc::choose_delta<std::int32_t>(g.graph, g.weights.data()), 255);
  EXPECT_EQ(gc::choose_delta<std::int32_t>(g.graph), 1);
  // A cycle: the ends of arcs have one arc each. 7 times the weight; for whole priorities a power of two.
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>> cycle;
  for (std::uint32_t v = 0; v < 100; ++v)
    cycle.emplace_back(v, (v + 1) % 100, 1);
  const SmallGraph<std::uint32_t> ring(100, cycle, true);
  const std::vector<std::int32_t> weights(100, 30);
  EXPECT_EQ(gc::choose_delta<std::int32_t>(ring.graph, weights.data()), 256);
  EXPECT_EQ(gc::choose_delta<double>(ring.graph, weights.data()), 210);
  EXPECT_EQ(gc::choose_delta<double>(ring.graph, std::vector<double>(100, 0.0).data()), 1);
  std::vector<double> unbounded(100, 30.0);
  unbounded[3] = gc::inf<double>(); // is no part of the mean
  EXPECT_EQ(gc::choose_delta<double>(ring.graph, unbounded.data()), 210);
  const std::vector<double> huge(100, 1e308); // their sum is infinite
  EXPECT_LT(gc::choose_delta<double>(ring.graph, huge.data()), gc::inf<double>());
  EXPECT_EQ(gc::choose_delta<std::int64_t>(ring.graph, huge.data()), std::exp2(62));
  EXPECT_EQ(gc::PriorityLevels<double>(1e300).of(5e300), 5);
  // A hub of 1000 arcs and their ways back: half of the ends have 1000. A 32nd of the weight.
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>> star;
  for (std::uint32_t v = 1; v <= 1000; ++v) {
    star.emplace_back(0, v, 1);
    star.emplace_back(v, 0, 1);
  }
  const SmallGraph<std::uint32_t> hub(1001, star, true);
  EXPECT_EQ(gc::choose_delta<double>(hub.graph, std::vector<double>(2000, 64.0).data()), 2);
}

} // namespace
