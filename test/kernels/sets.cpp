// Vertex sets, frontiers, and set algebra on adjacency lists, against std::set.
#include "small_graph.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace {

using V = std::uint32_t;
using Members = std::set<V>;

Members members(const gc::VertexSet<V> &set) {
  Members result;
  V previous = 0;
  for (V v : set) {
    EXPECT_TRUE(result.empty() || previous < v);
    result.insert(previous = v);
  }
  EXPECT_EQ(static_cast<std::int64_t>(result.size()), set.size());
  Members slots;
  for (std::size_t i = 0; i < set.slots(); ++i)
    if (set.slot(i) != gc::none<V>())
      slots.insert(set.slot(i));
  EXPECT_EQ(slots, result);
  for (V v = 0; v < set.universe() + 10; ++v)
    EXPECT_EQ(set.contains(v), result.count(v) == 1) << v;
  return result;
}

TEST(VertexSet, RandomOperationsAgreeWithStdSet) {
  std::mt19937 random(7);
  for (V n : {1u, 10u, 64u, 1000u, 20000u}) {
    gc::VertexSet<V> set = gc::VertexSet<V>::all(n);
    Members expected;
    for (V v = 0; v < n; ++v)
      expected.insert(v);
    for (int step = 0; step < 25; ++step) {
      std::vector<V> other;
      const std::size_t size = random() % 3 == 0 ? n / 2 : random() % 8;
      for (std::size_t i = 0; i < size; ++i)
        other.push_back(static_cast<V>(random() % n));
      const gc::VertexSet<V> operand = gc::VertexSet<V>::of(n, other);
      const Members given(other.begin(), other.end());
      switch (random() % 4) {
      case 0:
        set += operand;
        expected.insert(given.begin(), given.end());
        break;
      case 1:
      case 2:
        set -= operand;
        for (V v : given)
          expected.erase(v);
        break;
      case 3:
        set = set.intersected(operand.united(gc::VertexSet<V>::of(n, {V(0), V(n / 2), V(n / 3)})));
        for (V v = 0; v < n; ++v)
          if (!given.count(v) && v != 0 && v != n / 2 && v != n / 3)
            expected.erase(v);
        set += gc::VertexSet<V>::all(n).subtracted(operand);
        for (V v = 0; v < n; ++v)
          if (!given.count(v))
            expected.insert(v);
        break;
      }
      const gc::VertexSet<V> copy = set;
      ASSERT_EQ(members(copy), expected) << "n " << n << " step " << step;
    }
  }
}

// What is removed leaves its slots behind until many loops have passed over them, or half of them are such.
TEST(VertexSet, SlotsOfRemovedMembersGoWhereLoopsPass) {
  const V n = 10000;
  std::vector<V> some(n / 10);
  std::iota(some.begin(), some.end(), V(500));
  gc::VertexSet<V> set = gc::VertexSet<V>::all(n);
  set -= gc::VertexSet<V>::of(n, some);
  set -= gc::VertexSet<V>::of(n, {V(3)});
  EXPECT_EQ(set.slots(), n);
  for (int loop = 0; loop < 4; ++loop)
    EXPECT_TRUE(set.wide());
  set -= gc::VertexSet<V>::of(n, {V(7)});
  EXPECT_EQ(set.slots(), n - n / 10 - 2);
  const Members left = members(set);
  EXPECT_EQ(left.count(7) + left.count(3) + left.count(500), 0U);
  for (int loop = 0; loop < 40; ++loop)
    EXPECT_TRUE(set.wide()); // no slot is empty
  set -= gc::VertexSet<V>::of(n, {V(8)});
  EXPECT_EQ(set.slots(), n - n / 10 - 2);
  EXPECT_EQ(members(set).size(), n - n / 10 - 3);
}

TEST(VertexSet, NoneAndRepetitionsAreLeftOut) {
  const gc::VertexSet<V> set = gc::VertexSet<V>::of(5, {V(3), gc::none<V>(), V(1), V(3)});
  EXPECT_EQ(members(set), (Members{1, 3}));
  EXPECT_TRUE(gc::VertexSet<V>().empty());
  EXPECT_FALSE(gc::VertexSet<V>().contains(0));
}

TEST(VertexSet, BuiltInParallel) {
  using Case = std::pair<V, std::size_t>; // the divisor of members, and how many there may be
  for (const Case &each : std::vector<Case>{{1, 100000}, {2, 100000}, {1000, 100000}, {1000, 100}, {100000, 1}}) {
    const V divisor = each.first;
    gc::VertexSetBuilder<V> builder(100000, each.second);
#pragma omp parallel num_threads(2)
    {
      auto kept = builder.writer();
#pragma omp for schedule(dynamic, 64) nowait
      for (V v = 0; v < 100000; ++v)
        if (v % divisor == 0)
          kept.push(v);
    }
    Members expected;
    for (V v = 0; v < 100000; v += divisor)
      expected.insert(v);
    EXPECT_EQ(members(builder.finish()), expected);
  }
}

template <class Range> std::vector<V> list(const Range &range) {
  std::vector<V> result;
  for (const V v : range)
    result.push_back(v);
  return result;
}

TEST(SortedSets, AlgebraAgreesWithStdSet) {
  const SmallGraph<V> g = random_graph<V>(60, 900, true, true, 3);
  const gc::Graph<V> &graph = g.graph;
  const gc::VertexSet<V> odd = gc::VertexSet<V>::of(60, {V(1), V(3), V(5), V(33)});
  auto set = [&](V v) { return Members(graph.out_neighbors(v).begin(), graph.out_neighbors(v).end()); };
  for (V u = 0; u < 20; ++u)
    for (V v = 0; v < 20; ++v) {
      const Members a = set(u), b = set(v);
      std::vector<V> either, both, only, bounded;
      for (V w = 0; w < 60; ++w) {
        if (a.count(w) || b.count(w))
          either.push_back(w);
        if (a.count(w) && b.count(w))
          both.push_back(w);
        if (a.count(w) && !b.count(w))
          only.push_back(w);
        if (a.count(w) && b.count(w) && w > u && w < v + 20)
          bounded.push_back(w);
      }
      const auto na = graph.out_neighbors(u), nb = graph.out_neighbors(v);
      EXPECT_EQ(list(gc::united(na, nb)), either);
      EXPECT_EQ(list(gc::intersected(na, nb)), both);
      EXPECT_EQ(list(gc::subtracted(na, nb)), only);
      EXPECT_EQ(list(gc::below(gc::above(gc::intersected(na, nb), u), v + 20)), bounded);
      EXPECT_EQ(gc::size(gc::united(na, nb)), static_cast<std::int64_t>(either.size()));
      EXPECT_EQ(gc::contains(gc::subtracted(na, nb), v), a.count(v) == 1 && b.count(v) == 0);
      EXPECT_EQ(list(gc::intersected(gc::united(na, nb), na)), std::vector<V>(a.begin(), a.end()));
      std::vector<V> few;
      for (V w : either)
        if (odd.contains(w))
          few.push_back(w);
      EXPECT_EQ(list(gc::intersected(gc::united(na, nb), odd)), few);
      EXPECT_EQ(list(gc::intersected(odd, gc::united(na, nb))), few);
    }
  EXPECT_EQ(list(gc::set_of<V>(V(5), V(2), gc::none<V>(), V(5))), (std::vector<V>{2, 5}));
  EXPECT_EQ(list(gc::filtered(odd, [](V v) { return v > 3; })), (std::vector<V>{5, 33}));
  EXPECT_EQ(list(gc::above(odd, 3)), (std::vector<V>{5, 33}));
}

TEST(SortedSets, ArcsOfEitherSide) {
  const SmallGraph<V> g = random_graph<V>(40, 300, true, false, 5);
  const gc::Graph<V> &graph = g.graph;
  std::multiset<std::pair<V, gc::ArcId>> seen, expected;
  for (gc::ArcId e = 0; e < graph.num_arcs(); ++e) {
    const V u = gc::source(graph, e);
    EXPECT_LE(graph.out_begin(u), e);
    EXPECT_LT(e, graph.out_end(u));
    for (V end : {u, graph.target(e)})
      expected.insert({end, e});
  }
  for (V v = 0; v < 40; ++v) {
    std::size_t count = 0;
    for (const auto arc : gc::either_arcs(graph, v)) {
      seen.insert({v, arc.edge});
      EXPECT_TRUE(arc.vertex == graph.target(arc.edge) || arc.vertex == gc::source(graph, arc.edge));
      ++count;
    }
    EXPECT_EQ(count, list(gc::either(graph, v)).size());
    std::size_t bounded = 0, found = 0;
    for (const V u : gc::either(graph, v))
      bounded += u > 10 && u < 30;
    for (const auto arc : gc::below(gc::above(gc::either_arcs(graph, v), V(10)), V(30)))
      found += arc.vertex > 10 && arc.vertex < 30;
    EXPECT_EQ(found, bounded);
    found = 0;
    for (const auto arc : gc::above(gc::in_arcs(graph, v), 10))
      found += graph.target(arc.edge) == v && arc.vertex > 10;
    std::size_t into = 0;
    for (const V u : graph.in_neighbors(v))
      into += u > 10;
    EXPECT_EQ(found, into);
  }
  EXPECT_EQ(seen, expected);
  std::size_t arcs = 0, twice = 0;
  for (const auto arc : gc::arcs(graph)) {
    EXPECT_EQ(graph.target(arc.edge), arc.target);
    EXPECT_EQ(gc::source(graph, arc.edge), arc.source);
    ++arcs;
  }
  for ([[maybe_unused]] const auto arc : gc::arcs_both(graph))
    ++twice;
  EXPECT_EQ(arcs, graph.num_arcs());
  EXPECT_EQ(twice, 2 * graph.num_arcs());
  std::vector<bool> met(graph.num_arcs());
  V last = 0;
  for (const auto arc : gc::arcs_into(graph)) {
    EXPECT_EQ(graph.target(arc.edge), arc.target);
    EXPECT_EQ(gc::source(graph, arc.edge), arc.source);
    EXPECT_LE(last, arc.target);
    last = arc.target;
    met[arc.edge] = true;
  }
  EXPECT_EQ(std::count(met.begin(), met.end(), true), static_cast<std::ptrdiff_t>(graph.num_arcs()));
  std::size_t some = 0;
  const auto ends = gc::VertexSet<V>::of(graph.num_vertices(), {V(3), V(7)});
  for (const auto arc : gc::arcs_into(graph, ends))
    some += arc.target == 3 || arc.target == 7;
  EXPECT_EQ(some, static_cast<std::size_t>(graph.in_degree(3) + graph.in_degree(7)));
  const gc::Graph<V> turned = graph.transposed();
  for (V v = 0; v < graph.num_vertices(); ++v) {
    EXPECT_EQ(turned.out_degree(v), graph.in_degree(v));
    EXPECT_EQ(turned.in_degree(v), graph.out_degree(v));
    for (gc::ArcId k = turned.out_begin(v); k < turned.out_end(v); ++k)
      EXPECT_EQ(gc::source(graph, turned.in_edges[k]), turned.target(k));
  }
}

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
      next.push_once(v);
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

TEST(Frontier, BlocksHoldEveryVertexOnceInEveryStateAndForm) {
  const V n = 70001;
  const SmallGraph<V> g = random_graph<V>(n, 200000, false, true, 7);
  gc::Frontier<V> frontier(g.graph);
  std::vector<V> everything(n);
  std::iota(everything.begin(), everything.end(), V(0));
  for (const gc::PushRule rule : {gc::PushRule::queue(), gc::PushRule::serial(), gc::PushRule::read()}) {
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
            next.push_once(v);
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
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  gc::Frontier<V> frontier(g.graph);
  std::vector<V> few(300);
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
  omp_set_num_threads(before);
  frontier.advance();
  ASSERT_EQ(frontier.size(), 39000u);
  for (V v = 0; v < 39000; ++v)
    ASSERT_EQ(frontier[v], v);
}

TEST(Frontier, HubsOfShortFrontiersAreCutBeforeAnyThreadIsDone) {
  // The third thread meets the hub when the second is done already, and the first comes only then.
  const V n = 40000;
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V u = 0; u < 299; ++u)
    edges.push_back({u, 1000 + u, 1});
  for (V v = 2000; v < 22000; ++v)
    edges.push_back({299, v, 1});
  const SmallGraph<V> g(n, edges, true);
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
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
  omp_set_num_threads(before);
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
  omp_set_num_threads(4);
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
  omp_set_num_threads(2);
}

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

TEST(PushRule, FollowsTheStateMachine) {
  using State = gc::PushState;
  const std::size_t n = 100000000; // T2 is a million
  gc::PushRule rule = gc::PushRule::hybrid(64, 0.01, 2048, 2, 2);
  EXPECT_EQ(rule.next(State::serial, 0, 1, n), State::serial);
  EXPECT_EQ(rule.next(State::serial, 1, 64, n), State::serial);
  EXPECT_EQ(rule.next(State::serial, 64, 65, n), State::queue);
  EXPECT_EQ(rule.next(State::queue, 65, 2048, n), State::queue) << "T3 is not passed";
  EXPECT_EQ(rule.next(State::queue, 2048, 4096, n), State::queue) << "growth is not above alpha";
  EXPECT_EQ(rule.next(State::queue, 2048, 4097, n), State::read);
  EXPECT_EQ(rule.next(State::serial, 1, 2049, n), State::read) << "the neighbours of a hub";
  EXPECT_EQ(rule.next(State::read, 4097, 8194, n), State::read) << "still growing";
  EXPECT_EQ(rule.next(State::read, 8194, 16000, n), State::queue) << "growth below beta";
  EXPECT_EQ(rule.next(State::queue, 900000, 1000001, n), State::read) << "T2 is passed";
  EXPECT_EQ(rule.next(State::read, 1000001, 1000002, n), State::read) << "large, though it does not grow";
  EXPECT_EQ(rule.next(State::read, 1000002, 1000000, n), State::queue);
  EXPECT_EQ(rule.next(State::queue, 1000000, 64, n), State::serial);
  rule = gc::PushRule::hybrid(64, 5000, 2048, 2, 2);
  EXPECT_EQ(rule.next(State::queue, 3000, 6001, n), State::read);
  EXPECT_EQ(rule.next(State::read, 6001, 5001, n), State::read) << "T2 as a number";
  EXPECT_EQ(rule.next(State::read, 5001, 10001, 1000), State::read);
  EXPECT_EQ(rule.next(State::read, 5001, 5000, n), State::queue);
  gc::PushRule small = gc::PushRule::hybrid(64, 0.01, 2048, 2, 2);
  EXPECT_EQ(small.next(State::queue, 200000, 1 << 18, 10000000), State::queue) << "T2 is at least 2^18";
  EXPECT_EQ(small.next(State::queue, 200000, (1 << 18) + 1, 10000000), State::read);
  EXPECT_EQ(small.next(State::queue, 60000, 62500, 1000000), State::queue) << "or a sixteenth of a smaller graph";
  EXPECT_EQ(small.next(State::queue, 60000, 62501, 1000000), State::read);
}

} // namespace
