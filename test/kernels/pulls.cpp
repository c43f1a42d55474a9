// What pulls visit, and how they collect what they find.
#include "runtime/src/pack.h"
#include "small_graph.h"
#include <gcompile/core/packed_graph.h>

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <tuple>
#include <utility>
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

/// Compares what each_first calls and counts with a loop over each list.
template <class A> void check_each_first(const gc::Graph<V, A> &graph, unsigned active, unsigned waiting) {
  const V n = graph.num_vertices();
  std::mt19937 random(active + waiting);
  gc::Bitmap sources;
  sources.resize(n);
  std::vector<bool> waits(n);
  for (V v = 0; v < n; ++v) {
    waits[v] = random() % 100 < waiting;
    if (random() % 100 < active)
      sources.set(v);
  }
  std::vector<V> expected(n, gc::none<V>()), found = expected;
  std::uint64_t expected_looks = 0, looks = 0;
  for (V v = 0; v < n; ++v)
    if (waits[v])
      for (const V u : graph.in_neighbors(v)) {
        ++expected_looks;
        if (sources.contains(u)) {
          expected[v] = u;
          break;
        }
      }
  gc::Frontier<V, A> frontier(graph);
  frontier.start({0});
  frontier.begin_pull();
  auto unvisited = frontier.unvisited(graph);
  for (std::size_t block = 0; block < unvisited.blocks(); ++block) {
    unvisited.mark(block, [&](V v) { return waits[v]; });
    unvisited.each_first(sources.view(), looks, [&](V v, V u) {
      EXPECT_EQ(found[v], gc::none<V>());
      found[v] = u;
    });
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(looks, expected_looks);
}

/// A graph with its lists packed beside the plain ones.
struct PackedBeside {
  SmallGraph<V> plain;
  const gc::detail::PackedStore out, in;
  const gc::PackedArcs<V> lists;

  explicit PackedBeside(SmallGraph<V> graph)
      : plain(std::move(graph)),
        out(gc::detail::pack_lists<V>(plain.graph.n, plain.out_offsets.data(), plain.out_targets.data())),
        in(gc::detail::pack_lists<V>(plain.graph.n, plain.in_offsets.data(), plain.in_sources.data())),
        lists{out.parts.view<V>(plain.graph.n), in.parts.view<V>(plain.graph.n)} {
    plain.graph.packed = &lists;
  }
  gc::PackedGraph<V> packed() const { return gc::PackedGraph<V>(plain.graph); }
};

/// The same on plain and on packed lists, for frontiers and for those who wait of many sizes.
void check_each_first(SmallGraph<V> graph) {
  const PackedBeside both(std::move(graph));
  for (const unsigned active : {0u, 3u, 30u, 60u, 97u, 100u})
    for (const unsigned waiting : {10u, 40u, 90u, 100u}) {
      check_each_first(both.plain.graph, active, waiting);
      check_each_first(both.packed(), active, waiting);
    }
}

TEST(Pulls, FindTheFirstActiveNeighbour) {
  for (const V n : {3u, 64u, 65u, 256u, 838u, 1000u, 3000u})
    for (const V degree : {1u, 2u, 12u, 40u}) // shorter lists than are tested together, and longer ones
      check_each_first(random_graph<V>(n, std::size_t(n) * degree, n % 2 == 0, degree == 2, n + degree));
}

TEST(Pulls, FindItInGroupsWithMoreArcsThanPlacesCount) {
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V u = 0; u < 4200; ++u) {
    edges.push_back({u, u / 2, 1});
    for (V v = 1024; v < 1040; ++v)
      edges.push_back({u, v, 1});
  }
  check_each_first(SmallGraph<V>(4200, edges, true));
}

TEST(Pulls, FindItInFieldsTooWideForLanes) {
  constexpr V n = 300, ids = V(1) << 27;
  std::mt19937 random(7);
  std::vector<gc::ArcId> offsets = {0};
  std::vector<V> sources;
  for (V v = 0; v < n; ++v) {
    for (unsigned k = random() % 40 + 1; k > 0; --k)
      sources.push_back(static_cast<V>(random() % ids));
    std::sort(sources.begin() + static_cast<std::ptrdiff_t>(offsets.back()), sources.end());
    offsets.push_back(sources.size());
  }
  const gc::detail::PackedStore in = gc::detail::pack_lists<V>(n, offsets.data(), sources.data());
  const gc::PackedArcs<V> lists{{}, in.parts.view<V>(n)};
  gc::Graph<V> graph;
  graph.n = n;
  graph.packed = &lists;
  std::vector<std::uint64_t> frontier(ids / 64), waiting((n + 63) / 64, ~std::uint64_t(0));
  std::generate(frontier.begin(), frontier.end(), [&] { return random() | std::uint64_t(random()) << 32; });
  waiting.back() >>= 64 * waiting.size() - n;
  std::vector<V> expected(n, gc::none<V>()), found = expected;
  for (V v = 0; v < n; ++v)
    for (gc::ArcId e = offsets[v]; e < offsets[v + 1] && expected[v] == gc::none<V>(); ++e)
      if (gc::BitView{frontier.data()}.contains(sources[e]))
        expected[v] = sources[e];
  gc::detail::FirstActive<V, gc::Packed> search{gc::PackedGraph<V>(graph)};
  search.each(0, waiting.data(), waiting.size(), {frontier.data()}, [&](V v, V u) { found[v] = u; });
  EXPECT_EQ(found, expected);
}

#ifdef TESTS_ARE_OF_SIXTEEN
#ifdef GCOMPILE_TESTS_SIXTEEN
/// Compares what lanes read of groups of 16 vertices with the lists of each.
template <class A> void check_lanes(const gc::Graph<V, A> &graph) {
  const gc::detail::SixteenLists<V, A> lists(graph);
  std::mt19937 random(11);
  for (V first = 0; first + 16 <= graph.num_vertices(); first += 16)
    for (const unsigned depth : {0u, 1u, 3u}) {
      unsigned live = 0, expected = 0;
      for (V k = 0; k < 16; ++k)
        if (graph.in_degree(first + k) > 0 && random() % 4 != 0) {
          live |= 1u << k;
          expected |= unsigned(graph.in_neighbors(first + k).size() > depth) << k;
        }
      const gc::detail::Sixteen found = lists.neighbors(first, depth, live);
      EXPECT_EQ(live, expected);
      for (V k = 0; k < 16; ++k)
        if (expected >> k & 1) {
          EXPECT_EQ(gc::detail::value_of(found, k), graph.in_neighbors(first + k)[depth]);
        }
    }
}
#endif

TEST(Pulls, GatherTheNeighboursOfSixteen) {
#ifdef GCOMPILE_TESTS_SIXTEEN
  const PackedBeside both(random_graph<V>(1000, 4000, true, true, 9));
  check_lanes(both.plain.graph);
  check_lanes(both.packed());
#else // There is nothing to test: the header has no lanes there, and the tests above run the other ways.
  GTEST_SKIP() << "the processor, or the compiler, has no lanes of sixteen";
#endif
}
#endif

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
