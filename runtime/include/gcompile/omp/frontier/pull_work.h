// What a pull would look at.
#ifndef GCOMPILE_OMP_FRONTIER_PULL_WORK_H
#define GCOMPILE_OMP_FRONTIER_PULL_WORK_H

#include <gcompile/core/direction.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/locality.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>

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
  /// `held`: how many bytes of values caches hold.
  explicit PullWork(std::size_t held = 2 * second_level_cache()) : held_(held) {}

  /// A search begins.
  void restart() {
    last_ = Round();
    found_ = 1;
  }

  /// Whether a pull that ends with a vertex's first success takes less time, asked before each round that follows a
  /// push: with so many vertices in the frontier and arcs out of them, arcs out of vertices that were never active
  /// before this round, and vertices that wait.
  template <class V, class A>
  bool is_less(const Graph<V, A> &graph, const FrontierSize &now, ArcId unseen_arcs, std::uint64_t waiting,
               int threads) {
    return is_less(graph, now, {now.arcs, unseen_arcs, waiting}, times_of_first(graph, threads),
                   [this](const Ends &ends) { return looks(ends); });
  }

  /// The same before a round that follows a pull: the arcs of what it has found are not known. `receivers` vertices of
  /// the graph have arcs at all; `many` are active, or more than before. The arcs out of the frontier are asked for
  /// where they decide: `count_arcs()`. Then those that are unseen are set to what is known of them.
  template <class V, class A, class CountArcs>
  bool is_less_again(const Graph<V, A> &graph, std::uint64_t active, bool many, ArcId &unseen_arcs,
                     std::uint64_t waiting, std::uint64_t receivers, int threads, const CountArcs &count_arcs) {
    if (!sampled_)
      sample(graph);
    const Times times = times_of_first(graph, threads);
    const double n = static_cast<double>(graph.num_vertices()), with_arcs = static_cast<double>(receivers);
    isolated_ = 1 - with_arcs / n; // known, where the few vertices only told about how many
    const double look = waiting_with_arcs(n, waiting),
                 most = std::min(static_cast<double>(unseen_arcs),
                                 look * static_cast<double>(graph.num_arcs()) / std::max(with_arcs, 1.0));
    // Great frontiers are counted only if a push could take less: as long as a pull that looks at one arc of each.
    if (times.active * static_cast<double>(active) > visit(times, n, look) + times.look * (many ? look : most))
      return true;
    const ArcId arcs = count_arcs();
    unseen_arcs = std::min(unseen_arcs, arcs + static_cast<ArcId>(most));
    return is_less(graph, {active, arcs}, unseen_arcs, waiting, threads);
  }

  /// The same for a pull that looks at all arcs of those who wait. They follow each other, and take less.
  template <class V, class A>
  bool is_less_of_all(const Graph<V, A> &graph, const FrontierSize &now, ArcId unseen_arcs, std::uint64_t waiting,
                      int threads) {
    const Times times = {0.9, 14, 0, 1, 0, 4, threads > 1 ? 35.0 : 3.0};
    return is_less(graph, now, {now.arcs, unseen_arcs, waiting}, times, [](const Ends &ends) { return ends.rest; });
  }

private:
  static constexpr unsigned samples = 64;

  /// What takes how long, in the time that a pull takes for an arc (docs/design/2026-11-27-pulls-by-work.md).
  struct Times {
    double scan;           ///< a pull: a vertex, whether it waits or not
    double list;           ///< one that waits, whose list ends where no processor expects it
    double line;           ///< a cache line of places of lists, if one of its vertices waits
    double look;           ///< an arc that it looks at
    double active, pushed; ///< a push: a vertex, an arc
    double success;        ///< by how much longer it takes in a push than in a pull
  };
  struct Round {
    ArcId arcs = 0, unseen = 0;
    std::uint64_t waiting = 0;
  };
  /// Of the arcs of those who wait: the part that comes from the frontier, how many vertices have such an arc, and how
  /// many arcs are no frontier's.
  struct Ends {
    double part, found, rest;
  };

  /// For pulls that end with the first success. Pushes take packed lists out of their fields together, where pulls of
  /// processors without lanes (FirstActive) take neighbours out one by one.
  template <class V, class A> Times times_of_first(const Graph<V, A> &graph, int threads) const {
    // What threads write in a push moves between their caches. It takes as long for many threads as for a few, where a
    // pull is divided among them.
    const double shared = std::max(1.0, (threads + 2) / 4.0);
    // A push goes to values all over, a pull to bits. Caches hold the bits of graphs whose values they do not hold.
    const bool far = sizeof(V) * graph.num_vertices() > held_;
    const double push = far ? 2 * shared : shared, success = threads > 1 ? 15 * shared : far ? 15 : 5;
    if (std::is_same_v<A, Packed>)
      return {0.12, 11, 10, 1.45, 20 * push, 1.7 * push, success};
    return {0.12, 7.5, 10, 1, 17 * push, 1.8 * push, success};
  }
  /// How many of those who wait have arcs.
  double waiting_with_arcs(double n, std::uint64_t waiting) const {
    return std::max(static_cast<double>(waiting) - isolated_ * n, 0.0);
  }
  /// A pull without the arcs: of n vertices, of which `look` wait and have arcs. Where few do, each has its own line.
  static double visit(const Times &times, double n, double look) {
    constexpr double places = 8; // of lists in a line
    const double lines = n / places * (1 - std::pow(1 - look / n, places));
    return times.scan * n + times.list * look + times.line * lines;
  }
  /// At how many arcs they look.
  double looks(const Ends &ends) const {
    const double first = ends.part > 0 ? std::min(ends.found / ends.part, ends.rest) : ends.rest;
    return found_ * first + (1 - found_) * ends.rest;
  }

  /// `looks(ends)`: at how many arcs a pull looks.
  template <class V, class A, class Looks>
  bool is_less(const Graph<V, A> &graph, const FrontierSize &now, const Round &round, const Times &times,
               const Looks &looks) {
    if (!sampled_)
      sample(graph);
    const double n = static_cast<double>(graph.num_vertices()), arcs = static_cast<double>(now.arcs);
    const double push = times.active * static_cast<double>(now.vertices) + times.pushed * arcs;
    const double look = waiting_with_arcs(n, round.waiting);
    // In most rounds of a graph with a great diameter no more is asked.
    bool less = push + times.success * arcs > times.scan * n + times.list * look;
    if (less) {
      const Ends ends = estimate(round);
      note_found(now.vertices);
      less =
          push + times.success * std::min(found_ * ends.found, arcs) > visit(times, n, look) + times.look * looks(ends);
    }
    last_ = less ? Round() : round;
    return less;
  }

  /// The last round has found so many vertices.
  void note_found(std::uint64_t vertices) {
    if (last_.arcs == 0) // it was a pull, or there was none
      return;
    const Ends ends = estimate(last_);
    // The few vertices may have other degrees in the mean than those who waited.
    const double arcs_by_sample = mean_ * static_cast<double>(last_.waiting);
    const double expected = ends.found * std::min(1.0, ends.rest / arcs_by_sample);
    found_ = expected > 0 ? std::min(1.0, static_cast<double>(vertices) / expected) : 1;
  }

  Ends estimate(const Round &round) const {
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

  std::size_t held_;
  std::array<double, samples> degrees_ = {};
  double isolated_ = 0; // the part of vertices that have no arcs
  double mean_ = 0;     // the degree of a vertex, as the few have it
  bool sampled_ = false;
  Round last_;       // none if it was a pull, or there was none
  double found_ = 1; // of what random ends would have found
};

} // namespace detail
} // namespace gc

#endif
