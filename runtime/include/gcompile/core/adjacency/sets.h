// Sets of neighbours inside kernels, combined on the fly.
//
// Nothing is stored: intersections and the like walk the sorted adjacency lists themselves.
#ifndef GCOMPILE_CORE_ADJACENCY_SETS_H
#define GCOMPILE_CORE_ADJACENCY_SETS_H

#include <gcompile/core/adjacency/cursors.h>
#include <gcompile/core/numeric.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Sets stored on the host are for the host alone; nvcc warns where one is combined by what kernels use as well.
#ifdef __NVCC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#endif

namespace gc {

/// All vertices.
template <class V, class A>
GCOMPILE_HD detail::CursorRange<detail::CountingCursor<V>> vertices(const Graph<V, A> &graph) {
  return {{V(0), graph.num_vertices()}};
}
/// The given vertices that are not none.
template <class V, class... Members>
GCOMPILE_HD detail::CursorRange<detail::FixedCursor<V, sizeof...(Members)>> set_of(Members... given) {
  detail::FixedCursor<V, sizeof...(Members)> sorted = {{}, 0, 0};
  const V members[] = {static_cast<V>(given)...};
  for (const V v : members) {
    if (v == none<V>() || sorted.contains(v))
      continue;
    std::size_t i = sorted.size++;
    for (; i > 0 && v < sorted.members[i - 1]; --i)
      sorted.members[i] = sorted.members[i - 1];
    sorted.members[i] = v;
  }
  return {sorted};
}
/// The neighbours as a set: an edge that occurs several times counts once.
template <class V, class P>
GCOMPILE_HD detail::CursorRange<detail::SpanCursor<V, P>> distinct(const Span<V, P> &neighbors) {
  return {cursor_of(neighbors)};
}
template <class A, class B>
GCOMPILE_HD detail::CursorRange<detail::UnitedCursor<detail::CursorOf<A>, detail::CursorOf<B>>> united(const A &a,
                                                                                                       const B &b) {
  return {{cursor_of(a), cursor_of(b)}};
}
template <class A, class B>
GCOMPILE_HD detail::CursorRange<detail::IntersectedCursor<detail::CursorOf<A>, detail::CursorOf<B>>>
intersected(const A &a, const B &b) {
  return {{cursor_of(a), cursor_of(b)}};
}
template <class A, class B>
GCOMPILE_HD detail::CursorRange<detail::SubtractedCursor<detail::CursorOf<A>, detail::CursorOf<B>>>
subtracted(const A &a, const B &b) {
  return {{cursor_of(a), cursor_of(b)}};
}
/// The members for which keep(v) holds.
template <class A, class Keep>
GCOMPILE_HD detail::CursorRange<detail::FilteredCursor<detail::CursorOf<A>, Keep>> filtered(const A &a, Keep keep) {
  return {{cursor_of(a), keep}};
}
/// Out- and in-neighbours.
template <class V, class A> GCOMPILE_HD auto both_neighbors(const Graph<V, A> &graph, detail::SameAs<V> v) {
  const auto out = graph.out_neighbors(v);
  return united(out, graph.directed() ? graph.in_neighbors(v) : std::decay_t<decltype(out)>{out.last, out.last});
}

template <class Set, class V> GCOMPILE_HD bool contains(const Set &set, V v) { return cursor_of(set).contains(v); }
/// Number of members.
template <class Set> GCOMPILE_HD std::int64_t size(const Set &set) {
  std::int64_t count = 0;
  for (auto cursor = cursor_of(set); !cursor.done(); cursor.next())
    ++count;
  return count;
}

} // namespace gc

#ifdef __NVCC__
#pragma nv_diagnostic pop
#endif

#endif
