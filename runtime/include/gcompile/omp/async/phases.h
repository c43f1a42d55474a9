// The phases of an asynchronous propagate: one thread works alone while little waits, and all share what is much.
#ifndef GCOMPILE_OMP_ASYNC_PHASES_H
#define GCOMPILE_OMP_ASYNC_PHASES_H

#include <gcompile/core/graph.h>

#include <atomic>
#include <cstddef>

namespace gc::async {

/// Says when a thread leaves a phase. Each phase is a kernel; between two of them all work waits in lists.
///
/// A thread that finds nothing leaves. Once one has left, the others leave too as soon as much waits: then all of them
/// come again. A thread that the system had wait comes late, or not at all, and nobody misses it. A thread that is
/// alone leaves when there is enough for others. The work is done when a phase has ended and nothing waits.
class Phases {
public:
  /// Begins a phase, if there are tasks for it.
  bool begin(std::size_t tasks) {
    shared_ = much(tasks);
    left_.store(false, std::memory_order_relaxed);
    return tasks > 0;
  }
  /// Whether this phase is worth several threads.
  bool shared() const { return shared_; }

  /// Whether a thread with nothing at hand leaves, though there may be more. `alone`: it is not to be disturbed, and if
  /// the phase is worth several threads, none of these can come.
  bool over(std::size_t tasks, bool alone) const {
    return left_.load(std::memory_order_relaxed) ? given_up() || much(tasks) : alone && !shared_ && much(tasks);
  }
  /// Calls `take` until it succeeds or has failed for some microseconds: then the thread leaves. Whether it succeeded.
  template <class Take> bool wait(bool alone, Take take) {
    for (int tries = alone ? 1 : 512; tries > 0; --tries) {
      if (take())
        return true;
      if (given_up())
        break;
    }
    left_.store(true, std::memory_order_relaxed);
    return false;
  }

  /// Ends the work though not all is done: a thread leaves with an exception.
  void give_up() {
    given_up_.store(true, std::memory_order_relaxed);
    left_.store(true, std::memory_order_relaxed);
  }
  bool given_up() const { return given_up_.load(std::memory_order_relaxed); }

private:
  static bool much(std::size_t tasks) { return tasks > GCOMPILE_MOST_ALONE / 32; }

  bool shared_ = false;
  std::atomic<bool> left_{false}, given_up_{false};
};

/// What a thread of a phase does from one vertex to the next.
class Turn {
public:
  explicit Turn(Phases &phases) : phases_(phases) {}
  Turn(const Turn &) = delete;
  ~Turn() {
    if (busy_) // an exception has left its loop
      phases_.give_up();
  }

  /// As Phases::wait: `take` gives the thread its next vertex. False: the thread leaves the phase.
  template <class Take> bool next(bool alone, Take take) {
    busy_ = false;
    return busy_ = phases_.wait(alone, take);
  }

private:
  Phases &phases_;
  bool busy_ = false;
};

} // namespace gc::async

#endif
