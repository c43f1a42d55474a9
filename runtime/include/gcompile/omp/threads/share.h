// One thread's share of a kernel.
#ifndef GCOMPILE_OMP_THREADS_SHARE_H
#define GCOMPILE_OMP_THREADS_SHARE_H

#include <gcompile/core/operators.h>
#include <gcompile/omp/threads/chunks.h>

#include <algorithm>
#include <cstddef>

namespace gc {

/// A thread's indices of a loop, some consecutive ones at a time: `while (part.next())` visit begin to end - 1.
template <class I> class Part {
public:
  I begin = 0, end = 0;

  /// All indices below `size`, at once.
  explicit Part(I size) : size_(static_cast<std::size_t>(size)), chunk_(size_), way_(size_ > 0 ? 1 : 0) {}
  /// What the thread takes of them, `chunk` at a time.
  Part(I size, std::size_t chunk, Chunks &chunks, std::size_t thread, bool ascending)
      : size_(static_cast<std::size_t>(size)), chunk_(chunk),
        way_(chunks, thread, (size_ + chunk - 1) / chunk, ascending) {}

  bool next() {
    std::size_t at = 0;
    if (!way_.take(at))
      return false;
    begin = static_cast<I>(at * chunk_);
    end = static_cast<I>(std::min((at + 1) * chunk_, size_));
    return true;
  }

private:
  const std::size_t size_, chunk_;
  Chunks::Way way_;
};

/// One thread's share of a kernel: what it takes of one loop, at any time, whether other threads take part or not.
class Share {
public:
  /// All of it.
  Share() = default;
  Share(Chunks &chunks, std::size_t thread) : chunks_(&chunks), thread_(thread) {}

  /// The thread's number, less than that of all that may take part.
  std::size_t thread() const { return thread_; }

  /// Chunks of the indices below `size`.
  template <class I> Part<I> dynamic(I size, std::size_t chunk) const {
    return chunks_ ? Part<I>(size, chunk, *chunks_, thread_, false) : Part<I>(size);
  }
  /// Chunks that the threads take in ascending order, for a loop whose iterations use what those before them have done.
  template <class I> Part<I> ascending(I size, std::size_t chunk) const {
    return chunks_ ? Part<I>(size, chunk, *chunks_, thread_, true) : Part<I>(size);
  }
  /// Few chunks, for iterations of equal work.
  template <class I> Part<I> equal(I size) const {
    return dynamic(size, chunks_ ? static_cast<std::size_t>(size) / (4 * chunks_->threads()) + 1 : 1);
  }

  // Updates of values that other threads may update meanwhile.
  template <class T> static bool claim(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
    return gc::claim(target, expected, desired);
  }
#define GCOMPILE_SHARED_UPDATE(UPDATE, ATOMIC, TOTAL)                                                                  \
  template <class T> static bool ATOMIC(T &target, detail::SameAs<T> value) { return gc::ATOMIC(target, value); }
  GCOMPILE_FOR_EACH_OPERATOR(GCOMPILE_SHARED_UPDATE)
#undef GCOMPILE_SHARED_UPDATE
  template <class T, class R> static bool atomic_combine(T &target, detail::SameAs<T> value, R reduction) {
    return gc::atomic_combine(target, value, reduction);
  }

private:
  Chunks *chunks_ = nullptr;
  std::size_t thread_ = 0;
};

/// The share of a thread that works alone: everything, and no update needs to be atomic.
class Alone : public Share {
public:
  template <class T> static bool claim(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
    return gc::claim_owned(target, expected, desired);
  }
#define GCOMPILE_LONELY_UPDATE(UPDATE, ATOMIC, TOTAL)                                                                  \
  template <class T> static bool ATOMIC(T &target, detail::SameAs<T> value) { return gc::UPDATE(target, value); }
  GCOMPILE_FOR_EACH_OPERATOR(GCOMPILE_LONELY_UPDATE)
#undef GCOMPILE_LONELY_UPDATE
  template <class T, class R> static bool atomic_combine(T &target, detail::SameAs<T> value, R reduction) {
    return gc::update_combine(target, value, reduction);
  }
};

} // namespace gc

#endif
