// The frontier of a propagate, of which each rank has the vertices that it owns.
#ifndef GCOMPILE_MPI_FRONTIER_H
#define GCOMPILE_MPI_FRONTIER_H

#include <gcompile/mpi/ranks.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gc::mpi {

/// The own vertices that are active in a round, and the next ones being collected: each once, however often activated.
template <class V> class Frontier {
public:
  explicit Frontier(const Ranks<V> &ranks) : ranks_(ranks), queued_(ranks.last() - ranks.first(), 0) {}

  void start(const VertexSet<V> &from) {
    list_.clear();
    for (const V v : from)
      if (ranks_.owns(v))
        list_.push_back(v);
  }
  void start(std::initializer_list<V> from) { start(ranks_.own(from)); }
  void start_all() {
    list_.clear();
    for (V v = ranks_.first(); v < ranks_.last(); ++v)
      list_.push_back(v);
  }

  /// Whether a vertex is active on any rank. All ranks.
  bool anywhere() const {
    return ranks_.combined(!list_.empty(), [](bool &any, bool part) { any = any || part; });
  }
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
  const Ranks<V> &ranks_;
  std::vector<V> list_, next_;
  std::vector<char> queued_;
};

} // namespace gc::mpi

#endif
