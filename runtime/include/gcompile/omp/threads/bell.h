// Where threads wait for each other, many times and mostly not for long.
#ifndef GCOMPILE_OMP_THREADS_BELL_H
#define GCOMPILE_OMP_THREADS_BELL_H

#include <gcompile/omp/threads/threads.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace gc {

/// Where threads wait until something holds: they look for some hundred microseconds, then let others run, then sleep.
class Bell {
public:
  /// For that many threads. Where they are more than the processors, or the user asks for it by
  /// OMP_WAIT_POLICY=passive, nobody looks for long; nor does anybody for 0, who waits for the end.
  explicit Bell(std::size_t threads)
      : looks_(passive() || threads == 0 || threads > static_cast<std::size_t>(omp_get_num_procs()) ? 0 : 20000) {}

  /// Returns once ready(), a sequentially consistent load, holds.
  template <class Ready> void wait(Ready ready) {
    for (int i = 0; i < looks_; ++i) {
      if (ready())
        return;
      pause();
    }
    for (int i = 0; i < 32; ++i) {
      if (ready())
        return;
      std::this_thread::yield();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleepers_;
    sleep_.wait(lock, ready);
    --sleepers_;
  }
  /// Wakes the threads that sleep. After a sequentially consistent store to what ready() loads.
  void ring() {
    if (sleepers_ == 0)
      return;
    std::lock_guard<std::mutex> lock(mutex_);
    sleep_.notify_all();
  }

private:
  static bool passive() {
    static const bool wanted = [] {
      const char *policy = std::getenv("OMP_WAIT_POLICY");
      return policy && (std::string(policy) == "passive" || std::string(policy) == "PASSIVE");
    }();
    return wanted;
  }
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  const int looks_;
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable sleep_;
};

} // namespace gc

#endif
