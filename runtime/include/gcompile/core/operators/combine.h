// Updates by a reduction that the program declares: a class `R` with a static function `combine` of two values. Each
// returns whether the value is now a different one; where a class of C++ is a part of it, which may have no comparison,
// that is unknown.
#ifndef GCOMPILE_CORE_OPERATORS_COMBINE_H
#define GCOMPILE_CORE_OPERATORS_COMBINE_H

#include <gcompile/core/operators/shared.h>

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace gc {

namespace detail {

/// Whether values can be compared.
template <class T> struct IsCompared : std::is_arithmetic<T> {};
template <class... T> struct IsCompared<std::tuple<T...>> : std::conjunction<IsCompared<T>...> {};

/// The word that the bytes of a class are; void: there is none of that size that can be exchanged.
template <std::size_t bytes> struct WordOf { using type = void; };
template <> struct WordOf<1> { using type = std::uint8_t; };
template <> struct WordOf<4> { using type = std::uint32_t; };
template <> struct WordOf<8> { using type = std::uint64_t; };
#ifndef __CUDACC__ // devices have no exchange of 2 bytes
template <> struct WordOf<2> { using type = std::uint16_t; };
#endif

template <class To, class From> GCOMPILE_HD inline To with_bytes_of(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "a value of the same size");
  To to;
  memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof to);
  return to;
}

/// Replaces the bytes at an address that is a multiple of their number.
GCOMPILE_CUDA_EITHER_SIDE
template <class R, class Word, class T> GCOMPILE_HD inline void combine_word(T &target, const T &value) {
#ifdef __CUDA_ARCH__
  Word &word = reinterpret_cast<Word &>(target);
  Word old = device::load(word);
#else
  using Bytes [[gnu::may_alias]] = Word;
  Bytes &word = reinterpret_cast<Bytes &>(target);
  Bytes old;
  __atomic_load(&word, &old, __ATOMIC_RELAXED);
#endif
  for (;;) {
    const Word next = with_bytes_of<Word>(R::combine(with_bytes_of<T>(static_cast<Word>(old)), value));
#ifdef __CUDA_ARCH__
    if (next == old || device::compare_exchange(word, old, next))
      return;
#else
    Bytes desired = next;
    if (next == old || __atomic_compare_exchange(&word, &old, &desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
#endif
  }
}

} // namespace detail

GCOMPILE_CUDA_EITHER_SIDE
template <class T, class R> GCOMPILE_HD inline bool update_combine(T &target, detail::SameAs<T> value, R) {
  const T next = R::combine(target, value);
  bool changed = true;
  if constexpr (detail::IsCompared<T>::value)
    changed = differ(next, target);
  target = next;
  return changed;
}

GCOMPILE_CUDA_EITHER_SIDE
template <class T, class R> GCOMPILE_HD inline bool owner_combine(T &target, detail::SameAs<T> value, R reduction) {
  const T old = load(target);
  T next = old;
  const bool changed = update_combine(next, value, reduction);
  if (changed)
    store(target, next);
  return changed;
}

GCOMPILE_CUDA_EITHER_SIDE
template <class T, class R> GCOMPILE_HD inline bool atomic_combine(T &target, detail::SameAs<T> value, R reduction) {
  if constexpr (std::is_arithmetic<T>::value) {
    T old = load(target);
    for (;;) {
      const T next = R::combine(old, value);
      if (!differ(next, old))
        return false;
      if (detail::exchange_word(target, old, next, true))
        return true;
    }
  } else {
    using Word = typename detail::WordOf<sizeof(T)>::type;
    // A tuple may be read meanwhile, under its lock.
    if constexpr (!std::is_void<Word>::value && !detail::IsTuple<T>::value)
      if (reinterpret_cast<std::uintptr_t>(&target) % sizeof(T) == 0) {
        detail::combine_word<R, Word>(target, value);
        return true;
      }
    detail::StripedLocks::Guard guard(&target);
    return update_combine(target, value, reduction);
  }
}

} // namespace gc

#endif
