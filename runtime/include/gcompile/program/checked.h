// Checks of what C++ code hands to a generated class.
#ifndef GCOMPILE_PROGRAM_CHECKED_H
#define GCOMPILE_PROGRAM_CHECKED_H

#include <gcompile/core/error.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/operators/atomic.h>
#include <gcompile/core/types.h>
#include <gcompile/program/parts.h>

#include <algorithm>
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
/// undirected graph is symmetric is not checked.
template <class V, class A, class Info> const Graph<V, A> &checked(const Graph<V, A> &graph, const Info &info) {
  const auto refuse = [&](const std::string &why) { throw Error(ErrorKind::argument, info.name + ": " + why); };
  const bool arcs = graph.n > 0 && graph.num_arcs() > 0;
  using Direction = decltype(info.directedness);
  if (info.directedness != Direction::any && graph.directed() != (info.directedness == Direction::directed))
    refuse(graph.directed() ? "the program is for undirected graphs, and this one is directed"
                            : "the program is for directed graphs, and this one is undirected");
  if (info.needs_in_edges && graph.n > 0 && !graph.has_in_arcs())
    refuse("the program reads the edges into vertices, and the graph has no in_offsets and in_sources");
  if (info.needs_in_edge_ids && arcs && !graph.in_edges)
    refuse("the program reads the properties of edges into vertices, and the graph has no in_edges");
  for (std::size_t k = 0; k < info.edge_columns.size(); ++k)
    if (!graph.columns[k] && arcs)
      refuse("the graph has no edge property '" + info.edge_columns[k].name + "', which is columns[" +
             std::to_string(k) + "]");
  for (std::size_t k = 0; arcs && k < info.edge_columns.size(); ++k) {
    const auto &column = info.edge_columns[k];
    const auto &without = info.nonnegative_weights;
    if (std::find(without.begin(), without.end(), column.name) == without.end())
      continue;
    const auto check = [&](const auto *values) {
      const std::uint64_t bad = find_negative(values, graph.num_arcs());
      if (bad != graph.num_arcs())
        refuse(column.name + " " + std::to_string(values[bad]) + ", the value of columns[" + std::to_string(k) +
               "] at arc " + std::to_string(bad) + ", is negative, which the program does not allow");
    };
    using Type = std::decay_t<decltype(column.type)>;
    const int number = static_cast<int>(k);
    if (column.type == Type::int32)
      check(graph.template edge_column<std::int32_t>(number));
    else if (column.type == Type::int64)
      check(graph.template edge_column<std::int64_t>(number));
    else if (column.type == Type::float32)
      check(graph.template edge_column<float>(number));
    else
      check(graph.template edge_column<double>(number));
  }
  return graph;
}

/// A parameter: a vertex of the graph, or none. Throws Error otherwise.
template <class V, class A> V checked(const Graph<V, A> &graph, V v, const char *name) {
  if (v >= graph.num_vertices() && v != none<V>())
    throw Error(ErrorKind::argument, std::string(name) + ": the graph has no vertex " + std::to_string(v));
  return v;
}

/// A parameter: a set of the graph's vertices. Throws Error if it is one of another graph's.
template <class V, class A, class Set> const Set &checked(const Graph<V, A> &graph, const Set &set, const char *name) {
  if (set.universe() != graph.num_vertices())
    throw Error(ErrorKind::argument, std::string(name) + ": a set of " + std::to_string(set.universe()) +
                                         " vertices, and the graph has " + std::to_string(graph.num_vertices()));
  return set;
}

} // namespace gc

#endif
