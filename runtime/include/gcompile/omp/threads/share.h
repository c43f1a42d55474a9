// One thread's share of a kernel.
#ifndef GCOMPILE_OMP_THREADS_SHARE_H
#define GCOMPILE_OMP_THREADS_SHARE_H

#include <gcompile/core/operators.h>
#include <gcompile/omp/threads/chunks.h>

#include <cstddef>

namespace gc {

/// A thread's indices of a loop, some consecutive ones at a time: `while (part.next())` visit begin to end - 1. What
/// the thread has left is elsewhere, so that begin and end are in registers.
template <class I> class Part {
public:
  I begin = 0, end = 0;

  explicit Part(detail::IndexPart &rest) : rest_(rest) {}

  bool next() {
    std::size_t from = 0, to = 0;
    if (!rest_.next(from, to))
      return false;
    begin = static_cast<I>(from);
    end = static_cast<I>(to);
    return true;
  }

private:
  detail::IndexPart &rest_;
};

/// One thread's share of a kernel: what it takes of one loop, at any time, whether other threads take part or not.
class Share {
public:
  /// All of it.
  Share() = default;
  Share(Chunks &chunks, std::size_t thread) : rest_(chunks, thread) {}

  /// The thread's number, less than that of all that may take part.
  std::size_t thread() const { return rest_.thread(); }

  /// Chunks of the indices below `size`.
  template <class I> Part<I> dynamic(I size, std::size_t chunk) const {
    rest_.start(static_cast<std::size_t>(size), chunk, false);
    return Part<I>(rest_);
  }
  /// Chunks that the threads take in ascending order, for a loop whose iterations use what those before them have done.
  template <class I> Part<I> ascending(I size, std::size_t chunk) const {
    rest_.start(static_cast<std::size_t>(size), chunk, true);
    return Part<I>(rest_);
  }
  /// Few chunks, for iterations of equal work.
  template <class I> Part<I> equal(I size) const {
    rest_.start_equal(static_cast<std::size_t>(size));
    return Part<I>(rest_);
  }

  // Updates of values that other threads may update meanwhile.
  template <class T> static bool claim(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
    return gc::claim(target, expected, desired);
  }
  /// Sets the bit of a vertex in a bitmap; whether it was clear. A set one is only looked at (test-and-test-and-set).
  template <class V> static bool claim_bit(std::uint64_t *words, V v) {
    const std::uint64_t bit = std::uint64_t(1) << (v % 64);
    return (__atomic_load_n(&words[v / 64], __ATOMIC_RELAXED) & bit) == 0 &&
           (__atomic_fetch_or(&words[v / 64], bit, __ATOMIC_RELAXED) & bit) == 0;
  }
  static void set_bits(std::uint64_t &word, std::uint64_t bits) { __atomic_fetch_or(&word, bits, __ATOMIC_RELAXED); }
#define GCOMPILE_SHARED_UPDATE(UPDATE, ATOMIC, TOTAL)                                                                  \
  template <class T> static bool ATOMIC(T &target, detail::SameAs<T> value) { return gc::ATOMIC(target, value); }
  GCOMPILE_FOR_EACH_OPERATOR(GCOMPILE_SHARED_UPDATE)
#undef GCOMPILE_SHARED_UPDATE
  template <class T> static T take(T &given, const T &total) { return gc::take(given, total); }
  template <class T, class R> static bool atomic_combine(T &target, detail::SameAs<T> value, R reduction) {
    return gc::atomic_combine(target, value, reduction);
  }

private:
  mutable detail::IndexPart rest_;
};

/// The share of a thread that works alone: everything, and no update needs to be atomic.
class Alone : public Share {
public:
  template <class T> static bool claim(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
    return gc::claim_owned(target, expected, desired);
  }
  template <class V> static bool claim_bit(std::uint64_t *words, V v) {
    const std::uint64_t bit = std::uint64_t(1) << (v % 64);
    const bool clear = (words[v / 64] & bit) == 0;
    words[v / 64] |= bit;
    return clear;
  }
  static void set_bits(std::uint64_t &word, std::uint64_t bits) { word |= bits; }
#define GCOMPILE_LONELY_UPDATE(UPDATE, ATOMIC, TOTAL)                                                                  \
  template <class T> static bool ATOMIC(T &target, detail::SameAs<T> value) { return gc::UPDATE(target, value); }
  GCOMPILE_FOR_EACH_OPERATOR(GCOMPILE_LONELY_UPDATE)
#undef GCOMPILE_LONELY_UPDATE
  template <class T> static T take(T &given, const T &total) { return gc::take_owned(given, total); }
  template <class T, class R> static bool atomic_combine(T &target, detail::SameAs<T> value, R reduction) {
    return gc::update_combine(target, value, reduction);
  }
};

} // namespace gc

#endif
