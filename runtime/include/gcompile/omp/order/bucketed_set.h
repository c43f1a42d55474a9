// The members of a set in buckets by an integer property of theirs, kept up to date while both change.
#ifndef GCOMPILE_OMP_ORDER_BUCKETED_SET_H
#define GCOMPILE_OMP_ORDER_BUCKETED_SET_H

#include <gcompile/core/operators.h>
#include <gcompile/omp/sets/vertex_set_builder.h>
#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {

/// Answers which members of a shrinking set have the least, or a small, priority without visiting all of them (lazy
/// buckets: Dhulipala, Blelloch and Shun, "Julienne", SPAA 2017).
///
/// From start on, the set may lose members, and a priority may change in any way if move is called afterwards. A window
/// of `width` consecutive priorities has a bucket each; the members beyond it are visited when the window has run
/// empty. A vertex whose priority changes is added to its new bucket; entries of vertices that have left the set or the
/// bucket are dropped when they are met.
template <class V, class P> class BucketedSet {
  static_assert(std::is_integral<P>::value, "buckets are for integers");
  static constexpr std::size_t width = 4; // more would follow vertices that are far from being asked for

  /// One thread's entries.
  struct alignas(64) Entries {
    std::vector<V> bucket[width];
    std::size_t least = width; // no earlier bucket has entries
  };

public:
  template <class A> explicit BucketedSet(const Graph<V, A> &graph) : n_(graph.num_vertices()) {}

  /// From now on `set` and its members' `priority`, one value per vertex, are what is asked for. Both outlive this.
  void start(const VertexSet<V> &set, const P *priority);

  /// What one thread moves.
  class Mover {
  public:
    explicit Mover(BucketedSet &buckets)
        : buckets_(buckets), own_(buckets.entries_[static_cast<std::size_t>(omp_get_thread_num())]) {}
    /// The priority of v has changed.
    void move(V v) { buckets_.add(own_, v, load(buckets_.priority_[v])); }

  private:
    BucketedSet &buckets_;
    Entries &own_;
  };
  Mover mover() { return Mover(*this); }

  /// The least priority of a member; inf if there is none.
  P min();

  /// The members whose priority is at most, less than, or equal to a bound.
  VertexSet<V> at_most(P bound);
  VertexSet<V> below(P bound);
  VertexSet<V> equal_to(P bound);

private:
  /// The bucket of a priority; at least open_ beyond the window.
  std::size_t bucket(P priority) const {
    if (priority <= base_)
      return 0;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(priority) - static_cast<std::uint64_t>(base_));
  }
  void add(Entries &own, V v, P priority) {
    const std::size_t b = bucket(priority);
    if (b >= open_)
      return;
    own.bucket[b].push_back(v);
    own.least = std::min(own.least, b);
  }
  bool isIn(std::size_t b, V v) const { return bucket(priority_[v]) == b && set_->contains(v); }

  /// Drops the entries of a bucket that are out of date.
  void keepMembers(Entries &own, std::size_t b) const;
  /// The first bucket with a member, at the end of its entries; open_ if the set is empty.
  std::size_t first();
  bool hasMember(Entries &own, std::size_t b);

  /// Opens the window at the least priority.
  void open();

  /// The members whose priority is wanted; none above `bound` is.
  template <class Wanted> VertexSet<V> select(P bound, Wanted wanted);

  V n_;
  const VertexSet<V> *set_ = nullptr;
  const P *priority_ = nullptr;
  P base_ = 0;
  std::size_t open_ = 0; // buckets of the window: width, or none yet
  std::vector<Entries> entries_;
  Bitmap seen_; // empty between questions
};

} // namespace gc

// As frontier.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/order/bucketed_set_questions.h>
#endif

#endif
