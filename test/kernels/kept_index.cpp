// The index of the best key, against a search of all.
#include "small_graph.h"

#include <gcompile/omp/order/kept_index.h>

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace {

template <class V, class K, bool least> void agrees_with_search(std::vector<K> values, unsigned seed) {
  std::mt19937 random(seed);
  for (const V n : {0, 1, 15, 16, 17, 255, 256, 257, 4095, 4097, 70000}) {
    const SmallGraph<V> g(n, {}, true);
    std::vector<std::optional<K>> keys(n);
    auto any = [&] { return random() % 4 == 0 ? std::nullopt : std::optional<K>(values[random() % values.size()]); };
    gc::KeptIndex<V, K, least> index(g.graph);
    auto check = [&](int step) {
      V best = gc::none<V>();
      for (V v = 0; v < n; ++v)
        if (keys[v] && (best == gc::none<V>() || (least ? *keys[v] < *keys[best] : *keys[best] < *keys[v])))
          best = v;
      ASSERT_EQ(index.vertex(), best) << n << " " << step;
      ASSERT_EQ(index.key_or(K(7)), best == gc::none<V>() ? K(7) : *keys[best]) << n << " " << step;
    };
    for (int start = 0; start < 2; ++start) {
      for (std::optional<K> &key : keys)
        key = start == 0 ? std::nullopt : any();
      index.start(n, [&](V v) { return keys[v]; });
      check(-1);
      for (int step = 0; n > 0 && step < (n > 1000 ? 30 : 300); ++step) {
        // Often the best one itself, often its neighbours in the tree.
        const V best = index.vertex();
        const V v = best == gc::none<V>() || random() % 3 == 0 ? static_cast<V>(random() % n)
                    : random() % 2 == 0                        ? best
                                        : static_cast<V>(std::min<V>(n - 1, best / 16 * 16 + random() % 16));
        keys[v] = any();
        index.update(v, keys[v]);
        check(step);
      }
    }
  }
}

/// Threads note changes, few and many, some of them twice.
template <class V, class K, bool least> void follows_notes(std::vector<K> values, unsigned seed) {
  std::mt19937 random(seed);
  for (const V n : {1, 15, 17, 300, 70000}) {
    const SmallGraph<V> g(n, {}, true);
    std::vector<std::optional<K>> keys(n);
    auto any = [&] { return random() % 4 == 0 ? std::nullopt : std::optional<K>(values[random() % values.size()]); };
    gc::KeptIndex<V, K, least> index(g.graph);
    index.start(n, [&](V v) { return keys[v]; });
    for (const std::size_t changes : {0, 1, 3, 40, 6000, 1, 200000, 2}) {
      std::vector<V> changed(changes);
      for (V &v : changed) {
        v = static_cast<V>(random() % n);
        keys[v] = any();
      }
      gc::parallel(changes > 2, [&](const gc::Share &mine) {
        auto noter = index.noter();
        for (auto part = mine.equal(changed.size()); part.next();)
          for (std::size_t i = part.begin; i < part.end; ++i)
            noter.note(changed[i]);
      });
      index.update_noted([&](V v) { return keys[v]; });
      V best = gc::none<V>();
      for (V v = 0; v < n; ++v)
        if (keys[v] && (best == gc::none<V>() || (least ? *keys[v] < *keys[best] : *keys[best] < *keys[v])))
          best = v;
      ASSERT_EQ(index.vertex(), best) << n << " " << changes;
      ASSERT_EQ(index.key_or(K(7)), best == gc::none<V>() ? K(7) : *keys[best]) << n << " " << changes;
    }
  }
}

template <class K> std::vector<K> extremes() {
  using Limits = std::numeric_limits<K>;
  return {Limits::lowest(), static_cast<K>(Limits::lowest() + 1), K(0), K(1), K(2), static_cast<K>(Limits::max() - 1),
          Limits::max()};
}

TEST(KeptIndex, OfIntegers) {
  agrees_with_search<std::uint32_t, std::int32_t, true>(extremes<std::int32_t>(), 1);
  agrees_with_search<std::uint32_t, std::int32_t, false>(extremes<std::int32_t>(), 2);
  agrees_with_search<std::uint32_t, std::uint32_t, true>(extremes<std::uint32_t>(), 3);
  agrees_with_search<std::uint32_t, std::uint8_t, false>(extremes<std::uint8_t>(), 4);
}
TEST(KeptIndex, OfLongKeysAndIds) {
  agrees_with_search<std::uint32_t, std::int64_t, true>(extremes<std::int64_t>(), 5);
  agrees_with_search<std::uint64_t, std::int64_t, false>(extremes<std::int64_t>(), 6);
  agrees_with_search<std::uint64_t, std::int32_t, true>(extremes<std::int32_t>(), 7);
}
TEST(KeptIndex, OfRealNumbers) {
  const double inf = std::numeric_limits<double>::infinity();
  agrees_with_search<std::uint32_t, double, true>({-inf, -1.5, -0.0, 0.0, 1e300, inf}, 8);
  agrees_with_search<std::uint32_t, float, false>({-2, -0.0F, 0.0F, 0.5F, 3}, 9);
}
TEST(KeptIndex, OfNotedChanges) {
  follows_notes<std::uint32_t, std::int32_t, true>(extremes<std::int32_t>(), 10);
  follows_notes<std::uint64_t, std::int64_t, false>(extremes<std::int64_t>(), 11);
  follows_notes<std::uint32_t, double, true>({-1.5, 0.0, 2.5}, 12);
}

} // namespace
