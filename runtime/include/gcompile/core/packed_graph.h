// A graph with packed lists of neighbours, as kernels see it.
#ifndef GCOMPILE_CORE_PACKED_GRAPH_H
#define GCOMPILE_CORE_PACKED_GRAPH_H

#include <gcompile/core/error.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/packed_lists.h>

#include <cstdint>

namespace gc {

/// The packed lists of a graph; an undirected one's are the same on both sides.
template <class V> struct PackedArcs {
  PackedLists<V> out, in; ///< `in` is empty unless asked for
};

/// The members mean what they mean in a graph of plain lists. An arc by itself, without the vertex that has it, is
/// found by a search: target and in_source are for few of them.
template <class V> struct Graph<V, Packed> {
  static constexpr int max_columns = Graph<V>::max_columns;
  static constexpr bool lists_in_file = false;

  V n = 0;
  bool is_directed = true;
  std::int64_t edges = 0;
  PackedLists<V> out, in;
  const ArcId *in_edges = nullptr;
  const void *columns[max_columns] = {};

  /// The same graph. Throws Error if its lists are not packed.
  Graph(const Graph<V> &loaded)
      : n(loaded.n), is_directed(loaded.is_directed), edges(loaded.edges), in_edges(loaded.in_edges) {
    if (!loaded.packed)
      throw Error(ErrorKind::argument, "the program runs on packed lists of neighbours, and this graph has none: load "
                                       "it with load_options() of the program's information");
    out = loaded.packed->out;
    in = loaded.packed->in;
    for (int k = 0; k < max_columns; ++k)
      columns[k] = loaded.columns[k];
  }

  V num_vertices() const { return n; }
  ArcId num_arcs() const { return out.num_arcs(); }
  std::int64_t num_edges() const { return edges; }
  bool directed() const { return is_directed; }
  bool wide() const { return num_vertices() + num_arcs() > GCOMPILE_MOST_ALONE; }
  /// The same where no list is visited: a vertex takes little then.
  bool wide_without_lists() const { return num_vertices() > 4 * GCOMPILE_MOST_ALONE; }
  bool wide_in_pairs() const { return std::uint64_t(n) * n > GCOMPILE_MOST_ALONE; }
  bool has_in_arcs() const { return !in.empty(); }

  ArcId out_begin(V v) const { return out.begin(v); }
  ArcId out_end(V v) const { return out.end(v); }
  ArcId in_begin(V v) const { return in.begin(v); }
  ArcId in_end(V v) const { return in.end(v); }
  V target(ArcId e) const { return out.ends_at(out.owner(e))[e]; }
  V in_source(ArcId k) const { return in.ends_at(in.owner(k))[k]; }
  PackedIterator<V> targets_at(V v) const { return out.ends_at(v); }
  PackedIterator<V> sources_at(V v) const { return in.ends_at(v); }

  std::int32_t out_degree(V v) const { return static_cast<std::int32_t>(out.size(v)); }
  std::int32_t in_degree(V v) const { return static_cast<std::int32_t>(in.size(v)); }
  std::int32_t degree(V v) const { return is_directed ? out_degree(v) + in_degree(v) : out_degree(v); }

  PackedList<V> out_neighbors(V v) const { return out.list(v); }
  PackedList<V> in_neighbors(V v) const { return in.list(v); }
  const void *out_place(V v) const { return out.place(v); }
  const void *in_place(V v) const { return in.place(v); }
  const std::uint8_t *out_list(V v) const { return out.data(v); }
  const std::uint8_t *in_list(V v) const { return in.data(v); }

  Graph transposed() const {
    Graph turned = *this;
    turned.out = in;
    turned.in = out;
    return turned;
  }

  template <class T> const T *edge_column(int k) const { return static_cast<const T *>(columns[k]); }
};

template <class V> using PackedGraph = Graph<V, Packed>;

/// The source of an arc.
template <class V> V source(const PackedGraph<V> &graph, ArcId e) { return graph.out.owner(e); }

} // namespace gc

#endif
