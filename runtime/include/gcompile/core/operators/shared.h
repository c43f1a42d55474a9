// Values that several threads access: how one is read, stored and replaced.
//
// They are plain memory that is accessed through relaxed atomic operations; the end of a parallel loop orders them.
#ifndef GCOMPILE_CORE_OPERATORS_SHARED_H
#define GCOMPILE_CORE_OPERATORS_SHARED_H

#include <gcompile/core/device.h>
#include <gcompile/core/numeric.h>

#include <cstddef>
#include <cstdint>
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

} // namespace detail

} // namespace gc

#endif
