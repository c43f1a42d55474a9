// Whether a round pushes or pulls.
#include "runtime/src/pack.h"
#include "small_graph.h"
#include "threads.h"

#include <gcompile/core/packed_graph.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <tuple>
#include <vector>

namespace {

using V = std::uint32_t;

TEST(Directions, PullByTheWorkThatAPullWouldTake) {
  const auto pulls = [](const SmallGraph<V> &g, gc::ArcId arcs, gc::ArcId unseen, V waiting, int threads = 1) {
    return gc::detail::PullWork().is_less(g.graph, {arcs / 16, arcs}, unseen, waiting, threads);
  };
  // Degrees are even, 16 on average: a vertex looks at all arcs until many of them come from the frontier.
  const SmallGraph<V> even = random_graph<V>(20000, 160000, false, false, 3);
  const gc::ArcId all = even.graph.num_arcs();
  EXPECT_FALSE(pulls(even, 16, all, 20000));
  EXPECT_FALSE(pulls(even, all / 25, all, 20000)) << "alpha = 40 takes it for enough";
  EXPECT_TRUE(pulls(even, all / 5, all, 16000));
  EXPECT_TRUE(pulls(even, all / 25, all / 10, 2000)) << "few are left to look";
  EXPECT_FALSE(pulls(even, 600 * 5, all / 10, 2000)) << "but a pull goes over all vertices";
  EXPECT_FALSE(pulls(even, 500, 500, 0)) << "nobody waits";
  EXPECT_FALSE(pulls(even, all / 6, all, 19900));
  EXPECT_TRUE(pulls(even, all / 6, all, 19900, 2)) << "what several threads write moves between their caches";
  EXPECT_FALSE(pulls(even, all / 12, all, 19900, 2));
  EXPECT_TRUE(pulls(even, all / 12, all, 19900, 16)) << "it does so no faster for many";
  // A push goes to values all over, which caches do not hold in a large graph.
  const auto pulls_of = [&](V n, unsigned part) {
    SmallGraph<V> g = random_graph<V>(1, 0, false, false, 1);
    g.in_offsets.resize(n + 1);
    for (V v = 0; v <= n; ++v)
      g.in_offsets[v] = gc::ArcId(16) * v;
    g.graph.n = n;
    g.graph.in_offsets = g.in_offsets.data();
    return pulls(g, 16 * gc::ArcId(n) / part, 16 * gc::ArcId(n), n - n / 200);
  };
  const V far = static_cast<V>(2 * gc::detail::second_level_cache() / sizeof(V) + 20000);
  EXPECT_FALSE(pulls_of(20000, 6));
  EXPECT_TRUE(pulls_of(far, 6));
  EXPECT_FALSE(pulls_of(far, 25));
  // 400 hubs have half of the arcs. The others have few, and need not look at more.
  std::vector<std::tuple<V, V, std::int32_t>> to_hubs;
  for (V v = 400; v < 20000; ++v)
    for (V k = 0; k < 8; ++k)
      to_hubs.push_back({v, (v * 7 + k * 53) % 400, 1});
  const SmallGraph<V> uneven(20000, to_hubs, false);
  EXPECT_TRUE(pulls(uneven, uneven.graph.num_arcs() / 4, uneven.graph.num_arcs(), 19900));
  EXPECT_FALSE(pulls(uneven, uneven.graph.num_arcs() / 9, uneven.graph.num_arcs(), 19900));

  // The round before has found fewer than random ends would have it: neighbours have neighbours in common.
  const auto pulls_after = [&](V found, gc::ArcId arcs, bool restarted) {
    gc::detail::PullWork work;
    EXPECT_FALSE(work.is_less(even.graph, {200, 3200}, all, 19000, 1));
    if (restarted)
      work.restart();
    return work.is_less(even.graph, {found, arcs}, all, 16000, 1);
  };
  EXPECT_TRUE(pulls_after(3000, all / 4, false)) << "as many as expected";
  EXPECT_FALSE(pulls_after(1000, all / 4, false)) << "the others look at all of their arcs";
  EXPECT_TRUE(pulls_after(1000, all / 2, false));
  EXPECT_TRUE(pulls_after(1000, all / 4, true)) << "the search before says nothing";
  // So a push has fewer successes to pay for.
  const auto pulls_all_after = [&](V found) {
    gc::detail::PullWork work;
    EXPECT_FALSE(work.is_less_of_all(even.graph, {100, 1600}, all, 19000, 1));
    return work.is_less_of_all(even.graph, {found, all / 8}, all, 18000, 2);
  };
  EXPECT_TRUE(pulls_all_after(1600));
  EXPECT_FALSE(pulls_all_after(300));

  // Whoever waits looks at all arcs: with even degrees only towards the end. What several threads write moves between
  // their caches, which makes a push with many successes slower.
  const auto pulls_all = [](const SmallGraph<V> &g, gc::ArcId arcs, gc::ArcId unseen, std::uint64_t waiting,
                            int threads) {
    return gc::detail::PullWork().is_less_of_all(g.graph, {arcs / 16, arcs}, unseen, waiting, threads);
  };
  EXPECT_FALSE(pulls_all(even, all / 10, all, 19000, 1)) << "alpha = 15 takes it for enough";
  EXPECT_FALSE(pulls_all(even, all / 50, all, 19000, 2));
  EXPECT_TRUE(pulls_all(even, all / 8, all, 18000, 2)) << "nearly all are found";
  EXPECT_FALSE(pulls_all(even, all / 8, all, 18000, 1));
  EXPECT_TRUE(pulls_all(even, all / 2, all, 2000, 1));
  EXPECT_FALSE(pulls_all(even, 600, 3000, 500, 1)) << "but a pull goes over all vertices";

  // The frontier knows how many wait: those that were in none.
  gc::Frontier<V> frontier(even.graph);
  std::vector<V> some(1500);
  std::iota(some.begin(), some.end(), V(0));
  frontier.start(gc::VertexSet<V>::of(20000, some));
  EXPECT_FALSE(frontier.pulls_by_work(18));
  frontier.start_all();
  EXPECT_TRUE(frontier.pulls_by_work(18)) << "as the others, who are none, cost nothing";
  // Each search by itself: the second would take its own vertices for those that the first has found.
  frontier.start(gc::VertexSet<V>::of(20000, some));
  EXPECT_FALSE(frontier.pulls_by_work(18));
  std::vector<V> others(3000);
  std::iota(others.begin(), others.end(), V(0));
  frontier.start(gc::VertexSet<V>::of(20000, others));
  EXPECT_TRUE(frontier.pulls_by_work(18)) << "the search before has not found these";
  frontier.start(gc::VertexSet<V>::of(20000, {1, 2, 3}));
  EXPECT_FALSE(frontier.pulls_by_work_of_all(18));
  frontier.start_all();
  EXPECT_TRUE(frontier.pulls_by_work_of_all(18));
}

/// What is_less_again says and asks for.
struct Again {
  bool pulls, counted;
  gc::ArcId unseen;
};
template <class A>
Again again(const gc::Graph<V, A> &graph, V active, gc::ArcId arcs, bool many, V waiting, V receivers,
            gc::ArcId unseen) {
  Again found = {false, false, unseen};
  found.pulls = gc::detail::PullWork().is_less_again(graph, active, many, found.unseen, waiting, receivers, 1, [&] {
    found.counted = true;
    return arcs;
  });
  return found;
}

TEST(Directions, AfterAPullTheArcsOfTheFrontierAreCountedWhereTheyDecide) {
  const V n = 20000;
  const SmallGraph<V> even = random_graph<V>(n, 160000, false, false, 3); // all have arcs, 16 on average
  const gc::ArcId all = even.graph.num_arcs();
  const Again last = again(even.graph, 1000, 16000, false, 0, n, all);
  EXPECT_TRUE(last.pulls) << "nobody waits: a pull goes over the vertices, and looks at nothing";
  EXPECT_FALSE(last.counted);
  EXPECT_EQ(last.unseen, all);
  EXPECT_FALSE(again(even.graph, 50, 400, false, 0, n, all).pulls) << "a few are pushed before a pull is through";
  EXPECT_TRUE(again(even.graph, 1000, 16000, false, 8000, n - 8000, all).pulls)
      << "those who wait have no arcs: a pull leaves them alone";

  // Half of the vertices wait, and few of them have a neighbour in the frontier.
  const Again few = again(even.graph, 1000, 4000, false, n / 2, n, all);
  EXPECT_FALSE(few.pulls);
  EXPECT_TRUE(few.counted);
  EXPECT_NEAR(static_cast<double>(few.unseen), 4000.0 + static_cast<double>(all / 2), 16)
      << "what pulls have found since is not unseen any more";
  EXPECT_EQ(again(even.graph, 1000, 4000, false, n / 2, n, 9000).unseen, 9000u) << "or it is known to be less";
  EXPECT_FALSE(again(even.graph, 3000, 9000, true, n / 2, n, all).pulls) << "nor of a frontier that grows";
  EXPECT_TRUE(again(even.graph, 3000, 60000, true, n / 2, n, all).pulls) << "its arcs are many";
  const Again most = again(even.graph, 9000, 9000, true, n / 2, n, all);
  EXPECT_TRUE(most.pulls);
  EXPECT_FALSE(most.counted) << "the vertices alone take a push longer than a pull";
  EXPECT_FALSE(again(even.graph, 1000, 0, false, n / 2, n, all).pulls) << "no arc leads anywhere";
}

TEST(Directions, PullsOnPackedListsTakeLonger) {
  const V n = 20000;
  const SmallGraph<V> even = random_graph<V>(n, 160000, false, false, 3);
  const gc::detail::PackedStore store = gc::detail::pack_lists<V>(n, even.out_offsets.data(), even.out_targets.data());
  const gc::PackedArcs<V> lists{store.parts.view<V>(n), store.parts.view<V>(n)};
  gc::Graph<V> with_lists = even.graph;
  with_lists.packed = &lists;
  const gc::PackedGraph<V> packed = with_lists;
  const gc::ArcId all = even.graph.num_arcs();
  // The arcs from which on a round pulls.
  const auto pulls_from = [&](const auto &graph) {
    gc::ArcId arcs = 0;
    while (arcs < all && !gc::detail::PullWork().is_less(graph, {arcs / 16, arcs}, all, 18000, 1))
      arcs += 100;
    return arcs;
  };
  EXPECT_LT(pulls_from(even.graph), pulls_from(packed));
  EXPECT_LT(pulls_from(packed), all);
  EXPECT_TRUE(again(even.graph, 1500, 55000, true, n / 2, n, all).pulls);
  EXPECT_FALSE(again(packed, 1500, 55000, true, n / 2, n, all).pulls);
}

TEST(Directions, APushBehindAPullCutsTheListsOfHubs) {
  // Vertex 70 leads to 20000 others. A pull has found it, or its neighbour of one arc, among three vertices.
  const Threads two(2);
  const V n = 40000;
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V v = 1000; v < 21000; ++v)
    edges.push_back({70, v, 1});
  for (V v = 0; v + 1 < n; ++v)
    edges.push_back({v, v + 1, 1});
  const SmallGraph<V> g(n, edges, true);
  for (const bool hub : {false, true}) {
    gc::Frontier<V> frontier(g.graph);
    frontier.start_all();
    frontier.share_lists();
    ASSERT_TRUE(frontier.pulls(15, 18));
    {
      auto next = frontier.bit_writer();
      for (const V v : {5, 69, 90})
        next.set(hub && v == 69 ? V(70) : v);
    }
    frontier.advance();
    ASSERT_EQ(frontier.size(), 3u);
    ASSERT_FALSE(frontier.pulls_by_work(18));
    EXPECT_EQ(frontier.wide(), hub) << "one thread walks short lists";
    std::vector<int> walked(n);
    std::size_t longest = 0;
#pragma omp parallel num_threads(frontier.wide() ? 2 : 1)
    for (const auto active : frontier.active(g.graph)) {
      const auto list = active.out_neighbors();
#pragma omp critical
      {
        longest = std::max<std::size_t>(longest, list.size());
        for (const V v : list)
          ++walked[v];
      }
    }
    EXPECT_LE(longest, 8192u);
    for (V v = 0; v < n; ++v)
      ASSERT_EQ(walked[v], v == 6 || v == (hub ? 71u : 70u) || v == 91 || (hub && v >= 1000 && v < 21000)) << v;
  }
}

} // namespace
