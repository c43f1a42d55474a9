// The arcs of the whole graph, or those at the members of a set, one after the other.
#ifndef GCOMPILE_OMP_SETS_ARCS_H
#define GCOMPILE_OMP_SETS_ARCS_H

#include <gcompile/core/adjacency/arcs.h>
#include <gcompile/core/adjacency/sets.h>
#include <gcompile/omp/sets/stored_sets.h>

#include <utility>

namespace gc {

/// An arc with both ends, as a pattern sees it: `source` is the end that the pattern names first.
template <class V> struct Edge {
  V source, target;
  ArcId edge;
};

namespace detail {

/// Which of the arcs at a vertex.
enum class Side { out, in, both };

/// The arcs at each member of a set in turn.
template <class V, class A, class Set, Side side> struct EdgeCursor {
  using Arcs = decltype(out_arcs(std::declval<const Graph<V, A> &>(), V()).first);
  const Graph<V, A> *graph;
  Set vertices;
  EitherCursor<Arcs> arcs;
  EdgeCursor(const Graph<V, A> &g, Set set) : graph(&g), vertices(set), arcs{{{}, nullptr, 0, 0}, {{}, nullptr, 0, 0}} {
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

template <Side side, class V, class A> auto arcs_at_all(const Graph<V, A> &graph) {
  return HostRange<EdgeCursor<V, A, CountingCursor<V>, side>>{{graph, vertices(graph).first}};
}
template <Side side, class V, class A> auto arcs_at(const Graph<V, A> &graph, const VertexSet<V> &set) {
  return HostRange<EdgeCursor<V, A, StoredCursor<V>, side>>{{graph, cursor_of(set)}};
}

} // namespace detail

/// Every arc, or those out of the vertices of a set, by ascending source.
template <class V, class A> auto arcs(const Graph<V, A> &graph) {
  return detail::arcs_at_all<detail::Side::out>(graph);
}
template <class V, class A> auto arcs(const Graph<V, A> &graph, const VertexSet<V> &sources) {
  return detail::arcs_at<detail::Side::out>(graph, sources);
}
/// Every arc, or those into the vertices of a set, by ascending target. Needs the in-arrays.
template <class V, class A> auto arcs_into(const Graph<V, A> &graph) {
  return detail::arcs_at_all<detail::Side::in>(graph);
}
template <class V, class A> auto arcs_into(const Graph<V, A> &graph, const VertexSet<V> &targets) {
  return detail::arcs_at<detail::Side::in>(graph, targets);
}
/// Every arc from both of its ends (undirected graphs: each of the stored arcs).
template <class V, class A> auto arcs_both(const Graph<V, A> &graph) {
  return detail::arcs_at_all<detail::Side::both>(graph);
}
template <class V, class A> auto arcs_both(const Graph<V, A> &graph, const VertexSet<V> &sources) {
  return detail::arcs_at<detail::Side::both>(graph, sources);
}

} // namespace gc

#endif
