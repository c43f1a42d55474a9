// Whether it is of use that threads share kernels, while other processes keep processors of theirs busy.
#ifndef GCOMPILE_OMP_THREADS_WORTH_H
#define GCOMPILE_OMP_THREADS_WORTH_H

#include <gcompile/omp/threads/quick_clock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include <ctime>

namespace gc {

/// How long one thread computes at a kernel. For the rest of the time the system has stopped it.
class Stopwatch {
public:
  using Clock = QuickClock;
  using Time = Clock::duration;
  /// The system stops a thread for longer than this.
  static constexpr Time turn = std::chrono::milliseconds(1);

  void start(Clock::time_point now = Clock::now()) {
    begun_ = now;
    if (begun_ - noted_ > turn / 4) // to ask for it takes as long as some kernels
      note(now);
  }
  Clock::time_point begun() const { return begun_; }
  /// How long it has computed in the time since it began, of which there was more than a turn.
  Time computed(Clock::time_point now) {
    // Between the note and the begin it looked for work.
    const Time computed = cpu_time() - cpu_noted_ - (begun_ - noted_);
    note(now);
    return std::clamp(computed, Time(0), now - begun_);
  }

private:
  static Time cpu_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
  void note(Clock::time_point now) {
    noted_ = now;
    cpu_noted_ = cpu_time();
  }

  Clock::time_point begun_, noted_;
  Time cpu_noted_{0};
};

/// The account of a team: what its kernels took, and what its threads computed meanwhile.
///
/// If a kernel took longer than all its threads together computed, as the system had stopped one of them, the leader
/// alone would have been faster. Then it works alone for as long as was lost, and tries again. Each time that it soon
/// loses again it stays alone for twice as many times what was lost, at most 16: others keep the processors busy.
class Worth {
public:
  using Time = Stopwatch::Time;

  /// Whether the leader shares its next kernel.
  bool shares(Stopwatch::Clock::time_point now) const { return now >= alone_until_; }
  bool shares() const { return alone_until_ == Stopwatch::Clock::time_point() || shares(Stopwatch::Clock::now()); }

  /// A thread has done its part of a kernel.
  void add(Stopwatch &watch) {
    const auto now = Stopwatch::Clock::now();
    const Time took = now - watch.begun();
    add(took < Stopwatch::turn ? took : watch.computed(now));
  }
  void add(Time computed) {
    if (computed > Stopwatch::turn / 16)
      computed_.fetch_add(computed.count(), std::memory_order_relaxed);
  }
  /// After a kernel, all of whose threads have been added.
  void close(Stopwatch::Clock::time_point begun, Stopwatch::Clock::time_point now) {
    const Time took = now - begun, computed(computed_.load(std::memory_order_relaxed)), lost = took - computed;
    if (computed > Time(0))
      computed_.store(0, std::memory_order_relaxed);
    if (took <= Stopwatch::turn || lost <= Stopwatch::turn / 2 + took / 8)
      return;
    const bool soon = now - alone_until_ < most_times * lost;
    times_ = soon ? std::min(2 * times_, most_times) : 1;
    alone_until_ = now + times_ * lost;
  }

private:
  static constexpr int most_times = 16;

  std::atomic<Time::rep> computed_{0}; // in the present kernel
  Stopwatch::Clock::time_point alone_until_;
  int times_ = 1; // what was lost, for which it has been alone last
};

} // namespace gc

#endif
