// How the threads of a kernel share a loop.
#ifndef GCOMPILE_OMP_THREADS_CHUNKS_H
#define GCOMPILE_OMP_THREADS_CHUNKS_H

#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace gc {

/// The chunks of a loop that threads have taken. A thread takes first what is at its own part of the loop, and then
/// what the others have left of theirs: in loop after loop it meets the same vertices, which are in its cache and,
/// where it was the first to write them, in memory near it.
class Chunks {
public:
  /// For that many threads, or more.
  explicit Chunks(std::size_t threads = static_cast<std::size_t>(omp_get_max_threads())) : taken_(threads) {}

  std::size_t threads() const { return taken_.size(); }
  /// Before a loop; no thread may be in one.
  void restart() {
    for (Taken &part : taken_)
      part.count.store(0, std::memory_order_relaxed);
  }

  /// A thread's way through a loop of `count` chunks.
  class Way {
  public:
    /// The way of a thread that works alone.
    explicit Way(std::size_t count) : count_(count), size_(count) {}
    /// The way of one of several, through as many parts as there are threads or through one.
    Way(Chunks &chunks, std::size_t thread, std::size_t count, bool one_part = false)
        : chunks_(&chunks), parts_(one_part ? 1 : chunks.threads()), count_(count) {
      enter(thread % parts_);
    }

    /// Whether there was one left, which then is `chunk`. A thread that finds none has seen all that others did before
    /// they took theirs. Not inlined: loops in which threads do their work are to have the registers.
    [[gnu::noinline]] bool take(std::size_t &chunk) {
      if (!chunks_) {
        chunk = first_++;
        return chunk < size_;
      }
      while (true) {
        std::atomic<std::size_t> &taken = chunks_->taken_[part_].count;
        if (taken.load(std::memory_order_acquire) < size_) {
          const std::size_t at = taken.fetch_add(1, std::memory_order_acq_rel);
          if (at < size_) {
            chunk = first_ + at;
            return true;
          }
        }
        if (++seen_ >= parts_)
          return false;
        enter(part_ + 1 < parts_ ? part_ + 1 : 0);
      }
    }

  private:
    void enter(std::size_t part) {
      part_ = part;
      first_ = part * count_ / parts_;
      size_ = (part + 1) * count_ / parts_ - first_;
    }

    Chunks *const chunks_ = nullptr;
    const std::size_t parts_ = 1, count_;
    std::size_t part_ = 0, first_ = 0, size_ = 0, seen_ = 0;
  };

private:
  struct alignas(64) Taken {
    std::atomic<std::size_t> count{0};
  };
  std::vector<Taken> taken_;
};

} // namespace gc

#endif
