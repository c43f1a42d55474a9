// Reads and updates of single values: owned by one thread (`update_...`), or shared by several (`atomic_...`).
//
// Shared values are plain memory that is accessed through relaxed atomic operations; the end of a parallel loop orders
// them. Every update is tested before it is tried, because most of them would change nothing.
#ifndef GCOMPILE_CORE_OPERATORS_ATOMICS_H
#define GCOMPILE_CORE_OPERATORS_ATOMICS_H

#include <gcompile/core/numeric.h>
#include <gcompile/cuda/device/atomics.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace gc {

namespace detail {

/// 1024 spin locks; the address of a value chooses one.
class StripedLocks {
public:
  class Guard {
  public:
#ifdef __CUDA_ARCH__
    __device__ explicit Guard(const void *address) : word_(device::lock_of(address)) { device::lock(word_); }
    __device__ ~Guard() { device::unlock(word_); }

  private:
    unsigned *word_;
#else
    GCOMPILE_HD explicit Guard(const void *address) : byte_(stripe(address)) {
      while (__atomic_test_and_set(&byte_, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(&byte_, __ATOMIC_RELAXED))
          ;
    }
    GCOMPILE_HD ~Guard() { __atomic_clear(&byte_, __ATOMIC_RELEASE); }
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

  private:
    static unsigned char &stripe(const void *address) {
      static unsigned char stripes[1024] = {};
      return stripes[mix(reinterpret_cast<std::uintptr_t>(address)) % 1024];
    }
    unsigned char &byte_;
#endif
  };
};

/// Whether the values are read and replaced as one word: numbers, and on a GPU tuples of 8 bytes too.
#ifdef __CUDA_ARCH__
template <class T> constexpr bool is_word = std::is_arithmetic<T>::value || sizeof(T) == 8;
#else
template <class T> constexpr bool is_word = std::is_arithmetic<T>::value;
#endif

template <class T> GCOMPILE_HD inline void store_word(T &target, T value) {
#ifdef __CUDA_ARCH__
  device::store(target, value);
#else
  __atomic_store(&target, &value, __ATOMIC_RELAXED);
#endif
}

/// Replaces `expected` by `value`, or gives the value that is there.
template <class T> GCOMPILE_HD inline bool exchange_word(T &target, T &expected, T value, bool weak) {
#ifdef __CUDA_ARCH__
  (void)weak;
  return device::compare_exchange(target, expected, value);
#else
  return __atomic_compare_exchange(&target, &expected, &value, weak, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

} // namespace detail

/// Whether two values are different ones, for "did it change": NaN is the same as itself.
template <class T> GCOMPILE_HD inline bool differ(const T &a, const T &b) {
  if constexpr (std::is_floating_point<T>::value)
    return a != b && (a == a || b == b);
  else
    return a != b;
}

/// The value, read while other threads may write it.
template <class T> GCOMPILE_HD inline T load(const T &target) {
  if constexpr (detail::is_word<T>) {
#ifdef __CUDA_ARCH__
    return detail::device::load(target);
#else
    T value;
    __atomic_load(&target, &value, __ATOMIC_RELAXED);
    return value;
#endif
  } else {
    detail::StripedLocks::Guard guard(&target);
    return target;
  }
}

/// Stores a value that every thread which may store here agrees on.
template <class T> GCOMPILE_HD inline void store(T &target, detail::SameAs<T> value) {
  if constexpr (detail::is_word<T>) {
    if (load(target) != value)
      detail::store_word(target, value);
  } else {
    detail::StripedLocks::Guard guard(&target);
    target = value;
  }
}

// ---- Owned values. Each returns whether the value is now different. -------------------------------------------------

template <class T> GCOMPILE_HD inline bool update_assign(T &target, detail::SameAs<T> value) {
  const bool changed = differ(target, value);
  target = value;
  return changed;
}
template <class T> GCOMPILE_HD inline bool update_add(T &target, detail::SameAs<T> value) {
  return update_assign(target, static_cast<T>(target + value));
}
/// Infinity absorbs.
template <class T> GCOMPILE_HD inline bool update_add_inf(T &target, detail::SameAs<T> value) {
  return update_assign(target, add_inf(target, value));
}
template <class T> GCOMPILE_HD inline bool update_multiply(T &target, detail::SameAs<T> value) {
  return update_assign(target, static_cast<T>(target * value));
}
template <class T> GCOMPILE_HD inline bool update_min(T &target, detail::SameAs<T> value) {
  if (!(value < target))
    return false;
  target = value;
  return true;
}
template <class T> GCOMPILE_HD inline bool update_max(T &target, detail::SameAs<T> value) {
  if (!(target < value))
    return false;
  target = value;
  return true;
}
template <class T> GCOMPILE_HD inline bool update_or(T &target, detail::SameAs<T> value) {
  return update_assign(target, static_cast<T>(target | value));
}
template <class T> GCOMPILE_HD inline bool update_and(T &target, detail::SameAs<T> value) {
  return update_assign(target, static_cast<T>(target & value));
}

// ---- Shared values --------------------------------------------------------------------------------------------------

namespace detail {

/// Replaces the value by next(value) as long as wanted(value) holds; whether it did so.
template <class T, class Wanted, class Next> GCOMPILE_HD inline bool replace(T &target, Wanted wanted, Next next) {
  if constexpr (is_word<T>) {
    T old = load(target);
    while (wanted(old)) {
      if (exchange_word(target, old, next(old), true))
        return true;
    }
    return false;
  } else {
    StripedLocks::Guard guard(&target);
    if (!wanted(target))
      return false;
    target = next(target);
    return true;
  }
}

/// Whether all elements of a tuple are read and written as words.
template <class T> struct WordsTogether { static constexpr bool value = false; };
template <class... T> struct WordsTogether<std::tuple<T...>> { static constexpr bool value = (is_word<T> && ...); };

/// Stores the elements from the last to the first: who sees one of them sees those behind it.
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

/// Calls update() under the lock that an address chooses, and gives its result. Without the lock, and false, where
/// refused() looks and holds: many may ask for one place. On a GPU they all do at once, and most need not once a few
/// have had the lock: they look again before they try again.
template <class Refused, class Update>
GCOMPILE_HD inline bool update_unless(const void *address, Refused refused, Update update) {
#ifdef __CUDA_ARCH__
  unsigned *const word = device::lock_of(address);
  while (!refused()) {
    if (device::try_lock(word)) {
      const bool result = update();
      device::unlock(word);
      return result;
    }
    __nanosleep(20);
  }
  return false;
#else
  if (refused())
    return false;
  StripedLocks::Guard guard(address);
  return update();
#endif
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
template <class T> GCOMPILE_HD inline bool atomic_or(T &target, detail::SameAs<T> value) {
  return detail::replace(
      target, [&](T old) { return static_cast<T>(old | value) != old; },
      [&](T old) { return static_cast<T>(old | value); });
}
template <class T> GCOMPILE_HD inline bool atomic_and(T &target, detail::SameAs<T> value) {
  return detail::replace(
      target, [&](T old) { return static_cast<T>(old & value) != old; },
      [&](T old) { return static_cast<T>(old & value); });
}

// ---- Values that one thread updates while others read them ----------------------------------------------------------

namespace detail {

template <class T, class Next> GCOMPILE_HD inline bool owner_update(T &target, Next next) {
  const T old = load(target);
  const T value = static_cast<T>(next(old));
  if (!differ(value, old))
    return false;
  store(target, value);
  return true;
}

} // namespace detail

template <class T> GCOMPILE_HD inline bool owner_add(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return old + value; });
}
template <class T> GCOMPILE_HD inline bool owner_add_inf(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return add_inf(old, value); });
}
template <class T> GCOMPILE_HD inline bool owner_multiply(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return old * value; });
}
template <class T> GCOMPILE_HD inline bool owner_min(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return value < old ? value : old; });
}
template <class T> GCOMPILE_HD inline bool owner_max(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return old < value ? value : old; });
}
template <class T> GCOMPILE_HD inline bool owner_or(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return old | value; });
}
template <class T> GCOMPILE_HD inline bool owner_and(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return old & value; });
}

// ---- Claims ---------------------------------------------------------------------------------------------------------

/// Changes `expected` to `desired` in a value that only this thread touches; whether it did.
template <class T>
GCOMPILE_HD inline bool claim_owned(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
  if (!(target == expected))
    return false;
  target = desired;
  return true;
}

/// Changes `expected` to `desired`; true for the one thread that did.
template <class T> GCOMPILE_HD inline bool claim(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
  if constexpr (detail::is_word<T>) {
    return load(target) == expected && detail::exchange_word(target, expected, desired, false);
  } else {
    detail::StripedLocks::Guard guard(&target);
    return claim_owned(target, expected, desired);
  }
}

// ---- Several values together, compared lexicographically ------------------------------------------------------------

namespace detail {

template <class... T, std::size_t... I>
GCOMPILE_HD inline std::tuple<T...> load_each(const std::tuple<T &...> &targets, std::index_sequence<I...>) {
  return std::tuple<T...>(load(std::get<I>(targets))...);
}

template <class... T, class Values, std::size_t... I>
GCOMPILE_HD inline void store_together(const std::tuple<T &...> &targets, const Values &values,
                                       std::index_sequence<I...>) {
  (store(std::get<I>(targets), std::get<I>(values)), ...);
}

} // namespace detail

template <class... T>
GCOMPILE_HD inline bool update_min_together(std::tuple<T &...> targets, const std::tuple<T...> &values) {
  if (!(values < targets))
    return false;
  targets = values;
  return true;
}
template <class... T>
GCOMPILE_HD inline bool update_max_together(std::tuple<T &...> targets, const std::tuple<T...> &values) {
  if (!(targets < values))
    return false;
  targets = values;
  return true;
}

/// The values as they stand together: no update of them is half done.
template <class... T> GCOMPILE_HD inline std::tuple<T...> load_together(std::tuple<T &...> targets) {
  detail::StripedLocks::Guard guard(&std::get<0>(targets));
  return detail::load_each(targets, std::index_sequence_for<T...>());
}

/// Under a lock that the first value's address chooses. The first value only falls, so a greater one is refused without
/// the lock.
template <class... T>
GCOMPILE_HD inline bool atomic_min_together(std::tuple<T &...> targets, const std::tuple<T...> &values) {
  return detail::update_unless(
      &std::get<0>(targets), [&] { return load(std::get<0>(targets)) < std::get<0>(values); },
      [&] {
        if (!(values < targets))
          return false;
        detail::store_together(targets, values, std::index_sequence_for<T...>());
        return true;
      });
}
template <class... T>
GCOMPILE_HD inline bool atomic_max_together(std::tuple<T &...> targets, const std::tuple<T...> &values) {
  return detail::update_unless(
      &std::get<0>(targets), [&] { return std::get<0>(values) < load(std::get<0>(targets)); },
      [&] {
        if (!(targets < values))
          return false;
        detail::store_together(targets, values, std::index_sequence_for<T...>());
        return true;
      });
}

} // namespace gc

#endif
