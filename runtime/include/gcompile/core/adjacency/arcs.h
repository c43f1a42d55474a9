// The arcs at a vertex: the other end, and the edge.
#ifndef GCOMPILE_CORE_ADJACENCY_ARCS_H
#define GCOMPILE_CORE_ADJACENCY_ARCS_H

#include <gcompile/core/adjacency/cursors.h>
#include <gcompile/core/numeric.h>

#include <type_traits>

namespace gc {

/// One arc at a vertex: its other end and its edge id.
template <class V> struct Arc {
  V vertex;
  ArcId edge;
};

namespace detail {

/// The arcs k of a part of an adjacency array; `edges` maps them to edge ids, unless they are edge ids.
template <class V, class P = const V *> struct ArcCursor {
  P ends;
  const ArcId *edges;
  ArcId at, last;
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
template <class V, class P = const V *> struct ListCursor {
  P at, last;
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

template <class V, class P = const V *> using ArcRange = CursorRange<ArcCursor<V, P>>;

/// The arcs of a list.
template <class P, class V>
GCOMPILE_HD ArcRange<V, P> arc_range(P ends, const ArcId *edges, ArcId begin, ArcId end, V) {
  return {{ends, edges, begin, end}};
}

} // namespace detail

/// The arcs out of v.
template <class V, class A> GCOMPILE_HD auto out_arcs(const Graph<V, A> &graph, detail::SameAs<V> v) {
  return detail::arc_range(graph.targets_at(v), nullptr, graph.out_begin(v), graph.out_end(v), v);
}
/// The ids of the edges out of v.
template <class V, class A> GCOMPILE_HD auto out_edges(const Graph<V, A> &graph, detail::SameAs<V> v) {
  return detail::CursorRange<detail::CountingCursor<ArcId>>{{graph.out_begin(v), graph.out_end(v)}};
}
/// The arcs into v.
template <class V, class A> GCOMPILE_HD auto in_arcs(const Graph<V, A> &graph, detail::SameAs<V> v) {
  return detail::arc_range(graph.sources_at(v), graph.in_edges, graph.in_begin(v), graph.in_end(v), v);
}
/// The same, where an edge goes by its place among the in-arcs.
template <class V, class A> GCOMPILE_HD auto in_places(const Graph<V, A> &graph, detail::SameAs<V> v) {
  return detail::arc_range(graph.sources_at(v), nullptr, graph.in_begin(v), graph.in_end(v), v);
}
/// The arcs out of and then into v; each neighbour once if the graph is undirected.
template <class V, class A> GCOMPILE_HD auto either_arcs(const Graph<V, A> &graph, detail::SameAs<V> v) {
  const auto out = out_arcs(graph, v).first;
  using Cursor = std::decay_t<decltype(out)>;
  return detail::CursorRange<detail::EitherCursor<Cursor>>{
      {out, graph.directed() ? in_arcs(graph, v).first : Cursor{{}, nullptr, 0, 0}}};
}
/// The out- and then the in-neighbours of v; each neighbour once if the graph is undirected.
template <class V, class A> GCOMPILE_HD auto either(const Graph<V, A> &graph, detail::SameAs<V> v) {
  const auto out = graph.out_neighbors(v);
  using List = std::decay_t<decltype(out)>;
  const List in = graph.directed() ? graph.in_neighbors(v) : List{{}, {}};
  using Cursor = detail::ListCursor<V, decltype(List::first)>;
  return detail::CursorRange<detail::EitherCursor<Cursor>>{{{out.first, out.last}, {in.first, in.last}}};
}

/// The source of an arc.
template <class V> GCOMPILE_HD V source(const Graph<V> &graph, ArcId e) {
  const ArcId *last = graph.out_offsets + graph.num_vertices() + 1;
  return static_cast<V>(detail::upper_bound(graph.out_offsets, last, e) - graph.out_offsets - 1);
}

/// The first arc from u to w; none() if there is none, as where u or w is none(). Bisects the sorted list of u, without
/// branches, since half of them would be a surprise.
template <class V, class A> GCOMPILE_HD ArcId edge(const Graph<V, A> &graph, detail::SameAs<V> u, detail::SameAs<V> w) {
  if (!(u < graph.num_vertices()))
    return none<ArcId>();
  ArcId at = graph.out_begin(u), left = graph.out_end(u) - at;
  if (left == 0)
    return none<ArcId>();
  const auto targets = graph.targets_at(u);
  while (left > 1) {
    const ArcId half = left / 2;
    at += static_cast<ArcId>(targets[at + half - 1] < w) * half;
    left -= half;
  }
  return targets[at] == w ? at : none<ArcId>();
}

namespace detail {
/// The entry at a place of a list; none() outside of it.
template <class V, class P> GCOMPILE_HD V at(Span<V, P> list, std::int64_t place) {
  return static_cast<std::uint64_t>(place) < static_cast<std::uint64_t>(list.last - list.first) ? list.first[place]
                                                                                                : none<V>();
}
} // namespace detail

/// The neighbour at a place of the ascending list of v's out-neighbours, where one stands once for every edge; none()
/// outside of 0 .. out_degree(v) - 1, as where v is none().
template <class V, class A> GCOMPILE_HD V out_neighbor(const Graph<V, A> &graph, V v, std::int64_t place) {
  return v < graph.num_vertices() ? detail::at(graph.out_neighbors(v), place) : none<V>();
}

/// The same of v's in-neighbours.
template <class V, class A> GCOMPILE_HD V in_neighbor(const Graph<V, A> &graph, V v, std::int64_t place) {
  return v < graph.num_vertices() ? detail::at(graph.in_neighbors(v), place) : none<V>();
}

} // namespace gc

#endif
