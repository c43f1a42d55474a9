// The graph as kernels see it: arrays in compressed sparse rows (CSR), which somebody else owns.
#ifndef GCOMPILE_CORE_GRAPH_H
#define GCOMPILE_CORE_GRAPH_H

#include <gcompile/core/types.h>

#include <cstddef>
#include <cstdint>

/// The vertices and arcs of a graph that one thread visits sooner than several begin.
#ifndef GCOMPILE_MOST_ALONE
#define GCOMPILE_MOST_ALONE 4096
#endif

namespace gc {

/// From so many vertices in a list on, threads share what is done with each; one thread works alone on fewer.
/// Rounds that push may be shared from fewer on: see PushPace.
constexpr std::size_t vertices_worth_sharing = 512;

/// A read-only range of vertices behind each other; P points to one.
template <class V, class P = const V *> struct Span {
  P first;
  P last;

  GCOMPILE_HD P begin() const { return first; }
  GCOMPILE_HD P end() const { return last; }
  GCOMPILE_HD std::size_t size() const { return static_cast<std::size_t>(last - first); }
  GCOMPILE_HD bool empty() const { return first == last; }
  GCOMPILE_HD V operator[](std::size_t i) const { return first[i]; }
};

/// How a graph keeps its lists of neighbours: as an array of ids each, or without the bits that they do not need.
struct Plain {};
struct Packed {};

template <class V> struct PackedArcs;

/// A graph, as kernels see it. That of packed lists is in packed_graph.h.
template <class V, class Adjacency = Plain> struct Graph;

/// A graph of n vertices 0..n-1 in CSR form, owned by somebody else.
///
/// A directed graph has one arc per edge. An undirected graph stores both arcs of each edge, a self-loop once, and its
/// in-arrays are its out-arrays. The targets (sources) inside each list ascend, unless
/// LoadOptions::neighbors_by_degree.
template <class V> struct Graph<V, Plain> {
  static constexpr int max_columns = 16;

  V n = 0;
  bool is_directed = true;
  bool lists_in_file = false;         ///< what arcs have is read from a file where a thread comes to it: see --memory
  std::int64_t edges = 0;             ///< see num_edges
  const ArcId *out_offsets = nullptr; ///< n + 1 positions in out_targets
  const V *out_targets = nullptr;     ///< one per arc
  const ArcId *in_offsets = nullptr;  ///< n + 1 positions in in_sources; nullptr unless asked for
  const V *in_sources = nullptr;      ///< one per arc; nullptr unless asked for
  const ArcId *in_edges = nullptr; ///< in-arc to the index of the same arc in the out-arrays; nullptr unless asked for
  const void *columns[max_columns] = {}; ///< edge properties of the input, one value per out-arc each
  const PackedArcs<V> *packed = nullptr; ///< the same lists packed, where a program asks for them: then there are no
                                         ///< other ones, and no offsets
  const Graph *divided = nullptr; ///< of one of several processes that divide the arcs at a vertex: those that it has
                                  ///< of the vertices of its row, with numbers of their own; the offsets of this graph
                                  ///< count all, and it has no lists and no columns

  GCOMPILE_HD V num_vertices() const { return n; }
  GCOMPILE_HD ArcId num_arcs() const { return out_offsets[n]; }
  /// Directed: the number of arcs. Undirected: each edge, and each self-loop, once.
  GCOMPILE_HD std::int64_t num_edges() const { return edges; }
  GCOMPILE_HD bool directed() const { return is_directed; }
  /// Whether a kernel over all of it is worth several threads.
  bool wide() const { return num_vertices() + num_arcs() > GCOMPILE_MOST_ALONE; }
  /// The same where no list is visited: a vertex takes little then.
  bool wide_without_lists() const { return num_vertices() > 4 * GCOMPILE_MOST_ALONE; }
  /// The same of a kernel over all pairs of vertices.
  bool wide_in_pairs() const { return std::uint64_t(n) * n > GCOMPILE_MOST_ALONE; }

  /// Whether it has the in-arrays.
  bool has_in_arcs() const { return in_offsets && (num_arcs() == 0 || in_sources || divided); }

  GCOMPILE_HD ArcId out_begin(V v) const { return out_offsets[v]; }
  GCOMPILE_HD ArcId out_end(V v) const { return out_offsets[v + 1]; }
  GCOMPILE_HD ArcId in_begin(V v) const { return in_offsets[v]; }
  GCOMPILE_HD ArcId in_end(V v) const { return in_offsets[v + 1]; }
  /// Target of out-arc e.
  GCOMPILE_HD V target(ArcId e) const { return out_targets[e]; }
  /// Source of in-arc k.
  GCOMPILE_HD V in_source(ArcId k) const { return in_sources[k]; }
  /// What gives, for an arc out of (into) v, its target (source).
  GCOMPILE_HD const V *targets_at(V) const { return out_targets; }
  GCOMPILE_HD const V *sources_at(V) const { return in_sources; }

  // Degrees, by a V or by an index of 64 bits: a compiler knows that the latter goes on to the next element.
  template <class I> GCOMPILE_HD std::int32_t out_degree(I v) const {
    return static_cast<std::int32_t>(out_offsets[v + 1] - out_offsets[v]);
  }
  /// Needs the in-arrays.
  template <class I> GCOMPILE_HD std::int32_t in_degree(I v) const {
    return static_cast<std::int32_t>(in_offsets[v + 1] - in_offsets[v]);
  }
  /// Undirected: the number of neighbours. Directed: out-degree plus in-degree (needs the in-arrays).
  template <class I> GCOMPILE_HD std::int32_t degree(I v) const {
    return is_directed ? out_degree(v) + in_degree(v) : out_degree(v);
  }

  GCOMPILE_HD Span<V> out_neighbors(V v) const {
    return {out_targets + out_offsets[v], out_targets + out_offsets[v + 1]};
  }
  /// Needs the in-arrays.
  GCOMPILE_HD Span<V> in_neighbors(V v) const { return {in_sources + in_offsets[v], in_sources + in_offsets[v + 1]}; }

  /// Where it is noted where the arcs out of v (into it) are, and where those begin: to be fetched.
  GCOMPILE_HD const ArcId *out_place(V v) const { return out_offsets + v; }
  GCOMPILE_HD const ArcId *in_place(V v) const { return in_offsets + v; }
  GCOMPILE_HD const V *out_list(V v) const { return out_targets + out_offsets[v]; }
  GCOMPILE_HD const V *in_list(V v) const { return in_sources + in_offsets[v]; }

  /// The same edges turned around, in the same arrays: those out of v are those into it, and the other way round.
  /// Needs the in-arrays. It goes by the ids of this graph's edges: `in_edges` maps its out-arcs to them, and its
  /// in-arcs are them; columns have one value per id.
  GCOMPILE_HD Graph transposed() const {
    Graph turned = *this;
    turned.out_offsets = in_offsets;
    turned.out_targets = in_sources;
    turned.in_offsets = out_offsets;
    turned.in_sources = out_targets;
    return turned;
  }

  /// The k-th edge property that the program declares: one value per out-arc. T must be the declared type.
  template <class T> GCOMPILE_HD const T *edge_column(int k) const { return static_cast<const T *>(columns[k]); }
};

} // namespace gc

#endif
