// Sets in buckets by a property, against visiting every member.
#include "small_graph.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

using V = std::uint32_t;

/// The members with wanted(priority), in ascending order.
template <class P, class Wanted>
std::vector<V> expected(const gc::VertexSet<V> &set, const std::vector<P> &priority, Wanted wanted) {
  std::vector<V> chosen;
  for (V v : set)
    if (wanted(priority[v]))
      chosen.push_back(v);
  return chosen;
}
std::vector<V> listed(const gc::VertexSet<V> &set) {
  std::vector<V> result;
  for (V v : set)
    result.push_back(v);
  return result;
}

/// Priorities rise, fall, return and become extreme, members leave: each question must be answered as by a search.
template <class P> void agreesWithSearch(std::vector<P> values, unsigned seed) {
  std::mt19937 random(seed);
  const V n = 30000;
  const SmallGraph<V> g(n, {}, true);
  std::vector<P> priority(n);
  auto any = [&] { return values[random() % values.size()]; };
  for (P &p : priority)
    p = any();
  gc::VertexSet<V> set = gc::VertexSet<V>::all(n);
  gc::BucketedSet<V, P> buckets(g.graph);
  buckets.start(set, priority.data());
  for (int step = 0; step < 200; ++step) {
    P least = gc::greatest<P>();
    for (V v : set)
      least = std::min(least, priority[v]);
    ASSERT_EQ(buckets.min(), least) << step;
    const P bound = step % 3 == 0 ? least : any();
    ASSERT_EQ(listed(buckets.at_most(bound)), expected(set, priority, [=](P p) { return p <= bound; })) << step;
    ASSERT_EQ(listed(buckets.below(bound)), expected(set, priority, [=](P p) { return p < bound; })) << step;
    ASSERT_EQ(listed(buckets.equal_to(bound)), expected(set, priority, [=](P p) { return p == bound; })) << step;
    if (step % 3 == 0)
      set -= buckets.at_most(least);
    // Each vertex belongs to one thread, which may move it several times.
    const unsigned salt = random(), moved = step % 5 == 0 ? n : 50;
#pragma omp parallel num_threads(2)
    {
      auto mover = buckets.mover();
      std::mt19937 own(salt + static_cast<unsigned>(omp_get_thread_num()));
      for (unsigned i = 0; i < moved; ++i) {
        const V v = static_cast<V>(own() % (n / 2)) * 2 + static_cast<V>(omp_get_thread_num());
        priority[v] = values[own() % values.size()];
        mover.move(v);
      }
    }
  }
}

TEST(BucketedSet, SmallPriorities) { agreesWithSearch<std::int32_t>({0, 1, 2, 3, 4, 5, 6, 7}, 1); }
TEST(BucketedSet, NegativePriorities) { agreesWithSearch<std::int32_t>({-300, -299, -5, -1, 0, 1, 140, 260}, 2); }
TEST(BucketedSet, ExtremePriorities) {
  using Limits = std::numeric_limits<std::int64_t>;
  agreesWithSearch<std::int64_t>({Limits::min(), Limits::min() + 1, -1, 0, 1, Limits::max() - 1, Limits::max()}, 3);
}

TEST(BucketedSet, StartsAgain) {
  const SmallGraph<V> g(10, {}, true);
  std::vector<std::int32_t> priority = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  gc::VertexSet<V> set = gc::VertexSet<V>::of(10, {V(2), V(3)}), none = gc::VertexSet<V>::of(10, {});
  gc::BucketedSet<V, std::int32_t> buckets(g.graph);
  buckets.start(set, priority.data());
  EXPECT_EQ(buckets.min(), 6);
  buckets.start(none, priority.data());
  EXPECT_EQ(buckets.min(), gc::greatest<std::int32_t>());
  EXPECT_TRUE(buckets.at_most(100).empty());
}

} // namespace
