// Sets of vertices: a list, a bitmap, or all vertices.
#ifndef GCOMPILE_OMP_SETS_VERTEX_SET_H
#define GCOMPILE_OMP_SETS_VERTEX_SET_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/sets/bitmap.h>
#include <gcompile/omp/threads/per_thread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gc {

/// A set of the vertices 0..n-1.
///
/// Its candidates are all vertices or a list; with a bitmap the members are the candidates whose bit is set, otherwise
/// every candidate is a member. So taking a few vertices out of a big set costs no more than those few, and a small set
/// never costs n. Loops run over the candidates' slots, some of which may be empty.
template <class V> class VertexSet {
public:
  VertexSet() = default;
  VertexSet(VertexSet &&) noexcept;
  VertexSet &operator=(VertexSet &&) noexcept;
  VertexSet(const VertexSet &other) { *this = other; }
  VertexSet &operator=(const VertexSet &other);
  ~VertexSet();

  static VertexSet all(V n) {
    VertexSet set;
    set.n_ = n;
    set.count_ = n;
    set.all_ = true;
    return set;
  }
  /// The vertices of a range, in any order, repeated or none.
  template <class Range> static VertexSet of(V n, const Range &range) {
    std::vector<V> members;
    for (V v : range)
      if (v < n)
        members.push_back(v);
    if (!std::is_sorted(members.begin(), members.end()))
      std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return members.size() == n ? all(n) : from_sorted(n, members.data(), members.size());
  }
  static VertexSet of(V n, std::initializer_list<V> members);
  /// Distinct vertices in ascending order.
  static VertexSet from_sorted(V n, const V *members, std::size_t count);
  /// The set of distinct vertices in memory of somebody else, in any order.
  static VertexSet view(V n, const V *members, std::size_t count) {
    VertexSet set;
    set.n_ = n;
    set.list_ = members;
    set.listed_ = set.count_ = count;
    set.sorted_ = false;
    return set;
  }

  std::int64_t size() const { return static_cast<std::int64_t>(count_); }
  bool empty() const { return count_ == 0; }
  bool is_all() const { return count_ == n_; }
  V universe() const { return n_; }

  /// A copy of a view with its vertices in ascending order.
  VertexSet ascending() const;

  bool contains(V v) const {
    if (v >= n_)
      return false;
    if (has_bits_)
      return bits_.contains(v);
    if (all_)
      return true;
    return sorted_ ? std::binary_search(list_, list_ + listed_, v)
                   : std::find(list_, list_ + listed_, v) != list_ + listed_;
  }

  /// A bit for each vertex, if the set has a bitmap; else null.
  const std::uint64_t *bitmap() const { return has_bits_ ? bits_.data() : nullptr; }

  /// Number of slots.
  std::size_t slots() const { return all_ ? n_ : listed_; }
  /// The member in a slot, or none.
  V slot(std::size_t i) const {
    const V v = all_ ? static_cast<V>(i) : list_[i];
    return has_bits_ && !bits_.contains(v) ? none<V>() : v;
  }
  /// Has what later slots of a list need `fetched`, while the i-th is at work: prefetch_push.
  template <class A, class... Fetched>
  GCOMPILE_FETCHES void prefetch(std::size_t i, const Graph<V, A> &graph, const Fetched &...fetched) const {
    if (!all_ && !has_bits_ && fetching_pays(graph))
      prefetch_push<fetched_ahead>(
          listed_ - i, [&](std::size_t k) { return list_[i + k]; }, graph, fetched...);
  }
  /// Has values of the later vertices themselves fetched.
  template <class... T> GCOMPILE_FETCHES void prefetch_own(std::size_t i, T *...values) const {
    if (!all_ && !has_bits_ && i + 2 * fetched_ahead < listed_)
      fetch_own(values...).own(list_[i + 2 * fetched_ahead]);
  }
  /// Whether a loop over the slots is worth more than one thread. Loops ask before they begin.
  bool wide() const {
    if (count_ != slots()) // programs may share a set that they are given
      __atomic_store_n(&passed_, __atomic_load_n(&passed_, __ATOMIC_RELAXED) + slots() - count_, __ATOMIC_RELAXED);
    return slots() >= vertices_worth_sharing;
  }

  /// Visits the members in ascending order, those of a view in its order.
  class Iterator {
  public:
    Iterator(const VertexSet &set, std::size_t slot) : set_(&set), slot_(slot) { settle(); }
    V operator*() const { return value_; }
    Iterator &operator++() {
      ++slot_;
      settle();
      return *this;
    }
    bool operator!=(const Iterator &other) const { return slot_ != other.slot_; }
    bool done() const { return slot_ == set_->slots(); }

  private:
    void settle() {
      for (const std::size_t slots = set_->slots(); slot_ < slots; ++slot_)
        if ((value_ = set_->slot(slot_)) != none<V>())
          return;
    }
    const VertexSet *set_;
    std::size_t slot_;
    V value_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, slots()}; }

  VertexSet &operator-=(const VertexSet &other);
  VertexSet &operator&=(const VertexSet &other);
  VertexSet &operator+=(const VertexSet &other);
  VertexSet united(const VertexSet &other) const;
  VertexSet intersected(const VertexSet &other) const;
  VertexSet subtracted(const VertexSet &other) const;

private:
  template <class> friend class VertexSetBuilder;

  static constexpr std::size_t fetched_ahead = 4; // vertices whose neighbours' values are fetched: prefetch_push

  /// Lists up to this length are searched, longer ones get a bitmap.
  std::size_t small() const { return small(n_); }
  static std::size_t small(V n) { return n / 64; }
  const V *begin_list() const { return list_; }

  void own_list(std::size_t count);
  /// Gives a long list its bitmap.
  void index();
  void need_bits();
  /// For how many members of `other` change(v) yields true, in parallel.
  template <class Change> static std::size_t count_changes(const VertexSet &other, const Change &change);
  void list_from_bits();
  template <class Keep> VertexSet &keep_if(Keep keep);

  V n_ = 0;
  std::size_t count_ = 0, listed_ = 0;
  bool all_ = false, sorted_ = true, has_bits_ = false;
  mutable std::size_t passed_ = 0; ///< slots without members that loops have passed over
  const V *list_ = nullptr;        // into storage_, or of a view
  Array<V> storage_;
  Bitmap bits_;
};

} // namespace gc

// As frontier.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/sets/vertex_set_changes.h>
#endif

#endif
