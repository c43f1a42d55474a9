// Which way a round goes that may push or pull: the rule for a frontier of several owners.
#ifndef GCOMPILE_CORE_DIRECTION_H
#define GCOMPILE_CORE_DIRECTION_H

#include <gcompile/core/types.h>

#include <algorithm>
#include <cstdint>

namespace gc {

/// The size of a frontier. Sizes of its parts add up.
struct FrontierSize {
  std::uint64_t vertices = 0;
  ArcId arcs = 0; ///< out of its vertices

  static void add(FrontierSize &total, const FrontierSize &part) {
    total.vertices += part.vertices;
    total.arcs += part.arcs;
  }
};

/// Pull once the arcs out of the frontier exceed the arcs out of vertices that were never active / alpha; push again
/// when fewer than n / beta vertices are active and the frontier shrinks (Beamer et al. 2012).
class DirectionRule {
public:
  /// Of a graph of so many vertices and arcs.
  DirectionRule(std::uint64_t n, ArcId arcs) : n_(n), arcs_(arcs), unseen_(arcs) {}

  void restart() { *this = DirectionRule(n_, arcs_); }

  /// Whether the next round, of a frontier of this size, pulls.
  bool pulls(const FrontierSize &now, double alpha, double beta) {
    if (!pulling_) {
      // Near the end few arcs are unseen, but a pull still visits every vertex.
      const double least = static_cast<double>(arcs_) / 256;
      pulling_ = static_cast<double>(now.arcs) > std::max(static_cast<double>(unseen_) / alpha, least);
      if (!pulling_)
        unseen_ -= std::min(unseen_, now.arcs);
    } else {
      pulling_ = now.vertices >= previous_ || static_cast<double>(now.vertices) > static_cast<double>(n_) / beta;
    }
    previous_ = now.vertices;
    return pulling_;
  }

private:
  std::uint64_t n_;
  ArcId arcs_, unseen_;
  std::uint64_t previous_ = 0;
  bool pulling_ = false;
};

} // namespace gc

#endif
