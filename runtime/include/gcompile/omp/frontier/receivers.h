// The vertices that arcs lead to.
#ifndef GCOMPILE_OMP_FRONTIER_RECEIVERS_H
#define GCOMPILE_OMP_FRONTIER_RECEIVERS_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/sets/bitmap.h>

#include <array>

namespace gc {

/// The vertices that arcs lead to, a bit each. No round reaches the others, which are many on a Kronecker graph: a pull
/// leaves them alone. They are found when they are first asked for, and stay: those of a graph, and those of its
/// transpose.
class Receivers {
public:
  template <class V, class A> BitView of(const Graph<V, A> &graph) {
    const void *const place = graph.in_place(0);
    for (const Found &each : found_)
      if (each.place == place && each.bits.bits() == graph.num_vertices()) {
        count_ = each.count;
        return each.bits.view();
      }
    oldest_ ^= 1;
    Found &found = found_[oldest_];
    found.place = place;
    found.bits.set_where(graph.wide(), graph.num_vertices(), [&](V v) { return graph.in_degree(v) != 0; });
    count_ = found.count = found.bits.count();
    return found.bits.view();
  }

  /// The number of those that were asked for last.
  std::size_t count() const { return count_; }

private:
  struct Found {
    const void *place = nullptr; // of the lists that they are those of
    Bitmap bits;
    std::size_t count = 0;
  };

  std::array<Found, 2> found_;
  unsigned oldest_ = 0;
  std::size_t count_ = 0;
};

} // namespace gc

#endif
