// Closures by the least sum of integers, with infinity, in whichever form their values allow. All answers are those of
// the absorbing sum, bit by bit.
#ifndef GCOMPILE_OMP_CLOSURE_INTEGERS_H
#define GCOMPILE_OMP_CLOSURE_INTEGERS_H

#include <gcompile/core/memory.h>
#include <gcompile/core/numeric.h>
#include <gcompile/omp/closure/blocks.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>

namespace gc::detail {
inline namespace GCOMPILE_CLOSURES {

/// The least and the greatest number but infinity; none below 0 and above it if there are none.
template <class T> struct Extent {
  T least = 0, greatest = 0;

  static Extent of(const Dense<T> &values) {
    const std::size_t n = values.size();
    Array<Extent> rows(n);
    parallel_for(n > 256, n, [&](std::size_t i) {
      const T *const row = values.row(i);
      T least = 0, greatest = 0;
      for (std::size_t j = 0; j < n; ++j) {
        least = std::min(least, row[j]);
        greatest = std::max(greatest, row[j] == inf<T>() ? T(0) : row[j]);
      }
      rows[i].least = least;
      rows[i].greatest = greatest;
    });
    Extent all;
    for (const Extent &row : rows)
      all = {std::min(all.least, row.least), std::max(all.greatest, row.greatest)};
    return all;
  }
};

/// Whether Dijkstra's algorithm finds all paths from vertex 0, of numbers that are not negative, shorter than `limit`.
template <class T> bool paths_stay_below(const Dense<T> &values, T limit) {
  const std::size_t n = values.size();
  Array<T> length(n), open(n); // open: the length of a path to a vertex that is not done
  std::fill(length.begin(), length.end(), inf<T>());
  std::copy(values.row(0), values.row(0) + n, open.begin());
  while (true) {
    T least = inf<T>();
    for (std::size_t v = 0; v < n; ++v)
      least = std::min(least, open[v]);
    if (least == inf<T>())
      return true;
    if (least >= limit)
      return false;
    const std::size_t u = std::find(open.begin(), open.end(), least) - open.begin();
    length[u] = least;
    const T *const row = values.row(u);
    using Number = std::make_unsigned_t<T>; // as in PlainSums
    for (std::size_t v = 0; v < n; ++v) {
      const Number path = std::min<Number>(Number(open[v]), Number(least) + Number(row[v]));
      open[v] = length[v] == inf<T>() ? T(path) : inf<T>();
    }
  }
}

/// From one row of a copy to the next: whole vectors, and no power of two, whose rows would meet in a cache.
template <class Number> std::size_t padded_stride(std::size_t n) {
  constexpr std::size_t vector = 64 / sizeof(Number);
  const std::size_t vectors = (n + vector - 1) / vector;
  return (vectors + (vectors % 8 == 0)) * vector;
}

/// Closes numbers from 0 to `greatest` and infinity as numbers of fewer bits, if that is right. There, all sums from
/// the greatest number on are infinity, and the closure of numbers that are cut off is the closure, cut off. A finite
/// result that is cut off has a path whose last but one such vertex is at most `greatest` less than that away: if no
/// result is that great, none is cut off.
template <class Number, class T> bool close_in_fewer_bits(Dense<T> &values, T greatest, std::size_t block) {
  constexpr T infinity = std::numeric_limits<std::make_signed_t<Number>>::max();
  const std::size_t n = values.size(), stride = padded_stride<Number>(n);
  if (greatest >= infinity || available_memory() / sizeof(Number) / 2 < n * stride)
    return false;
  // Paths of many steps may be too long; one look is cheap beside the closure.
  if (greatest > infinity / 128 && !paths_stay_below(values, T(infinity - greatest)))
    return false;
  Array<Number> copy(n * stride);
  parallel_for(n > 256, n, [&](std::size_t i) {
    const T *const row = values.row(i);
    Number *const to = copy.data() + i * stride;
    for (std::size_t j = 0; j < n; ++j)
      to[j] = static_cast<Number>(std::min(row[j], infinity));
  });
  Closure<Number, PlainSums<Number>>(copy.data(), n, stride, {}, block).run();
  std::atomic<bool> fits{true};
  parallel_for(n > 256, n, [&](std::size_t i) {
    const Number *const row = copy.data() + i * stride;
    Number longest = 0;
    for (std::size_t j = 0; j < n; ++j)
      longest = std::max(longest, row[j] == infinity ? Number(0) : row[j]);
    if (longest >= infinity - greatest)
      fits = false;
  });
  if (!fits)
    return false;
  parallel_for(n > 256, n, [&](std::size_t i) {
    const Number *const from = copy.data() + i * stride;
    T *const row = values.row(i);
    for (std::size_t j = 0; j < n; ++j)
      row[j] = from[j] == infinity ? inf<T>() : T(from[j]);
  });
  return true;
}

/// Closes numbers that may be negative. Where one leaves the range of the biased form, `step` makes all further steps.
template <class T, class Step>
void close_signed(Dense<T> &values, const Extent<T> &extent, const Step &step, std::size_t block) {
  using Number = std::make_unsigned_t<T>;
  using Form = BiasedSums<Number>;
  const std::size_t n = values.size();
  std::size_t first = 0;
  if (extent.least >= -T(Form::range) && extent.greatest <= T(Form::range)) {
    auto each = [&](const auto &function) {
      parallel_for(n > 256, n, [&](std::size_t i) {
        T *const row = values.row(i);
        for (std::size_t j = 0; j < n; ++j)
          row[j] = function(row[j]);
      });
    };
    each([](T value) { return T(value == inf<T>() ? Form::row_infinity : Number(value) + Form::bias); });
    first = Closure<Number, Form>(reinterpret_cast<Number *>(values.data()), n, n, {}, block).run();
    each([](T value) { return Number(value) >= Form::infinite ? inf<T>() : T(Number(value) - Form::bias); });
  }
  if (first < n)
    Closure<T, AnyForm<T, Step>>(values.data(), n, n, AnyForm<T, Step>(step), block).run(first);
}

/// Closes integers by the least sum; `step` is that of the plain loop.
template <class T, class Step> void close_integers(Dense<T> &values, const Step &step, std::size_t block) {
  using Number = std::make_unsigned_t<T>;
  const Extent<T> extent = Extent<T>::of(values);
  if (extent.least < 0)
    return close_signed(values, extent, step, block);
  if (close_in_fewer_bits<std::uint16_t>(values, extent.greatest, block))
    return;
  if constexpr (sizeof(T) > sizeof(std::uint32_t))
    if (close_in_fewer_bits<std::uint32_t>(values, extent.greatest, block))
      return;
  const std::size_t n = values.size();
  Closure<Number, PlainSums<Number>>(reinterpret_cast<Number *>(values.data()), n, n, {}, block).run();
}

/// Closes pairs of an integer and a vertex by the least sum of the integers, as words of 64 bits where none is
/// negative.
template <bool from_column, class V, class Step>
void close_with_vertices(Dense<std::tuple<std::int32_t, V>> &values, const Step &step, std::size_t block) {
  using Pair = std::tuple<std::int32_t, V>;
  const std::size_t n = values.size();
  bool words = sizeof(Pair) == sizeof(std::uint64_t);
  if (words) {
    std::atomic<bool> negative{false};
    parallel_for(n > 256, n, [&](std::size_t i) {
      std::int32_t least = 0;
      for (std::size_t j = 0; j < n; ++j)
        least = std::min(least, std::get<0>(values(i, j)));
      if (least < 0)
        negative = true;
    });
    words = !negative;
  }
  if (!words)
    return Closure<Pair, AnyForm<Pair, Step>>(values.data(), n, n, AnyForm<Pair, Step>(step), block).run(), void();
  // Each word takes the place of its pair.
  const auto words_of = [&](std::size_t i) { return reinterpret_cast<unsigned char *>(values.row(i)); };
  parallel_for(n > 256, n, [&](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint64_t word = std::uint64_t(std::get<0>(values(i, j))) << 32 | std::get<1>(values(i, j));
      std::memcpy(words_of(i) + j * sizeof word, &word, sizeof word);
    }
  });
  Closure<std::uint64_t, PairSums<from_column>>(reinterpret_cast<std::uint64_t *>(values.data()), n, n, {}, block)
      .run();
  parallel_for(n > 256, n, [&](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) {
      std::uint64_t word;
      std::memcpy(&word, words_of(i) + j * sizeof word, sizeof word);
      values(i, j) = Pair(static_cast<std::int32_t>(word >> 32), static_cast<V>(word));
    }
  });
}

} // namespace GCOMPILE_CLOSURES
} // namespace gc::detail

#endif
