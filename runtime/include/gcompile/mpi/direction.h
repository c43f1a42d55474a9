// Which way the rounds of a propagate go that may push or pull: the same on all ranks.
#ifndef GCOMPILE_MPI_DIRECTION_H
#define GCOMPILE_MPI_DIRECTION_H

#include <gcompile/core/direction.h>
#include <gcompile/core/graph.h>
#include <gcompile/omp/frontier/pull_work.h>

#include <algorithm>
#include <cstdint>

namespace gc::mpi {

/// The arcs at a vertex along which a propagate goes.
enum class Along { out, in, both };

/// Chooses by sizes of the frontiers of all ranks together, and by how long the lists of vertices are, which each rank
/// knows of all: so all ranks come to the same without a message.
class Direction {
public:
  /// Along so many arcs of all.
  explicit Direction(ArcId arcs) : arcs_(arcs), unseen_(arcs) {}

  /// By gc::begins_to_pull. Whether the next round, of a frontier of this size, pulls; of n vertices.
  bool pulls(const FrontierSize &now, std::uint64_t n, double alpha, double beta) {
    return pulls_if([&] { return begins_to_pull(now.arcs, unseen_, arcs_, alpha); }, now, n, beta);
  }
  /// By gc::detail::PullWork: where a pull that ends with its first success is expected to be less work.
  template <class V> bool pulls_by_work(const FrontierSize &now, const Graph<V> &graph, Along along, double beta) {
    const std::uint64_t n = graph.num_vertices();
    visited_ += now.vertices;
    Graph<V> pulled = graph; // in the lists that a pull goes through; where it goes both ways, half of each
    if (along == Along::in || !graph.directed())
      pulled.in_offsets = graph.out_offsets;
    const auto begins = [&] { return work_.is_less(pulled, now.arcs, unseen_, n - std::min(n, visited_)); };
    return pulls_if(begins, now, n, beta);
  }

private:
  template <class Begins> bool pulls_if(const Begins &begins, const FrontierSize &now, std::uint64_t n, double beta) {
    if (pulling_) {
      pulling_ = goes_on_pulling(now.vertices, previous_, n, beta);
    } else {
      pulling_ = begins();
      if (!pulling_)
        unseen_ -= std::min(unseen_, now.arcs);
    }
    previous_ = now.vertices;
    return pulling_;
  }

  ArcId arcs_, unseen_; ///< unseen: out of vertices that were never active in a round that pushed
  std::uint64_t visited_ = 0, previous_ = 0;
  gc::detail::PullWork work_;
  bool pulling_ = false;
};

} // namespace gc::mpi

#endif
