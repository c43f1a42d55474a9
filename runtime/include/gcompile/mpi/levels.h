// The frontiers of a propagate, of which each rank keeps its own vertices.
#ifndef GCOMPILE_MPI_LEVELS_H
#define GCOMPILE_MPI_LEVELS_H

#include <gcompile/core/levels.h>
#include <gcompile/mpi/frontier.h>

#include <cstddef>
#include <vector>

namespace gc::mpi {

/// The vertices that were active in each round; all ranks have as many levels.
template <class V> class Levels {
public:
  explicit Levels(const Graph<V> &graph) : n_(graph.num_vertices()) {}

  void clear() { levels_.clear(); }
  /// Appends the own active vertices.
  void keep(const Frontier<V> &frontier) { levels_.emplace_back(frontier.begin(), frontier.end()); }

  std::size_t size() const { return levels_.size(); }
  VertexSet<V> operator[](std::size_t level) const {
    return VertexSet<V>::view(n_, levels_[level].data(), levels_[level].size());
  }
  typename LevelRange<Levels>::Iterator begin() const { return LevelRange<Levels>{*this, false}.begin(); }
  typename LevelRange<Levels>::Iterator end() const { return LevelRange<Levels>{*this, false}.end(); }
  /// The levels, last first.
  LevelRange<Levels> reversed() const { return {*this, true}; }

private:
  V n_;
  std::vector<std::vector<V>> levels_;
};

} // namespace gc::mpi

#endif
