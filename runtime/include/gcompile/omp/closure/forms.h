// What the steps of a closure do, and in which form its values and panels hold numbers.
#ifndef GCOMPILE_OMP_CLOSURE_FORMS_H
#define GCOMPILE_OMP_CLOSURE_FORMS_H

#include <gcompile/omp/closure/tile.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gc::detail {
inline namespace GCOMPILE_CLOSURES {

/// What most forms have in common. Each has step(own, column, row, i, j, k), the next value of D[i, j] from what the
/// panels hold of D[i, k] and D[k, j].
template <class T> struct ClosureForm {
  /// What the panels hold of a value.
  static T row(T value) { return value; }
  static T column(T value) { return value; }

  /// Whether values may become too great for the form: then it says of what panels hold whether their sums fit.
  static constexpr bool bounded = false;
  static bool holds_row(T) { return true; }
  static bool holds_column(T) { return true; }

  /// What is left to do for a tile whose steps were made with relax() in the place of step().
  template <std::size_t rows, std::size_t columns>
  static void finish(T (&)[rows][columns], const T *, std::size_t, const T *, std::size_t, std::size_t) {}
};

/// Any step, as it is.
template <class T, class Step> struct AnyForm : ClosureForm<T> {
  explicit AnyForm(const Step &given) : made(given) {}
  template <class... At> T step(T own, T column, T row, At... at) const { return made(own, column, row, at...); }
  template <class... At> T relax(T own, T column, T row, At... at) const { return made(own, column, row, at...); }

  const Step &made;
};

/// Sums of numbers from 0 to the greatest signed one, which is infinity: a sum of two is less than 2^bits, and one with
/// infinity is no less than infinity. The lesser of a number and the plain sum is that of the absorbing sum.
template <class Number> struct PlainSums : ClosureForm<Number> {
  template <class... At> static Number step(Number own, Number column, Number row, At...) {
    return std::min<Number>(own, column + row);
  }
  template <class... At> static Number relax(Number own, Number column, Number row, At...) {
    return std::min<Number>(own, column + row);
  }
};

/// Sums of signed numbers in an unsigned form: a number x is x + bias, and what is from `infinite` on is infinity.
/// Panels hold numbers from -range to range, a column without the bias, so that a sum has it once. Sums of a number and
/// infinity, and of two infinities, are from `infinite` on again, and do not pass 2^bits.
template <class Number> struct BiasedSums : PlainSums<Number> {
  static constexpr int bits = std::numeric_limits<Number>::digits;
  static constexpr Number bias = Number(1) << (bits - 4), range = bias / 2, infinite = 3 * bias;
  static constexpr Number row_infinity = 4 * bias, column_infinity = 8 * bias;

  static Number row(Number value) { return value >= infinite ? row_infinity : value; }
  static Number column(Number value) { return value >= infinite ? column_infinity : value - bias; }

  static constexpr bool bounded = true;
  static bool holds_row(Number value) { return Number(value - (bias - range)) <= 2 * range || value == row_infinity; }
  static bool holds_column(Number value) { return Number(value + range) <= 2 * range || value == column_infinity; }
};

/// A number that is not negative in the upper half of a word, and a vertex in the lower one: words compare as pairs do.
/// The vertex comes from the column, or from the row; the other operand has none.
template <bool from_column> struct PairSums : ClosureForm<std::uint64_t> {
  using Word = std::uint64_t;
  static constexpr Word vertex = 0xffffffff, infinity = Word(0x7fffffff) << 32;

  static Word row(Word value) { return from_column ? value & ~vertex : value; }
  static Word column(Word value) { return from_column ? value : value & ~vertex; }

  /// A sum never passes infinity, but has a vertex there, too.
  static Word limit(Word column, Word row) { return infinity | ((from_column ? column : row) & vertex); }

  template <class... At> static Word step(Word own, Word column, Word row, At...) {
    return std::min(std::min(own, column + row), limit(column, row));
  }
  template <class... At> static Word relax(Word own, Word column, Word row, At...) {
    return std::min(own, column + row);
  }
  /// The least limit of all steps: the order of minima does not matter.
  template <std::size_t rows, std::size_t columns>
  static void finish(Word (&own)[rows][columns], const Word *column, std::size_t column_stride, const Word *row,
                     std::size_t row_stride, std::size_t steps) {
    if constexpr (from_column) {
      for (std::size_t r = 0; r < rows; ++r) {
        Word least = vertex;
        for (std::size_t k = 0; k < steps; ++k)
          least = std::min(least, column[r * column_stride + k] & vertex);
        for (std::size_t c = 0; c < columns; ++c)
          own[r][c] = std::min(own[r][c], infinity | least);
      }
    } else {
      Word least[columns];
      std::fill(least, least + columns, vertex);
      for (std::size_t k = 0; k < steps; ++k)
        for (std::size_t c = 0; c < columns; ++c)
          least[c] = std::min(least[c], row[k * row_stride + c] & vertex);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
          own[r][c] = std::min(own[r][c], infinity | least[c]);
    }
  }
};

} // namespace GCOMPILE_CLOSURES
} // namespace gc::detail

#endif
