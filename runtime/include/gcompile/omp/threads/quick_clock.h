// A clock for short kernels: to read the system's takes longer than to read the processor's ticks.
#ifndef GCOMPILE_OMP_THREADS_QUICK_CLOCK_H
#define GCOMPILE_OMP_THREADS_QUICK_CLOCK_H

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>

namespace gc {

/// Counts nanoseconds from a moment of its own: the processor's ticks where the system itself keeps time by them, as
/// then they are the same on all processors; else it is the system's steady clock.
class QuickClock {
public:
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<QuickClock>;
  static constexpr bool is_steady = true;

  static time_point now() {
#ifdef __x86_64__
    static const double of_a_tick = measured();
    if (of_a_tick > 0)
      return time_point(duration(static_cast<rep>(static_cast<double>(__builtin_ia32_rdtsc()) * of_a_tick)));
#endif
    return time_point(Steady::now().time_since_epoch());
  }

private:
  using Steady = std::chrono::steady_clock;

#ifdef __x86_64__
  struct Moment {
    Steady::time_point time;
    std::uint64_t ticks;
  };
  /// Of some readings the one that took least: there the system has hardly stopped the thread on the way.
  static Moment moment() {
    Moment best{};
    auto least = Steady::duration::max();
    for (int i = 0; i < 8; ++i) {
      const auto before = Steady::now();
      const std::uint64_t ticks = __builtin_ia32_rdtsc();
      if (const auto took = Steady::now() - before; took < least) {
        least = took;
        best = {before, ticks};
      }
    }
    return best;
  }
  /// The nanoseconds of a tick; 0: the system does not keep time by them.
  static double measured() {
    std::string source;
    std::ifstream("/sys/devices/system/clocksource/clocksource0/current_clocksource") >> source;
    if (source != "tsc")
      return 0;
    const Moment first = moment();
    Moment last = moment();
    while (last.time - first.time < std::chrono::microseconds(50))
      last = moment();
    return std::chrono::duration<double, std::nano>(last.time - first.time).count() /
           static_cast<double>(last.ticks - first.ticks);
  }
#endif
};

} // namespace gc

#endif
