// The threads that run kernels: a team of OpenMP's threads that stays from kernel to kernel.
#ifndef GCOMPILE_OMP_THREADS_TEAM_H
#define GCOMPILE_OMP_THREADS_TEAM_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/threads/share.h>
#include <gcompile/omp/threads/threads.h>
#include <gcompile/program/watch.h>

#include <cstddef>

namespace gc {

#ifdef _OPENMP
/// The threads that a thread leads. It runs the program, and with the others what it hands out. The library has the
/// rest (region_team.h): a program is compiled in less time without it.
class Team {
public:
  /// The team that the calling thread leads, of as many threads as OpenMP gives. Null in a kernel, in parallel regions
  /// of others, and in a copy of a process that had teams.
  static Team *led();

  /// Whether the others are of help at present.
  bool helps() const;

  /// Has the threads run job(share), and throws what one of them has thrown. The leader calls this.
  template <class Job> void hand_out(const Job &job) {
    run([](const void *given, const Share &share) { (*static_cast<const Job *>(given))(share); }, &job);
  }

protected:
  using Work = void(const void *job, const Share &share);
  Team() = default;
  ~Team() = default;

private:
  void run(Work *work, const void *job);
};
#endif

/// Runs a kernel on the calling thread. Not inlined: kernels of a program that share one function get too few
/// registers.
template <class Job> [[gnu::noinline]] void run_alone(const Job &job) { job(Alone()); }

/// Runs job(share) on every thread, whose shares are the whole; job(Alone()) on the calling thread if that is enough,
/// or where threads run already.
template <class Job> void parallel([[maybe_unused]] bool worth_it, const Job &job) {
  look_up();
#ifdef _OPENMP
  if (worth_it && omp_get_max_threads() > 1)
    if (Team *team = Team::led(); team && (GCOMPILE_MOST_ALONE == 0 || team->helps()))
      return team->hand_out(job);
#endif
  run_alone(job);
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

// A detector of races sees only what is compiled for it.
#if defined(__SANITIZE_THREAD__)
#define GCOMPILE_TEAM_IN_PROGRAM
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GCOMPILE_TEAM_IN_PROGRAM
#endif
#endif
#if defined(_OPENMP) && defined(GCOMPILE_TEAM_IN_PROGRAM)
#include <gcompile/omp/threads/region_team.h>
#endif

#endif
