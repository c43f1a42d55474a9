// The threads that run kernels: a team of OpenMP's threads that stays from kernel to kernel.
#ifndef GCOMPILE_OMP_THREADS_TEAM_H
#define GCOMPILE_OMP_THREADS_TEAM_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/threads/share.h>
#include <gcompile/omp/threads/threads.h>
#include <gcompile/program/watch.h>

#include <cstddef>
#include <type_traits>

namespace gc {

namespace detail {
/// A kernel: what each thread does for its share of it.
using Work = void(const void *job, const Share &share);
} // namespace detail

#ifdef _OPENMP
#define GCOMPILE_WORTH_A_TEAM(worth_it) worth_it
/// The threads that a thread leads. It runs the program, and with the others what it hands out: see region_team.h.
class Team {
public:
  /// The team that the calling thread leads, of as many threads as OpenMP gives. Null in a kernel, in parallel regions
  /// of others, and in a copy of a process that had teams.
  static Team *led();

  /// Whether the others are of help at present.
  bool helps() const;

  /// Has the threads run the job, and throws what one of them has thrown. The leader calls this.
  void run(detail::Work *work, const void *job);

protected:
  Team() = default;
  ~Team() = default;
};
#endif

namespace detail {

template <class Job> void work(const void *job, const Share &share) { (*static_cast<const Job *>(job))(share); }
template <class Job> void work_alone(const void *job, const Share &) { (*static_cast<const Job *>(job))(Alone()); }

/// Whether a kernel has a form of its own for a thread that works alone: it is a template then. Others are compiled
/// once.
template <class Job, class = void> struct HasLonelyForm : std::true_type {};
template <class Job> struct HasLonelyForm<Job, std::void_t<decltype(&Job::operator())>> : std::false_type {};

/// Whether the threads of a team run a kernel.
enum class Together { never, where_it_helps, always };

/// As parallel says. Of the library: kernels that are inlined into one function get too few registers.
void run(Together together, Work *shared, Work *alone, const void *job);

} // namespace detail

/// Runs job(share) on every thread, whose shares are the whole; job(Alone()) on the calling thread if that is enough,
/// or where threads run already.
template <class Job> void parallel(bool worth_it, const Job &job) {
  constexpr auto most = GCOMPILE_MOST_ALONE == 0 ? detail::Together::always : detail::Together::where_it_helps;
  const auto together = GCOMPILE_WORTH_A_TEAM(worth_it) ? most : detail::Together::never;
  look_up();
  if constexpr (detail::HasLonelyForm<Job>::value)
    detail::run(together, detail::work<Job>, detail::work_alone<Job>, &job);
  else
    detail::run(together, detail::work<Job>, detail::work<Job>, &job);
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

// As chunks.h says.
#if defined(_OPENMP) && defined(GCOMPILE_TEAM_IN_PROGRAM)
#include <gcompile/omp/threads/region_team.h>
#endif

#endif
