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
  void start(const VertexSet<V> &set, const P *priority) {
    set_ = &set;
    priority_ = priority;
    entries_.resize(static_cast<std::size_t>(omp_get_max_threads()));
    seen_.resize(n_);
    open_ = 0; // the first question opens a window
  }

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
  P min() {
    const std::size_t b = first();
    if (b != 0)
      return b < open_ ? static_cast<P>(base_ + static_cast<P>(b)) : greatest<P>();
    P least = greatest<P>(); // the first bucket also holds what has sunk below the window
    std::size_t entries = 0;
    for (const Entries &own : entries_)
      entries += own.bucket[0].size();
    parallel(entries > VertexSet<V>::worth_sharing, [&](const Share &mine) {
      P own = greatest<P>();
      for (auto part = mine.dynamic(entries_.size(), 1); part.next();)
        for (std::size_t t = part.begin; t < part.end; ++t) {
          keepMembers(entries_[t], 0);
          for (V v : entries_[t].bucket[0])
            own = std::min(own, priority_[v]);
        }
      atomic_min(least, own);
    });
    return least;
  }

  /// The members whose priority is at most, less than, or equal to a bound.
  VertexSet<V> at_most(P bound) {
    return select(bound, [=](P priority) { return priority <= bound; });
  }
  VertexSet<V> below(P bound) {
    return select(bound, [=](P priority) { return priority < bound; });
  }
  VertexSet<V> equal_to(P bound) {
    return select(bound, [=](P priority) { return priority == bound; });
  }

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
  void keepMembers(Entries &own, std::size_t b) const {
    std::vector<V> &entries = own.bucket[b];
    entries.erase(std::remove_if(entries.begin(), entries.end(), [&](V v) { return !isIn(b, v); }), entries.end());
  }
  /// The first bucket with a member, at the end of its entries; open_ if the set is empty.
  std::size_t first() {
    for (int attempt = 0; attempt < 2; ++attempt) {
      std::size_t least = open_;
      for (Entries &own : entries_) {
        while (own.least < least && !hasMember(own, own.least))
          ++own.least;
        least = std::min(least, own.least);
      }
      if (least < open_ || set_->empty())
        return least;
      open();
    }
    return open_;
  }
  bool hasMember(Entries &own, std::size_t b) {
    std::vector<V> &entries = own.bucket[b];
    while (!entries.empty() && !isIn(b, entries.back()))
      entries.pop_back();
    if (!entries.empty())
      return true;
    if (entries.capacity() > 4096)
      std::vector<V>().swap(entries);
    return false;
  }

  /// Opens the window at the least priority.
  void open() {
    const std::size_t slots = set_->slots();
    base_ = greatest<P>();
    parallel(slots > 16384, [&](const Share &mine) {
      P least = greatest<P>();
      for (auto part = mine.equal(slots); part.next();)
        for (std::size_t i = part.begin; i < part.end; ++i)
          if (const V v = set_->slot(i); v != none<V>())
            least = std::min(least, priority_[v]);
      atomic_min(base_, least);
    });
    open_ = width;
    for (Entries &own : entries_) {
      own.least = width;
      for (std::vector<V> &entries : own.bucket)
        entries.clear();
    }
    parallel(slots > 16384, [&](const Share &mine) {
      Entries &own = entries_[static_cast<std::size_t>(omp_get_thread_num())];
      for (auto part = mine.equal(slots); part.next();)
        for (std::size_t i = part.begin; i < part.end; ++i)
          if (const V v = set_->slot(i); v != none<V>())
            add(own, v, priority_[v]);
    });
  }

  /// The members whose priority is wanted; none above `bound` is.
  template <class Wanted> VertexSet<V> select(P bound, Wanted wanted) {
    const std::size_t least = first(), last = bucket(bound);
    if (least >= open_)
      return VertexSet<V>::of(n_, {});
    if (last >= open_) {
      const std::size_t slots = set_->slots();
      VertexSetBuilder<V> members(n_, slots);
      parallel(slots > 16384, [&](const Share &mine) {
        auto kept = members.writer();
        for (auto part = mine.equal(slots); part.next();)
          for (std::size_t i = part.begin; i < part.end; ++i)
            if (const V v = set_->slot(i); v != none<V>() && wanted(priority_[v]))
              kept.push(v);
      });
      return members.finish();
    }
    std::size_t entries = 0;
    for (const Entries &own : entries_)
      for (std::size_t b = least; b <= last; ++b)
        entries += own.bucket[b].size();
    VertexSetBuilder<V> members(n_, entries);
    parallel(entries > VertexSet<V>::worth_sharing, [&](const Share &mine) {
      auto kept = members.writer();
      for (auto part = mine.dynamic(entries_.size(), 1); part.next();)
        for (std::size_t t = part.begin; t < part.end; ++t)
          for (std::size_t b = least; b <= last; ++b) {
            keepMembers(entries_[t], b);
            for (V v : entries_[t].bucket[b])
              if (wanted(priority_[v]) && seen_.set_atomic(v)) // an entry may have come back to its bucket
                kept.push(v);
          }
    });
    VertexSet<V> chosen = members.finish();
    parallel_for(chosen.slots() > VertexSet<V>::worth_sharing, chosen.slots(),
                 [&](std::size_t i) { seen_.reset_word(static_cast<V>(chosen.slot(i))); });
    return chosen;
  }

  V n_;
  const VertexSet<V> *set_ = nullptr;
  const P *priority_ = nullptr;
  P base_ = 0;
  std::size_t open_ = 0; // buckets of the window: width, or none yet
  std::vector<Entries> entries_;
  Bitmap seen_; // empty between questions
};

} // namespace gc

#endif
