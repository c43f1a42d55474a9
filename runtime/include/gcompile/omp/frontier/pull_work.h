// What a pull would look at.
#ifndef GCOMPILE_OMP_FRONTIER_PULL_WORK_H
#define GCOMPILE_OMP_FRONTIER_PULL_WORK_H

#include <gcompile/core/graph.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gc {
namespace detail {

/// Compares a push with a pull in which each vertex that waits looks at its arcs, until one comes from the frontier or
/// at all of them.
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
    const Ends ends = estimate(graph, frontier_arcs, unseen_arcs, waiting);
    return push > scan + std::min(ends.found / ends.part, ends.rest);
  }

  /// The same for a pull that looks at all arcs of those who wait. `several`: threads push, so that what they write
  /// moves between their caches.
  template <class V, class A>
  bool is_less_of_all(const Graph<V, A> &graph, ArcId frontier_arcs, ArcId unseen_arcs, std::uint64_t waiting,
                      bool several) {
    const double arcs = static_cast<double>(frontier_arcs), n = static_cast<double>(graph.num_vertices());
    const double success = several ? success_of_several : success_of_one, scan = vertex_of_all * n;
    if ((push_arc + success) * arcs <= scan)
      return false;
    const Ends ends = estimate(graph, frontier_arcs, unseen_arcs, waiting);
    const double look = std::max(static_cast<double>(waiting) - isolated_ * n, 0.0);
    return push_arc * arcs + success * std::min(ends.found, arcs) > scan + list * look + ends.rest;
  }

private:
  static constexpr unsigned samples = 64;
  // In the time that a pull takes for an arc (measured with values that the caches hold;
  // docs/design/2026-11-27-pulls-by-work.md): a push for an arc, which it writes at a place of its own, and a pull for
  // a vertex, whether it waits or not.
  static constexpr double push_arc = 4, vertex = 0.65;
  // Where a pull looks at all arcs, they follow each other and take less: a vertex, a list that ends where no processor
  // expects it, and by how much a success takes longer in a push than in a pull.
  static constexpr double vertex_of_all = 0.9, list = 14, success_of_one = 3, success_of_several = 35;

  /// Of the arcs of those who wait: the part that comes from the frontier, how many vertices have such an arc, and how
  /// many arcs are no frontier's.
  struct Ends {
    double part, found, rest;
  };
  template <class V, class A>
  Ends estimate(const Graph<V, A> &graph, ArcId frontier_arcs, ArcId unseen_arcs, std::uint64_t waiting) {
    if (!sampled_)
      sample(graph);
    const double arcs = static_cast<double>(frontier_arcs),
                 rest = static_cast<double>(unseen_arcs - std::min(unseen_arcs, frontier_arcs)),
                 part = arcs / (arcs + rest + 1);
    double found = 0;
    for (const double degree : degrees_)
      found += 1 - std::pow(1 - part, degree);
    return {part, found * static_cast<double>(waiting) / samples, rest};
  }

  template <class V, class A> void sample(const Graph<V, A> &graph) {
    for (unsigned i = 0; i < samples; ++i) {
      const V v = static_cast<V>(i * std::uint64_t(0x9e3779b97f4a7c15) % graph.num_vertices());
      degrees_[i] = static_cast<double>(graph.in_end(v) - graph.in_begin(v));
    }
    isolated_ = static_cast<double>(std::count(degrees_.begin(), degrees_.end(), 0.0)) / samples;
    sampled_ = true;
  }

  std::array<double, samples> degrees_ = {};
  double isolated_ = 0; // the part of vertices that have no arcs
  bool sampled_ = false;
};

} // namespace detail
} // namespace gc

#endif
