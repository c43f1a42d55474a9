// How the threads of a kernel share a loop.
#ifndef GCOMPILE_OMP_THREADS_CHUNKS_H
#define GCOMPILE_OMP_THREADS_CHUNKS_H

#include <gcompile/omp/threads/threads.h>

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
  explicit Chunks(std::size_t threads = static_cast<std::size_t>(omp_get_max_threads()));
  ~Chunks();

  std::size_t threads() const { return taken_.size(); }
  /// Before a loop; no thread may be in one.
  void restart();

  /// A thread's way through a loop of `count` chunks.
  class Way {
  public:
    /// No way: to be assigned.
    Way() = default;
    /// The way of a thread that works alone.
    explicit Way(std::size_t count);
    /// The way of one of several, through as many parts as there are threads or through one.
    Way(Chunks &chunks, std::size_t thread, std::size_t count, bool one_part = false);

    /// Whether there was one left, which then is `chunk`. A thread that finds none has seen all that others did before
    /// they took theirs.
    bool take(std::size_t &chunk);

  private:
    void enter(std::size_t part);

    Chunks *chunks_ = nullptr;
    std::size_t parts_ = 1, count_ = 0, part_ = 0, first_ = 0, size_ = 0, seen_ = 0;
  };

private:
  struct alignas(64) Taken {
    std::atomic<std::size_t> count{0};
  };
  std::vector<Taken> taken_;
};

namespace detail {

/// What a thread has left of the indices of a kernel's loop.
class IndexPart {
public:
  /// Of a thread that works alone, and takes all indices at once.
  IndexPart() = default;
  IndexPart(Chunks &chunks, std::size_t thread) : chunks_(&chunks), thread_(thread) {}

  std::size_t thread() const { return thread_; }

  /// Begins the loop over the indices below `size`, in chunks of `chunk`. `ascending`: the threads take them in this
  /// order.
  void start(std::size_t size, std::size_t chunk, bool ascending);
  /// The same in few chunks.
  void start_equal(std::size_t size);
  /// Whether there were some left, which then are begin to end - 1.
  bool next(std::size_t &begin, std::size_t &end);

private:
  Chunks *chunks_ = nullptr;
  std::size_t thread_ = 0, size_ = 0, chunk_ = 0;
  Chunks::Way way_;
};

} // namespace detail

} // namespace gc

// The library has the rest: programs are compiled in less time without it. A detector of races sees only what is
// compiled for it.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/threads/meetings.h>
#endif

#endif
