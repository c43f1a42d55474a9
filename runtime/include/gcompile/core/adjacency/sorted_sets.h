// Adjacency inside kernels: sets of neighbours combined on the fly, bounded ranges, arcs with both sides.
//
// A set is anything that iterates over distinct vertices in ascending order. Nothing is stored: intersections and the
// like walk the sorted adjacency lists themselves.
#ifndef GCOMPILE_CORE_ADJACENCY_SORTED_SETS_H
#define GCOMPILE_CORE_ADJACENCY_SORTED_SETS_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/sets/vertex_set.h>

#include <cstddef>
#include <cstdint>
#include <utility>

// Sets stored on the host are for the host alone; nvcc warns where one is combined by what kernels use as well.
#ifdef __NVCC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#endif

namespace gc {

namespace detail {

/// Bisection, as in <algorithm>, for kernels on either side.
template <class V, class T> GCOMPILE_HD inline const V *lower_bound(const V *first, const V *last, T v) {
  while (first != last) {
    const V *middle = first + (last - first) / 2;
    if (*middle < v)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}
template <class V, class T> GCOMPILE_HD inline const V *upper_bound(const V *first, const V *last, T v) {
  while (first != last) {
    const V *middle = first + (last - first) / 2;
    if (v < *middle)
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

/// The first position at or after `first` whose vertex is not less than v: doubling steps, then bisection.
template <class V> GCOMPILE_HD inline const V *gallop(const V *first, const V *last, V v) {
  if (first == last || !(*first < v))
    return first;
  std::size_t step = 1;
  const std::size_t size = static_cast<std::size_t>(last - first);
  while (step < size && first[step] < v)
    step *= 2;
  return lower_bound(first + step / 2, first + (step < size ? step : size), v);
}

struct End {};

/// A cursor as an iterator. Cursors have done, value, next, and seek, which goes to the first vertex not less than
/// another.
template <class Cursor> struct CursorIterator {
  Cursor cursor;
  GCOMPILE_HD auto operator*() const { return cursor.value(); }
  GCOMPILE_HD CursorIterator &operator++() {
    cursor.next();
    return *this;
  }
  GCOMPILE_HD bool operator!=(End) const { return !cursor.done(); }
};

/// Anything with a cursor.
template <class C> struct CursorRange {
  using Cursor = C;
  C first;
  GCOMPILE_HD Cursor cursor() const { return first; }
  GCOMPILE_HD CursorIterator<Cursor> begin() const { return {first}; }
  GCOMPILE_HD End end() const { return {}; }
};

template <class V> struct SpanCursor {
  using Vertex = V;
  const V *at, *last;
  GCOMPILE_HD bool done() const { return at == last; }
  GCOMPILE_HD V value() const { return *at; }
  GCOMPILE_HD void next() {
    const V v = *at;
    do
      ++at;
    while (at != last && *at == v);
  }
  GCOMPILE_HD void seek(V v) { at = gallop(at, last, v); }
  GCOMPILE_HD bool contains(V v) const {
    const V *found = lower_bound(at, last, v);
    return found != last && *found == v;
  }
};

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

template <class V> struct CountingCursor {
  using Vertex = V;
  V at, last;
  GCOMPILE_HD bool done() const { return at >= last; }
  GCOMPILE_HD V value() const { return at; }
  GCOMPILE_HD void next() { ++at; }
  GCOMPILE_HD void seek(V v) { at = at < v ? v : at; }
  GCOMPILE_HD bool contains(V v) const { return v < last; }
};

template <class V, std::size_t N> struct FixedCursor {
  using Vertex = V;
  V members[N];
  std::size_t at, size;
  GCOMPILE_HD bool done() const { return at == size; }
  GCOMPILE_HD V value() const { return members[at]; }
  GCOMPILE_HD void next() { ++at; }
  GCOMPILE_HD void seek(V v) {
    while (at != size && members[at] < v)
      ++at;
  }
  GCOMPILE_HD bool contains(V v) const {
    for (std::size_t i = 0; i < size; ++i)
      if (members[i] == v)
        return true;
    return false;
  }
};

template <class A, class B> struct UnitedCursor {
  using Vertex = typename A::Vertex;
  A a;
  B b;
  GCOMPILE_HD bool done() const { return a.done() && b.done(); }
  GCOMPILE_HD Vertex value() const { return b.done() || (!a.done() && a.value() < b.value()) ? a.value() : b.value(); }
  GCOMPILE_HD void next() {
    const Vertex v = value();
    if (!a.done() && a.value() == v)
      a.next();
    if (!b.done() && b.value() == v)
      b.next();
  }
  GCOMPILE_HD void seek(Vertex v) {
    a.seek(v);
    b.seek(v);
  }
  GCOMPILE_HD bool contains(Vertex v) const { return a.contains(v) || b.contains(v); }
};

template <class A, class B> struct IntersectedCursor {
  using Vertex = typename A::Vertex;
  A a;
  B b;
  GCOMPILE_HD IntersectedCursor(A first, B second) : a(first), b(second) { settle(); }
  GCOMPILE_HD bool done() const { return a.done() || b.done(); }
  GCOMPILE_HD Vertex value() const { return a.value(); }
  GCOMPILE_HD void next() {
    a.next();
    settle();
  }
  GCOMPILE_HD void seek(Vertex v) {
    a.seek(v);
    settle();
  }
  GCOMPILE_HD bool contains(Vertex v) const { return a.contains(v) && b.contains(v); }

private:
  GCOMPILE_HD void settle() {
    while (!a.done() && !b.done()) {
      const Vertex x = a.value(), y = b.value();
      if (x == y)
        return;
      if (x < y)
        a.seek(y);
      else
        b.seek(x);
    }
  }
};

template <class A, class B> struct SubtractedCursor {
  using Vertex = typename A::Vertex;
  A a;
  B b;
  GCOMPILE_HD SubtractedCursor(A first, B second) : a(first), b(second) { settle(); }
  GCOMPILE_HD bool done() const { return a.done(); }
  GCOMPILE_HD Vertex value() const { return a.value(); }
  GCOMPILE_HD void next() {
    a.next();
    settle();
  }
  GCOMPILE_HD void seek(Vertex v) {
    a.seek(v);
    settle();
  }
  GCOMPILE_HD bool contains(Vertex v) const { return a.contains(v) && !b.contains(v); }

private:
  GCOMPILE_HD void settle() {
    for (; !a.done(); a.next()) {
      b.seek(a.value());
      if (b.done() || b.value() != a.value())
        return;
    }
  }
};

/// The members for which a condition holds.
template <class A, class Keep> struct FilteredCursor {
  using Vertex = typename A::Vertex;
  A a;
  Keep keep;
  GCOMPILE_HD FilteredCursor(A first, Keep condition) : a(first), keep(condition) { settle(); }
  GCOMPILE_HD bool done() const { return a.done(); }
  GCOMPILE_HD Vertex value() const { return a.value(); }
  GCOMPILE_HD void next() {
    a.next();
    settle();
  }
  GCOMPILE_HD void seek(Vertex v) {
    a.seek(v);
    settle();
  }
  GCOMPILE_HD bool contains(Vertex v) const { return a.contains(v) && keep(v); }

private:
  GCOMPILE_HD void settle() {
    while (!a.done() && !keep(a.value()))
      a.next();
  }
};

/// The members less than a vertex.
template <class A> struct BelowCursor {
  using Vertex = typename A::Vertex;
  A a;
  Vertex limit;
  GCOMPILE_HD bool done() const { return a.done() || !(a.value() < limit); }
  GCOMPILE_HD Vertex value() const { return a.value(); }
  GCOMPILE_HD void next() { a.next(); }
  GCOMPILE_HD void seek(Vertex v) { a.seek(v); }
  GCOMPILE_HD bool contains(Vertex v) const { return v < limit && a.contains(v); }
};

template <class V> GCOMPILE_HD SpanCursor<V> cursor_of(const Span<V> &span) { return {span.begin(), span.end()}; }
template <class V> StoredCursor<V> cursor_of(const VertexSet<V> &set) { return {&set, set.begin()}; }
template <class C> GCOMPILE_HD C cursor_of(const CursorRange<C> &range) { return range.cursor(); }
template <class Set> using CursorOf = decltype(cursor_of(std::declval<const Set &>()));

} // namespace detail

// ---- Sets -----------------------------------------------------------------------------------------------------------

/// All vertices.
template <class V> GCOMPILE_HD detail::CursorRange<detail::CountingCursor<V>> vertices(const Graph<V> &graph) {
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
template <class V> GCOMPILE_HD detail::CursorRange<detail::SpanCursor<V>> distinct(const Span<V> &neighbors) {
  return {detail::cursor_of(neighbors)};
}
template <class A, class B>
GCOMPILE_HD detail::CursorRange<detail::UnitedCursor<detail::CursorOf<A>, detail::CursorOf<B>>> united(const A &a,
                                                                                                       const B &b) {
  return {{detail::cursor_of(a), detail::cursor_of(b)}};
}
template <class A, class B>
GCOMPILE_HD detail::CursorRange<detail::IntersectedCursor<detail::CursorOf<A>, detail::CursorOf<B>>>
intersected(const A &a, const B &b) {
  return {{detail::cursor_of(a), detail::cursor_of(b)}};
}
template <class A, class B>
GCOMPILE_HD detail::CursorRange<detail::SubtractedCursor<detail::CursorOf<A>, detail::CursorOf<B>>>
subtracted(const A &a, const B &b) {
  return {{detail::cursor_of(a), detail::cursor_of(b)}};
}
/// With a stored set, membership decides.
template <class A, class V> GCOMPILE_HD auto intersected(const A &a, const VertexSet<V> &b) {
  auto keep = [set = &b](V v) { return set->contains(v); };
  return detail::CursorRange<detail::FilteredCursor<detail::CursorOf<A>, decltype(keep)>>{{detail::cursor_of(a), keep}};
}
template <class A, class V> GCOMPILE_HD auto subtracted(const A &a, const VertexSet<V> &b) {
  auto keep = [set = &b](V v) { return !set->contains(v); };
  return detail::CursorRange<detail::FilteredCursor<detail::CursorOf<A>, decltype(keep)>>{{detail::cursor_of(a), keep}};
}
/// The members for which keep(v) holds.
template <class A, class Keep>
GCOMPILE_HD detail::CursorRange<detail::FilteredCursor<detail::CursorOf<A>, Keep>> filtered(const A &a, Keep keep) {
  return {{detail::cursor_of(a), keep}};
}
/// Out- and in-neighbours.
template <class V> GCOMPILE_HD auto both_neighbors(const Graph<V> &graph, V v) {
  const Span<V> out = graph.out_neighbors(v);
  return united(out, graph.directed() ? graph.in_neighbors(v) : Span<V>{out.last, out.last});
}

template <class Set, class V> GCOMPILE_HD bool contains(const Set &set, V v) {
  return detail::cursor_of(set).contains(v);
}
/// Number of members.
template <class Set> GCOMPILE_HD std::int64_t size(const Set &set) {
  std::int64_t count = 0;
  for (auto cursor = detail::cursor_of(set); !cursor.done(); cursor.next())
    ++count;
  return count;
}

// ---- Arcs -----------------------------------------------------------------------------------------------------------

/// One arc at a vertex: its other end and its edge id.
template <class V> struct Arc {
  V vertex;
  EdgeId edge;
};

namespace detail {

/// The arcs k of a part of an adjacency array; `edges` maps them to edge ids, unless they are edge ids.
template <class V> struct ArcCursor {
  const V *ends;
  const EdgeId *edges;
  EdgeId at, last;
  GCOMPILE_HD bool done() const { return at == last; }
  GCOMPILE_HD Arc<V> value() const { return {ends[at], edges ? edges[at] : at}; }
  GCOMPILE_HD void next() { ++at; }
};

/// Two adjacency lists one after the other; Value is the neighbour or the arc.
template <class Cursor> struct EitherCursor {
  Cursor first, second;
  GCOMPILE_HD bool done() const { return first.done() && second.done(); }
  GCOMPILE_HD auto value() const { return first.done() ? second.value() : first.value(); }
  GCOMPILE_HD void next() {
    if (!first.done())
      first.next();
    else
      second.next();
  }
};

/// Neighbours with repetitions.
template <class V> struct ListCursor {
  const V *at, *last;
  GCOMPILE_HD bool done() const { return at == last; }
  GCOMPILE_HD V value() const { return *at; }
  GCOMPILE_HD void next() { ++at; }
};

template <class V> GCOMPILE_HD V vertex_of(V v) { return v; }
template <class V> GCOMPILE_HD V vertex_of(const Arc<V> &arc) { return arc.vertex; }

/// The elements whose vertex lies strictly between two; the lists of an EitherCursor are not sorted as a whole.
template <class Cursor, class V> struct BetweenCursor {
  Cursor a;
  V above, below;
  bool has_above, has_below;
  GCOMPILE_HD BetweenCursor(Cursor cursor, V lower, V upper, bool with_lower, bool with_upper)
      : a(cursor), above(lower), below(upper), has_above(with_lower), has_below(with_upper) {
    settle();
  }
  GCOMPILE_HD bool done() const { return a.done(); }
  GCOMPILE_HD auto value() const { return a.value(); }
  GCOMPILE_HD void next() {
    a.next();
    settle();
  }

private:
  GCOMPILE_HD void settle() {
    for (; !a.done(); a.next()) {
      const V v = vertex_of(a.value());
      if ((!has_above || above < v) && (!has_below || v < below))
        return;
    }
  }
};

template <class V> using ArcRange = CursorRange<ArcCursor<V>>;

} // namespace detail

/// The arcs out of v.
template <class V> GCOMPILE_HD detail::ArcRange<V> out_arcs(const Graph<V> &graph, V v) {
  return {{graph.out_targets, nullptr, graph.out_begin(v), graph.out_end(v)}};
}
/// The arcs into v.
template <class V> GCOMPILE_HD detail::ArcRange<V> in_arcs(const Graph<V> &graph, V v) {
  return {{graph.in_sources, graph.in_edges, graph.in_begin(v), graph.in_end(v)}};
}
/// The arcs out of and then into v; each neighbour once if the graph is undirected.
template <class V>
GCOMPILE_HD detail::CursorRange<detail::EitherCursor<detail::ArcCursor<V>>> either_arcs(const Graph<V> &graph, V v) {
  const detail::ArcCursor<V> out = out_arcs(graph, v).first;
  return {{out, graph.directed() ? in_arcs(graph, v).first : detail::ArcCursor<V>{nullptr, nullptr, 0, 0}}};
}
/// The out- and then the in-neighbours of v; each neighbour once if the graph is undirected.
template <class V>
GCOMPILE_HD detail::CursorRange<detail::EitherCursor<detail::ListCursor<V>>> either(const Graph<V> &graph, V v) {
  const Span<V> out = graph.out_neighbors(v), in = graph.directed() ? graph.in_neighbors(v) : Span<V>{nullptr, nullptr};
  return {{{out.first, out.last}, {in.first, in.last}}};
}

// ---- Bounds ---------------------------------------------------------------------------------------------------------

/// The part of a range greater than v.
template <class V> GCOMPILE_HD Span<V> above(const Span<V> &span, detail::SameAs<V> v) {
  return {detail::upper_bound(span.first, span.last, v), span.last};
}
template <class V> GCOMPILE_HD detail::ArcRange<V> above(const detail::ArcRange<V> &arcs, detail::SameAs<V> v) {
  detail::ArcCursor<V> cursor = arcs.first;
  cursor.at =
      static_cast<EdgeId>(detail::upper_bound(cursor.ends + cursor.at, cursor.ends + cursor.last, v) - cursor.ends);
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
template <class V> GCOMPILE_HD auto above(const VertexSet<V> &set, detail::SameAs<V> v) {
  auto cursor = detail::cursor_of(set);
  cursor.seek(v + 1);
  return detail::CursorRange<detail::StoredCursor<V>>{cursor};
}

/// The part of a range less than v.
template <class V> GCOMPILE_HD Span<V> below(const Span<V> &span, detail::SameAs<V> v) {
  return {span.first, detail::lower_bound(span.first, span.last, v)};
}
template <class V> GCOMPILE_HD detail::ArcRange<V> below(const detail::ArcRange<V> &arcs, detail::SameAs<V> v) {
  detail::ArcCursor<V> cursor = arcs.first;
  cursor.last =
      static_cast<EdgeId>(detail::lower_bound(cursor.ends + cursor.at, cursor.ends + cursor.last, v) - cursor.ends);
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
template <class V> GCOMPILE_HD auto below(const VertexSet<V> &set, detail::SameAs<V> v) {
  return detail::CursorRange<detail::BelowCursor<detail::StoredCursor<V>>>{{detail::cursor_of(set), v}};
}

// ---- Edges of the whole graph, one after the other ------------------------------------------------------------------

/// An arc with both ends, as a pattern sees it: `source` is the end that the pattern names first.
template <class V> struct Edge {
  V source, target;
  EdgeId edge;
};

namespace detail {

/// Which of the arcs at a vertex.
enum class Side { out, in, both };

/// The arcs at each member of a set in turn.
template <class V, class Set, Side side> struct EdgeCursor {
  const Graph<V> *graph;
  Set vertices;
  EitherCursor<ArcCursor<V>> arcs;
  EdgeCursor(const Graph<V> &g, Set set)
      : graph(&g), vertices(set), arcs{{nullptr, nullptr, 0, 0}, {nullptr, nullptr, 0, 0}} {
    if (!vertices.done())
      open();
    settle();
  }
  bool done() const { return vertices.done(); }
  Edge<V> value() const {
    const Arc<V> arc = arcs.value();
    if (side == Side::in)
      return {arc.vertex, vertices.value(), arc.edge};
    return {vertices.value(), arc.vertex, arc.edge};
  }
  void next() {
    arcs.next();
    settle();
  }

private:
  void open() {
    if constexpr (side == Side::both)
      arcs = either_arcs(*graph, vertices.value()).first;
    else if constexpr (side == Side::in)
      arcs.first = in_arcs(*graph, vertices.value()).first;
    else
      arcs.first = out_arcs(*graph, vertices.value()).first;
  }
  void settle() {
    while (arcs.done() && !vertices.done()) {
      vertices.next();
      if (!vertices.done())
        open();
    }
  }
};

} // namespace detail

namespace detail {

/// The range of a cursor that only the host has.
template <class Cursor> struct HostRange {
  Cursor first;
  struct Iterator {
    Cursor cursor;
    auto operator*() const { return cursor.value(); }
    Iterator &operator++() {
      cursor.next();
      return *this;
    }
    bool operator!=(End) const { return !cursor.done(); }
  };
  Iterator begin() const { return {first}; }
  End end() const { return {}; }
};

template <Side side, class V> auto arcs_at_all(const Graph<V> &graph) {
  return HostRange<EdgeCursor<V, CountingCursor<V>, side>>{{graph, vertices(graph).first}};
}
template <Side side, class V> auto arcs_at(const Graph<V> &graph, const VertexSet<V> &set) {
  return HostRange<EdgeCursor<V, StoredCursor<V>, side>>{{graph, cursor_of(set)}};
}

} // namespace detail

/// Every arc, or those out of the vertices of a set, by ascending source.
template <class V> auto arcs(const Graph<V> &graph) { return detail::arcs_at_all<detail::Side::out>(graph); }
template <class V> auto arcs(const Graph<V> &graph, const VertexSet<V> &sources) {
  return detail::arcs_at<detail::Side::out>(graph, sources);
}
/// Every arc, or those into the vertices of a set, by ascending target. Needs the in-arrays.
template <class V> auto arcs_into(const Graph<V> &graph) { return detail::arcs_at_all<detail::Side::in>(graph); }
template <class V> auto arcs_into(const Graph<V> &graph, const VertexSet<V> &targets) {
  return detail::arcs_at<detail::Side::in>(graph, targets);
}
/// Every arc from both of its ends (undirected graphs: each of the stored arcs).
template <class V> auto arcs_both(const Graph<V> &graph) { return detail::arcs_at_all<detail::Side::both>(graph); }
template <class V> auto arcs_both(const Graph<V> &graph, const VertexSet<V> &sources) {
  return detail::arcs_at<detail::Side::both>(graph, sources);
}

/// The source of an arc.
template <class V> GCOMPILE_HD V source(const Graph<V> &graph, EdgeId e) {
  const EdgeId *last = graph.out_offsets + graph.num_vertices() + 1;
  return static_cast<V>(detail::upper_bound(graph.out_offsets, last, e) - graph.out_offsets - 1);
}

} // namespace gc

#ifdef __NVCC__
#pragma nv_diagnostic pop
#endif

#endif
