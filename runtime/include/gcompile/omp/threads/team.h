// A team of threads that is kept over many short kernels: one parallel region, in which one thread runs the program and
// the others wait for the kernels that it hands out.
#ifndef GCOMPILE_OMP_THREADS_TEAM_H
#define GCOMPILE_OMP_THREADS_TEAM_H

#include <gcompile/omp/threads/barrier.h>
#include <gcompile/omp/threads/share.h>
#include <gcompile/omp/threads/threads.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace gc {

/// The threads of one parallel region. The first of them leads: it runs the program, and with the others what it hands
/// out. A thread that comes late to a job, as the system had it wait, finds it done, and nobody has waited for it. The
/// threads of a package of the machine meet at counters of their own.
class Team {
public:
  explicit Team(std::size_t threads, const Topology &topology = Topology::machine())
      : topology_(topology), packages_(topology.packages()), followers_(threads), leader_(threads), chunks_(threads) {}

  /// The team that the calling thread leads, unless it is at work for it; null if there is none.
  static Team *led() { return led_; }

  /// Runs program() on the first thread. Every thread of the region calls this.
  template <class Program> void run(Program &program) {
    if (omp_get_thread_num() != 0)
      return follow(packages_[topology_.here()]);
    led_ = this;
    attempt(program);
    led_ = nullptr;
    work_ = nullptr;
    open(); // for good: sends the others home
  }

  /// Has the threads run job(share), and throws what one of them has thrown. The leader calls this.
  template <class Job> void hand_out(const Job &job) {
    work_ = [](const void *given, const Share &share) { (*static_cast<const Job *>(given))(share); };
    job_ = &job;
    chunks_.restart();
    led_ = nullptr;
    open();
    work();
    close();
    led_ = this;
    rethrow();
  }

  /// Throws what the program has thrown, if it has.
  void rethrow() {
    if (error_)
      std::rethrow_exception(std::exchange(error_, nullptr));
  }

private:
  /// The number of the present job, whether it is closed, and how many followers have begun it, in one word.
  struct Gate {
    static constexpr std::uint64_t closed = std::uint64_t(1) << 31, job = std::uint64_t(1) << 32;
    static bool opensAfter(std::uint64_t gate, std::uint64_t last) { return gate / job != last && !(gate & closed); }
  };
  struct alignas(64) Package {
    std::atomic<std::uint64_t> gate{Gate::closed};
    alignas(64) std::atomic<std::uint64_t> done{0};
  };

  void open() {
    ++jobs_;
    for (Package &p : packages_) {
      p.done = 0;
      p.gate = jobs_ * Gate::job;
    }
    followers_.ring();
  }
  /// Waits for the threads that have begun.
  void close() {
    for (Package &p : packages_) {
      const std::uint64_t begun = p.gate.fetch_or(Gate::closed) % Gate::closed;
      leader_.wait([&] { return p.done == begun; });
    }
  }
  void follow(Package &package) {
    std::uint64_t last = 0;
    while (true) {
      std::uint64_t gate = 0;
      followers_.wait([&] { return Gate::opensAfter(gate = package.gate, last); });
      if (!package.gate.compare_exchange_strong(gate, gate + 1))
        continue;
      if (!work_)
        return;
      last = gate / Gate::job;
      work();
      ++package.done;
      leader_.ring();
    }
  }
  void work() {
    const Share share(chunks_, static_cast<std::size_t>(omp_get_thread_num()));
    auto job = [&] { work_(job_, share); };
    attempt(job);
  }
  /// No exception may leave a thread's part of a parallel region: the first one is kept.
  template <class Function> void attempt(Function &function) {
    try {
      function();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_)
        error_ = std::current_exception();
    }
  }

  static inline thread_local Team *led_ = nullptr;

  const Topology &topology_;
  std::vector<Package> packages_;
  Bell followers_, leader_;
  // Written by the leader while the gates are closed.
  std::uint64_t jobs_ = 0;
  void (*work_)(const void *, const Share &) = nullptr;
  const void *job_ = nullptr;
  Chunks chunks_; // of the present job's loop
  std::mutex mutex_;
  std::exception_ptr error_;
};

/// Runs program(), whose calls of `parallel` share one team of threads.
template <class Program> void keep_team(Program program) {
  if (omp_get_max_threads() == 1 || omp_in_parallel())
    return program();
  Team team(static_cast<std::size_t>(omp_get_max_threads()));
#ifdef _OPENMP
#pragma omp parallel
#endif
  team.run(program);
  team.rethrow();
}

/// Runs job(share) on every thread, whose shares are the whole; job(Alone()) on the calling thread if that is enough,
/// or where threads run already.
template <class Job> void parallel(bool worth_it, const Job &job) {
  if (!worth_it || omp_get_max_threads() == 1)
    return job(Alone());
  if (Team *team = Team::led())
    return team->hand_out(job);
  Chunks chunks;
#ifdef _OPENMP
#pragma omp parallel
#endif
  job(Share(chunks, static_cast<std::size_t>(omp_get_thread_num())));
}

/// Calls body(i) for i below `size`, in parallel if that is worth it.
template <class Body> void parallel_for(bool worth_it, std::size_t size, const Body &body) {
  parallel(worth_it, [&](const Share &mine) {
    for (auto part = mine.equal(size); part.next();)
      for (std::size_t i = part.begin; i < part.end; ++i)
        body(i);
  });
}

} // namespace gc

#endif
