// The vertices and arcs of lists that pass a test, against loops over all.
#include "small_graph.h"
#include "threads.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>

namespace {

using V = std::uint32_t;

TEST(Matching, HoldsWhatPassesInOrder) {
  std::vector<V> list(1000);
  std::iota(list.begin(), list.end(), V(0));
  for (const std::size_t size : {0, 1, 63, 64, 65, 1000})
    for (const V divisor : {1, 2, 64, 999}) {
      std::vector<V> found, expected;
      for (const V v : gc::matching(gc::Span<V>{list.data(), list.data() + size},
                                    [&](const V v) { return v % divisor == divisor - 1; }))
        found.push_back(v);
      for (std::size_t v = 0; v < size; ++v)
        if (v % divisor == divisor - 1)
          expected.push_back(static_cast<V>(v));
      EXPECT_EQ(found, expected);
    }
}

/// Lists of every kind: targets that count on for some blocks, with gaps, copies and in another order.
TEST(Matching, HoldsTheArcsThatPassInOrder) {
  constexpr V n = 700;
  std::vector<std::vector<V>> lists = {{}, {5}};
  for (const V size : {63, 64, 65, 127, 128, 600}) {
    std::vector<V> list(size);
    std::iota(list.begin(), list.end(), V(3));
    lists.push_back(list);
    list[size / 2] = list[size / 2 - 1]; // a copy in place of a target
    lists.push_back(list);
    std::iota(list.begin(), list.end(), V(3));
    std::swap(list[1], list[size / 3]); // the ends stand as before
    lists.push_back(list);
    std::reverse(list.begin(), list.end());
    lists.push_back(list);
    for (V i = 0; i < size; ++i)
      list[i] = i + i / 100; // a gap after each 100
    lists.push_back(list);
  }
  std::vector<gc::ArcId> offsets(n + 1, 0);
  std::vector<V> targets;
  for (V u = 0; u < n; ++u) {
    if (u < lists.size())
      targets.insert(targets.end(), lists[u].begin(), lists[u].end());
    offsets[u + 1] = targets.size();
  }
  gc::Graph<V> graph;
  graph.n = n;
  graph.out_offsets = offsets.data();
  graph.out_targets = targets.data();
  std::vector<int> values(n);
  for (V v = 0; v < n; ++v)
    values[v] = static_cast<int>(v * 7919 % 64);
  for (const int limit : {0, 1, 20, 64})
    for (V u = 0; u < lists.size(); ++u) {
      std::vector<gc::ArcId> found, expected;
      for (const gc::ArcId e : gc::matching_arcs(
               graph, u, [&](const gc::ArcId arc, const auto v) { return gc::both(values[v] < limit, arc % 5 != 3); }))
        found.push_back(e);
      for (gc::ArcId e = offsets[u]; e < offsets[u + 1]; ++e)
        if (values[targets[e]] < limit && e % 5 != 3)
          expected.push_back(e);
      EXPECT_EQ(found, expected) << "list " << u << ", below " << limit;
    }
}

/// Long lists that hardly miss a number, which threads test, beside those that do.
TEST(Matching, HoldsTheArcsOfLongListsThatPassInOrder) {
  constexpr V n = 40000;
  std::vector<std::vector<V>> lists;
  for (const V size : {8191, 8192, 8193, 20000}) {
    std::vector<V> list(size);
    std::iota(list.begin(), list.end(), V(7));
    lists.push_back(list);
    for (V i = size / 2; i < size; ++i)
      ++list[i]; // a gap, as a complete graph has it
    lists.push_back(list);
    std::swap(list[100], list[size / 3]);
    list[500] = list[499];
    lists.push_back(list);
    for (V i = 0; i < size; ++i)
      list[i] = i * 2;
    lists.push_back(list);
    std::reverse(list.begin(), list.end());
    lists.push_back(list);
  }
  for (const int threads : {1, 2, 4}) {
    const Threads some(threads);
    for (std::size_t k = 0; k < lists.size(); ++k) {
      const std::vector<gc::ArcId> offsets = {0, lists[k].size()};
      gc::Graph<V> graph;
      graph.n = 1;
      graph.out_offsets = offsets.data();
      graph.out_targets = lists[k].data();
      std::vector<int> values(n);
      for (V v = 0; v < n; ++v)
        values[v] = static_cast<int>(v * 7919 % 640);
      for (const int limit : {0, 1, 20, 640}) {
        std::vector<gc::ArcId> found, expected;
        std::atomic<std::size_t> tested(0);
        for (const gc::ArcId e : gc::matching_arcs(graph, 0, [&](const gc::ArcId arc, const auto v) {
               tested.fetch_add(1, std::memory_order_relaxed);
               return gc::both(values[v] < limit, arc % 5 != 3);
             })) {
          // The first three lists of each size hardly miss a number.
          if (found.empty() && lists[k].size() >= 8192 && k % 5 < 3 && threads > 1) {
            EXPECT_EQ(tested, lists[k].size()) << "by threads, before the first is visited";
          }
          found.push_back(e);
        }
        for (gc::ArcId e = 0; e < lists[k].size(); ++e)
          if (values[lists[k][e]] < limit && e % 5 != 3)
            expected.push_back(e);
        EXPECT_EQ(found, expected) << threads << " threads, list " << k << ", below " << limit;
      }
    }
  }
}

/// What is visited changes what was asked: as in Prim's and Dijkstra's loops, which compare once more.
TEST(Matching, FindsEachChangeWhileTheLoopChangesValues) {
  const V n = 30000;
  std::vector<V> targets(n);
  std::iota(targets.begin(), targets.end(), V(0));
  targets[9] = targets[8]; // two arcs to one vertex
  const std::vector<gc::ArcId> offsets = {0, n};
  gc::Graph<V> graph;
  graph.n = 1;
  graph.out_offsets = offsets.data();
  graph.out_targets = targets.data();
  const auto weight = [](gc::ArcId e) { return static_cast<int>(e * 7919 % 1000); };
  for (const bool inside : {false, true}) { // of a parallel region, where no team helps
    const Threads two(2);
    std::vector<int> expected(n, 500), found(n, 500);
    for (gc::ArcId e = 0; e < n; ++e)
      expected[targets[e]] = std::min(expected[targets[e]], weight(e));
    const auto loop = [&] {
      for (const gc::ArcId e :
           gc::matching_arcs(graph, 0, [&](const gc::ArcId arc, const auto v) { return !(found[v] < weight(arc)); })) {
        std::size_t others = 0; // a loop in the loop
        if (e % 10000 == 0)
          for (const gc::ArcId other :
               gc::matching_arcs(graph, 0, [&](const gc::ArcId arc, const auto) { return arc % 2 == 0; }))
            others += other % 2 + 1;
        EXPECT_EQ(others, e % 10000 == 0 ? n / 2 : 0);
        found[graph.target(e)] = std::min(found[graph.target(e)], weight(e));
      }
    };
    if (inside) {
#pragma omp parallel num_threads(2)
#pragma omp single
      loop();
    } else {
      loop();
    }
    EXPECT_EQ(found, expected);
  }
}

} // namespace
