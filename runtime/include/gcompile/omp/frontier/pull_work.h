// What a pull that ends with its first success would look at.
#ifndef GCOMPILE_OMP_FRONTIER_PULL_WORK_H
#define GCOMPILE_OMP_FRONTIER_PULL_WORK_H

#include <gcompile/core/graph.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gc {
namespace detail {

/// Compares a push with a pull in which each vertex that waits looks at its arcs until one comes from the frontier.
///
/// No arc leads from what was active before to what still waits. So of the arcs that those who wait look at, a part p
/// comes from the frontier: its arcs, of these and those that are unseen. A vertex with d arcs looks at 1/p of them, or
/// at fewer where d is small: (1 - (1 - p)^d) / p in the mean, if ends are drawn at random. The degrees are those of a
/// few vertices.
class PullWork {
public:
  /// Whether a pull takes less time: with so many arcs out of the frontier, out of vertices that were never active
  /// before this round, and with so many vertices that wait.
  template <class V, class A>
  bool is_less(const Graph<V, A> &graph, ArcId frontier_arcs, ArcId unseen_arcs, std::uint64_t waiting) {
    const double push = push_arc * static_cast<double>(frontier_arcs),
                 scan = vertex * static_cast<double>(graph.num_vertices());
    // In most rounds of a graph with a great diameter this is all.
    if (push <= scan)
      return false;
    if (!sampled_)
      sample(graph);
    const double arcs = static_cast<double>(frontier_arcs),
                 rest = static_cast<double>(unseen_arcs - std::min(unseen_arcs, frontier_arcs)),
                 p = arcs / (arcs + rest + 1);
    double looked = 0;
    for (const double degree : degrees_)
      looked += 1 - std::pow(1 - p, degree);
    looked *= static_cast<double>(waiting) / (p * samples);
    return push > scan + std::min(looked, rest);
  }

private:
  static constexpr unsigned samples = 64;
  // In the time that a pull takes for an arc: a push for an arc, which it writes at a place of its own, and a pull for
  // a vertex, whether it waits or not (measured with values that the caches hold;
  // docs/design/2026-11-27-pulls-by-work.md).
  static constexpr double push_arc = 4, vertex = 0.65;

  template <class V, class A> void sample(const Graph<V, A> &graph) {
    for (unsigned i = 0; i < samples; ++i) {
      const V v = static_cast<V>(i * std::uint64_t(0x9e3779b97f4a7c15) % graph.num_vertices());
      degrees_[i] = static_cast<double>(graph.in_end(v) - graph.in_begin(v));
    }
    sampled_ = true;
  }

  std::array<double, samples> degrees_ = {};
  bool sampled_ = false;
};

} // namespace detail
} // namespace gc

#endif
