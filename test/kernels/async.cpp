// The parts of the asynchronous runtime, each with many threads, against the plainest code that gives the same answer.
// The same file is built with ThreadSanitizer, which does not know OpenMP's threads: these are of the standard library.
#include "small_graph.h"

#include <gcompile/omp/async/shares.h>
#include <gcompile/omp/async/worklist.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <thread>
#include <utility>

namespace {

using V = std::uint32_t;

template <class Body> void in_threads(std::size_t threads, Body body) {
  std::vector<std::thread> team;
  for (std::size_t i = 0; i < threads; ++i)
    team.emplace_back([&body, i] { body(i); });
  for (std::thread &thread : team)
    thread.join();
}

TEST(Chunk, IsARing) {
  gc::async::Chunk<int, 9> chunk;
  std::queue<int> expected;
  std::mt19937 random(1);
  for (int step = 0; step < 10000; ++step) {
    ASSERT_EQ(chunk.size(), expected.size());
    ASSERT_EQ(chunk.empty(), expected.empty());
    ASSERT_EQ(chunk.full(), expected.size() == 9);
    if (!chunk.full() && (chunk.empty() || random() % 2)) {
      chunk.push(step);
      expected.push(step);
    } else {
      ASSERT_EQ(chunk.pop(), expected.front());
      expected.pop();
    }
  }
}

TEST(ChunkPool, ReusesWhatOtherThreadsGaveBack) {
  // One thread only takes chunks, another only gives them back: the memory stays that of the most in use at a time.
  gc::async::ChunkPool<int, 8> pool;
  gc::async::ChunkPool<int, 8>::Stock producer(pool), consumer(pool);
  std::set<const void *> seen;
  for (int round = 0; round < 100; ++round) {
    std::vector<gc::async::Chunk<int, 8> *> used;
    for (int i = 0; i < 50; ++i)
      used.push_back(producer.take());
    ASSERT_EQ(std::set<void *>(used.begin(), used.end()).size(), 50u);
    for (auto *chunk : used) {
      seen.insert(chunk);
      consumer.give(chunk);
    }
  }
  EXPECT_LE(seen.size(), 256u);
}

TEST(Topology, NumbersPackages) {
  const gc::Topology two({0, 1, 1, 0});
  EXPECT_EQ(two.packages(), 2u);
  EXPECT_EQ(two.package_of(2), 1u);
  EXPECT_EQ(two.package_of(3), 0u);
  EXPECT_EQ(two.package_of(99), 0u);
  EXPECT_EQ(two.package_of(-1), 0u);
  EXPECT_EQ(gc::Topology().packages(), 1u);
}

TEST(Bag, PrefersItsOwnPackage) {
  using Bag = gc::async::Bag<int, 8>;
  gc::async::ChunkPool<int, 8> pool;
  Bag bag(3);
  using Stock = gc::async::ChunkPool<int, 8>::Stock;
  Bag::Place first{0, Stock(pool)}, second{1, Stock(pool)}, third{2, Stock(pool)};
  Bag::Part a, b, c;
  for (int i = 0; i < 8; ++i) {
    a.add(bag, first, i);
    b.add(bag, second, 100 + i);
  }
  a.add(bag, first, 8); // stays with its thread
  int task = 0;
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(b.take(bag, second, task));
    EXPECT_EQ(task, 100 + i);
  }
  for (int i = 0; i < 8; ++i) { // nothing is left in packages 1 and 2
    ASSERT_TRUE(c.take(bag, third, task));
    EXPECT_EQ(task, i);
  }
  EXPECT_FALSE(c.take(bag, third, task));
  ASSERT_TRUE(a.take(bag, first, task));
  EXPECT_EQ(task, 8);
  EXPECT_FALSE(a.take(bag, first, task));
  a.add(bag, first, 9);
  EXPECT_EQ(pool.waiting(), 0u);
  a.leave(bag, first); // what a thread leaves is for all
  EXPECT_EQ(pool.waiting(), 1u);
  ASSERT_TRUE(c.take(bag, third, task));
  EXPECT_EQ(task, 9);
  EXPECT_EQ(pool.waiting(), 0u);
}

/// Calls `work` on all threads, phase after phase, until nothing waits.
template <class Pool, class Work> void in_phases(std::size_t threads, const Pool &pool, Work work) {
  gc::async::Phases phases;
  bool first = true;
  while (std::exchange(first, false) || pool.waiting() > 0) {
    phases.begin(threads * 1000);
    in_threads(threads, [&](std::size_t thread) { work(phases, thread); });
  }
}

/// Tasks make further tasks: task k > 0 makes two of k - 1. Every one must be taken exactly once, by whatever thread.
template <std::size_t N> void countsTree(std::size_t threads, unsigned packages, int depth) {
  using Bag = gc::async::Bag<int, N>;
  using Stock = typename gc::async::ChunkPool<int, N>::Stock;
  gc::async::ChunkPool<int, N> pool;
  Bag bag(packages);
  {
    typename Bag::Place place{0, Stock(pool)};
    typename Bag::Part part;
    part.add(bag, place, depth);
    part.leave(bag, place);
  }
  std::vector<std::uint64_t> taken(threads);
  in_phases(threads, pool, [&](gc::async::Phases &phases, std::size_t thread) {
    typename Bag::Place place{static_cast<unsigned>(thread) % packages, Stock(pool)};
    typename Bag::Part part;
    int task = 0;
    auto take = [&] {
      return part.take_on(place, task) || (!phases.over(pool.waiting() * N, false) && part.take(bag, place, task));
    };
    while (phases.wait(false, take)) {
      ++taken[thread];
      for (int i = 0; task > 0 && i < 2; ++i)
        part.add(bag, place, task - 1);
    }
    part.leave(bag, place);
  });
  EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), std::uint64_t(0)), (std::uint64_t(2) << depth) - 1);
}
TEST(Bag, GivesEveryTaskOnce) {
  for (std::size_t threads : {1, 2, 5, 8})
    for (unsigned packages : {1u, 2u, 4u}) {
      countsTree<8>(threads, packages, 12);
      countsTree<64>(threads, packages, 13);
    }
}

TEST(Phases, SayWhenAThreadLeaves) {
  constexpr std::size_t little = 1, much = GCOMPILE_MOST_ALONE / 32 + 1;
  gc::async::Phases phases;
  phases.begin(little);
  EXPECT_FALSE(phases.shared());
  EXPECT_FALSE(phases.over(little, true));
  EXPECT_TRUE(phases.over(much, true)); // the others may come
  phases.begin(much);
  EXPECT_TRUE(phases.shared());
  EXPECT_FALSE(phases.over(much, true)); // nobody has come, and nobody will
  EXPECT_FALSE(phases.over(much, false));
  int calls = 0;
  EXPECT_TRUE(phases.wait(false, [&] { return ++calls == 3; }));
  EXPECT_FALSE(phases.over(much, false));
  EXPECT_FALSE(phases.wait(false, [] { return false; })); // a thread has left
  EXPECT_FALSE(phases.over(little, false));
  EXPECT_TRUE(phases.over(much, false)); // all of them are to come again
  phases.begin(little);
  EXPECT_FALSE(phases.over(little, true));
  phases.give_up();
  EXPECT_TRUE(phases.over(little, true));
  EXPECT_TRUE(phases.over(little, false));
}

TEST(Obim, TakesTheLeastLevelFirst) {
  using Obim = gc::async::Obim<int, 8>;
  Obim obim(2, 1);
  Obim::Worker worker(obim, 0, 0);
  std::mt19937 random(3);
  std::multimap<std::int64_t, int> expected;
  for (int i = 0; i < 2000; ++i) {
    const auto level = static_cast<std::int64_t>(random() % 40) - 20;
    worker.add(level, static_cast<int>(level));
    expected.emplace(level, 0);
  }
  int task = 0, last = -100;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(worker.take(task)) << i;
    ASSERT_LE(last, task);
    last = task;
  }
  EXPECT_FALSE(worker.take(task));
  worker.add(std::numeric_limits<std::int64_t>::max(), 7);
  worker.add(std::numeric_limits<std::int64_t>::min(), 6);
  ASSERT_TRUE(worker.take(task));
  EXPECT_EQ(task, 6);
  ASSERT_TRUE(worker.take(task));
  EXPECT_EQ(task, 7);
}

TEST(Obim, SeesBagsOfOtherThreads) {
  using Obim = gc::async::Obim<int, 8>;
  Obim obim(2, 2);
  Obim::Worker one(obim, 0, 0), other(obim, 1, 1);
  int task = 0;
  for (int i = 0; i < 8; ++i)
    one.add(5, 5);
  for (int i = 0; i < 8; ++i)
    one.add(3, 3);
  ASSERT_TRUE(other.take(task)); // a full chunk, of another package, of a bag that it did not know
  EXPECT_EQ(task, 3);
  for (int i = 0; i < 8; ++i)
    one.add(1, 1);
  for (int i = 0; i < 7; ++i) { // the chunk at hand first
    ASSERT_TRUE(other.take(task));
    EXPECT_EQ(task, 3);
  }
  ASSERT_TRUE(other.take(task)); // then the best
  EXPECT_EQ(task, 1);
}

TEST(Obim, GivesEveryTaskOnce) {
  for (std::size_t threads : {1, 3, 8}) {
    using Obim = gc::async::Obim<std::pair<int, int>, 8>;
    Obim obim(threads, 2);
    std::vector<std::uint64_t> taken(threads);
    std::vector<char> begun(threads);
    in_phases(threads, obim, [&](gc::async::Phases &phases, std::size_t thread) {
      Obim::Worker &worker = obim.worker(thread, thread % 2);
      std::mt19937 random(static_cast<unsigned>(thread));
      if (!std::exchange(begun[thread], 1))
        worker.add(0, {10, 0});
      std::pair<int, int> task;
      auto take = [&] {
        return worker.take_on(task) || (!phases.over(obim.waiting() * 8, false) && worker.take_best(task));
      };
      while (phases.wait(false, take)) {
        ++taken[thread];
        for (int i = 0; task.first > 0 && i < 2; ++i)
          worker.add(task.second + static_cast<int>(random() % 7) - 2, {task.first - 1, task.second + 1});
      }
      worker.leave();
    });
    EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), std::uint64_t(0)), threads * ((2u << 10) - 1));
  }
}

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
      in_threads(threads, [&](std::size_t i) { step(list.worker(gc::Share(chunks, i))); });
    } else {
      step(list.worker(gc::Alone()));
    }
  return shared;
}
template <class List> int relax_all(const SmallGraph<V> &g, List &list, std::size_t threads, std::vector<int> &dist) {
  return in_phases(list, threads, [&](auto &&worker) { relax(g, worker, dist); });
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
      in_phases(queue, threads, [&](auto &&worker) {
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
    gc::Chunks chunks(threads);
    while (list.advance())
      if (list.wide()) {
        in_threads(threads, [&](std::size_t i) {
          const gc::Share mine(chunks, i);
          run(g, mine, list.worker(mine));
        });
      } else {
        const gc::Alone mine;
        run(g, mine, list.worker(mine));
      }
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

TEST(PriorityLevels, RoundDown) {
  gc::PriorityLevels<int> whole(4);
  EXPECT_EQ(whole.of(7), 1);
  EXPECT_EQ(whole.of(-1), -1);
  EXPECT_EQ(gc::PriorityLevels<int>(3).of(-1), -1);
  EXPECT_EQ(gc::PriorityLevels<double>(0.5).of(1.6), 3);
  EXPECT_EQ(gc::PriorityLevels<double>(0.5).of(-0.1), -1);
  EXPECT_EQ(gc::PriorityLevels<double>(0.5).of(std::numeric_limits<double>::infinity()), 4000000000000000000);
}

TEST(PriorityLevels, TakeTheGreatestFirst) {
  const gc::PriorityLevels<gc::Greatest<int>> whole(4);
  EXPECT_EQ(whole.of(7), whole.of(4));
  EXPECT_LT(whole.of(8), whole.of(7));
  EXPECT_LT(whole.of(0), whole.of(-1));
  EXPECT_LT(whole.of(gc::inf<int>()), whole.of(gc::inf<int>() - 4));
  const gc::PriorityLevels<gc::Greatest<std::int64_t>> least(1); // the lowest value has no opposite
  EXPECT_EQ(least.of(gc::lowest<std::int64_t>()), gc::inf<std::int64_t>());
  EXPECT_EQ(least.of(gc::inf<std::int64_t>()), gc::lowest<std::int64_t>());
  const gc::PriorityLevels<gc::Greatest<double>> real(0.5);
  EXPECT_LT(real.of(1.6), real.of(1.4));
  EXPECT_EQ(real.of(std::numeric_limits<double>::infinity()), -4000000000000000000);
}

} // namespace
