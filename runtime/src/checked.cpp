// What C++ code hands to a generated class.
#include <gcompile/core/packed_graph.h>
#include <gcompile/program/checked.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace gc {

template <class V, class A> const Graph<V, A> &checked(const Graph<V, A> &graph, const ProgramInfo &info) {
  if constexpr (std::is_same<A, Plain>::value)
    if (graph.divided) {
      checked(*graph.divided, info);
      return graph;
    }
  const auto refuse = [&](const std::string &why) { throw Error(ErrorKind::argument, info.name + ": " + why); };
  const bool arcs = graph.n > 0 && graph.num_arcs() > 0;
  if (info.directedness != Directedness::any && graph.directed() != (info.directedness == Directedness::directed))
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
    const ColumnInfo &column = info.edge_columns[k];
    const auto &without = info.nonnegative_weights;
    if (std::find(without.begin(), without.end(), column.name) == without.end())
      continue;
    const auto check = [&](const auto *values) {
      const std::uint64_t bad = find_negative(values, graph.num_arcs());
      if (bad != graph.num_arcs())
        refuse(column.name + " " + std::to_string(values[bad]) + ", the value of columns[" + std::to_string(k) +
               "] at arc " + std::to_string(bad) + ", is negative, which the program does not allow");
    };
    const int number = static_cast<int>(k);
    if (column.type == ColumnType::int32)
      check(graph.template edge_column<std::int32_t>(number));
    else if (column.type == ColumnType::int64)
      check(graph.template edge_column<std::int64_t>(number));
    else if (column.type == ColumnType::float32)
      check(graph.template edge_column<float>(number));
    else
      check(graph.template edge_column<double>(number));
  }
  return graph;
}

template const Graph<std::uint32_t> &checked(const Graph<std::uint32_t> &, const ProgramInfo &);
template const Graph<std::uint64_t> &checked(const Graph<std::uint64_t> &, const ProgramInfo &);
template const Graph<std::uint32_t, Packed> &checked(const Graph<std::uint32_t, Packed> &, const ProgramInfo &);
template const Graph<std::uint64_t, Packed> &checked(const Graph<std::uint64_t, Packed> &, const ProgramInfo &);

namespace detail {

void refuse_vertex(const char *name, std::uint64_t v) {
  throw Error(ErrorKind::argument, std::string(name) + ": the graph has no vertex " + std::to_string(v));
}

void refuse_set(const char *name, std::uint64_t size, std::uint64_t vertices) {
  throw Error(ErrorKind::argument, std::string(name) + ": a set of " + std::to_string(size) +
                                       " vertices, and the graph has " + std::to_string(vertices));
}

} // namespace detail

} // namespace gc
