// Frontiers in all their forms, and the rule that chooses one.
#include "small_graph.h"
#include "threads.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace {

using V = std::uint32_t;

TEST(Frontier, EveryFormHoldsTheSame) {
  const SmallGraph<V> g = random_graph<V>(5000, 20000, false, true, 11);
  gc::Frontier<V> frontier(g.graph);
  frontier.start(gc::VertexSet<V>::of(5000, {V(1), V(4), V(4999)}));
  frontier.push_each_once();
  frontier.begin_pull();
  EXPECT_TRUE(frontier.bits().contains(V(4)));
  EXPECT_FALSE(frontier.bits().contains(V(5)));
  frontier.begin_push();
#pragma omp parallel num_threads(2)
  {
    auto next = frontier.writer();
    for (V v = 0; v < 3000; ++v) // both threads add every vertex
      next.push_once(gc::Share(), v);
  }
  frontier.advance();
  EXPECT_EQ(frontier.size(), 3000u);
  frontier.begin_pull();
  {
    auto next = frontier.bit_writer();
    for (V v = 100; v < 140; ++v)
      next.set(v), next.set(v);
  }
  frontier.advance();
  EXPECT_EQ(frontier.size(), 40u);
  gc::Levels<V> levels(g.graph);
  levels.keep(frontier);
  frontier.start_all();
  levels.keep(frontier);
  std::vector<std::int64_t> sizes;
  for (const auto &level : levels.reversed())
    sizes.push_back(level.size());
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{5000, 40}));
  sizes.clear();
  for (int again = 0; again < 2; ++again) { // the marks of a loop do not outlast it
    for (const auto &level : levels.reversed_and_marked()) {
      sizes.push_back(level.size());
      std::int64_t marked = 0;
      for (V v = 0; v < 5000; ++v)
        marked += levels.visited_before(v);
      sizes.push_back(marked);
    }
  }
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{5000, 0, 40, 5000, 5000, 0, 40, 5000}));
  EXPECT_TRUE(levels[0].contains(139));
  EXPECT_FALSE(levels[0].contains(140));
  frontier.use_list();
  EXPECT_EQ(frontier[4999], 4999u);

  frontier.start({7, 139, 140});
  levels.keep(frontier);
  std::vector<V> before;
  for (const auto &level : levels.reversed_and_marked()) {
    if (level.size() == 5000)
      for (V v = 0; v < 5000; ++v)
        if (levels.visited_before(v))
          before.push_back(v);
  }
  EXPECT_EQ(before, (std::vector<V>{7, 139, 140}));
}

/// The vertices that the readers of a push give, in ascending order.
std::vector<V> members_of(gc::Frontier<V> &frontier, const gc::Graph<V> &graph) {
  std::vector<V> members;
#pragma omp parallel num_threads(frontier.wide() ? 2 : 1)
  {
    for (const auto active : frontier.active(graph))
#pragma omp critical
      members.push_back(active.vertex());
  }
  std::sort(members.begin(), members.end());
  return members;
}

TEST(Frontier, PullsByTheWorkThatAPullWouldTake) {
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
  std::vector<V> some(2000);
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

TEST(Bitmap, SetsAndClearsTheBitsOfAList) {
  for (const std::size_t n : {100000, 3000000}) // threads share lists for the greater bitmap
    for (const auto &[step, count] : {std::pair<std::size_t, std::size_t>{1, 0},
                                      {1, 1},
                                      {1, 1000},
                                      {1, 40000},
                                      {7, 1000},
                                      {7, 40000},
                                      {4099, 1000},
                                      {4099, 40000}}) { // they share a word, or do not
      std::vector<std::uint32_t> list(count);
      for (std::size_t i = 0; i < count; ++i)
        list[i] = static_cast<std::uint32_t>(i * step % n);
      gc::Bitmap bits;
      bits.resize(n);
      bits.set(std::uint32_t(99999));
      bits.set_all(list.data(), list.size());
      std::set<std::uint32_t> expected(list.begin(), list.end());
      expected.insert(99999);
      EXPECT_EQ(bits.count(), expected.size());
      for (const std::uint32_t v : expected)
        ASSERT_TRUE(bits.contains(v)) << v;
      bits.clear_words(list.data(), list.size());
      for (const std::uint32_t v : list)
        ASSERT_FALSE(bits.contains(v)) << v;
      if (step == 1 && count <= 1000) {
        EXPECT_EQ(bits.count(), 1u);
      }
    }
}

TEST(Frontier, ClaimsInABitmapAndFlushesEarly) {
  const V n = 30000;
  const SmallGraph<V> g = random_graph<V>(n, 120000, false, true, 11);
  std::vector<std::int32_t> expected(n, -1);
  std::vector<V> queue = {7};
  expected[7] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const V v : g.graph.out_neighbors(queue[i]))
      if (expected[v] < 0) {
        expected[v] = expected[queue[i]] + 1;
        queue.push_back(v);
      }
  gc::Frontier<V> frontier(g.graph);
  for (const int flush : {1, 3, 4096})
    for (const int pulled : {0, 2, 3}) { // behind a pull the bitmap is put together again
      std::vector<std::int32_t> depth(n, -1);
      depth[7] = 0;
      frontier.start({7});
      frontier.push_by(gc::PushRule::queue(flush, 0));
      std::size_t reached = 1;
      for (std::int32_t round = 1; !frontier.empty(); ++round) {
        if (round == pulled) {
          frontier.begin_pull();
          auto next = frontier.bit_writer();
          for (V v = 0; v < n; ++v)
            for (const V u : g.graph.in_neighbors(v))
              if (depth[v] < 0 && frontier.bits().contains(u)) {
                depth[v] = round;
                next.set(v);
              }
        } else {
          frontier.begin_push();
          frontier.mark_claimed([&](V v) { return depth[v] >= 0; });
          gc::parallel(frontier.wide(), [&](const auto &mine) {
            auto next = frontier.writer();
            for (const auto active : frontier.active(g.graph, gc::fetch_to_write(depth.data())))
              for (const V v : active.out_neighbors())
                if (next.claim(mine, v, depth[v], round))
                  next.push(v);
          });
        }
        frontier.advance();
        reached += frontier.size();
      }
      EXPECT_EQ(depth, expected);
      EXPECT_EQ(reached, queue.size()) << "each vertex once";
    }
}

TEST(Frontier, BlocksHoldEveryVertexOnceInEveryStateAndForm) {
  const V n = 70001;
  const SmallGraph<V> g = random_graph<V>(n, 200000, false, true, 7);
  gc::Frontier<V> frontier(g.graph);
  std::vector<V> everything(n);
  std::iota(everything.begin(), everything.end(), V(0));
  for (const gc::PushRule &rule : {gc::PushRule::queue(), gc::PushRule::serial(), gc::PushRule::read()}) {
    frontier.start_all();
    frontier.push_by(rule);
    frontier.push_each_once();
    for (int round = 0; round < 6; ++round) {
      const bool pull = round == 2 || round == 3;
      if (pull)
        frontier.begin_pull();
      else
        frontier.begin_push();
      // Multiples of round + 2; two threads add each of them.
      std::vector<V> expected;
      for (V v = 0; v < n; v += static_cast<V>(round + 2))
        expected.push_back(v);
      if (round == 0) {
        EXPECT_EQ(members_of(frontier, g.graph), everything);
      }
#pragma omp parallel num_threads(pull ? 1 : 2)
      {
        if (pull) {
          auto next = frontier.bit_writer();
          for (V v : expected)
            next.set(v);
        } else {
          auto next = frontier.writer();
          for (V v : expected)
            next.push_once(gc::Share(), v);
        }
      }
      if (!pull && round > 0)
        members_of(frontier, g.graph); // marks are cleared by those who read them
      frontier.advance();
      ASSERT_EQ(frontier.size(), expected.size());
      std::vector<V> copied(expected.size());
      frontier.copy_to(copied.data());
      std::sort(copied.begin(), copied.end());
      EXPECT_EQ(copied, expected);
      std::vector<V> slots;
      for (std::size_t slot = 0; slot < frontier.slots(); ++slot)
        if (frontier.slot(slot) != gc::none<V>())
          slots.push_back(frontier.slot(slot));
      std::sort(slots.begin(), slots.end());
      EXPECT_EQ(slots, expected);
    }
  }
}

TEST(Frontier, ShortListsLeadToLongOnesInTheOrderOfTheThreads) {
  const V n = 40000;
  const SmallGraph<V> g = random_graph<V>(n, 1000, false, true, 3);
  const Threads three(3);
  gc::Frontier<V> frontier(g.graph);
  std::vector<V> few(600);
  std::iota(few.begin(), few.end(), V(0));
  frontier.start(gc::VertexSet<V>::of(n, few));
  frontier.begin_push();
  ASSERT_TRUE(frontier.wide());
#pragma omp parallel num_threads(3)
  {
    const V thread = static_cast<V>(omp_get_thread_num());
    auto next = frontier.writer();
#pragma omp barrier                                           // each thread stands for one that has taken a block
    for (V v = thread * 13000; v < (thread + 1) * 13000; ++v) // more than the buffer holds
      next.push(v);
  }
  frontier.advance();
  ASSERT_EQ(frontier.size(), 39000u);
  for (V v = 0; v < 39000; ++v)
    ASSERT_EQ(frontier[v], v);
}

} // namespace
