// Arithmetic: infinity absorbs, division is checked, a fixed hash; widths that priorities can be sorted by.
#ifndef GCOMPILE_CORE_NUMERIC_H
#define GCOMPILE_CORE_NUMERIC_H

#include <gcompile/core/error.h>
#include <gcompile/core/types.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gc {

namespace detail {
/// A parameter of this type takes no part in template deduction.
template <class T> struct Same { using type = T; };
template <class T> using SameAs = typename Same<T>::type;

template <class T> struct IsTuple : std::false_type {};
template <class... T> struct IsTuple<std::tuple<T...>> : std::true_type {};

template <class Tuple, std::size_t... I> GCOMPILE_HD constexpr Tuple lowest_tuple(std::index_sequence<I...>);
template <class Tuple, std::size_t... I> GCOMPILE_HD constexpr Tuple greatest_tuple(std::index_sequence<I...>);
} // namespace detail

/// The least value of the type: -infinity, the lowest integer, vertex 0, tuples of these.
template <class T> GCOMPILE_HD constexpr T lowest() {
  if constexpr (std::is_floating_point<T>::value)
    return -std::numeric_limits<T>::infinity();
  else if constexpr (detail::IsTuple<T>::value)
    return detail::lowest_tuple<T>(std::make_index_sequence<std::tuple_size<T>::value>());
  else
    return std::numeric_limits<T>::lowest();
}

/// The greatest value of the type: infinity, the greatest integer, no vertex, tuples of these.
template <class T> GCOMPILE_HD constexpr T greatest() {
  if constexpr (detail::IsTuple<T>::value)
    return detail::greatest_tuple<T>(std::make_index_sequence<std::tuple_size<T>::value>());
  else
    return inf<T>();
}

namespace detail {
template <class Tuple, std::size_t... I> GCOMPILE_HD constexpr Tuple lowest_tuple(std::index_sequence<I...>) {
  return Tuple(lowest<std::tuple_element_t<I, Tuple>>()...);
}
template <class Tuple, std::size_t... I> GCOMPILE_HD constexpr Tuple greatest_tuple(std::index_sequence<I...>) {
  return Tuple(greatest<std::tuple_element_t<I, Tuple>>()...);
}
} // namespace detail

/// Whether both hold, without a branch: compilers warn of `&` between conditions.
GCOMPILE_HD constexpr bool both(bool a, bool b) { return (static_cast<int>(a) & static_cast<int>(b)) != 0; }

/// a + b, where infinity absorbs and a sum too great for the type is infinity (too low: the lowest value).
template <class T> GCOMPILE_HD inline T add_inf(T a, detail::SameAs<T> b) {
  if constexpr (std::is_floating_point<T>::value) {
    return a + b;
  } else {
    using U = std::make_unsigned_t<T>;
    const T sum = static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    const bool overflow = ((a ^ sum) & (b ^ sum)) < 0;
    const T limit = b < 0 ? lowest<T>() : inf<T>();
    const T finite = overflow ? limit : sum;
    return a == inf<T>() || b == inf<T>() ? inf<T>() : finite;
  }
}

/// The same for a b that is finite and not negative: the sum can only be too great.
template <class T> GCOMPILE_HD inline T raise_inf(T a, detail::SameAs<T> b) {
  using U = std::make_unsigned_t<T>;
  const T sum = static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  return sum < a ? inf<T>() : sum;
}

/// a - b, where an infinite a absorbs and a difference too great for the type is infinity (too low: the lowest value).
template <class T> GCOMPILE_HD inline T sub_inf(T a, detail::SameAs<T> b) {
  if constexpr (std::is_floating_point<T>::value) {
    return a - b;
  } else {
    using U = std::make_unsigned_t<T>;
    const T difference = static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
    const bool overflow = ((a ^ b) & (a ^ difference)) < 0;
    const T limit = b < 0 ? inf<T>() : lowest<T>();
    const T finite = overflow ? limit : difference;
    return a == inf<T>() ? inf<T>() : finite;
  }
}

/// a / b of integers; a zero divisor ends the program with a message that names the place.
template <class T> GCOMPILE_HD inline T divide(T a, detail::SameAs<T> b, const char *place) {
  if (b == 0)
    fail_runtime(place, "division by zero");
  if (b == -1) // the lowest value has no opposite
    return a == std::numeric_limits<T>::lowest() ? inf<T>() : static_cast<T>(-a);
  return a / b;
}

/// a % b of integers; a zero divisor ends the program with a message that names the place.
template <class T> GCOMPILE_HD inline T remainder(T a, detail::SameAs<T> b, const char *place) {
  if (b == 0)
    fail_runtime(place, "remainder of a division by zero");
  return b == -1 ? 0 : a % b;
}

/// a to the power b by squaring; 0 for negative exponents of numbers other than 1 and -1. Wraps around on overflow.
template <class T> GCOMPILE_HD inline T power(T a, detail::SameAs<T> b) {
  if (b < 0)
    return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
  using U = std::make_unsigned_t<T>;
  U result = 1, base = static_cast<U>(a);
  for (; b > 0; b /= 2, base *= base)
    if (b % 2 == 1)
      result *= base;
  return static_cast<T>(result);
}

/// The bits of an integer moved towards the higher ones; none are left after a negative number of places, or as many as
/// there are bits.
template <class T> GCOMPILE_HD inline T shift_left(T x, detail::SameAs<T> places) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(places) < sizeof(T) * 8 ? static_cast<T>(static_cast<U>(x) << places) : 0;
}

/// Towards the lower ones: copies of the sign follow, and nothing else is left where shift_left leaves nothing.
template <class T> GCOMPILE_HD inline T shift_right(T x, detail::SameAs<T> places) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(x >> (static_cast<U>(places) < sizeof(T) * 8 ? places : static_cast<T>(sizeof(T) * 8 - 1)));
}

/// The number of bits that are set.
template <class T> GCOMPILE_HD inline T popcount(T x) {
  const auto bits = static_cast<unsigned long long>(static_cast<std::make_unsigned_t<T>>(x));
#ifdef __CUDA_ARCH__
  return static_cast<T>(__popcll(bits));
#else
  return static_cast<T>(__builtin_popcountll(bits));
#endif
}

/// An integer in a wider type, where infinity stays infinity.
template <class T, class F> GCOMPILE_HD inline T widen_inf(F x) { return x == inf<F>() ? inf<T>() : static_cast<T>(x); }

/// A number, without its fraction, in a type that may not hold it: infinities and numbers beyond the type give its
/// limits, NaN gives 0.
template <class T, class F> GCOMPILE_HD inline T to_integer(F x) {
  if constexpr (std::is_floating_point<F>::value)
    if (!(x == x))
      return 0;
  if (x >= static_cast<F>(std::numeric_limits<T>::max()))
    return inf<T>();
  if (x <= static_cast<F>(std::numeric_limits<T>::lowest()))
    return lowest<T>();
  return static_cast<T>(x);
}

/// The index, if it is below `size`; otherwise the program ends with a message that names the place.
template <class I> GCOMPILE_HD inline I check(I index, detail::SameAs<I> size, const char *place) {
  if (index >= size)
    fail_runtime(place, index == none<I>() ? "the index is none" : "the index is out of range");
  return index;
}

/// The place in an array of `size` elements, if there is such; otherwise the program ends with a message that names
/// the place in the program.
GCOMPILE_HD inline std::size_t place(std::int64_t index, std::size_t size, const char *where) {
  if (static_cast<std::uint64_t>(index) >= size) {
    fail_runtime(where, "the index is out of range");
    return 0; // on a GPU the kernel goes on
  }
  return static_cast<std::size_t>(index);
}

namespace detail {
GCOMPILE_HD inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
template <class T> GCOMPILE_HD inline std::uint64_t hash_input(T x) {
  if constexpr (std::is_unsigned<T>::value && !std::is_same<T, bool>::value)
    return x == none<T>() ? ~std::uint64_t(0) : x;
  else
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
}
} // namespace detail

/// A fixed mixer of integers and vertices: the same for every width of a vertex, on every machine. Never negative.
template <class... T> GCOMPILE_HD inline std::int64_t hash(T... values) {
  std::uint64_t state = 0;
  ((state = detail::mix(state + 0x9e3779b97f4a7c15u + detail::hash_input(values))), ...);
  return static_cast<std::int64_t>(state >> 1);
}

/// A width of buckets or windows of priorities P that can be used, as near to `width` as there is: positive and finite,
/// and for whole priorities at least 1 and less than 2^62. 1 in place of a width that is not positive.
template <class P> double usable_width(double width) {
  if (std::is_floating_point<P>::value)
    return width > 0 ? std::min(width, std::numeric_limits<double>::max()) : 1;
  return width > 1 ? std::min(width, 4e18) : 1;
}

/// Whether two values are different ones, for "did it change": NaN is the same as itself.
template <class T> GCOMPILE_HD inline bool differ(const T &a, const T &b) {
  if constexpr (std::is_floating_point<T>::value)
    return a != b && (a == a || b == b);
  else
    return !(a == b);
}
namespace detail {
template <class Tuple, std::size_t... i>
GCOMPILE_HD inline bool differ_somewhere(const Tuple &a, const Tuple &b, std::index_sequence<i...>);
}
template <class... T> GCOMPILE_HD inline bool differ(const std::tuple<T...> &a, const std::tuple<T...> &b) {
  return detail::differ_somewhere(a, b, std::index_sequence_for<T...>());
}
template <class Tuple, std::size_t... i>
GCOMPILE_HD inline bool detail::differ_somewhere(const Tuple &a, const Tuple &b, std::index_sequence<i...>) {
  return (differ(std::get<i>(a), std::get<i>(b)) || ...);
}

} // namespace gc

#endif
