// Termination: threads find out that all work is done, without rounds or barriers.
#ifndef GCOMPILE_OMP_ASYNC_TERMINATION_H
#define GCOMPILE_OMP_ASYNC_TERMINATION_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>

namespace gc::async {

/// Counts the tasks that were added and those that were done, each thread in counters of its own (after Mattern 1987,
/// "Algorithms for distributed termination detection").
///
/// A task is counted as added before another thread can take it, and as done after all that it adds was counted. So
/// a thread that reads the counters of done tasks first and those of added tasks then, with the same sum, has seen the
/// addition of every task that it has seen done, and of every task that these added: there is no other.
class Termination {
public:
  /// `initial`: tasks that are there from the beginning.
  Termination(std::size_t threads, std::uint64_t initial)
      : threads_(threads), initial_(initial), counters_(std::make_unique<Counter[]>(threads)) {}

  /// The counters of one thread, which alone changes them.
  class alignas(64) Counter {
  public:
    void add() { raise(added_, 1); }
    void done(std::uint64_t tasks = 1) { raise(done_, tasks); }

  private:
    friend class Termination;
    static void raise(std::atomic<std::uint64_t> &count, std::uint64_t by) {
      count.store(count.load(std::memory_order_relaxed) + by, std::memory_order_release);
    }
    std::atomic<std::uint64_t> added_{0}, done_{0};
  };
  Counter &of(std::size_t thread) { return counters_[thread]; }

  /// Ends the work though not all is done: a thread leaves with an exception, and nobody else does its task.
  void give_up() { given_up_.store(true, std::memory_order_release); }

  /// Whether every task is done, or will not be. Once true, it stays true.
  bool reached() const {
    if (given_up_.load(std::memory_order_acquire))
      return true;
    std::uint64_t done = 0, added = initial_;
    for (std::size_t i = 0; i < threads_; ++i)
      done += counters_[i].done_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < threads_; ++i)
      added += counters_[i].added_.load(std::memory_order_acquire);
    return done == added;
  }

  /// Calls `take` until it succeeds or all work is done; whether it succeeded. A thread that waits long lets others
  /// run.
  template <class Take> bool wait(Take take) const {
    for (unsigned tries = 0;; ++tries) {
      if (take())
        return true;
      if (reached())
        return false;
      if (tries >= 64)
        std::this_thread::yield();
    }
  }

private:
  std::size_t threads_;
  std::uint64_t initial_;
  std::unique_ptr<Counter[]> counters_;
  std::atomic<bool> given_up_{false};
};

} // namespace gc::async

#endif
