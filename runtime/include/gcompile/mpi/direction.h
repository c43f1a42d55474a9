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
class Direction : public DirectionRule {
public:
  using DirectionRule::DirectionRule;
  void restart() = delete; // a search has a Direction of its own

  /// By gc::detail::PullWork: where a pull that ends with its first success is expected to be less work.
  template <class V> bool pulls_by_work(const FrontierSize &now, const Graph<V> &graph, Along along, double beta) {
    const std::uint64_t n = graph.num_vertices();
    visited_ += now.vertices;
    Graph<V> pulled = graph; // in the lists that a pull goes through; where it goes both ways, half of each
    if (along == Along::in || !graph.directed())
      pulled.in_offsets = graph.out_offsets;
    constexpr int several = 2; // as if they shared a memory
    return pulls_if([&] { return work_.is_less(pulled, now, unseen(), n - std::min(n, visited_), several); }, now,
                    beta);
  }

private:
  std::uint64_t visited_ = 0;
  gc::detail::PullWork work_{~std::size_t(0)}; // whatever the caches of each rank hold: all come to the same
};

} // namespace gc::mpi

#endif
