// What the threads of a kernel have found, in one list and in the order of the threads.
#ifndef GCOMPILE_OMP_THREADS_IN_ORDER_H
#define GCOMPILE_OMP_THREADS_IN_ORDER_H

#include <gcompile/omp/threads/threads.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <sched.h>

namespace gc {

/// Where each thread of a kernel writes what it has found: after all that threads of smaller numbers have found.
/// Threads enter before they take a chunk of the kernel's loop, and ask for their place when none is left. Nothing to
/// do may come up later on: no list may be cut on the way.
class InOrder {
public:
  explicit InOrder(std::size_t threads = static_cast<std::size_t>(omp_get_max_threads())) : threads_(threads) {}

  std::size_t threads() const { return threads_.size(); }
  /// Between kernels: the next one keeps the order, or does not.
  void restart(bool on) {
    ++kernel_;
    on_ = on && static_cast<std::size_t>(omp_get_max_threads()) <= threads_.size();
  }

  /// Whether the calling thread has to ask for its place.
  bool enter() {
    if (!on_)
      return false;
    mine().state.store(2 * kernel_, std::memory_order_release);
    return true;
  }
  /// Where the `count` things that the thread has found begin. Waits for threads of smaller numbers that have entered;
  /// those that enter later find nothing.
  std::size_t place(std::size_t count) {
    Thread &own = mine();
    own.count = count;
    own.state.store(2 * kernel_ + 1, std::memory_order_release);
    std::size_t before = 0;
    for (Thread *other = threads_.data(); count > 0 && other != &own; ++other) {
      int looks = 0;
      while (other->state.load(std::memory_order_acquire) == 2 * kernel_)
        if (++looks > 2000)
          sched_yield();
      if (other->state.load(std::memory_order_relaxed) == 2 * kernel_ + 1)
        before += other->count;
    }
    return before;
  }

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

#endif
