// Arcs cut into segments by their sources, and where that pays.
#include "small_graph.h"
#include "threads.h"

#include <gcompile/core/locality.h>
#include <gcompile/omp/segments.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <set>
#include <string>

namespace {

using V = std::uint32_t;

/// That the segments have each arc once.
void expect_all_arcs(const gc::Segments<V> &segments, const gc::Graph<V> &graph) {
  std::vector<std::multiset<V>> found(graph.num_vertices());
  for (std::size_t s = 0; s < segments.size(); ++s)
    for (std::size_t p = 0; p < segments.parts(s); ++p)
      segments.part(s, p, [&](V v, const auto &sources) { found[v].insert(sources.begin(), sources.end()); });
  for (V v = 0; v < graph.num_vertices(); ++v) {
    const auto list = graph.in_neighbors(v);
    EXPECT_EQ(found[v], std::multiset<V>(list.begin(), list.end()));
  }
}

TEST(Segments, HoldEveryArcOnceByItsSource) {
  std::mt19937 random(11);
  for (V n : {0u, 1u, 3u, 1000u, 40000u, 200000u}) {
    std::vector<std::tuple<V, V, std::int32_t>> edges;
    for (V i = 0; i < 3 * n; ++i)
      edges.push_back({static_cast<V>(random() % n), static_cast<V>(random() % (i % 4 ? n : 2) % n), 1});
    const SmallGraph<V> g(n, edges, true);
    for (const auto &[given, width] :
         std::vector<std::array<std::size_t, 2>>{{1, 1},
                                                 {64, 64},
                                                 {5000, 4096},
                                                 {8191, 4096},
                                                 {100000, 65536},
                                                 {200000, 131072},
                                                 {std::size_t(1) << 45, std::size_t(1) << 31}}) {
      if (n / width > 2000)
        continue;
      const gc::Segments<V> segments(g.graph, given);
      EXPECT_EQ(segments.size(), (n + width - 1) / width);
      std::vector<std::vector<V>> found(n);
      for (std::size_t s = 0; s < segments.size(); ++s) {
        std::set<V> targets;
        for (std::size_t p = 0; p < segments.parts(s); ++p)
          segments.part(s, p, [&, width = width](V v, const auto &sources) {
            EXPECT_TRUE(targets.insert(v).second) << "once in a segment";
            EXPECT_FALSE(sources.empty());
            for (const V u : sources) {
              EXPECT_EQ(u / width, s);
              found[v].push_back(u);
            }
          });
      }
      for (V v = 0; v < n; ++v)
        EXPECT_TRUE(std::equal(found[v].begin(), found[v].end(), g.graph.in_neighbors(v).begin(),
                               g.graph.in_neighbors(v).end()));
    }
  }
}

TEST(Segments, GoByTargetsInOneSegment) {
  std::mt19937 random(13);
  for (V n : {1u, 3u, 1000u, 70000u, 300000u}) {
    std::vector<std::tuple<V, V, std::int32_t>> edges;
    for (V i = 0; i < 4 * n; ++i) { // most are short, and some lists long
      const V v = static_cast<V>(random() % n);
      edges.push_back({i % 5 ? static_cast<V>((v + random() % 100) % n) : static_cast<V>(random() % n),
                       i % 50 ? v : v / 1000 * 1000, 1});
    }
    const SmallGraph<V> g(n, edges, true);
    for (const std::size_t width : {std::size_t(1) << 12, std::size_t(1) << 16, std::size_t(1) << 18}) {
      const gc::Segments<V> segments(g.graph, width, /*by_targets=*/true);
      ASSERT_EQ(segments.size(), 1u);
      EXPECT_TRUE(n < 70000 || segments.parts(0) > 2);
      std::vector<std::size_t> part_of(n, ~std::size_t(0));
      std::vector<std::vector<V>> found(n);
      for (std::size_t p = 0; p < segments.parts(0); ++p)
        segments.part(0, p, [&](V v, const auto &sources) {
          EXPECT_TRUE(part_of[v] == p || found[v].empty()) << "in one part";
          EXPECT_FALSE(sources.empty());
          part_of[v] = p;
          found[v].insert(found[v].end(), sources.begin(), sources.end());
        });
      for (V v = 0; v < n; ++v)
        EXPECT_TRUE(std::equal(found[v].begin(), found[v].end(), g.graph.in_neighbors(v).begin(),
                               g.graph.in_neighbors(v).end()));
    }
  }
}

/// In which round the segments are cut, and stay so; 0: in none.
int cut_in_round(gc::ChosenSegments<V> &segments, bool long_lists = false) {
  constexpr int rounds = 30;
  int first = 0;
  for (int round = 1; round <= rounds; ++round)
    if (const bool pays = segments.pay(long_lists); pays && first == 0)
      first = round;
    else
      EXPECT_EQ(pays, first > 0);
  return first;
}

/// Each vertex has so many sources, drawn at random: none twice.
SmallGraph<V> drawn(V n, const std::function<std::size_t(V)> &sources) {
  std::mt19937 random(5);
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V v = 0; v < n; ++v)
    for (std::size_t k = 0, first = random(); k < sources(v); ++k)
      edges.push_back({static_cast<V>((first + k * k * 31 + k) % n), v, 1});
  return {n, edges, true};
}

/// Segments of the arcs into some of the vertices.
struct SegmentsOfRows : gc::ChosenSegments<V> {
  SegmentsOfRows(const SmallGraph<V> &g, gc::Rows<V> rows, std::size_t bytes)
      : gc::ChosenSegments<V>(g.graph, rows, bytes) {}
  /// As where other processes have found that it pays.
  void cut_with_others() { decide(true, find_wish()); }
};

TEST(ChosenSegments, HoldTheArcsIntoSomeOfTheVertices) {
  const Threads one(1);
  const V n = 50000;
  std::mt19937 random(3);
  const SmallGraph<V> g = drawn(n, [&](V) { return random() % 8; });
  const std::size_t much = std::size_t(1) << 14, little = 8; // bytes of each source: several segments, and one
  for (const std::size_t bytes : {much, little})
    for (const gc::Rows<V> rows : {gc::Rows<V>{0, n}, gc::Rows<V>{20000, 41000}, gc::Rows<V>{n - 15000, n}}) {
      SegmentsOfRows segments(g, rows, bytes);
      EXPECT_EQ(cut_in_round(segments), bytes == much ? 3 : 24);
      EXPECT_EQ(segments.size() > 1, bytes == much);
      std::vector<std::vector<V>> found(n);
      for (std::size_t s = 0; s < segments.size(); ++s)
        for (std::size_t p = 0; p < segments.parts(s); ++p)
          segments.part(
              s, p, [&](V v, const auto &sources) { found[v].insert(found[v].end(), sources.begin(), sources.end()); });
      for (V v = 0; v < n; ++v) {
        const auto list = g.graph.in_neighbors(v);
        const bool in_rows = v >= rows.first && v < rows.last;
        EXPECT_EQ(found[v], in_rows ? std::vector<V>(list.begin(), list.end()) : std::vector<V>());
      }
    }
  SegmentsOfRows none(g, {30, 30}, much);
  EXPECT_EQ(cut_in_round(none), 0);
  none.cut_with_others();
  EXPECT_EQ(none.size(), 1u);
  EXPECT_EQ(none.parts(0), 0u);
}

TEST(ChosenSegments, PayWhereSourcesAreManyAndScattered) {
  const SmallGraph<V> scattered = drawn(5000, [](V) { return 8; });
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V v = 0; v + 1 < 5000; ++v)
    edges.push_back({v, v + 1, 1});
  const SmallGraph<V> path(5000, edges, true), empty(0, {}, true);
  const std::size_t much = std::size_t(1) << 16, little = 8; // bytes of each source
  gc::ChosenSegments<V> few(scattered.graph, little), near(path.graph, much), none(empty.graph, much);
  EXPECT_EQ(cut_in_round(few), 0);
  EXPECT_EQ(few.bytes(), 0u);
  EXPECT_EQ(cut_in_round(near), 0);
  EXPECT_EQ(cut_in_round(none), 0);
  gc::ChosenSegments<V> many(scattered.graph, much);
  EXPECT_EQ(cut_in_round(many), 3);
  EXPECT_EQ(cut_in_round(many), 1); // in the next run
  EXPECT_GT(many.size(), 1u);
  EXPECT_GE(many.bytes(), scattered.graph.num_arcs() * sizeof(V));
  expect_all_arcs(many, scattered.graph);
}

TEST(ChosenSegments, PayWhereProcessorsCannotForeseeTheEndsOfShortLists) {
  const Threads two(2);
  std::mt19937 random(7);
  std::vector<std::size_t> lengths(20000);
  for (std::size_t &length : lengths)
    length = random() % 8;
  const SmallGraph<V> varied = drawn(20000, [&](V v) { return lengths[v]; }),
                      varied_and_long = drawn(20000, [&](V v) { return 30 + lengths[v]; }),
                      in_turn = drawn(20000, [](V v) {
                        return std::array<std::size_t, 4>{1, 6, 0, 3}[v % 4];
                      });
  gc::ChosenSegments<V> pay(varied.graph, 8), too_long(varied_and_long.graph, 8), foreseen(in_turn.graph, 8);
  EXPECT_EQ(cut_in_round(pay), 24);
  EXPECT_EQ(pay.size(), 1u);
  expect_all_arcs(pay, varied.graph);
  EXPECT_EQ(cut_in_round(too_long), 0);
  gc::ChosenSegments<V> added(varied_and_long.graph, 8);
  EXPECT_EQ(cut_in_round(added, true), 24);
  EXPECT_EQ(added.size(), 1u);
  EXPECT_EQ(cut_in_round(foreseen), 0);
  gc::ChosenSegments<V> short_ones(in_turn.graph, 8);
  EXPECT_EQ(cut_in_round(short_ones, true), 0);
  const Threads more(4); // which have less to do each
  gc::ChosenSegments<V> shared(varied.graph, 8);
  EXPECT_EQ(cut_in_round(shared), 0);

  const auto part = [](const SmallGraph<V> &g) {
    return gc::detail::unforeseen_ends(V(0), g.graph.num_vertices(),
                                       [&](V v) { return g.graph.in_end(v) - g.graph.in_begin(v); });
  };
  EXPECT_NEAR(part(varied), 7. / 8, 0.05);
  EXPECT_NEAR(part(varied_and_long), 7. / 8, 0.05);
  EXPECT_LT(part(in_turn), 0.01);
  EXPECT_EQ(part(drawn(300, [&](V v) { return lengths[v]; })), 0) << "too few to tell";
}

} // namespace
