// What the threads of a kernel have found, in one list and in the order of the threads.
#ifndef GCOMPILE_OMP_THREADS_IN_ORDER_H
#define GCOMPILE_OMP_THREADS_IN_ORDER_H

#include <gcompile/omp/threads/threads.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {

/// Where each thread of a kernel writes what it has found: after all that threads of smaller numbers have found.
/// Threads enter before they take a chunk of the kernel's loop, and ask for their place when none is left. Nothing to
/// do may come up later on: no list may be cut on the way.
class InOrder {
public:
  explicit InOrder(std::size_t threads = static_cast<std::size_t>(omp_get_max_threads()));
  ~InOrder();

  std::size_t threads() const { return threads_.size(); }
  /// Between kernels: the next one keeps the order, or does not.
  void restart(bool on);

  /// Whether the calling thread has to ask for its place.
  bool enter();
  /// Where the `count` things that the thread has found begin. Waits for threads of smaller numbers that have entered;
  /// those that enter later find nothing.
  std::size_t place(std::size_t count);

private:
  struct alignas(64) Thread {
    std::atomic<std::uint64_t> state{0}; // twice the last kernel that it has entered, and one if it has found all
    std::size_t count = 0;
  };
  Thread &mine() { return threads_[static_cast<std::size_t>(omp_get_thread_num())]; }

  std::vector<Thread> threads_;
  std::uint64_t kernel_ = 0;
  bool on_ = false;
};

} // namespace gc

// As chunks.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/threads/meetings.h>
#endif

#endif
