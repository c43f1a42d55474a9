// The frontier of a propagate, of which each rank has the vertices that it owns.
#ifndef GCOMPILE_MPI_FRONTIER_H
#define GCOMPILE_MPI_FRONTIER_H

#include <gcompile/mpi/ranks.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gc::mpi {

/// The own vertices that are active in a round, and the next ones being collected: each once, however often activated.
template <class V> class Frontier {
public:
  Frontier(Ranks<V> &ranks, const Graph<V> &graph)
      : ranks_(ranks), graph_(graph), queued_(ranks.last() - ranks.first(), 0) {}

  void start(const VertexSet<V> &from) {
    restart();
    for (const V v : from)
      if (ranks_.owns(v))
        list_.push_back(v);
  }
  void start(std::initializer_list<V> from) { start(ranks_.own(from)); }
  void start_all() {
    restart();
    for (V v = ranks_.first(); v < ranks_.last(); ++v)
      list_.push_back(v);
  }

  /// Whether a vertex is active on any rank. All ranks.
  bool anywhere() const {
    return ranks_.combined(!list_.empty(), [](bool &any, bool part) { any = any || part; });
  }

  /// Chooses the direction of the round: pull once the arcs out of the frontier exceed the arcs out of vertices that
  /// were never active / alpha; push again when fewer than n / beta vertices are active and the frontier shrinks
  /// (Beamer et al. 2012). Before a pull each rank learns which copies are active. All ranks.
  bool pulls(double alpha, double beta) {
    const Size now = size();
    if (!pulling_) {
      // Near the end few arcs are unseen, but a pull still visits every vertex.
      const double least = static_cast<double>(graph_.num_arcs()) / 256;
      pulling_ = static_cast<double>(now.arcs) > std::max(static_cast<double>(unseen_) / alpha, least);
      if (!pulling_)
        unseen_ -= std::min(unseen_, now.arcs);
    } else {
      pulling_ = now.vertices >= previous_.vertices ||
                 static_cast<double>(now.vertices) > static_cast<double>(graph_.num_vertices()) / beta;
    }
    previous_ = now;
    if (pulling_)
      tell_copies();
    return pulling_;
  }
  /// In a round that pulls: whether an own vertex, or a copy, is active.
  bool contains(V v) const { return active_[v]; }

  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

  /// In a kernel, or when a contribution arrives: a copy is not activated, but its owner's vertex.
  void activate(V v) {
    if (!ranks_.owns(v) || queued_[v - ranks_.first()])
      return;
    queued_[v - ranks_.first()] = 1;
    next_.push_back(v);
  }
  /// Makes the collected vertices current.
  void advance() {
    list_.clear();
    std::swap(list_, next_);
    for (const V v : list_)
      queued_[v - ranks_.first()] = 0;
  }

private:
  struct Size {
    std::uint64_t vertices = 0, arcs = 0;
  };

  void restart() {
    list_.clear();
    unseen_ = graph_.num_arcs();
    previous_ = {};
    pulling_ = false;
  }
  /// Of all ranks together.
  Size size() const {
    Size own{list_.size(), 0};
    for (const V v : list_)
      own.arcs += graph_.out_degree(v);
    return ranks_.combined(own, [](Size &total, const Size &part) {
      total.vertices += part.vertices;
      total.arcs += part.arcs;
    });
  }
  void tell_copies() {
    if (active_.empty())
      active_.resize(graph_.num_vertices(), 0);
    for (const V v : told_)
      active_[v] = 0;
    for (const V v : list_)
      active_[v] = 1;
    told_ = list_;
    ranks_.give_marks(active_);
  }

  Ranks<V> &ranks_;
  const Graph<V> &graph_;
  std::vector<V> list_, next_;
  std::vector<char> queued_;
  std::vector<char> active_; ///< in rounds that pull, own vertices and copies
  std::vector<V> told_;      ///< the own ones among them
  std::uint64_t unseen_ = 0; ///< arcs out of vertices that were never in a frontier that pushed
  Size previous_;
  bool pulling_ = false;
};

} // namespace gc::mpi

#endif
