// What a pull would look at.
#ifndef GCOMPILE_OMP_FRONTIER_PULL_WORK_H
#define GCOMPILE_OMP_FRONTIER_PULL_WORK_H

#include <gcompile/core/direction.h>
#include <gcompile/core/graph.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace gc {
namespace detail {

/// Compares a push with a pull in which each vertex that waits looks at its arcs, until one comes from the frontier or
/// at all of them.
///
/// No arc leads from what was active before to what still waits. So of the arcs that those who wait look at, a part p
/// comes from the frontier: its arcs, of these and those that are unseen. A vertex with d arcs looks at 1/p of them, or
/// at fewer where d is small: (1 - (1 - p)^d) / p in the mean, if ends are drawn at random. The degrees are those of a
/// few vertices.
///
/// Where neighbours have neighbours in common, as on web pages and meshes, a round finds fewer vertices than random
/// ends would have it. What part of them the last push has found is taken for the part that looks at so many arcs; the
/// others look at all of theirs.
class PullWork {
public:
  /// A search begins.
  void restart() {
    last_ = Round();
    found_ = 1;
  }

  /// Whether a pull takes less time, asked before each round that follows a push: with so many vertices in the frontier
  /// and arcs out of them, arcs out of vertices that were never active before this round, and vertices that wait.
  template <class V, class A>
  bool is_less(const Graph<V, A> &graph, const FrontierSize &now, ArcId unseen_arcs, std::uint64_t waiting) {
    const Round round = {now.arcs, unseen_arcs, waiting};
    const double push = push_arc * static_cast<double>(now.arcs),
                 scan = vertex * static_cast<double>(graph.num_vertices());
    bool pull = push > scan;
    if (pull) { // in most rounds of a graph with a great diameter it is not
      const Ends ends = estimate(graph, round);
      note_found(graph, now.vertices);
      pull = push > scan + found_ * std::min(ends.found / ends.part, ends.rest) + (1 - found_) * ends.rest;
    }
    return keep(round, pull);
  }

  /// The same for a pull that looks at all arcs of those who wait. `several`: threads push, so that what they write
  /// moves between their caches.
  template <class V, class A>
  bool is_less_of_all(const Graph<V, A> &graph, const FrontierSize &now, ArcId unseen_arcs, std::uint64_t waiting,
                      bool several) {
    const Round round = {now.arcs, unseen_arcs, waiting};
    const double arcs = static_cast<double>(now.arcs), n = static_cast<double>(graph.num_vertices());
    const double success = several ? success_of_several : success_of_one, scan = vertex_of_all * n;
    bool pull = (push_arc + success) * arcs > scan;
    if (pull) {
      const Ends ends = estimate(graph, round);
      note_found(graph, now.vertices);
      const double look = std::max(static_cast<double>(waiting) - isolated_ * n, 0.0);
      pull = push_arc * arcs + success * std::min(found_ * ends.found, arcs) > scan + list * look + ends.rest;
    }
    return keep(round, pull);
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

  struct Round {
    ArcId arcs = 0, unseen = 0;
    std::uint64_t waiting = 0;
  };
  /// Of the arcs of those who wait: the part that comes from the frontier, how many vertices have such an arc, and how
  /// many arcs are no frontier's.
  struct Ends {
    double part, found, rest;
  };

  /// Keeps what the next round is to know of this one.
  bool keep(const Round &round, bool pull) {
    last_ = pull ? Round() : round;
    return pull;
  }
  /// After estimate(): the last round has found so many vertices.
  template <class V, class A> void note_found(const Graph<V, A> &graph, std::uint64_t vertices) {
    if (last_.arcs == 0) // it was a pull, or there was none
      return;
    const Ends ends = estimate(graph, last_);
    // The few vertices may have other degrees in the mean than those who waited.
    const double arcs_by_sample = mean_ * static_cast<double>(last_.waiting);
    const double expected = ends.found * std::min(1.0, ends.rest / arcs_by_sample);
    found_ = expected > 0 ? std::min(1.0, static_cast<double>(vertices) / expected) : 1;
  }

  template <class V, class A> Ends estimate(const Graph<V, A> &graph, const Round &round) {
    if (!sampled_)
      sample(graph);
    const double arcs = static_cast<double>(round.arcs),
                 rest = static_cast<double>(round.unseen - std::min(round.unseen, round.arcs)),
                 part = arcs / (arcs + rest + 1);
    double found = 0;
    for (const double degree : degrees_)
      found += 1 - std::pow(1 - part, degree);
    return {part, found * static_cast<double>(round.waiting) / samples, rest};
  }

  template <class V, class A> void sample(const Graph<V, A> &graph) {
    for (unsigned i = 0; i < samples; ++i) {
      const V v = static_cast<V>(i * std::uint64_t(0x9e3779b97f4a7c15) % graph.num_vertices());
      degrees_[i] = static_cast<double>(graph.in_end(v) - graph.in_begin(v));
    }
    mean_ = std::accumulate(degrees_.begin(), degrees_.end(), 0.0) / samples;
    isolated_ = static_cast<double>(std::count(degrees_.begin(), degrees_.end(), 0.0)) / samples;
    sampled_ = true;
  }

  std::array<double, samples> degrees_ = {};
  double isolated_ = 0; // the part of vertices that have no arcs
  double mean_ = 0;     // the degree of a vertex, as the few have it
  bool sampled_ = false;
  Round last_;       // if the last round has pushed
  double found_ = 1; // of what random ends would have found
};

} // namespace detail
} // namespace gc

#endif
