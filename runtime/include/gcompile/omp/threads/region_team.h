// A team in one parallel region of OpenMP. The library contains it, and programs only if a detector of races is to see
// it.
#ifndef GCOMPILE_OMP_THREADS_REGION_TEAM_H
#define GCOMPILE_OMP_THREADS_REGION_TEAM_H

#include <gcompile/omp/threads/bell.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/topology.h>
#include <gcompile/omp/threads/worth.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace gc {

namespace detail {

/// The threads of one parallel region, which lasts as long as the thread that leads them. That thread runs the program,
/// and with the others what it hands out. A thread that comes late to a job, as the system had it wait, finds it done,
/// and nobody has waited for it. Where that does not help, as the system stops threads in the midst of jobs, the leader
/// works alone for some time. The threads of a group of CPUs meet at counters of their own.
class RegionTeam final : public Team {
public:
  explicit RegionTeam(std::size_t threads, const Topology &topology = Topology::machine())
      : topology_(topology), groups_(topology.groups()), followers_(threads), leader_(threads), chunks_(threads),
        region_([this, threads] { keep(static_cast<int>(threads)); }) {
    static const int noted = pthread_atfork(nullptr, nullptr, [] { is_copy_ = true; });
    static_cast<void>(noted);
    QuickClock::now(); // which is measured the first time
  }
  RegionTeam(const RegionTeam &) = delete;
  RegionTeam &operator=(const RegionTeam &) = delete;
  ~RegionTeam() {
    work_ = nullptr;
    open(); // for good: sends the others home
    ended_ = true;
    end_.ring();
    region_.join();
  }

  static RegionTeam *led() {
    if (at_work_ || is_copy_ || omp_in_parallel())
      return nullptr;
    static thread_local std::unique_ptr<RegionTeam, Ending> team;
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    if (!team || team->chunks_.threads() != threads) {
      team.reset();
      team.reset(new RegionTeam(threads));
    }
    return team.get();
  }

  bool helps() const { return worth_.shares(); }

  void run(Work *work_of_all, const void *job) {
    if (jobs_ == 0)
      meet();
    work_ = work_of_all;
    job_ = job;
    chunks_.restart();
    watch_.start();
    const auto begun = watch_.begun();
    open();
    at_work_ = true;
    work(watch_);
    at_work_ = false;
    close();
    worth_.close(begun, Stopwatch::Clock::now());
    if (error_)
      std::rethrow_exception(std::exchange(error_, nullptr));
  }

private:
  /// A copy of the process has none of the threads: there is nothing to end, and nobody to be woken.
  struct Ending {
    void operator()(RegionTeam *team) const {
      if (!is_copy_)
        delete team;
    }
  };
  /// The number of the present job, whether it is closed, and how many followers have begun it, in one word.
  struct Gate {
    static constexpr std::uint64_t closed = std::uint64_t(1) << 31, job = std::uint64_t(1) << 32;
    static bool opensAfter(std::uint64_t gate, std::uint64_t last) { return gate / job != last && !(gate & closed); }
  };
  struct alignas(64) Group {
    std::atomic<std::uint64_t> gate{Gate::closed};
    alignas(64) std::atomic<std::uint64_t> done{0};
  };

  /// Keeps the region open. OpenMP places its threads where the user wants them; the first one, whose place is the
  /// leader's, sleeps.
  void keep(int threads) {
#pragma omp parallel num_threads(threads)
    {
      omp_set_num_threads(threads); // what a kernel asks for is the same on all threads
      const bool first = omp_get_thread_num() == 0;
      if ((missing_ += first ? omp_get_num_threads() - 1 - unknown : -1) == 0)
        begin_.ring();
      if (first)
        end_.wait([this] { return ended_.load(); });
      else
        follow(groups_[topology_.here()]);
    }
  }
  /// Waits until the others have begun, and look for work. The system wakes the caller on a processor where none of
  /// them runs; they would share one for some milliseconds else.
  void meet() {
    begin_.wait([this] { return missing_ == 0; });
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  void open() {
    ++jobs_;
    if (const int here = sched_getcpu(); leads_on_.load(std::memory_order_relaxed) != here)
      leads_on_.store(here, std::memory_order_relaxed); // which the others read
    for (Group &g : groups_) {
      g.done = 0;
      g.gate = jobs_ * Gate::job;
    }
    followers_.ring();
  }
  /// Waits for the threads that have begun.
  void close() {
    for (Group &g : groups_) {
      const std::uint64_t begun = g.gate.fetch_or(Gate::closed) % Gate::closed;
      leader_.wait([&] { return g.done == begun; });
    }
  }
  /// Lets the leader have its processor. The system may leave two threads on one, for long, while another is free.
  void step_aside() const {
    const int taken = leads_on_.load(std::memory_order_relaxed);
    cpu_set_t all;
    if (sched_getcpu() != taken || taken < 0 || sched_getaffinity(0, sizeof all, &all) != 0)
      return;
    cpu_set_t others = all;
    CPU_CLR(static_cast<std::size_t>(taken), &others);
    // Where the user wants the thread here, there are no others. It stays where it went, but need not.
    if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof others, &others) == 0)
      sched_setaffinity(0, sizeof all, &all);
  }
  void follow(Group &group) {
    std::uint64_t last = 0;
    Stopwatch watch;
    while (true) {
      std::uint64_t gate = 0;
      step_aside();
      followers_.wait([&] { return Gate::opensAfter(gate = group.gate, last); });
      step_aside();
      if (!group.gate.compare_exchange_strong(gate, gate + 1))
        continue;
      if (!work_)
        return;
      last = gate / Gate::job;
      watch.start();
      work(watch);
      ++group.done;
      leader_.ring();
    }
  }
  /// No exception may leave a thread's part of a parallel region: the first one is kept.
  void work(Stopwatch &watch) {
    try {
      work_(job_, Share(chunks_, static_cast<std::size_t>(omp_get_thread_num())));
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_)
        error_ = std::current_exception();
    }
    worth_.add(watch);
  }

  static inline thread_local bool at_work_ = false;
  static inline bool is_copy_ = false; // this process is made by a fork() of one that had teams
  static constexpr int unknown = 1 << 30;

  const Topology &topology_;
  std::vector<Group> groups_;
  Bell followers_, leader_, begin_{0}, end_{0};
  std::atomic<int> missing_{unknown}; // the threads that have not begun, of a number that OpenMP decides
  std::atomic<bool> ended_{false};
  std::atomic<int> leads_on_{sched_getcpu()}; // the processor; less than 0: not known
  // Written by the leader while the gates are closed.
  std::uint64_t jobs_ = 0;
  Work *work_ = nullptr;
  const void *job_ = nullptr;
  Stopwatch watch_; // the leader's
  Worth worth_;
  Chunks chunks_; // of the present job's loop
  std::mutex mutex_;
  std::exception_ptr error_;
  std::thread region_; // the last: it begins when all else is there
};

} // namespace detail

GCOMPILE_OF_LIBRARY Team *Team::led() { return detail::RegionTeam::led(); }
GCOMPILE_OF_LIBRARY bool Team::helps() const { return static_cast<const detail::RegionTeam *>(this)->helps(); }
GCOMPILE_OF_LIBRARY void Team::run(detail::Work *work, const void *job) {
  static_cast<detail::RegionTeam *>(this)->run(work, job);
}
GCOMPILE_OF_LIBRARY void detail::run(Together together, Work *shared, Work *alone, const void *job) {
  if (together != Together::never && omp_get_max_threads() > 1)
    if (Team *team = Team::led(); team && (together == Together::always || team->helps()))
      return team->run(shared, job);
  alone(job, Share());
}

} // namespace gc

#endif
