// Updates of values that several threads share. Each returns whether it has changed the value.
//
// Every update is tested before it is tried, because most of them would change nothing.
#ifndef GCOMPILE_CORE_OPERATORS_ATOMIC_H
#define GCOMPILE_CORE_OPERATORS_ATOMIC_H

#include <gcompile/core/operators/shared.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gc {

namespace detail {

/// Whether all elements of a tuple are read and written as words.
template <class T> struct WordsTogether { static constexpr bool value = false; };
template <class... T> struct WordsTogether<std::tuple<T...>> { static constexpr bool value = (is_word<T> && ...); };

/// Stores the elements from the last to the first: a thread that sees one of them sees those behind it.
template <class Tuple, std::size_t... I>
GCOMPILE_HD inline void store_backwards(Tuple &target, const Tuple &value, std::index_sequence<I...>) {
  constexpr std::size_t last = sizeof...(I) - 1;
#ifdef __CUDA_ARCH__
  ((device::store(std::get<last - I>(target), std::get<last - I>(value)), __threadfence()), ...);
#else
  (__atomic_store(&std::get<last - I>(target),
                  const_cast<std::tuple_element_t<last - I, Tuple> *>(&std::get<last - I>(value)), __ATOMIC_RELEASE),
   ...);
#endif
}

/// Whether first(a, b) holds for the tuple's first element that differs from the value's. The elements are read in turn
/// while others replace the tuple by one that precedes it, so that what is read precedes or equals a tuple that stood
/// there: if it precedes the value, so does the tuple from then on.
template <std::size_t i = 0, class Tuple, class First>
GCOMPILE_HD inline bool precedes(const Tuple &target, const Tuple &value, First first) {
  if constexpr (i == std::tuple_size<Tuple>::value) {
    return true; // equal
  } else {
    const auto &wanted = std::get<i>(value);
    std::tuple_element_t<i, Tuple> now;
#ifdef __CUDA_ARCH__
    now = device::load(std::get<i>(target));
#else
    __atomic_load(&std::get<i>(target), &now, __ATOMIC_ACQUIRE);
#endif
    if (first(now, wanted))
      return true;
    if (first(wanted, now))
      return false;
#ifdef __CUDA_ARCH__
    __threadfence(); // the elements are read in turn
#endif
    return precedes<i + 1>(target, value, first);
  }
}

/// Replaces a tuple by the value if that comes first, in the order of `first`.
template <class Tuple, class First>
GCOMPILE_HD inline bool replace_tuple(Tuple &target, const Tuple &value, First first) {
  return update_unless(
      &target, [&] { return precedes(target, value, first); },
      [&] {
        if (!first(value, target))
          return false;
        store_backwards(target, value, std::make_index_sequence<std::tuple_size<Tuple>::value>());
        return true;
      });
}

struct Less {
  template <class T> GCOMPILE_HD bool operator()(const T &a, const T &b) const { return a < b; }
};
struct Greater {
  template <class T> GCOMPILE_HD bool operator()(const T &a, const T &b) const { return b < a; }
};

} // namespace detail

template <class T> GCOMPILE_HD inline bool atomic_assign(T &target, detail::SameAs<T> value) {
  return detail::replace(
      target, [&](const T &old) { return differ(old, value); }, [&](const T &) { return value; });
}
template <class T> GCOMPILE_HD inline bool atomic_add(T &target, detail::SameAs<T> value) {
  if (value == T(0))
    return false;
#ifdef __CUDA_ARCH__
  return detail::device::add(target, value);
#else
  if constexpr (std::is_integral<T>::value)
    return __atomic_fetch_add(&target, value, __ATOMIC_RELAXED), true;
  else
    return detail::replace(
        target, [&](const T &old) { return differ<T>(old + value, old); }, [&](const T &old) { return old + value; });
#endif
}
/// Infinity absorbs.
template <class T> GCOMPILE_HD inline bool atomic_add_inf(T &target, detail::SameAs<T> value) {
  return detail::replace(
      target, [&](const T &old) { return differ(add_inf(old, value), old); },
      [&](const T &old) { return add_inf(old, value); });
}
template <class T> GCOMPILE_HD inline bool atomic_multiply(T &target, detail::SameAs<T> value) {
  return detail::replace(
      target, [&](const T &old) { return differ(static_cast<T>(old * value), old); },
      [&](const T &old) { return static_cast<T>(old * value); });
}
template <class T> GCOMPILE_HD inline bool atomic_min(T &target, detail::SameAs<T> value) {
#ifdef __CUDA_ARCH__
  if constexpr (detail::device::has_ordered<T>)
    return value < load(target) && detail::device::min(target, value);
  else
#endif
      if constexpr (!detail::is_word<T> && detail::WordsTogether<T>::value)
    return detail::replace_tuple(target, value, detail::Less());
  else
    return detail::replace(
        target, [&](const T &old) { return value < old; }, [&](const T &) { return value; });
}
/// The same for a caller that has just seen a greater value there.
template <class T> GCOMPILE_HD inline bool atomic_lower(T &target, detail::SameAs<T> value) {
#ifdef __CUDA_ARCH__
  if constexpr (detail::device::has_ordered<T>)
    return detail::device::min(target, value);
  else
#endif
    return atomic_min(target, value);
}
template <class T> GCOMPILE_HD inline bool atomic_max(T &target, detail::SameAs<T> value) {
#ifdef __CUDA_ARCH__
  if constexpr (detail::device::has_ordered<T>)
    return load(target) < value && detail::device::max(target, value);
  else
#endif
      if constexpr (!detail::is_word<T> && detail::WordsTogether<T>::value)
    return detail::replace_tuple(target, value, detail::Greater());
  else
    return detail::replace(
        target, [&](const T &old) { return old < value; }, [&](const T &) { return value; });
}

} // namespace gc

#endif
