// The work lists of asynchronous propagates, each with many threads, against the plainest code that gives the same
// answer. The same file is built with ThreadSanitizer.
#include "in_threads.h"
#include "small_graph.h"

#include <gcompile/omp/async/shares.h>
#include <gcompile/omp/async/worklist.h>
#include <gtest/gtest.h>

#include <atomic>
#include <queue>
#include <random>
#include <utility>

namespace {

using V = std::uint32_t;

/// Random arcs and a long path through all vertices, with weights 0..9.
SmallGraph<V> graph_with_path(V n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::tuple<V, V, std::int32_t>> arcs;
  auto weight = [&] { return static_cast<std::int32_t>(random() % 10); };
  for (V v = 0; v + 1 < n; ++v)
    arcs.push_back({v, v + 1, weight()});
  for (V i = 0; i < 3 * n; ++i)
    arcs.push_back({static_cast<V>(random() % n), static_cast<V>(random() % n), weight()});
  return SmallGraph<V>(n, arcs, true);
}
std::vector<int> dijkstra(const SmallGraph<V> &g, V source) {
  std::vector<int> dist(g.graph.num_vertices(), gc::greatest<int>());
  std::priority_queue<std::pair<int, V>, std::vector<std::pair<int, V>>, std::greater<>> queue;
  dist[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    auto [d, u] = queue.top();
    queue.pop();
    for (gc::ArcId e = g.graph.out_begin(u); d == dist[u] && e < g.graph.out_end(u); ++e)
      if (V v = g.graph.target(e); d + g.weights[e] < dist[v]) {
        dist[v] = d + g.weights[e];
        queue.push({dist[v], v});
      }
  }
  return dist;
}
/// One thread's part of a phase of an asynchronous relaxation.
template <class Worker> void relax(const SmallGraph<V> &g, Worker &&worker, std::vector<int> &dist) {
  for (V u; worker.next(u);)
    for (gc::ArcId e = g.graph.out_begin(u); e < g.graph.out_end(u); ++e)
      if (gc::atomic_min(dist[g.graph.target(e)], gc::add_inf(gc::load(dist[u]), g.weights[e])))
        worker.push(g.graph.target(e));
}
/// All of it: phases of one thread, and of all of them. Returns how many were shared.
template <class List, class Step> int in_phases(List &list, std::size_t threads, Step step) {
  int shared = 0;
  gc::Chunks chunks(threads);
  while (list.advance())
    if (list.wide()) {
      ++shared;
      in_threads(threads, [&](std::size_t i) {
        const gc::Share mine(chunks, i);
        step(mine, list.worker(mine));
      });
    } else {
      const gc::Alone mine;
      step(mine, list.worker(mine));
    }
  return shared;
}
template <class List> int relax_all(const SmallGraph<V> &g, List &list, std::size_t threads, std::vector<int> &dist) {
  return in_phases(list, threads, [&](const auto &, auto &&worker) { relax(g, worker, dist); });
}

TEST(Worklists, FindShortestPaths) {
  const gc::Topology topology({0, 1, 2});
  for (std::size_t threads : {1, 2, 4, 8})
    for (unsigned seed : {1u, 2u}) {
      const SmallGraph<V> g = graph_with_path(2000, seed);
      const std::vector<int> expected = dijkstra(g, 7);
      const gc::VertexSet<V> one = gc::VertexSet<V>::of(2000, {7}), all = gc::VertexSet<V>::all(2000);
      const std::vector<V> odd = {1, 3, 7, 500, 501, 1999};
      gc::VertexSet<V> some = gc::VertexSet<V>::of(2000, odd);
      some -= gc::VertexSet<V>::of(2000, {500}); // a set with an empty slot
      for (const gc::VertexSet<V> *from : {&one, &all, static_cast<const gc::VertexSet<V> *>(&some)}) {
        std::vector<int> dist(2000, gc::greatest<int>());
        dist[7] = 0;
        gc::async::Worklist<V, 8> list(g.graph, *from, topology);
        EXPECT_GT(relax_all(g, list, threads, dist), 0);
        EXPECT_EQ(dist, expected) << threads << " threads, in no order";
        for (double delta : {1.0, 3.0, 1e9}) {
          std::fill(dist.begin(), dist.end(), gc::greatest<int>());
          dist[7] = 0;
          gc::async::PriorityWorklist<V, int, 16> queue(g.graph, *from, dist.data(), delta, static_cast<int>(threads),
                                                        topology);
          relax_all(g, queue, threads, dist);
          EXPECT_EQ(dist, expected) << threads << " threads, by priority";
        }
      }
    }
}

TEST(Worklists, FindWidestPaths) {
  const gc::Topology topology({0, 1});
  const SmallGraph<V> g = graph_with_path(2000, 3);
  const auto from = gc::VertexSet<V>::of(2000, {7});
  std::vector<std::int64_t> expected(2000, gc::lowest<std::int64_t>());
  expected[7] = gc::inf<std::int64_t>();
  for (bool changed = true; changed;) {
    changed = false;
    for (V u = 0; u < 2000; ++u)
      for (gc::ArcId e = g.graph.out_begin(u); e < g.graph.out_end(u); ++e)
        changed |= gc::update_max(expected[g.graph.target(e)], std::min<std::int64_t>(expected[u], g.weights[e]));
  }
  for (std::size_t threads : {1, 2, 4})
    for (double delta : {1.0, 3.0, 1e9}) {
      std::vector<std::int64_t> width(2000, gc::lowest<std::int64_t>());
      width[7] = gc::inf<std::int64_t>();
      gc::async::PriorityWorklist<V, gc::Greatest<std::int64_t>, 16> queue(g.graph, from, width.data(), delta,
                                                                           static_cast<int>(threads), topology);
      in_phases(queue, threads, [&](const auto &, auto &&worker) {
        for (V u; worker.next(u);)
          for (gc::ArcId e = g.graph.out_begin(u); e < g.graph.out_end(u); ++e)
            if (const V v = g.graph.target(e);
                gc::atomic_max(width[v], std::min<std::int64_t>(gc::load(width[u]), g.weights[e])))
              worker.push(v);
      });
      EXPECT_EQ(width, expected) << threads << " threads, delta " << delta;
    }
}

/// Sums that are handed on: half of what comes to a vertex goes on to its neighbours, in equal parts, while it is above
/// the bound.
struct HandedOn {
  static constexpr double bound = 1e-4;
  std::vector<double> total, given;
  std::atomic<std::uint64_t> edges{0};

  explicit HandedOn(V n) : total(n, 1), given(n) {}

  template <class Mine, class Worker> void run(const SmallGraph<V> &g, const Mine &mine, Worker &&worker) {
    for (V u; worker.next(u);) {
      const auto degree = static_cast<double>(g.graph.out_degree(u));
      if (!(gc::load(total[u]) - gc::load(given[u]) > bound) || !(degree > 0))
        continue;
      const double taken = mine.take(given[u], total[u]);
      edges += g.graph.out_degree(u);
      for (gc::ArcId e = g.graph.out_begin(u); e < g.graph.out_end(u); ++e)
        if (const V v = g.graph.target(e); mine.atomic_add(total[v], 0.5 * taken / degree))
          worker.push(v);
    }
  }
  template <class List> void run_all(const SmallGraph<V> &g, List &list, std::size_t threads) {
    in_phases(list, threads, [&](const auto &mine, auto &&worker) { run(g, mine, worker); });
  }
  /// Whether each part has been handed on once, and too little is left everywhere.
  void check(const SmallGraph<V> &g) const {
    std::vector<double> sums(total.size(), 1);
    for (V u = 0; u < total.size(); ++u)
      for (gc::ArcId e = g.graph.out_begin(u); e < g.graph.out_end(u); ++e)
        sums[g.graph.target(e)] += 0.5 * given[u] / static_cast<double>(g.graph.out_degree(u));
    for (V v = 0; v < total.size(); ++v) {
      ASSERT_NEAR(total[v], sums[v], 1e-9 * sums[v]) << v;
      if (g.graph.out_degree(v) > 0)
        ASSERT_LE(total[v] - given[v], bound) << v;
      else
        ASSERT_EQ(given[v], 0) << v;
    }
  }
};

TEST(Worklists, HandOnEachPartOnce) {
  const gc::Topology topology({0, 1});
  const SmallGraph<V> g = graph_with_path(2000, 5);
  const auto all = gc::VertexSet<V>::all(2000);
  for (std::size_t threads : {1, 2, 4, 8}) {
    HandedOn arrival(2000);
    gc::async::Worklist<V, 8> list(g.graph, all, topology);
    arrival.run_all(g, list, threads);
    arrival.check(g);
    for (int levels : {1, 16}) {
      HandedOn first(2000);
      gc::async::ShareWorklist<V, double, 8> shares(g.graph, all, first.total.data(), first.given.data(), levels,
                                                    static_cast<int>(threads), topology);
      first.run_all(g, shares, threads);
      first.check(g);
    }
  }
}

TEST(Worklists, TakeTheGreatestShareFirst) {
  const SmallGraph<V> g(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {2, 4, 1}}, true);
  std::vector<double> total = {1, 3, 4, 9, 0}, given = {0.5, 0, 0, 0, 0}; // shares 0.5, 3, 2, 9 and none
  gc::async::ShareWorklist<V, double, 8> list(g.graph, gc::VertexSet<V>::all(5), total.data(), given.data(), 4, 1);
  ASSERT_TRUE(list.advance());
  auto worker = list.worker(gc::Alone());
  std::vector<V> order;
  for (V u; worker.next(u);) {
    order.push_back(u);
    if (u == 3) {
      total[0] = 100; // it waits already, and comes earlier now
      worker.push(0);
    }
  }
  EXPECT_EQ(order, (std::vector<V>{3, 0, 1, 2}));
}

TEST(Worklists, AreForOneThreadWhereLittleWaits) {
  std::vector<std::tuple<V, V, std::int32_t>> arcs;
  for (V v = 0; v + 1 < 5000; ++v)
    arcs.push_back({v, v + 1, 1});
  const SmallGraph<V> path(5000, arcs, true);
  std::vector<int> dist(5000, gc::greatest<int>());
  dist[0] = 0;
  const auto first = gc::VertexSet<V>::of(5000, {0});
  gc::async::Worklist<V, 8> list(path.graph, first);
  EXPECT_EQ(relax_all(path, list, 2, dist), 0);
  EXPECT_EQ(dist.back(), 4999);
  std::fill(dist.begin() + 1, dist.end(), gc::greatest<int>());
  gc::async::PriorityWorklist<V, int, 8> queue(path.graph, first, dist.data(), 1);
  EXPECT_EQ(relax_all(path, queue, 2, dist), 0);
  EXPECT_EQ(dist.back(), 4999);
}

TEST(Worklists, EndAtOnceWithoutVertices) {
  const SmallGraph<V> g(10, {}, true);
  const auto none = gc::VertexSet<V>::of(10, {});
  std::vector<int> priority(10);
  gc::async::Worklist<V, 8> list(g.graph, none);
  EXPECT_FALSE(list.advance());
  gc::async::PriorityWorklist<V, int, 8> queue(g.graph, none, priority.data(), 1, 1);
  EXPECT_FALSE(queue.advance());
}

} // namespace
