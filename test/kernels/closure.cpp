// Closures of pairs in every form that their values allow, against the plain loop.
#include "runtime/src/closure.h"

#include <gcompile/omp/closure/close_pairs.h>
#include <gcompile/omp/closure/known_steps.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

using V = std::uint32_t;
using Pair = std::tuple<std::int32_t, V>;

const auto least_sum = [](auto own, decltype(own) column, decltype(own) row, V, V, V) {
  return std::min(own, gc::add_inf(column, row));
};
template <int operand> Pair least_pair(Pair own, Pair column, Pair row, V, V, V) {
  return std::min(own, Pair(gc::add_inf(std::get<0>(column), std::get<0>(row)), std::get<1>(operand ? row : column)));
}

template <class T> std::vector<T> list(const gc::Dense<T> &values) {
  return {values.data(), values.data() + values.size() * values.size()};
}
template <class T> gc::Dense<T> copy(const gc::Dense<T> &values) {
  gc::Dense<T> result(values.size());
  std::copy(values.data(), values.data() + values.size() * values.size(), result.data());
  return result;
}

template <class T, class Step> std::vector<T> plain(const gc::Dense<T> &values, const Step &step) {
  gc::Dense<T> d = copy(values);
  const V n = static_cast<V>(d.size());
  std::vector<T> row(n), column(n);
  for (V k = 0; k < n; ++k) {
    for (V v = 0; v < n; ++v) {
      row[v] = d(k, v);
      column[v] = d(v, k);
    }
    for (V i = 0; i < n; ++i)
      for (V j = 0; j < n; ++j)
        d(i, j) = step(d(i, j), column[i], row[j], i, j, k);
  }
  return list(d);
}

template <class T, class Known, class Step>
void compare(const gc::Dense<T> &values, Known known, const Step &step, std::size_t block) {
  const std::vector<T> expected = plain(values, step);
  gc::Dense<T> d = copy(values);
  gc::close_pairs(d, known, step, block);
  EXPECT_TRUE(list(d) == expected) << values.size() << " vertices, blocks of " << block;
  if constexpr (!std::is_floating_point_v<T>)
    for (int with = 0; with <= static_cast<int>(gc::detail::known::best()); ++with) {
      d = copy(values);
      gc::detail::known::close(static_cast<gc::detail::known::Instructions>(with), d, known, block);
      EXPECT_TRUE(list(d) == expected) << values.size() << " vertices, instructions " << with;
    }
}

/// Numbers from `least` to `greatest`, and infinity but for one value in `one_in`.
struct Numbers {
  std::int64_t least, greatest;
  unsigned one_in;
};
constexpr std::int64_t top = gc::inf<std::int32_t>(), bottom = gc::lowest<std::int32_t>(), range = 1 << 27;
const Numbers numbers[] = {
    {0, 100, 5},          {0, 30000, 5},       {250, 255, 60},          {32760, 32767, 5},
    {0, 3000, 50},        {-1, 40, 5},         {-20, 100, 25},          {top - 5000, top - 1, 5},
    {bottom, top - 1, 5}, {-range, range, 70}, {-range - 1, range, 70}, {-range, range + 1, 70},
    {0, top - 1, 30},     {-5, -1, 90},        {bottom, bottom, 40},    {top, top, 1},
};

TEST(Closures, OfIntegersAndPairs) {
  std::mt19937_64 random(7);
  for (const std::size_t n : {1, 2, 16, 17, 48, 97, 131})
    for (const Numbers &kind : numbers)
      for (const std::size_t block : {1, 150}) {
        gc::Dense<std::int32_t> narrow(n);
        gc::Dense<std::int64_t> wide(n);
        gc::Dense<Pair> pairs(n);
        for (V i = 0; i < n; ++i)
          for (V j = 0; j < n; ++j) {
            const bool there = random() % kind.one_in == 0;
            const std::int64_t number =
                kind.least +
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kind.greatest - kind.least + 1));
            narrow(i, j) = there ? static_cast<std::int32_t>(number) : gc::inf<std::int32_t>();
            wide(i, j) = there ? number * (n % 2 ? 1 : 4000000000) : gc::inf<std::int64_t>();
            // Vertices of infinite numbers count, too.
            pairs(i, j) = {narrow(i, j), there || random() % 4 == 0 ? V(random() % n) : gc::none<V>()};
          }
        compare(narrow, gc::ShortestPaths(), least_sum, block);
        compare(wide, gc::ShortestPaths(), least_sum, block);
        compare(pairs, gc::PathsByFirst(), least_pair<0>, block);
        compare(pairs, gc::PathsByLast(), least_pair<1>, block);
        if (testing::Test::HasFailure())
          FAIL() << kind.least << " to " << kind.greatest;
      }
}

TEST(Closures, OfPairsWithLongIds) {
  using Long = std::tuple<std::int32_t, std::uint64_t>;
  gc::Dense<Long> pairs(20);
  for (std::size_t i = 0; i < 400; ++i)
    pairs.data()[i] = {static_cast<std::int32_t>(i * 7919 % 100), i};
  compare(
      pairs, gc::PathsByLast(),
      [](Long own, Long column, Long row, V, V, V) {
        return std::min(own, Long(gc::add_inf(std::get<0>(column), std::get<0>(row)), std::get<1>(row)));
      },
      96);
}

/// A path over all vertices, whose numbers have this sum; the greatest of them is the first one.
gc::Dense<std::int32_t> path(std::size_t n, std::int32_t sum, std::int32_t greatest) {
  gc::Dense<std::int32_t> d(n);
  std::fill(d.data(), d.data() + n * n, gc::inf<std::int32_t>());
  d(0, 1) = greatest;
  const std::int32_t rest = sum - greatest, steps = static_cast<std::int32_t>(n) - 2;
  for (std::int32_t i = 0; i < steps; ++i)
    d(static_cast<std::size_t>(i) + 1, static_cast<std::size_t>(i) + 2) = rest / steps + (i < rest % steps);
  return d;
}

TEST(Closures, SixteenBitsExactlyWhereNoResultIsCutOff) {
  for (const std::int32_t greatest : {200, 255, 256, 1000, 16000})
    for (const std::int32_t beside : {-2, -1, 0, 1, 30}) {
      const std::int32_t sum = 32767 - greatest + beside; // the longest of all paths
      const gc::Dense<std::int32_t> before = path(200, sum, greatest);
      gc::Dense<std::int32_t> d = copy(before);
      EXPECT_EQ(gc::detail::close_in_fewer_bits<std::uint16_t>(d, greatest, 96), beside < 0)
          << greatest << ' ' << beside;
      EXPECT_TRUE(list(d) == (beside < 0 ? plain(before, least_sum) : list(before)));
      compare(before, gc::ShortestPaths(), least_sum, 96);
    }
  gc::Dense<std::int32_t> d(1);
  d(0, 0) = 32767; // as infinity in 16 bits
  EXPECT_FALSE(gc::detail::close_in_fewer_bits<std::uint16_t>(d, 32767, 96));
}

TEST(Closures, NumbersThatLeaveTheirRangeInTheMiddleOfABlock) {
  using Form = gc::detail::BiasedSums<std::uint32_t>;
  for (const V where : {0, 20, 50, 96, 120, 199}) { // a negative cycle, whose numbers double in each step
    const std::size_t n = 200;
    gc::Dense<std::int32_t> before(n);
    for (V i = 0; i < n; ++i)
      for (V j = 0; j < n; ++j)
        before(i, j) = (i + j) % 3 == 0 ? gc::inf<std::int32_t>() : static_cast<std::int32_t>((i * 7 + j * 5) % 90);
    before(where, where) = -1;
    for (V v = where; v < n; ++v)
      before(v, where) = before(where, v) = -static_cast<std::int32_t>(v % 4) - 1;
    gc::Dense<std::uint32_t> biased(n);
    for (std::size_t i = 0; i < n * n; ++i)
      biased.data()[i] = before.data()[i] == gc::inf<std::int32_t>()
                             ? Form::row_infinity
                             : static_cast<std::uint32_t>(before.data()[i]) + Form::bias;
    const std::size_t made = gc::detail::Closure<std::uint32_t, Form>(biased.data(), n, n, {}, 96).run();
    EXPECT_TRUE(made == 0 || made == 96 || made == 192 || made == n) << made;
    // What it leaves is the plain loop's, which may go on.
    gc::Dense<std::int32_t> d = copy(before);
    const std::vector<std::int32_t> expected =
        plain(d, [&](std::int32_t own, std::int32_t column, std::int32_t row, V i, V j, V k) {
          return k < made ? least_sum(own, column, row, i, j, k) : own;
        });
    for (std::size_t i = 0; i < n * n; ++i) {
      const std::int32_t found = biased.data()[i] >= Form::infinite
                                     ? gc::inf<std::int32_t>()
                                     : static_cast<std::int32_t>(biased.data()[i] - Form::bias);
      ASSERT_EQ(found, expected[i]) << where << ' ' << i;
    }
    compare(before, gc::ShortestPaths(), least_sum, 96);
    const std::vector<std::int32_t> end = plain(before, least_sum);
    EXPECT_EQ(made == n, *std::min_element(end.begin(), end.end()) >= -static_cast<std::int32_t>(Form::range)) << where;
  }
}

TEST(Closures, NumbersThatLeaveTheirRangeInRowsOrColumnsAlone) {
  const auto least = -static_cast<std::int32_t>(range);
  for (const V from : {0, 94, 97})
    for (const bool turned : {false, true}) {
      const std::size_t n = 120;
      gc::Dense<std::int32_t> d(n);
      std::fill(d.data(), d.data() + n * n, gc::inf<std::int32_t>());
      const auto set = [&](V i, V j) { (turned ? d(j, i) : d(i, j)) = least; };
      for (V v : {0, 1, 2})
        set(from + v, v == 0 ? 119 : from + v - 1); // to vertex 119, by way of each of these
      compare(d, gc::ShortestPaths(), least_sum, 96);
    }
}

} // namespace
