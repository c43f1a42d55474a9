// Cursors over sets of vertices: each visits distinct vertices in ascending order.
//
// A cursor has done, value, next, contains, and seek, which goes to the first vertex not less than another. A set has a
// function cursor_of in its namespace.
#ifndef GCOMPILE_CORE_ADJACENCY_CURSORS_H
#define GCOMPILE_CORE_ADJACENCY_CURSORS_H

#include <gcompile/core/graph.h>

#include <cstddef>
#include <utility>

// Sets stored on the host are for the host alone; nvcc warns where one is combined by what kernels use as well.
#ifdef __NVCC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#endif

namespace gc {

namespace detail {

/// Bisection, as in <algorithm>, for kernels on either side.
template <class P, class T> GCOMPILE_HD inline P lower_bound(P first, P last, T v) {
  while (first != last) {
    const P middle = first + (last - first) / 2;
    if (*middle < v)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}
template <class P, class T> GCOMPILE_HD inline P upper_bound(P first, P last, T v) {
  while (first != last) {
    const P middle = first + (last - first) / 2;
    if (v < *middle)
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

/// The first position at or after `first` whose vertex is not less than v: doubling steps, then bisection.
template <class P, class V> GCOMPILE_HD inline P gallop(P first, P last, V v) {
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

template <class V, class P = const V *> struct SpanCursor {
  using Vertex = V;
  P at, last;
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
    const P found = lower_bound(at, last, v);
    return found != last && *found == v;
  }
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

} // namespace detail

template <class V, class P> GCOMPILE_HD detail::SpanCursor<V, P> cursor_of(const Span<V, P> &span) {
  return {span.begin(), span.end()};
}
template <class C> GCOMPILE_HD C cursor_of(const detail::CursorRange<C> &range) { return range.cursor(); }

namespace detail {
template <class Set> using CursorOf = decltype(cursor_of(std::declval<const Set &>()));
} // namespace detail

} // namespace gc

#ifdef __NVCC__
#pragma nv_diagnostic pop
#endif

#endif
