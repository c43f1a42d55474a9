// The vertices that arcs lead to.
#ifndef GCOMPILE_OMP_FRONTIER_RECEIVERS_H
#define GCOMPILE_OMP_FRONTIER_RECEIVERS_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/sets/bitmap.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gc {

/// The vertices that arcs lead to, a bit each. No round reaches the others, which are many on a Kronecker graph: a pull
/// leaves them alone. They are found when they are first asked for, and stay: those of a graph, and those of its
/// transpose.
class Receivers {
public:
  template <class V, class A> BitView of(const Graph<V, A> &graph) {
    const void *const place = graph.in_place(0);
    for (const Found &each : found_)
      if (each.place == place && each.bits.bits() == graph.num_vertices())
        return each.bits.view();
    oldest_ ^= 1;
    Found &found = found_[oldest_];
    found.place = place;
    find(graph, found.bits);
    return found.bits.view();
  }

private:
  struct Found {
    const void *place = nullptr; // of the lists that they are those of
    Bitmap bits;
  };

  template <class V, class A> static void find(const Graph<V, A> &graph, Bitmap &bits) {
    const std::size_t n = graph.num_vertices();
    bits.resize(n);
    parallel(graph.wide(), [&](const Share &mine) {
      for (auto part = mine.equal(bits.words()); part.next();)
        for (std::size_t word = part.begin; word < part.end; ++word) {
          std::uint64_t with_arcs = 0;
          for (std::size_t v = word * 64, end = std::min(v + 64, n); v < end; ++v)
            with_arcs |= std::uint64_t(graph.in_degree(static_cast<V>(v)) != 0) << (v % 64);
          bits.data()[word] = with_arcs;
        }
    });
  }

  std::array<Found, 2> found_;
  unsigned oldest_ = 0;
};

} // namespace gc

#endif
