// Stored sets as operands: what core/adjacency does with a VertexSet.
#ifndef GCOMPILE_OMP_SETS_STORED_SETS_H
#define GCOMPILE_OMP_SETS_STORED_SETS_H

#include <gcompile/core/adjacency/bounds.h>
#include <gcompile/core/adjacency/sets.h>
#include <gcompile/omp/sets/vertex_set.h>

// Sets stored on the host are for the host alone; nvcc warns where one is combined by what kernels use as well.
#ifdef __NVCC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#endif

namespace gc {

namespace detail {

template <class V> struct StoredCursor {
  using Vertex = V;
  const VertexSet<V> *set;
  typename VertexSet<V>::Iterator at;
  bool done() const { return at.done(); }
  V value() const { return *at; }
  void next() { ++at; }
  void seek(V v) {
    while (!at.done() && *at < v)
      ++at;
  }
  bool contains(V v) const { return set->contains(v); }
};

} // namespace detail

template <class V> detail::StoredCursor<V> cursor_of(const VertexSet<V> &set) { return {&set, set.begin()}; }

/// With a stored set, membership decides.
template <class A, class V> GCOMPILE_HD auto intersected(const A &a, const VertexSet<V> &b) {
  auto keep = [set = &b](V v) { return set->contains(v); };
  return detail::CursorRange<detail::FilteredCursor<detail::CursorOf<A>, decltype(keep)>>{{cursor_of(a), keep}};
}
template <class A, class V> GCOMPILE_HD auto subtracted(const A &a, const VertexSet<V> &b) {
  auto keep = [set = &b](V v) { return !set->contains(v); };
  return detail::CursorRange<detail::FilteredCursor<detail::CursorOf<A>, decltype(keep)>>{{cursor_of(a), keep}};
}

template <class V> GCOMPILE_HD auto above(const VertexSet<V> &set, detail::SameAs<V> v) {
  auto cursor = cursor_of(set);
  cursor.seek(v + 1);
  return detail::CursorRange<detail::StoredCursor<V>>{cursor};
}

template <class V> GCOMPILE_HD auto below(const VertexSet<V> &set, detail::SameAs<V> v) {
  return detail::CursorRange<detail::BelowCursor<detail::StoredCursor<V>>>{{cursor_of(set), v}};
}

} // namespace gc

#ifdef __NVCC__
#pragma nv_diagnostic pop
#endif

#endif
