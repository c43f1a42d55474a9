// Messages that ranks pass on in a grid, so that each sends to few others.
#ifndef GCOMPILE_MPI_RELAY_H
#define GCOMPILE_MPI_RELAY_H

#include <gcompile/core/bytes.h>
#include <gcompile/mpi/routes.h>
#include <gcompile/mpi/world.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

/// Bytes from which on a message goes straight.
#ifndef GCOMPILE_LONG_MESSAGE
#define GCOMPILE_LONG_MESSAGE 8192
#endif

namespace gc::mpi {

/// An exchange in two hops. In the first one a rank sends all that goes by way of another rank in one message. Of what
/// has come, that rank makes one message for each rank that it passes something on to. One meeting precedes both hops:
/// it tells all sizes. What is long goes straight in the first hop, since there its bytes take the time.
class Relay {
public:
  static constexpr std::size_t long_message = GCOMPILE_LONG_MESSAGE;

  Relay() : rank_(World::get().rank()), first_(size()), second_(size()), arrived_(size()) {}

  void choose(const Routes &routes) { routes_ = routes; }
  const Routes &routes() const { return routes_; }

  /// As World::exchange. All ranks.
  void exchange(std::vector<Bytes> &out, std::vector<Bytes> &in) {
    std::vector<std::uint64_t> sizes(size(), 0);
    for (int to = 0; to < size(); ++to) {
      Bytes &message = out[to];
      if (to == rank_ || message.size() >= long_message)
        continue;
      sizes[to] = message.size();
      if (const int by = routes_.via(rank_, to); by == rank_)
        copy(message.data(), message.size(), second_[to]);
      else if (!message.empty())
        add_labelled(message, to, first_[by]);
      message.clear();
    }
    pass(sizes, out, in, [](int, const Bytes &message, const auto &part) {
      for (const char *at = message.data(), *end = at + message.size(); at < end;) {
        const Label label = take_value<Label>(at);
        copy(at, label.size, part(static_cast<int>(label.to)));
        at += label.size;
      }
    });
  }

  /// What the first hop brings to a rank, for itself and for those that it passes something on to.
  Bytes &first(int rank) { return first_[rank]; }
  /// What this rank sends to one of its column in the second hop, before what it passes on.
  Bytes &second(int rank) { return second_[rank]; }
  /// Sends what is in first() and second(), and straight what is in `out`. Where sizes[t] is not 0, that many bytes go
  /// to rank t by way of others: split(r, message, part) appends to part(t) what rank t is to get of the message of
  /// rank r. In the end all is in in[r], of which rank r has sent it; all else is empty. All ranks.
  template <class Split>
  void pass(const std::vector<std::uint64_t> &sizes, std::vector<Bytes> &out, std::vector<Bytes> &in,
            const Split &split) {
    std::swap(in[rank_], out[rank_]); // stays here
    out[rank_].clear();
    std::vector<Sizes> told(size());
    for (int r = 0; r < size(); ++r)
      told[r] = {sizes[r], first_[r].size(), out[r].size()};
    told = World::get().meet_each(told);
    std::vector<std::uint64_t> passed(size(), 0); // by the rank that passes it to this one
    for (int r = 0; r < size(); ++r)
      passed[routes_.via(r, rank_)] += told[r].passed;
    passed[rank_] = 0; // has come with the first hop

    World &world = World::get();
    world.together([&] {
      std::vector<MPI_Request> requests;
      for (int r = 0; r < size(); ++r)
        if (r != rank_) {
          in[r].clear();
          receive(requests, arrived_[r], told[r].first, r);
          receive(requests, in[r], told[r].straight, r);
        }
      for (int r = 0; r < size(); ++r) {
        world.send(requests, first_[r].data(), first_[r].size(), r);
        world.send(requests, out[r].data(), out[r].size(), r);
      }
      world.wait_for_all(requests);
    });
    for (int r = 0; r < size(); ++r) {
      first_[r].clear();
      out[r].clear();
      split(r, arrived_[r], [&](int to) -> Bytes & { return to == rank_ ? in[r] : second_[to]; });
    }
    world.together([&] {
      std::vector<MPI_Request> requests;
      for (int r = 0; r < size(); ++r)
        receive(requests, arrived_[r], passed[r], r);
      for (int r = 0; r < size(); ++r)
        world.send(requests, second_[r].data(), second_[r].size(), r);
      world.wait_for_all(requests);
    });
    std::vector<const char *> next(size());
    for (int r = 0; r < size(); ++r)
      next[r] = arrived_[r].data();
    const auto take = [&](int r, int by) {
      copy(next[by], told[r].passed, in[r]);
      next[by] += told[r].passed;
    };
    for (int r = 0; r < size(); ++r)
      if (r != rank_ && routes_.via(r, rank_) == r)
        take(r, r);
    for (int r = 0; r < size(); ++r) {
      second_[r].clear();
      if (const int by = routes_.via(r, rank_); by != rank_ && by != r)
        take(r, by);
    }
  }

private:
  /// Bytes that a rank tells another one: what goes to it by way of others, what comes to it in the first hop for
  /// itself and others, and what comes straight.
  struct Sizes {
    std::uint64_t passed, first, straight;
  };
  /// Precedes what a message that is passed on has for one rank.
  struct Label {
    std::uint32_t to, size;
  };

  static int size() { return World::get().size(); }
  static void receive(std::vector<MPI_Request> &requests, Bytes &to, std::size_t count, int from) {
    to.clear();
    World::get().receive(requests, to.add(count), count, from);
  }
  static void copy(const char *bytes, std::size_t count, Bytes &to) {
    if (count > 0)
      std::memcpy(to.add(count), bytes, count);
  }
  static void add_labelled(const Bytes &bytes, int to, Bytes &message) {
    const Label label = {static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(bytes.size())};
    std::memcpy(message.add(sizeof label), &label, sizeof label);
    copy(bytes.data(), bytes.size(), message);
  }

  Routes routes_;
  int rank_;
  std::vector<Bytes> first_, second_; ///< by the rank that gets them
  std::vector<Bytes> arrived_;        ///< in the last hop, by the rank that sent it
};

} // namespace gc::mpi

#endif
