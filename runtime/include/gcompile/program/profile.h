// What a profiled program records: the calls of its kernels.
#ifndef GCOMPILE_PROGRAM_PROFILE_H
#define GCOMPILE_PROGRAM_PROFILE_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gc {

/// The calls of kernels in one run, in order. Kernels are called from one thread; their threads count edges.
class Profile {
public:
  // What does not stand here is of the library, as programs are compiled in less time so.
  Profile();
  Profile(const Profile &);
  Profile &operator=(const Profile &);
  ~Profile();

  struct Call {
    const char *statement;    ///< "bfs.gdsl:14"
    const char *kernel;       ///< the function's name
    const char *state;        ///< of the frontier, "queue"; "" outside of a propagate
    std::int32_t round;       ///< of the propagate, from 1; 0 outside of one
    std::uint64_t active;     ///< vertices, arcs or pairs that the kernel ran over
    std::uint64_t edges = 0;  ///< arcs that its loops looked at
    std::uint64_t copies = 0; ///< how many of `active` are vertices that were there already
    double start = 0;         ///< seconds since the run began
    double seconds = 0;
    const char *side = "";   ///< "cpu" or "gpu", where a run is on both
    std::uint64_t moved = 0; ///< bytes that have been moved to this side for this call
    // Of several processes, where `active`, `edges` and these are sums, and `seconds` those of the slowest:
    std::uint64_t messages = 0, sent = 0; ///< and their bytes, until the next call begins
    double busy = 0, busiest = 0;         ///< seconds in which a process did not wait: the mean, and the most
  };

  /// Forgets the last run and starts the clock.
  void start();
  /// Ends the run. What has been moved since the last call is a call of its own.
  void finish();

  /// Measures one call from its making to its end.
  class Entry {
  public:
    explicit Entry(Profile &profile) : profile_(profile) {}
    Entry(const Entry &) = delete;
    ~Entry();

  private:
    Profile &profile_;
  };
  Entry enter(const char *statement, const char *kernel, std::uint64_t active);
  /// A round of a propagate.
  template <class Frontier> Entry enter_round(const char *statement, const char *kernel, const Frontier &frontier) {
    return enter_round(statement, kernel, frontier.state(), frontier.round(), frontier.size());
  }
  /// The same, where that is known apart from a frontier.
  Entry enter_round(const char *statement, const char *kernel, const char *state, std::int32_t round,
                    std::uint64_t active);
  /// A call of something that records nothing itself.
  template <class F> auto measure(const char *statement, const char *kernel, std::uint64_t active, F &&function) {
    const Entry call = enter(statement, kernel, active);
    return std::forward<F>(function)();
  }
  /// Adds what another form of the program has done after this one; `moved` bytes came to it.
  void append(const Profile &later, const char *side, std::uint64_t moved);
  /// Adds what another form has done in the same time, in order.
  void merge(const Profile &beside, const char *side);
  /// So many bytes have been moved to this side, for the call that is being made, or the next one.
  void note_moved(std::uint64_t bytes) { moved_ += bytes; }
  /// What a round was, once that is known, for the call that is being made.
  void note_round(std::int32_t round, const char *state, std::uint64_t copies);
  /// Adds to the edges of the call that is being made; from any of its threads.
  void count_edges(std::uint64_t edges) { __atomic_fetch_add(&edges_, edges, __ATOMIC_RELAXED); }

  const std::vector<Call> &calls() const { return calls_; }
  /// How many processes ran together; 0: it ran alone.
  int processes() const { return processes_; }
  /// Of the whole run.
  double seconds() const { return seconds_; }

protected:
  /// For what the calls of several processes sum to.
  std::vector<Call> &recorded(int processes) {
    processes_ = processes;
    return calls_;
  }

private:
  using Clock = std::chrono::steady_clock;

  double now() const;

  Clock::time_point begin_;
  double seconds_ = 0;
  int processes_ = 0;
  std::uint64_t edges_ = 0, moved_ = 0;
  std::vector<Call> calls_;
};

} // namespace gc

#endif
