// What one thread does of a kernel.
#ifndef GCOMPILE_SHARE_H
#define GCOMPILE_SHARE_H

#include <gcompile/atomics.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace gc {

/// A thread's indices of a loop, some consecutive ones at a time: `while (part.next())` visit begin to end - 1.
template <class I> class Part {
public:
  I begin = 0, end = 0;

  /// The chunks of the indices below `size` that no thread has taken yet; without `taken`, all of them at once.
  Part(I size, std::size_t chunk, std::atomic<std::size_t> *taken)
      : size_(static_cast<std::size_t>(size)), chunk_(taken ? chunk : size_), taken_(taken) {}

  bool next() {
    std::size_t at = at_;
    if (taken_)
      at = taken_->fetch_add(chunk_, std::memory_order_relaxed);
    else
      at_ = size_;
    if (at >= size_)
      return false;
    begin = static_cast<I>(at);
    end = static_cast<I>(std::min(at + chunk_, size_));
    return true;
  }

private:
  std::size_t size_, chunk_, at_ = 0;
  std::atomic<std::size_t> *taken_;
};

/// One thread's share of a kernel: what it takes of one loop, at any time, whether other threads take part or not.
class Share {
public:
  /// All of it.
  Share() = default;
  Share(std::size_t threads, std::atomic<std::size_t> &taken) : threads_(threads), taken_(&taken) {}

  /// Chunks of the indices below `size`.
  template <class I> Part<I> dynamic(I size, std::size_t chunk) const { return {size, chunk, taken_}; }
  /// Few chunks, for iterations of equal work.
  template <class I> Part<I> equal(I size) const {
    return {size, static_cast<std::size_t>(size) / (4 * threads_) + 1, taken_};
  }

  // Updates of values that other threads may update meanwhile.
  template <class T> static bool claim(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
    return gc::claim(target, expected, desired);
  }
  template <class T> static bool atomic_assign(T &target, detail::SameAs<T> value) {
    return gc::atomic_assign(target, value);
  }
  template <class T> static bool atomic_add(T &target, detail::SameAs<T> value) {
    return gc::atomic_add(target, value);
  }
  template <class T> static bool atomic_add_inf(T &target, detail::SameAs<T> value) {
    return gc::atomic_add_inf(target, value);
  }
  template <class T> static bool atomic_multiply(T &target, detail::SameAs<T> value) {
    return gc::atomic_multiply(target, value);
  }
  template <class T> static bool atomic_min(T &target, detail::SameAs<T> value) {
    return gc::atomic_min(target, value);
  }
  template <class T> static bool atomic_max(T &target, detail::SameAs<T> value) {
    return gc::atomic_max(target, value);
  }
  template <class T> static bool atomic_or(T &target, detail::SameAs<T> value) { return gc::atomic_or(target, value); }
  template <class T> static bool atomic_and(T &target, detail::SameAs<T> value) {
    return gc::atomic_and(target, value);
  }

private:
  std::size_t threads_ = 1;
  std::atomic<std::size_t> *taken_ = nullptr;
};

/// The share of a thread that works alone: everything, and no update needs to be atomic.
class Alone : public Share {
public:
  template <class T> static bool claim(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
    return gc::claim_owned(target, expected, desired);
  }
  template <class T> static bool atomic_assign(T &target, detail::SameAs<T> value) {
    return gc::update_assign(target, value);
  }
  template <class T> static bool atomic_add(T &target, detail::SameAs<T> value) {
    return gc::update_add(target, value);
  }
  template <class T> static bool atomic_add_inf(T &target, detail::SameAs<T> value) {
    return gc::update_add_inf(target, value);
  }
  template <class T> static bool atomic_multiply(T &target, detail::SameAs<T> value) {
    return gc::update_multiply(target, value);
  }
  template <class T> static bool atomic_min(T &target, detail::SameAs<T> value) {
    return gc::update_min(target, value);
  }
  template <class T> static bool atomic_max(T &target, detail::SameAs<T> value) {
    return gc::update_max(target, value);
  }
  template <class T> static bool atomic_or(T &target, detail::SameAs<T> value) { return gc::update_or(target, value); }
  template <class T> static bool atomic_and(T &target, detail::SameAs<T> value) {
    return gc::update_and(target, value);
  }
};

} // namespace gc

#endif
