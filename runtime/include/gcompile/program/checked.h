// Checks of what C++ code hands to a generated class.
#ifndef GCOMPILE_PROGRAM_CHECKED_H
#define GCOMPILE_PROGRAM_CHECKED_H

#include <gcompile/core/error.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/operators/atomic.h>
#include <gcompile/core/types.h>
#include <gcompile/program/info.h>
#include <gcompile/program/parts.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace gc {

/// Where `values` has the first of `count` values that is negative, or no number; `count` if it has none.
template <class T> std::uint64_t find_negative(const T *values, std::uint64_t count) {
  std::uint64_t first = count;
  detail::for_parts(count, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t i = begin;
    while (i < end && values[i] >= 0)
      ++i;
    if (i < end)
      atomic_min(first, i);
  });
  return first;
}

/// A parameter of a program that allows no negative value: a number, or a property with one for each vertex. Throws
/// Error naming the parameter otherwise.
template <class T> T nonnegative(T value, const char *name) {
  if constexpr (std::is_arithmetic<T>::value) {
    if (!(value >= 0))
      throw Error(ErrorKind::argument,
                  std::string(name) + ": " + std::to_string(value) + " is negative, which the program does not allow");
  } else if (const std::uint64_t bad = find_negative(value.data(), value.size()); bad != value.size()) {
    throw Error(ErrorKind::argument, std::string(name) + ": " + std::to_string(value.data()[bad]) + " of vertex " +
                                         std::to_string(bad) + " is negative, which the program does not allow");
  }
  return value;
}

/// The graph, if it has what the program needs of it: the direction, the edges into vertices, the edge properties, and
/// no negative value in those where the program allows none. Throws Error otherwise. That lists ascend and an
/// undirected graph is symmetric is not checked. V: std::uint32_t or std::uint64_t.
template <class V, class A> const Graph<V, A> &checked(const Graph<V, A> &graph, const ProgramInfo &info);

namespace detail {
[[noreturn]] void refuse_vertex(const char *name, std::uint64_t v);
[[noreturn]] void refuse_set(const char *name, std::uint64_t size, std::uint64_t vertices);
} // namespace detail

/// A parameter: a vertex of the graph, or none. Throws Error otherwise.
template <class V, class A> V checked(const Graph<V, A> &graph, V v, const char *name) {
  if (v >= graph.num_vertices() && v != none<V>())
    detail::refuse_vertex(name, v);
  return v;
}

/// A parameter: a set of the graph's vertices. Throws Error if it is one of another graph's.
template <class V, class A, class Set> const Set &checked(const Graph<V, A> &graph, const Set &set, const char *name) {
  if (set.universe() != graph.num_vertices())
    detail::refuse_set(name, set.universe(), graph.num_vertices());
  return set;
}

} // namespace gc

#endif
