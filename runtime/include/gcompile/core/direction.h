// Which way a round goes that may push or pull.
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

/// Whether rounds that pushed pull from now on (Beamer et al. 2012): with so many arcs out of the frontier, out of
/// vertices that were never active, and in all.
inline bool begins_to_pull(ArcId arcs, ArcId unseen, ArcId all, double alpha) {
  // Near the end few arcs are unseen, but a pull still visits every vertex.
  const double least = static_cast<double>(all) / 256;
  return static_cast<double>(arcs) > std::max(static_cast<double>(unseen) / alpha, least);
}
/// Whether rounds that pulled still do: with so many active vertices now, and in the last round, of n.
inline bool goes_on_pulling(std::uint64_t now, std::uint64_t previous, std::uint64_t n, double beta) {
  return now >= previous || static_cast<double>(now) > static_cast<double>(n) / beta;
}

/// Pull once the arcs out of the frontier exceed the arcs out of vertices that were never active / alpha; push again
/// when fewer than n / beta vertices are active and the frontier shrinks (Beamer et al. 2012).
class DirectionRule {
public:
  /// Of a graph of so many vertices and arcs.
  DirectionRule(std::uint64_t n, ArcId arcs) : n_(n), arcs_(arcs), unseen_(arcs) {}

  void restart() { *this = DirectionRule(n_, arcs_); }

  /// Whether the next round, of a frontier of this size, pulls.
  bool pulls(const FrontierSize &now, double alpha, double beta) {
    return pulls_if([&] { return begins_to_pull(now.arcs, unseen_, arcs_, alpha); }, now, beta);
  }

protected:
  /// The same, but begins to pull where begins() says so, which is asked behind rounds that pushed.
  template <class Begins> bool pulls_if(const Begins &begins, const FrontierSize &now, double beta) {
    if (!pulling_) {
      pulling_ = begins();
      if (!pulling_)
        unseen_ -= std::min(unseen_, now.arcs);
    } else {
      pulling_ = goes_on_pulling(now.vertices, previous_, n_, beta);
    }
    previous_ = now.vertices;
    return pulling_;
  }
  ArcId unseen() const { return unseen_; }

private:
  std::uint64_t n_;
  ArcId arcs_, unseen_; ///< unseen: out of vertices that were never active in a round that pushed
  std::uint64_t previous_ = 0;
  bool pulling_ = false;
};

} // namespace gc

#endif
