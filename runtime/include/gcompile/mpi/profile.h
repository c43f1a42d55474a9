// What a profiled program records on several ranks.
#ifndef GCOMPILE_MPI_PROFILE_H
#define GCOMPILE_MPI_PROFILE_H

#include <gcompile/mpi/world.h>
#include <gcompile/program/profile.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gc::mpi {

/// The calls of all ranks, which call the same kernels in the same order. A call has the messages from its beginning to
/// that of the next one.
class Profile : public gc::Profile {
public:
  void start() {
    gc::Profile::start();
    waited_.clear();
    World::get().measure();
    before_ = World::get().traffic();
  }

  class Entry {
  public:
    template <class... Args>
    explicit Entry(Profile &profile, Args... args) : profile_(profile), call_(profile.enter_call(args...)) {}
    Entry(const Entry &) = delete;
    ~Entry() { profile_.waited_.back() = World::get().traffic().waited - waited_; }

  private:
    Profile &profile_;
    const double waited_ = World::get().traffic().waited;
    gc::Profile::Entry call_;
  };
  Entry enter(const char *statement, const char *kernel, std::uint64_t active) {
    return Entry(*this, statement, kernel, active);
  }
  Entry enter_round(const char *statement, const char *kernel, const char *state, std::int32_t round,
                    std::uint64_t active) {
    return Entry(*this, statement, kernel, state, round, active);
  }

  /// What is sent from now on belongs to the call that comes.
  void begin_round() {
    settle();
    begins_ = true;
  }
  /// Behind the last kernel: what is sent from now on belongs to none.
  void settle() {
    const Traffic now = World::get().traffic();
    if (std::vector<Call> &calls = recorded(World::get().size()); !calls.empty()) {
      calls.back().messages += now.messages - before_.messages;
      calls.back().sent += now.bytes - before_.bytes;
    }
    before_ = now;
  }
  /// Ends the run, and sums up what all ranks recorded. All ranks.
  void finish() {
    gc::Profile::finish();
    std::vector<Call> &calls = recorded(World::get().size());
    std::vector<std::uint64_t> own;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const Call &call = calls[i];
      for (const std::uint64_t value : {call.active, call.edges, call.messages, call.sent, bits(call.seconds),
                                        bits(std::max(call.seconds - waited_[i], 0.0))})
        own.push_back(value);
    }
    const std::vector<std::uint64_t> all = World::get().all(own);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      Call &call = calls[i];
      call.active = call.edges = call.messages = call.sent = 0;
      for (std::size_t at = 6 * i; at < all.size(); at += own.size()) {
        call.active += all[at];
        call.edges += all[at + 1];
        call.messages += all[at + 2];
        call.sent += all[at + 3];
        call.seconds = std::max(call.seconds, real(all[at + 4]));
        call.busy += real(all[at + 5]) / World::get().size();
        call.busiest = std::max(call.busiest, real(all[at + 5]));
      }
    }
  }

private:
  static std::uint64_t bits(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  static double real(std::uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  gc::Profile::Entry enter_call(const char *statement, const char *kernel, std::uint64_t active) {
    begin_call();
    return gc::Profile::enter(statement, kernel, active);
  }
  gc::Profile::Entry enter_call(const char *statement, const char *kernel, const char *state, std::int32_t round,
                                std::uint64_t active) {
    begin_call();
    return gc::Profile::enter_round(statement, kernel, state, round, active);
  }
  void begin_call() {
    if (!begins_)
      settle();
    begins_ = false;
    waited_.push_back(0);
  }

  Traffic before_;             ///< the messages that are to be counted
  bool begins_ = false;        ///< those are of the call that comes
  std::vector<double> waited_; ///< seconds of each call
};

} // namespace gc::mpi

#endif
