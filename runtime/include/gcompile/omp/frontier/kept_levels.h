// The frontiers of a propagate that keeps them.
#ifndef GCOMPILE_OMP_FRONTIER_KEPT_LEVELS_H
#define GCOMPILE_OMP_FRONTIER_KEPT_LEVELS_H

#include <gcompile/core/levels.h>
#include <gcompile/omp/frontier/frontier.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gc {

/// The kept frontiers of a propagate, in order, each as a set.
template <class V> class Levels {
public:
  template <class A> explicit Levels(const Graph<V, A> &graph) : n_(graph.num_vertices()) {}

  void clear() {
    ends_.clear();
    used_ = 0;
  }
  std::size_t size() const { return ends_.size(); }

  /// Appends the frontier's current vertices.
  template <class A> void keep(const Frontier<V, A> &frontier) {
    const std::size_t count = frontier.size();
    if (used_ + count > members_.size()) {
      Array<V> more(std::max(std::max<std::size_t>(n_, members_.size() * 2), used_ + count));
      std::copy(members_.data(), members_.data() + used_, more.data());
      members_ = std::move(more);
    }
    frontier.copy_to(members_.data() + used_);
    used_ += count;
    ends_.push_back(used_);
  }

  VertexSet<V> operator[](std::size_t level) const {
    const std::size_t begin = begin_of(level);
    return VertexSet<V>::view(n_, members_.data() + begin, ends_[level] - begin);
  }

  typename LevelRange<Levels>::Iterator begin() const { return LevelRange<Levels>{*this, false}.begin(); }
  typename LevelRange<Levels>::Iterator end() const { return LevelRange<Levels>{*this, false}.end(); }
  /// The levels, last first.
  LevelRange<Levels> reversed() const { return {*this, true}; }

  /// The levels, last first; the one that a loop over them has left is marked until the next has been left.
  class Marking {
  public:
    Marking(Levels &levels, std::size_t left) : levels_(levels), left_(left) {}
    VertexSet<V> operator*() const { return levels_[left_ - 1]; }
    Marking &operator++() {
      levels_.mark(--left_);
      return *this;
    }
    bool operator!=(const Marking &other) const { return left_ != other.left_; }
    Marking begin() const { return *this; }
    Marking end() const { return {levels_, 0}; }

  private:
    Levels &levels_;
    std::size_t left_; // to be visited
  };
  Marking reversed_and_marked() {
    marked_.resize(n_);
    marked_.clear();
    return {*this, size()};
  }
  /// In a loop over reversed_and_marked: whether the vertex is in the level that was visited before.
  bool visited_before(V v) const { return marked_.contains(v); }

private:
  void mark(std::size_t level) {
    if (level + 1 < size()) {
      const V *const left = members_.data() + begin_of(level + 1);
      const std::size_t count = ends_[level + 1] - begin_of(level + 1);
      marked_.clear_words(left, count);
    }
    marked_.set_all(members_.data() + begin_of(level), ends_[level] - begin_of(level));
  }
  std::size_t begin_of(std::size_t level) const { return level == 0 ? 0 : ends_[level - 1]; }

  V n_;
  std::size_t used_ = 0;
  Array<V> members_;
  std::vector<std::size_t> ends_;
  Bitmap marked_; // of a loop over the levels
};

} // namespace gc

#endif
