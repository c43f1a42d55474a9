// Priorities: which of two comes first, and their levels of the same width.
#ifndef GCOMPILE_CORE_PRIORITY_LEVELS_H
#define GCOMPILE_CORE_PRIORITY_LEVELS_H

#include <gcompile/core/numeric.h>
#include <gcompile/core/operators/atomic.h>
#include <gcompile/core/types.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace gc {

/// As the type of priorities: values of type T, the greatest first. T alone: the least first.
template <class T> struct Greatest {};

/// What the order of a type of priorities is.
template <class P> struct Precedence {
  using Value = P;
  /// In a type that has room for a limit beyond all of them.
  using Key = std::conditional_t<std::is_floating_point<P>::value, double, std::int64_t>;

  /// What comes first has the least key.
  GCOMPILE_HD static Key key(Value p) { return static_cast<Key>(p); }
  GCOMPILE_HD static bool before(Value a, Value b) { return a < b; }
  /// For a caller that has just seen a value there after which this one comes; whether it was improved.
  GCOMPILE_HD static bool improve(Value &target, Value p) { return atomic_lower(target, p); }
};
template <class T> struct Precedence<Greatest<T>> {
  using Value = T;
  using Key = typename Precedence<T>::Key;

  /// The complement of an integer does not overflow, as its opposite may.
  GCOMPILE_HD static Key key(Value p) {
    if constexpr (std::is_integral<T>::value)
      return ~static_cast<Key>(p);
    else
      return -static_cast<Key>(p);
  }
  GCOMPILE_HD static bool before(Value a, Value b) { return b < a; }
  GCOMPILE_HD static bool improve(Value &target, Value p) { return atomic_max(target, p); }
};

/// Which level a priority belongs to: the levels are `delta` wide.
template <class P> class PriorityLevels {
  using Value = typename Precedence<P>::Value;

public:
  explicit PriorityLevels(double delta) : delta_(delta > 0 ? delta : 1) {
    const auto width = static_cast<std::uint64_t>(std::min(delta_, 9e18));
    shift_ = static_cast<double>(width) == delta_ && (width & (width - 1)) == 0 ? __builtin_ctzll(width) : -1;
  }

  GCOMPILE_HD std::int64_t of(Value priority) const {
    const auto key = Precedence<P>::key(priority);
    if constexpr (std::is_integral<Value>::value) {
      if (shift_ >= 0)
        return key >> shift_;
    }
    const double index = std::floor(static_cast<double>(key) / delta_);
    const double limit = 4e18; // of the result, with room for windows
    return index >= limit    ? static_cast<std::int64_t>(limit)
           : index <= -limit ? -static_cast<std::int64_t>(limit)
                             : static_cast<std::int64_t>(index);
  }

private:
  double delta_;
  int shift_; // of a width that is a power of two, or -1
};

} // namespace gc

#endif
