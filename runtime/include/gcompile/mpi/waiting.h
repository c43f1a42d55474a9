// How long ranks wait for each other, and what becomes of one that never comes.
#ifndef GCOMPILE_MPI_WAITING_H
#define GCOMPILE_MPI_WAITING_H

#include <gcompile/core/error.h>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <list>
#include <string>
#include <vector>

#include <sched.h>
#include <unistd.h>

namespace gc::mpi {

/// Waits for communication. With a limit, a rank that has waited so long calls all others. Those that wait too answer;
/// the ranks that do not are those for which all wait: one that is stopped, that hangs, or that works for longer than
/// the limit. The first rank that waits then says so, and ends the run.
class Waiting {
public:
  /// From now on waits at most so many seconds. All ranks.
  void limit(int seconds) {
    MPI_Comm_dup(MPI_COMM_WORLD, &calls_);
    MPI_Comm_rank(calls_, &rank_);
    MPI_Comm_size(calls_, &size_);
    Place own;
    own.pid = static_cast<std::int64_t>(getpid());
    gethostname(own.host.data(), own.host.size() - 1);
    places_.resize(static_cast<std::size_t>(size_));
    MPI_Allgather(&own, sizeof own, MPI_BYTE, places_.data(), sizeof own, MPI_BYTE, calls_);
    answered_.resize(places_.size());
    seconds_ = seconds;
  }
  bool limited() const { return seconds_ > 0; }

  /// Until all of the requests are done. `patient`: without a limit, but calls are answered.
  void wait(MPI_Request *requests, std::size_t count, bool patient = false) {
    const int all = static_cast<int>(count);
    if (!limited()) {
      MPI_Waitall(all, requests, MPI_STATUSES_IGNORE);
      return;
    }
    Clock::time_point due = Clock::now() + std::chrono::seconds(seconds_);
    bool called = false;
    deferred_ = 0;
    called_by_first_ = false;
    for (std::uint32_t turn = 1;; ++turn) {
      int done = 0;
      MPI_Testall(all, requests, &done, MPI_STATUSES_IGNORE);
      if (done)
        return;
      sched_yield();
      if (turn % turns_between_looks != 0)
        continue;
      const bool others_called = listen() && !called && !patient;
      if (patient || (Clock::now() < due && !others_called))
        continue;
      if (!called)
        call();
      else
        judge();
      called = true;
      due = Clock::now() + time_to_answer;
    }
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint32_t turns_between_looks = 64;
  static constexpr std::chrono::milliseconds time_to_answer{500};
  static constexpr int turns_of_first = 8; ///< of that time, until another rank ends the run in its place

  /// Where a rank runs.
  struct Place {
    std::int64_t pid = 0;
    std::array<char, 64> host{};
  };
  enum Tag : int { calling = 1, answering };
  struct Letter {
    std::int64_t call;
    MPI_Request request;
  };

  void send(int to, Tag tag, std::int64_t call) {
    // It stays here until it has been sent; a rank that is stopped never takes it.
    letters_.remove_if([](Letter &letter) {
      int done = 0;
      MPI_Test(&letter.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
    letters_.push_back({call, MPI_REQUEST_NULL});
    MPI_Isend(&letters_.back().call, 1, MPI_INT64_T, to, tag, calls_, &letters_.back().request);
  }
  void call() {
    ++call_;
    std::fill(answered_.begin(), answered_.end(), 0);
    answered_[static_cast<std::size_t>(rank_)] = 1;
    for (int r = 0; r < size_; ++r)
      if (r != rank_)
        send(r, calling, call_);
  }
  /// Takes what other ranks have sent, while this one waits. Whether one behind it has called, which leaves to this one
  /// what follows from that.
  bool listen() {
    bool called = false;
    for (;;) {
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, calls_, &there, &status);
      if (!there)
        return called;
      std::int64_t call = 0;
      MPI_Recv(&call, 1, MPI_INT64_T, status.MPI_SOURCE, status.MPI_TAG, calls_, MPI_STATUS_IGNORE);
      if (status.MPI_TAG == calling) {
        (status.MPI_SOURCE > rank_ ? called : called_by_first_) = true;
        send(status.MPI_SOURCE, answering, call);
      } else if (call == call_) {
        answered_[static_cast<std::size_t>(status.MPI_SOURCE)] = 1;
      }
    }
  }
  /// Ends the run, unless that is for another rank to do.
  void judge() {
    std::string missing;
    int count = 0;
    for (int r = 0; r < size_; ++r)
      if (const Place &place = places_[static_cast<std::size_t>(r)]; !answered_[static_cast<std::size_t>(r)])
        missing += (count++ > 0 ? ", rank " : "rank ") + std::to_string(r) + " of " + std::to_string(size_) +
                   " (process " + std::to_string(place.pid) + " on " + place.host.data() + ")";
    // One in front that has called may have ended meanwhile, and this process not yet: then it does not answer.
    const bool first =
        !called_by_first_ && std::find(answered_.begin(), answered_.end(), 1) == answered_.begin() + rank_;
    if (!first && ++deferred_ < turns_of_first) // it finds the same, says it, and ends this process too
      return;
    if (count == 0)
      std::fprintf(stderr, "internal error: all ranks have waited for one another for %d seconds; please report it\n",
                   seconds_);
    else
      std::fprintf(stderr, "error: the others have waited %d seconds for %s\n", seconds_, missing.c_str());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, count == 0 ? exit_internal_error : exit_user_error);
  }

  MPI_Comm calls_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, seconds_ = 0, deferred_ = 0;
  std::vector<Place> places_;
  std::int64_t call_ = 0;
  bool called_by_first_ = false; ///< in this wait, by a rank in front
  std::vector<char> answered_;
  std::list<Letter> letters_;
};

} // namespace gc::mpi

#endif
