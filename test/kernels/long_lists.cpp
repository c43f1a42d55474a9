// Pushes along long lists, which are cut for several threads.
#include "small_graph.h"
#include "threads.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace {

using V = std::uint32_t;

TEST(Frontier, HubsOfShortFrontiersAreCutBeforeAnyThreadIsDone) {
  // The third thread meets the hub when the second is done already, and the first comes only then.
  const V n = 40000;
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V u = 0; u < 299; ++u)
    edges.push_back({u, 1000 + u, 1});
  for (V v = 2000; v < 22000; ++v)
    edges.push_back({299, v, 1});
  const SmallGraph<V> g(n, edges, true);
  const Threads three(3);
  gc::Frontier<V> frontier(g.graph);
  std::vector<V> members(300);
  std::iota(members.begin(), members.end(), V(0));
  frontier.start(gc::VertexSet<V>::of(n, members));
  frontier.share_lists();
  frontier.begin_push();
  std::atomic<int> met{0}, left{0}, first_done{0}, second_done{0};
  const auto await = [](const std::atomic<int> &flag) {
    while (flag == 0)
      std::this_thread::yield();
  };
#pragma omp parallel num_threads(3)
  {
    const int thread = omp_get_thread_num();
    if (thread < 2)
      await(thread == 0 ? left : met);
    {
      auto next = frontier.writer();
      for (const auto active : frontier.active(g.graph)) {
        const bool hub = thread == 2 && active.vertex() == 299;
        if (hub && met.exchange(1) == 0)
          await(second_done);
        for (const V v : active.out_neighbors())
          next.push(v);
        if (hub && left.exchange(1) == 0)
          await(first_done);
      }
    }
    if (thread < 2)
      (thread == 0 ? first_done : second_done) = 1;
  }
  frontier.advance();
  ASSERT_EQ(frontier.size(), edges.size());
  std::vector<V> found;
  for (std::size_t i = 0; i < frontier.size(); ++i)
    found.push_back(frontier[i]);
  std::sort(found.begin(), found.end());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], std::get<1>(edges[i]));
}

TEST(Frontier, LongListsAreCutAndWalkedOnce) {
  // Vertices 0, 50, ..., 250 lead to all 20000, the others to the next one.
  const V n = 20000;
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V u = 0; u < n; ++u)
    for (V v = u < 300 && u % 50 == 0 ? 0 : u + 1, end = v == 0 ? n : std::min(u + 2, n); v < end; ++v)
      edges.push_back({u, v, 1});
  const SmallGraph<V> g(n, edges, true);
  const Threads four(4);
  gc::Frontier<V> frontier(g.graph);
  for (const V size : {V(1), V(200), V(1000), n}) { // cut early, early, on the way, and from all vertices
    std::vector<V> members(size);
    std::iota(members.begin(), members.end(), V(0));
    frontier.start(gc::VertexSet<V>::of(n, members));
    frontier.share_lists();
    frontier.begin_push();
    EXPECT_TRUE(frontier.wide());
    std::vector<int> walked(g.graph.num_arcs());
    std::size_t longest = 0;
#pragma omp parallel
    for (const auto active : frontier.active(g.graph)) {
      const auto list = active.out_neighbors();
      if (list.empty()) // left to others
        continue;
      const gc::ArcId first = static_cast<gc::ArcId>(list.begin() - g.graph.out_targets);
#pragma omp critical
      {
        longest = std::max(longest, list.size());
        for (std::size_t k = 0; k < list.size(); ++k)
          ++walked[first + k];
      }
      EXPECT_GE(first, g.graph.out_begin(active.vertex()));
      EXPECT_LE(first + list.size(), g.graph.out_end(active.vertex()));
    }
    EXPECT_LE(longest, 8192u);
    for (V u = 0; u < n; ++u)
      for (gc::ArcId e = g.graph.out_begin(u); e < g.graph.out_end(u); ++e)
        ASSERT_EQ(walked[e], u < size ? 1 : 0) << "arc " << e << " out of " << u;
  }
}

TEST(Frontier, LongListsOfVerticesThatWereCountedAreCut) {
  // A star of 3000 leaves, of which the last is a hub. What a round counts tells the next one whether a list is long.
  const Threads two(2);
  const V n = 20000, leaves = 3000;
  for (const bool hub : {true, false})
    for (const bool marks : {true, false}) {
      std::vector<std::tuple<V, V, std::int32_t>> edges;
      for (V v = 1; v <= leaves; ++v) {
        edges.push_back({0, v, 1});
        for (V k = 0; k < 4; ++k)
          edges.push_back({v, v + k, 1});
      }
      for (V v = 0; v < n && hub; ++v)
        edges.push_back({leaves, v, 1});
      const SmallGraph<V> g(n, edges, true);
      gc::Frontier<V> frontier(g.graph);
      frontier.start({0});
      frontier.share_lists();
      if (marks)
        frontier.push_by(gc::PushRule::read());
      for (int round = 0; round < 2; ++round) {
        EXPECT_FALSE(frontier.pulls(1e-9, 18));
        std::atomic<std::size_t> longest{0}, walked{0};
#pragma omp parallel if (frontier.wide())
        {
          auto next = frontier.writer();
          for (const auto active : frontier.active(g.graph)) {
            const auto list = active.out_neighbors();
            walked += list.size();
            for (std::size_t seen = longest; seen < list.size() && !longest.compare_exchange_weak(seen, list.size());)
              ;
            for (const V v : list)
              if (round == 0)
                next.push(v);
          }
        }
        EXPECT_LE(longest, 8192u);
        EXPECT_EQ(walked, round == 0 ? leaves : g.graph.num_arcs() - leaves) << (marks ? "marks" : "queue");
        frontier.advance();
      }
    }
}

} // namespace
