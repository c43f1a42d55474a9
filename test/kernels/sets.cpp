// Vertex sets, and set algebra on adjacency lists, against std::set.
#include "small_graph.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

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

} // namespace
