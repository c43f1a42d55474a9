// Bounds: the part of a list, of a set, or of the arcs at a vertex that is greater, or less, than a vertex.
#ifndef GCOMPILE_CORE_ADJACENCY_BOUNDS_H
#define GCOMPILE_CORE_ADJACENCY_BOUNDS_H

#include <gcompile/core/adjacency/arcs.h>
#include <gcompile/core/numeric.h>

namespace gc {

/// The part of a range greater than v.
template <class V, class P> GCOMPILE_HD Span<V, P> above(const Span<V, P> &span, detail::SameAs<V> v) {
  return {detail::upper_bound(span.first, span.last, v), span.last};
}
template <class V, class P>
GCOMPILE_HD detail::ArcRange<V, P> above(const detail::ArcRange<V, P> &arcs, detail::SameAs<V> v) {
  detail::ArcCursor<V, P> cursor = arcs.first;
  cursor.at =
      static_cast<ArcId>(detail::upper_bound(cursor.ends + cursor.at, cursor.ends + cursor.last, v) - cursor.ends);
  return {cursor};
}
template <class C, class V>
detail::CursorRange<detail::BetweenCursor<detail::EitherCursor<C>, V>>
above(const detail::CursorRange<detail::EitherCursor<C>> &arcs, V v) {
  return {{arcs.first, v, V(0), true, false}};
}
template <class C> GCOMPILE_HD auto above(const detail::CursorRange<C> &set, typename C::Vertex v) {
  C cursor = set.cursor();
  cursor.seek(v + 1);
  return detail::CursorRange<C>{cursor};
}
/// The part of a range less than v.
template <class V, class P> GCOMPILE_HD Span<V, P> below(const Span<V, P> &span, detail::SameAs<V> v) {
  return {span.first, detail::lower_bound(span.first, span.last, v)};
}
template <class V, class P>
GCOMPILE_HD detail::ArcRange<V, P> below(const detail::ArcRange<V, P> &arcs, detail::SameAs<V> v) {
  detail::ArcCursor<V, P> cursor = arcs.first;
  cursor.last =
      static_cast<ArcId>(detail::lower_bound(cursor.ends + cursor.at, cursor.ends + cursor.last, v) - cursor.ends);
  return {cursor};
}
template <class C, class V>
detail::CursorRange<detail::BetweenCursor<detail::EitherCursor<C>, V>>
below(const detail::CursorRange<detail::EitherCursor<C>> &arcs, V v) {
  return {{arcs.first, V(0), v, false, true}};
}
template <class C, class V>
detail::CursorRange<detail::BetweenCursor<detail::EitherCursor<C>, V>>
below(const detail::CursorRange<detail::BetweenCursor<detail::EitherCursor<C>, V>> &arcs, V v) {
  return {{arcs.first.a, arcs.first.above, v, arcs.first.has_above, true}};
}
template <class C> GCOMPILE_HD auto below(const detail::CursorRange<C> &set, typename C::Vertex v) {
  return detail::CursorRange<detail::BelowCursor<C>>{{set.cursor(), v}};
}

} // namespace gc

#endif
