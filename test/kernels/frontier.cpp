// Frontiers in all their forms.
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
            for (const auto active : frontier.active(g.graph, gc::fetch(depth.data())))
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
