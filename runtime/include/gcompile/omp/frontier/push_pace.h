// What a vertex takes in rounds that push on one thread.
#ifndef GCOMPILE_OMP_FRONTIER_PUSH_PACE_H
#define GCOMPILE_OMP_FRONTIER_PUSH_PACE_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/threads/quick_clock.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace gc {
namespace detail {

/// Measures rounds of one thread, and says from which size on a round is worth sharing: where a vertex takes long, as
/// its values are far away, that is fewer of them than usual. All rounds of a frontier count, whichever propagate they
/// are of.
class PushPace {
public:
  using Clock = QuickClock;
  using Time = std::chrono::duration<double, std::nano>;
  /// Rounds over fewer vertices are too short to be timed.
  static constexpr std::size_t fewest = 128;

  /// Whether threads should share a round over `size` vertices, fewer than would be worth it in general.
  bool shares(std::size_t size) {
    if (static_cast<double>(size) * of_a_vertex_ <= worth_sharing)
      return false;
    // What made rounds slow may have passed.
    of_a_vertex_ = std::max(of_a_vertex_ * forgets, usual);
    return true;
  }

  /// A round of one thread begins.
  void begin(Clock::time_point now = Clock::now()) {
    begun_ = now;
    timing_ = true;
  }
  /// What was done since begin() is not the round's.
  void begin_again() {
    if (timing_)
      begin();
  }
  /// The round does not end.
  void stop() { timing_ = false; }
  /// The round over `size` vertices has ended, if one has begun.
  void end(std::size_t size) {
    if (timing_)
      end(size, Clock::now());
  }
  void end(std::size_t size, Clock::time_point now) {
    timing_ = false;
    const double took = Time(now - begun_).count() / static_cast<double>(size);
    // A round may have been interrupted.
    of_a_vertex_ += (std::clamp(took, 0.0, 2 * of_a_vertex_) - of_a_vertex_) * weight;
  }

private:
  static constexpr double worth_sharing = 4000, usual = worth_sharing / vertices_worth_sharing; // nanoseconds
  static constexpr double weight = 0.25, forgets = 1 - 1.0 / 256;

  double of_a_vertex_ = usual;
  Clock::time_point begun_;
  bool timing_ = false;
};

} // namespace detail
} // namespace gc

#endif
