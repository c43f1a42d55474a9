// Threads of one parallel region that wait for each other, many times and mostly not for long.
#ifndef GCOMPILE_OMP_THREADS_BARRIER_H
#define GCOMPILE_OMP_THREADS_BARRIER_H

#include <gcompile/omp/threads/threads.h>
#include <gcompile/omp/threads/topology.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gc {

/// Where threads wait until something holds: they look for some hundred microseconds, then let others run, then sleep.
class Bell {
public:
  /// For that many threads. Where they are more than the processors, or the user asks for it by
  /// OMP_WAIT_POLICY=passive, nobody looks for long.
  explicit Bell(std::size_t threads)
      : looks_(passive() || threads > static_cast<std::size_t>(omp_get_num_procs()) ? 0 : 20000) {}

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

/// A barrier in the shape of the machine: the threads of a package meet at a counter of their own, and the last of each
/// package at one for all. On one package it is a central counter.
class Barrier {
public:
  explicit Barrier(std::size_t threads, const Topology &topology = Topology::machine())
      : topology_(topology), packages_(topology.packages()), bell_(threads) {}

  /// Every thread of a parallel region calls this once before wait, all of them together. Returns the package that the
  /// thread belongs to from here on.
  unsigned join() {
    const unsigned package = topology_.here();
    packages_[package].members.fetch_add(1);
#ifdef _OPENMP
#pragma omp barrier
#pragma omp single
#endif
    for (Package &p : packages_) {
      p.missing = p.members.load();
      missing_ += p.members != 0;
      used_ += p.members != 0;
    }
    return package;
  }
  /// Returns once all have called it. What they wrote before is seen after.
  void wait(unsigned package) {
    Package &mine = packages_[package];
    const std::uint32_t turn = mine.turn.load(std::memory_order_relaxed);
    if (--mine.missing == 0) {
      mine.missing = mine.members.load();
      if (--missing_ == 0) {
        missing_ = used_.load();
        for (Package &p : packages_)
          ++p.turn;
        return bell_.ring();
      }
    }
    bell_.wait([&] { return mine.turn != turn; });
  }

private:
  struct alignas(64) Package {
    std::atomic<std::uint32_t> turn{0};
    alignas(64) std::atomic<std::uint32_t> missing{0};
    std::atomic<std::uint32_t> members{0};
  };

  const Topology &topology_;
  std::vector<Package> packages_;
  alignas(64) std::atomic<std::uint32_t> missing_{0};
  std::atomic<std::uint32_t> used_{0};
  Bell bell_;
};

} // namespace gc

#endif
