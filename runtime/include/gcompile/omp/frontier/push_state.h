// How a round that pushes runs: on one thread, from and to queues, or over a byte map.
#ifndef GCOMPILE_OMP_FRONTIER_PUSH_STATE_H
#define GCOMPILE_OMP_FRONTIER_PUSH_STATE_H

#include <gcompile/core/graph.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gc {

/// serial: one thread, a queue. queue: threads share a queue, and collect the next one in private buffers which they
/// append with one atomic addition each. read: threads scan one byte a vertex, in order, and set those of the next
/// round.
enum class PushState : std::uint8_t { serial, queue, read };

/// Which state a round takes, by the sizes of the frontiers: the state machine of hybrid level-synchronous traversal
/// (S1), but that a serial round over a hub may be followed by one that reads. Sizes are in vertices.
struct PushRule {
  enum class Kind : std::uint8_t { queue, serial, read, hybrid };

  Kind kind = Kind::queue;
  double t1 = vertices_worth_sharing - 1; ///< up to this size a queue is processed serially
  double t2 = 0.01; ///< from here on marks are read; below 1 it is a part of all vertices, but see vertices_of_t2
  double t3 = 2048; ///< from here on marks are read while the frontier grows exponentially
  double alpha = 2; ///< growth, from one round to the next, that counts as exponential
  double beta = 2;  ///< growth below which such a phase ends
  double least = 0; ///< what t2 is at least as a part of all vertices; 0: see vertices_of_t2
  std::size_t flush = most_flush; ///< vertices that a thread collects before it appends them to the next queue
  bool growing = false;           ///< the present phase of reading began with exponential growth
  bool paced = true;              ///< for Kind::queue: rounds that take long are shared below t1, too (PushPace)

  static constexpr std::size_t most_flush = 4096;

  static PushRule queue(double flush = most_flush) {
    PushRule rule;
    rule.flush = static_cast<std::size_t>(std::max(flush, 1.0));
    return rule;
  }
  static PushRule queue(double flush, double t1) {
    PushRule rule = queue(flush);
    rule.t1 = t1;
    rule.paced = false;
    return rule;
  }
  static PushRule serial() { return {Kind::serial}; }
  static PushRule read() { return {Kind::read}; }
  static PushRule hybrid(double t1, double t2, double t3, double alpha, double beta, double least = 0) {
    return {Kind::hybrid, t1, t2, t3, alpha, beta, least};
  }

  /// The state of the round over `size` vertices, after one in state `last` over `previous` (0: the first round).
  PushState next(PushState last, std::size_t previous, std::size_t size, std::size_t num_vertices) {
    if (kind == Kind::serial)
      return PushState::serial;
    if (kind == Kind::read)
      return PushState::read;
    const double now = static_cast<double>(size), before = static_cast<double>(previous);
    if (kind == Kind::hybrid) {
      const bool large = now > vertices_of_t2(static_cast<double>(num_vertices));
      if (last == PushState::read && (large || (growing && now >= beta * before))) {
        growing = growing && !large;
        return PushState::read;
      }
      if (last != PushState::read && large) {
        growing = false;
        return PushState::read;
      }
      if (last != PushState::read && now > t3 && now > alpha * before) {
        growing = true;
        return PushState::read;
      }
    }
    return now > t1 ? PushState::queue : PushState::serial;
  }

private:
  /// Reading looks at every mark: a part of the vertices is 2^18 of them at least (S1), or a sixteenth in smaller
  /// graphs.
  double vertices_of_t2(double num_vertices) const {
    const double most = least > 0 ? least : std::min<double>(1 << 18, num_vertices / 16);
    return t2 >= 1 ? t2 : std::max(t2 * num_vertices, most);
  }
};

} // namespace gc

#endif
