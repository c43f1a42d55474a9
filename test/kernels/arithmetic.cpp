// Numbers, atomic updates, reductions, copies.
#include "small_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

constexpr std::int32_t inf = gc::inf<std::int32_t>(), low = gc::lowest<std::int32_t>();

TEST(Numeric, InfinityAbsorbs) {
  EXPECT_EQ(gc::add_inf(inf, -5), inf);
  EXPECT_EQ(gc::add_inf(-5, inf), inf);
  EXPECT_EQ(gc::add_inf(3, 4), 7);
  EXPECT_EQ(gc::add_inf(inf - 1, 5), inf);
  for (const int x : {-2147483647 - 1, -7, 0, 3, inf - 1, inf})
    for (const int y : {0, 1, 5, inf - 1})
      EXPECT_EQ(gc::raise_inf(x, y), gc::add_inf(x, y)) << x << " " << y;
  EXPECT_EQ(gc::add_inf(low + 1, -5), low);
  EXPECT_EQ(gc::sub_inf(inf, 5), inf);
  EXPECT_EQ(gc::sub_inf(3, 5), -2);
  EXPECT_EQ(gc::sub_inf(inf - 1, -5), inf);
  EXPECT_EQ(gc::sub_inf(low, 1), low);
  EXPECT_EQ(gc::add_inf(std::int64_t(1) << 62, std::int64_t(1) << 62), gc::inf<std::int64_t>());
  EXPECT_EQ(gc::add_inf(1.5, 2.0), 3.5);
}

TEST(Numeric, IntegersOfFloats) {
  EXPECT_EQ(gc::to_integer<std::int32_t>(2.9), 2);
  EXPECT_EQ(gc::to_integer<std::int32_t>(-2.9), -2);
  EXPECT_EQ(gc::to_integer<std::int32_t>(1e300), inf);
  EXPECT_EQ(gc::to_integer<std::int32_t>(-gc::inf<double>()), low);
  EXPECT_EQ(gc::to_integer<std::int64_t>(std::numeric_limits<double>::quiet_NaN()), 0);
}

TEST(Numeric, DivisionIsChecked) {
  EXPECT_EQ(gc::divide(7, 2, "a.gdsl:1"), 3);
  EXPECT_EQ(gc::divide(low, -1, "a.gdsl:1"), inf);
  EXPECT_EQ(gc::remainder(low, -1, "a.gdsl:1"), 0);
  EXPECT_EXIT(gc::divide(1, 0, "a.gdsl:1"), testing::ExitedWithCode(3), "error: a.gdsl:1: division by zero");
  EXPECT_EXIT(gc::check(std::uint32_t(7), 7, "a.gdsl:2"), testing::ExitedWithCode(3),
              "a.gdsl:2: the index is out of range");
  EXPECT_EXIT(gc::check(gc::none<std::uint32_t>(), 7, "a.gdsl:3"), testing::ExitedWithCode(3), "the index is none");
  EXPECT_EQ(gc::power(3, 4), 81);
  EXPECT_EQ(gc::power(-1, -3), -1);
}

TEST(Numeric, HashIsTheSameForBothWidths) {
  EXPECT_EQ(gc::hash(std::uint32_t(17), 3), gc::hash(std::uint64_t(17), std::int64_t(3)));
  EXPECT_EQ(gc::hash(gc::none<std::uint32_t>()), gc::hash(gc::none<std::uint64_t>()));
  EXPECT_NE(gc::hash(1, 2), gc::hash(2, 1));
  EXPECT_EQ(gc::hash(1, 2), 6804074658870690613); // fixed: programs that use it give the same results for ever
  for (int i = 0; i < 1000; ++i)
    EXPECT_GE(gc::hash(i), 0);
}

TEST(Atomics, ManyThreadsAgree) {
  std::int32_t sum = 0, least = inf;
  double real = 0;
  std::uint8_t flag = 0;
  std::tuple<std::int32_t, std::uint32_t> pair{inf, 0};
  std::int32_t key = inf;
  std::uint32_t parent = gc::none<std::uint32_t>(), claimed = gc::none<std::uint32_t>();
  int winners = 0, flagged = 0;
#pragma omp parallel for num_threads(4) reduction(+ : winners, flagged)
  for (int i = 0; i < 20000; ++i) {
    const std::int32_t value = 1000 + (i * 7919) % 20000;
    gc::atomic_add(sum, 1);
    gc::atomic_add(real, 0.5);
    gc::atomic_min(least, value);
    gc::atomic_min(pair, std::tuple<std::int32_t, std::uint32_t>(value, i));
    gc::atomic_min_together(std::tie(key, parent), std::tuple<std::int32_t, std::uint32_t>(value / 2, i));
    winners += gc::claim(claimed, gc::none<std::uint32_t>(), std::uint32_t(i));
    flagged += gc::atomic_or(flag, i % 3 == 0);
  }
  EXPECT_EQ(sum, 20000);
  EXPECT_EQ(real, 10000.0);
  EXPECT_EQ(least, 1000);
  EXPECT_EQ(pair, (std::tuple<std::int32_t, std::uint32_t>(1000, 0)));
  EXPECT_EQ(key, 500);
  EXPECT_EQ(parent, 0u); // of the two values with key 500, the smaller vertex
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(flagged, 1);
}

TEST(Atomics, ValuesAreReadTogether) {
  std::int64_t key = 1000;
  std::uint32_t twin = 2000; // twice the key
  int torn = 0;
#pragma omp parallel for num_threads(4) schedule(static, 1) reduction(+ : torn)
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const std::uint32_t wanted = 999 - i / 20 % 1000;
    gc::atomic_min_together(std::tie(key, twin), std::tuple<std::int64_t, std::uint32_t>(wanted, 2 * wanted));
    const std::tuple<std::int64_t, std::uint32_t> now = gc::load_together(std::tie(key, twin));
    torn += std::get<1>(now) != 2 * std::get<0>(now);
  }
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(key, 0);
  EXPECT_EQ(twin, 0u);
}

TEST(Updates, SayWhetherTheyChange) {
  std::int32_t x = 5;
  EXPECT_FALSE(gc::update_min(x, 5));
  EXPECT_TRUE(gc::update_min(x, 4));
  EXPECT_FALSE(gc::update_max(x, 3));
  EXPECT_FALSE(gc::update_add(x, 0));
  EXPECT_TRUE(gc::update_assign(x, 9));
  EXPECT_FALSE(gc::atomic_assign(x, 9));
  EXPECT_FALSE(gc::atomic_max(x, 9));
  EXPECT_TRUE(gc::atomic_multiply(x, 2));
  EXPECT_EQ(x, 18);
  double large = 1e17, unknown = std::nan("");
  EXPECT_FALSE(gc::update_add(large, 1)); // too little to be seen
  EXPECT_FALSE(gc::atomic_add(large, 1));
  EXPECT_TRUE(gc::atomic_add(large, 1e17));
  EXPECT_FALSE(gc::update_add(unknown, 1)); // NaN is the same as itself
  EXPECT_FALSE(gc::atomic_add(unknown, 1));
  EXPECT_FALSE(gc::atomic_multiply(unknown, 2));
  EXPECT_FALSE(gc::owner_add(unknown, 1));
  EXPECT_TRUE(gc::update_assign(unknown, 1));
}

TEST(Reductions, TiesGoToTheSmallestId) {
  gc::ArgMin<double, std::uint32_t> least;
  EXPECT_EQ(least.witness(), gc::none<std::uint32_t>());
  for (std::uint32_t v : {9u, 4u, 7u})
    least.add(1.0, v);
  least.add(2.0, 1);
  EXPECT_EQ(least.witness(), 4u);
  gc::ArgMin<std::int32_t, std::uint32_t> infinite;
  infinite.add(inf, 3);
  EXPECT_EQ(infinite.witness(), 3u);
  gc::ArgMax<std::int32_t, std::uint32_t> greatest;
  greatest.add(5, 8);
  greatest.add(5, 2);
  EXPECT_EQ(greatest.witness(), 2u);
  gc::Mode<std::uint32_t> mode;
  for (std::uint32_t v : {5u, 3u, 5u, 3u, 9u})
    mode.add(v);
  EXPECT_EQ(mode.value(), 3u);
  mode.clear();
  EXPECT_EQ(mode.value(), gc::none<std::uint32_t>());
}

TEST(Reductions, ThreadsAreCombined) {
  gc::PerThread<std::int64_t> parts(0);
#pragma omp parallel
  {
    std::int64_t sum = 0;
#pragma omp for nowait
    for (int i = 0; i < 1000; ++i)
      sum += i;
    parts.mine() = sum;
  }
  EXPECT_EQ(parts.sum(), 499500);
}

/// A class of N bytes, aligned to one, whose last byte counts.
template <int N> struct Bytes { unsigned char bytes[N]; };

/// Adds the last bytes; the others are those of the first value.
struct Counting {
  template <class T> static T combine(const T &a, const T &b) {
    T sum = a;
    sum.bytes[sizeof(T) - 1] = static_cast<unsigned char>(a.bytes[sizeof(T) - 1] + b.bytes[sizeof(T) - 1]);
    return sum;
  }
};

/// Many threads count in two neighbouring values, `offset` bytes behind a place that is aligned to 16.
template <int N> void countTogether(std::size_t offset) {
  alignas(16) unsigned char memory[64] = {};
  auto *values = reinterpret_cast<Bytes<N> *>(memory + offset);
  Bytes<N> one = {};
  one.bytes[N - 1] = 1;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 20000; ++i)
    gc::atomic_combine(values[i % 2], one, Counting());
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(values[i].bytes[N - 1], 10000 % 256) << N << " bytes at " << offset;
}

TEST(Atomic, DeclaredReductionsLoseNothing) {
  for (std::size_t offset : {0u, 1u, 4u}) {
    countTogether<1>(offset);
    countTogether<2>(offset);
    countTogether<4>(offset);
    countTogether<8>(offset);
    countTogether<3>(offset);
    countTogether<16>(offset);
  }
  std::int64_t sum = 0;
  struct Sum {
    static std::int64_t combine(std::int64_t a, std::int64_t b) { return a + b; }
  };
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 1000; ++i)
    gc::atomic_combine(sum, i, Sum());
  EXPECT_EQ(sum, 499500);
  EXPECT_FALSE(gc::update_combine(sum, 0, Sum()));
  EXPECT_TRUE(gc::owner_combine(sum, 1, Sum()));
  EXPECT_EQ(sum, 499501);
}

TEST(Copies, RowsAndColumns) {
  gc::Dense<std::int32_t> matrix(50);
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < 50; ++j)
      matrix(i, j) = static_cast<std::int32_t>(100 * i + j);
  gc::Property<std::int32_t> slice(50);
  gc::copy_row(slice, matrix, std::uint32_t(7));
  EXPECT_EQ(slice[3], 703);
  gc::copy_column(slice, matrix, std::uint32_t(7));
  EXPECT_EQ(slice[3], 307);
  gc::Dense<std::int32_t> other(50);
  gc::copy(other, matrix);
  EXPECT_EQ(other(49, 49), 4949);
}

} // namespace
