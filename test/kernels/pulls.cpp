// What pulls visit, and how they collect what they find.
#include "small_graph.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using V = std::uint32_t;

TEST(Pulls, VisitWhatWaitsInOrder) {
  std::mt19937 random(3);
  for (const V n : {1u, 63u, 64u, 65u, 1000u, 1024u, 1090u, 2048u, 5000u}) {
    const SmallGraph<V> g = random_graph<V>(n, n / 2, false, false, n); // undirected; a third has no neighbours
    gc::Frontier<V> frontier(g.graph);
    frontier.start({0});
    frontier.begin_pull();
    for (const unsigned waiting : {0u, 1u, 50u, 99u, 100u}) { // of a hundred
      std::vector<V> value(n);
      std::vector<V> expected, found;
      for (V v = 0; v < n; ++v) {
        const bool whole = v / 64 % 3 == 2; // words of which all wait
        value[v] = whole || random() % 100 < waiting ? gc::none<V>() : V(random() % 2);
        if (value[v] == gc::none<V>() && g.graph.in_degree(v) > 0)
          expected.push_back(v);
      }
      auto unvisited = frontier.unvisited(g.graph);
      for (std::size_t block = 0; block < unvisited.blocks(); ++block) {
        unvisited.select(block, [&](V v) { return value[v] == gc::none<V>(); });
        for (std::size_t i = 0; i < unvisited.size(); ++i)
          found.push_back(unvisited[i]);
      }
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(Pulls, LeaveOutWhatNoArcLeadsTo) {
  const V n = 3000;
  const SmallGraph<V> one = random_graph<V>(n, n, true, false, 5), other = random_graph<V>(n, n / 9, true, false, 6);
  const gc::Graph<V> turned = one.graph.transposed();
  gc::Frontier<V> frontier(one.graph);
  // The lists of a graph, of its transpose and of another graph are told apart, in whatever order they come.
  for (const gc::Graph<V> &graph : {one.graph, turned, one.graph, other.graph, turned, other.graph, one.graph}) {
    frontier.follow(graph);
    frontier.start({0});
    frontier.begin_pull();
    std::vector<V> expected, found;
    for (V v = 0; v < n; ++v)
      if (graph.in_begin(v) != graph.in_end(v))
        expected.push_back(v);
    auto unvisited = frontier.unvisited(graph);
    for (std::size_t block = 0; block < unvisited.blocks(); ++block) {
      unvisited.select(block, [](V) { return true; });
      for (std::size_t i = 0; i < unvisited.size(); ++i)
        found.push_back(unvisited[i]);
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(Pulls, WritersShareBlocksByWords) {
  const V n = 5000;
  const SmallGraph<V> g = random_graph<V>(n, 1, false, false, 1);
  gc::Frontier<V> frontier(g.graph);
  frontier.start_all();
  frontier.begin_pull();
  std::vector<V> expected;
  {
    auto even = frontier.bit_writer(), odd = frontier.bit_writer();
    for (V v = 0; v < n; v += v % 7 + 1) { // those of a word come one after the other, each twice
      expected.push_back(v);
      auto &next = v / 64 % 2 == 0 ? even : odd;
      next.set(v), next.set(v);
    }
    even.set(0), odd.set(64 * 3); // of blocks that were left
    if (std::find(expected.begin(), expected.end(), V(64 * 3)) == expected.end())
      expected.push_back(64 * 3);
  }
  frontier.advance();
  EXPECT_EQ(frontier.size(), expected.size());
  std::vector<V> copied(frontier.size());
  frontier.copy_to(copied.data());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(copied, expected);
}

} // namespace
