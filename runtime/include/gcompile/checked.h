// Checks of what C++ code hands to a generated class.
#ifndef GCOMPILE_CHECKED_H
#define GCOMPILE_CHECKED_H

#include <gcompile/error.h>
#include <gcompile/graph.h>
#include <gcompile/types.h>

#include <string>

namespace gc {

/// The graph, if it has what the program needs of it: the direction, the edges into vertices, the edge properties.
/// Throws Error otherwise. That lists ascend and an undirected graph is symmetric is not checked.
template <class V, class Info> const Graph<V> &checked(const Graph<V> &graph, const Info &info) {
  const auto refuse = [&](const std::string &why) { throw Error(ErrorKind::argument, info.name + ": " + why); };
  const bool arcs = graph.n > 0 && graph.num_arcs() > 0;
  using Direction = decltype(info.directedness);
  if (info.directedness != Direction::any && graph.directed() != (info.directedness == Direction::directed))
    refuse(graph.directed() ? "the program is for undirected graphs, and this one is directed"
                            : "the program is for directed graphs, and this one is undirected");
  if (info.needs_in_edges && graph.n > 0 && (!graph.in_offsets || (arcs && !graph.in_sources)))
    refuse("the program reads the edges into vertices, and the graph has no in_offsets and in_sources");
  if (info.needs_in_edge_ids && arcs && !graph.in_edges)
    refuse("the program reads the properties of edges into vertices, and the graph has no in_edges");
  for (std::size_t k = 0; k < info.edge_columns.size(); ++k)
    if (!graph.columns[k] && arcs)
      refuse("the graph has no edge property '" + info.edge_columns[k].name + "', which is columns[" +
             std::to_string(k) + "]");
  return graph;
}

/// A parameter: a vertex of the graph, or none. Throws Error otherwise.
template <class V> V checked(const Graph<V> &graph, V v, const char *name) {
  if (v >= graph.num_vertices() && v != none<V>())
    throw Error(ErrorKind::argument, std::string(name) + ": the graph has no vertex " + std::to_string(v));
  return v;
}

/// A parameter: a set of the graph's vertices. Throws Error if it is one of another graph's.
template <class V, class Set> const Set &checked(const Graph<V> &graph, const Set &set, const char *name) {
  if (set.universe() != graph.num_vertices())
    throw Error(ErrorKind::argument, std::string(name) + ": a set of " + std::to_string(set.universe()) +
                                         " vertices, and the graph has " + std::to_string(graph.num_vertices()));
  return set;
}

} // namespace gc

#endif
