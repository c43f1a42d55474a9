// What ranks send each other: bytes for each rank, and those that have come from each.
#ifndef GCOMPILE_MPI_MAIL_H
#define GCOMPILE_MPI_MAIL_H

#include <gcompile/core/bytes.h>
#include <gcompile/mpi/relay.h>
#include <gcompile/mpi/world.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gc::mpi {

/// The messages of one rank. Every rank calls the functions that are marked "all ranks" in the same order.
class Mail {
public:
  Mail() : out_(World::get().size()), in_(World::get().size()) {}

  /// Puts a value behind what is to go to a rank.
  template <class T> void put(int rank, const T &value) {
    std::memcpy(out_[rank].add(sizeof value), static_cast<const void *>(&value), sizeof value);
  }
  /// The bytes that are to go to a rank.
  Bytes &to(int rank) { return out_[rank]; }
  /// Those that have come from one.
  const Bytes &from(int rank) const { return in_[rank]; }
  /// Writes a value at a place in a message, which moves behind it.
  template <class T> static void write(char *&at, const T &value) {
    std::memcpy(at, static_cast<const void *>(&value), sizeof value);
    at += sizeof value;
  }
  /// The value at a place in them, which moves behind it.
  template <class T> static T take(const char *&at) { return take_value<T>(at); }

  /// Sends what was put. No message where there is nothing to send. All ranks.
  void exchange() {
    if (routes().direct())
      World::get().exchange(out_, in_);
    else
      relay_.exchange(out_, in_);
  }
  /// From now on messages go over these ranks; straight before. All ranks.
  void choose(const Routes &routes) { relay_.choose(routes); }
  const Routes &routes() const { return relay_.routes(); }
  /// What is to go by way of others, but by a split of its own.
  Relay &relay() { return relay_; }
  /// Sends that, and straight what was put. All ranks.
  template <class Split> void pass(const std::vector<std::uint64_t> &sizes, const Split &split) {
    relay_.pass(sizes, out_, in_, split);
  }

  /// Brings all values to rank 0, of which rank r has those from begin(r) to begin(r + 1). All ranks.
  template <class T, class Begin> static void gather(T *values, const Begin &begin) {
    World &world = World::get();
    world.meet(0);
    world.together([&] {
      std::vector<MPI_Request> requests;
      const auto bytes = [&](int rank) { return reinterpret_cast<char *>(values + begin(rank)); };
      const auto count = [&](int rank) { return (begin(rank + 1) - begin(rank)) * sizeof(T); };
      if (world.rank() != 0)
        world.send(requests, bytes(world.rank()), count(world.rank()), 0);
      else
        for (int r = 1; r < world.size(); ++r)
          world.receive(requests, bytes(r), count(r), r);
      world.wait_for_all(requests);
    });
  }

private:
  std::vector<Bytes> out_, in_; ///< by rank
  Relay relay_;
};

} // namespace gc::mpi

#endif
