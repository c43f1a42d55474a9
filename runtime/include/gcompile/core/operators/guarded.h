// Values of updates under a condition, without a branch.
#ifndef GCOMPILE_CORE_OPERATORS_GUARDED_H
#define GCOMPILE_CORE_OPERATORS_GUARDED_H

#include <gcompile/core/numeric.h>

#include <limits>
#include <type_traits>

namespace gc {

namespace detail {

/// `a` where the condition holds, else `b`. Of whole numbers by their bits: a compiler would find out that `b` changes
/// nothing, and make a branch of the condition.
template <class T> GCOMPILE_HD inline T chosen(bool condition, T a, T b) {
  if constexpr (std::is_integral<T>::value && !std::is_same<T, bool>::value) {
    using Bits = std::make_unsigned_t<T>;
    const Bits mask = static_cast<Bits>(-static_cast<Bits>(condition));
    return static_cast<T>((static_cast<Bits>(a) & mask) | (static_cast<Bits>(b) & static_cast<Bits>(~mask)));
  } else {
    return condition ? a : b;
  }
}

} // namespace detail

/// The value where the condition holds, else the greatest one, which no minimum takes.
template <class T> GCOMPILE_HD inline T guarded_min(bool condition, T value) {
  using Limits = std::numeric_limits<T>;
  return detail::chosen(condition, value, Limits::has_infinity ? Limits::infinity() : Limits::max());
}
/// The value where the condition holds, else the least one, which no maximum takes.
template <class T> GCOMPILE_HD inline T guarded_max(bool condition, T value) {
  using Limits = std::numeric_limits<T>;
  return detail::chosen(condition, value, Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
}

} // namespace gc

#endif
