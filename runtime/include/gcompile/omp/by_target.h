// Edge properties ordered by target: kernels that go against the edges read them one after the other.
#ifndef GCOMPILE_OMP_BY_TARGET_H
#define GCOMPILE_OMP_BY_TARGET_H

#include <gcompile/core/graph.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/threads/team.h>

#include <chrono>
#include <cstddef>

namespace gc {

/// An edge column of a graph, one value per in-arc: that of the arc in the list of its target. Needs the in-arrays and
/// the ids of their edges.
template <class T> class ByTarget {
public:
  template <class V, class A> ByTarget(const Graph<V, A> &graph, int column) : values_(graph.num_arcs()) {
    const auto start = std::chrono::steady_clock::now();
    const T *const from = graph.template edge_column<T>(column);
    T *const to = values_.data();
    parallel_for(values_.size() > 16384, values_.size(), [=](std::size_t k) { to[k] = from[graph.in_edges[k]]; });
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  const T *data() const { return values_.data(); }
  /// The time that the construction took.
  double seconds() const { return seconds_; }

private:
  Array<T> values_;
  double seconds_ = 0;
};

} // namespace gc

#endif
