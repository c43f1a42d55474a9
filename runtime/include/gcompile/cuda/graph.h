// A graph on the device.
#ifndef GCOMPILE_CUDA_GRAPH_H
#define GCOMPILE_CUDA_GRAPH_H

#include <gcompile/core/graph.h>
#include <gcompile/cuda/device/mapped.h>
#include <gcompile/cuda/placement.h>
#include <gcompile/cuda/sets/tally.h>
#include <gcompile/cuda/streamed/room.h>
#include <gcompile/program/info.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

namespace gc {
namespace cuda {

/// What the parts of a frontier take while it is small, whatever the graph.
constexpr double small_frontier_bytes = 10240. * block_threads;

/// Whether degrees are even: no vertex has more than four times as many arcs, `most`, as the mean.
inline bool are_even(std::uint64_t most, std::uint64_t vertices, std::uint64_t arcs) {
  return static_cast<double>(most) * static_cast<double>(vertices) <= 4 * static_cast<double>(arcs);
}

/// Up to four sources of a vertex's list of arcs that go into it; none() behind their end.
template <class V> struct alignas(4 * sizeof(V)) PullCandidates { V u[4]; };
/// Of all vertices, on the device: all that a list has, if they end before the last place. Bitmaps say which vertices
/// have a source at all, and which have more than one.
template <class V> struct PullCandidatesOfAll {
  Buffer<V> best; ///< not among the others; empty if those are what the lists begin with
  Buffer<PullCandidates<V>> lists;
  Buffer<std::uint32_t> any, more;
};

/// The arrays of a graph, on the device or where the device can read them. Kernels take `view()`.
template <class V> class Graph {
public:
  /// Before anything is allocated, plans where each array goes, and throws Error if what the program needs (`info`)
  /// does not fit on the device. `doubled`: both_ways(graph) will be wanted.
  Graph(const gc::Graph<V> &graph, const ProgramInfo &info, bool doubled = false)
      : Graph(graph, info, doubled, {0, graph.num_vertices(), true}) {}
  /// What a device has of the graph: the rows of pairs of the vertices from `first` up to `last`, and their lists, or
  /// all lists.
  struct Part {
    V first, last;
    bool all_lists;
  };
  /// The same of a part; if it is doubled, all lists are there.
  Graph(const gc::Graph<V> &graph, const ProgramInfo &info, bool doubled, const Part &part)
      : host_(graph), view_(graph) {
    gc::detail::prepare_failure_record();
    doubled = doubled && graph.directed();
    require_tallies(graph, info, doubled);
    const std::size_t offsets = static_cast<std::size_t>(graph.num_vertices()) + 1, count = graph.num_arcs();
    const double n = static_cast<double>(graph.num_vertices()), arcs = static_cast<double>(count);
    const bool in_edges = graph.in_offsets && graph.in_offsets != graph.out_offsets;
    const bool whole = doubled || part.all_lists || (part.first == 0 && part.last == graph.num_vertices());
    const Slice all = {0, count}, out = whole ? all : Slice::of(graph.out_offsets, part.first, part.last),
                in = !in_edges ? out
                     : whole   ? all
                               : Slice::of(graph.in_offsets, part.first, part.last);
    Placement placement(info.name);
    placement.require("state", info.bytes_per_vertex * n + info.bytes_per_edge * arcs +
                                   info.bytes_per_pair * n * static_cast<double>(part.last - part.first));
    // Two frontiers, or as many kept levels, with the arcs before each vertex; the long lists of a pull and of a sweep;
    // few vertices that look; bitmaps: of the two frontiers, of their members, of the unvisited vertices, of those that
    // are claimed, of those that have no place in a list; the parts of a small frontier. Without frontiers, long lists.
    const double frontiers = info.has_frontiers ? 2 * (sizeof(V) + sizeof(ArcId)) + 7 / 8. : 0;
    placement.require("frontiers", small_frontier_bytes + n * (frontiers + (2 + 1 / 16.) * sizeof(V)));
    placement.require("offsets", (n + 1) * sizeof(ArcId) * (1 + in_edges + doubled));
    placement.check_required();
    // Each arc that is looked at costs a target; its column, and its number where arcs are turned around, are read only
    // where a program asks for them.
    both_on_device_ = doubled && placement.place("targets, both ways", 2 * arcs * sizeof(V));
    const bool targets = placement.place("targets", static_cast<double>(out.count) * sizeof(V));
    const bool sources = in_edges && placement.place("sources", static_cast<double>(in.count) * sizeof(V));
    bool columns[gc::Graph<V>::max_columns] = {};
    for (std::size_t k = 0; k < info.edge_columns.size(); ++k)
      columns[k] = placement.place(info.edge_columns[k].name,
                                   arcs * static_cast<double>(column_bytes(info.edge_columns[k].type)));
    const bool numbers =
        graph.in_edges && placement.place("numbers of edges", static_cast<double>(in.count) * sizeof(ArcId));
    both_numbers_on_device_ =
        doubled && graph.in_edges && placement.place("numbers of edges, both ways", 2 * arcs * sizeof(ArcId));
    if (info.edge_lists > 0)
      edge_room_ = placement.take("lists of edges",
                                  info.edge_lists * (2. * sizeof(V) + (info.edge_lists_number ? sizeof(ArcId) : 0)),
                                  std::min<ArcId>(doubled ? 2 * count : count, Tally::most_of_copies));

    const double candidates = n * (sizeof(V) + sizeof(PullCandidates<V>) + 2 / 8.) + 2;
    spared_candidates_ = static_cast<int>(std::min(placement.left() / candidates, 2.0));
    if (info.walks_all_lists && count > 0 && !(targets && (!in_edges || sources)))
      list_room_ = ListRoom<V>::plan(placement, spared_candidates_ * candidates, std::max(out.count, in.count));
    device_memory.plan(placement.plan());
    spare_ = std::max(placement.left() - spared_candidates_ * candidates, 0.0);
    view_.out_offsets = put(out_offsets_, graph.out_offsets, {0, offsets}, true);
    view_.out_targets = put(out_targets_, graph.out_targets, out, targets);
    view_.in_offsets = in_edges           ? put(in_offsets_, graph.in_offsets, {0, offsets}, true)
                       : graph.in_offsets ? view_.out_offsets
                                          : nullptr;
    view_.in_sources = in_edges           ? put(in_sources_, graph.in_sources, in, sources)
                       : graph.in_sources ? view_.out_targets
                                          : nullptr;
    out_lists_ = lists_of(out_targets_, view_.out_targets, graph.out_offsets, out);
    in_lists_ = in_edges ? lists_of(in_sources_, view_.in_sources, graph.in_offsets, in) : out_lists_;
    if (graph.in_edges)
      view_.in_edges = put(in_edges_, graph.in_edges, in, numbers);
    for (std::size_t k = 0; k < info.edge_columns.size(); ++k)
      view_.columns[k] = put(columns_[k], static_cast<const unsigned char *>(graph.columns[k]),
                             {0, count * column_bytes(info.edge_columns[k].type)}, columns[k]);
    arcs_ = count;
  }

  /// The same edges turned around, as gc::Graph::transposed, in the memory of this graph, which must outlive it.
  Graph transposed() const {
    Graph turned;
    turned.host_ = host_.transposed();
    turned.view_ = view_.transposed();
    turned.arcs_ = arcs_;
    turned.spared_candidates_ = spared_candidates_ - 1;
    turned.edge_room_ = edge_room_;
    turned.out_lists_ = in_lists_;
    turned.in_lists_ = out_lists_;
    turned.list_room_ = list_room_;
    return turned;
  }

  /// What kernels see.
  const gc::Graph<V> &view() const { return view_; }
  /// The graph on the host.
  const gc::Graph<V> &host() const { return host_; }
  V num_vertices() const { return view_.n; }
  ArcId num_arcs() const { return arcs_; }
  std::int64_t num_edges() const { return view_.edges; }
  bool directed() const { return view_.is_directed; }
  /// Whether vertices have the same lists of arcs in both, which also counts for this graph and its transposed one if
  /// it is undirected.
  bool has_lists_of(const Graph &other) const { return view_.out_offsets == other.view_.out_offsets; }
  /// The arcs out of a vertex.
  ArcId list_length(V v) const {
    return doubled_ ? static_cast<ArcId>(host_.degree(v)) : host_.out_end(v) - host_.out_begin(v);
  }
  /// What find() gives, the mean of the values at `weights`, which do not change; it is called once for them.
  template <class Find> double mean_weight(const void *weights, Find find) const {
    const auto known = means_.find(weights);
    return known != means_.end() ? known->second : means_[weights] = find();
  }
  /// What find() gives, the vertices whose lists are long; it is called once.
  template <class Find> const Buffer<V> &hubs(Find find) const {
    if (!hubs_known_)
      hubs_ = find();
    hubs_known_ = true;
    return hubs_;
  }
  /// What find() gives, which is called once; nothing where memory is short.
  template <class Find> const PullCandidatesOfAll<V> &candidates(Find find) const {
    if (spared_candidates_ > 0 && candidates_.lists.size() == 0 && expect_candidates())
      candidates_ = find();
    return candidates_;
  }
  /// They will be wanted: loops over all vertices do not get the memory for them. False: they have it.
  bool expect_candidates() const { return !list_room_ || list_room_->leaves_reserved(); }
  /// Takes that much of the memory that neither the program nor candidates() needs. False if less is left.
  bool take_spare(double bytes) const {
    if (bytes > spare_)
      return false;
    spare_ -= bytes;
    return true;
  }
  /// Bytes of that memory that are left.
  double spare() const { return spare_; }
  /// The edges of each list of a frontier that is one of edges, which there is memory planned for.
  ArcId edge_room() const { return edge_room_; }
  /// Lists of arcs out of vertices or into them, where they stay with the host.
  const HostLists<V> &host_lists(Along along) const { return along == Along::in ? in_lists_ : out_lists_; }
  /// Where loops over all vertices may have them copied; nullptr: nowhere.
  ListRoom<V> *list_room() const { return list_room_.get(); }
  /// Lanes that share the list of an average vertex.
  bool is_dense() const { return arcs_ / (view_.n ? view_.n : 1) >= 8; }

private:
  static std::size_t column_bytes(ColumnType type) {
    switch (type) {
    case ColumnType::int32:
    case ColumnType::float32:
      return 4;
    default:
      return 8;
    }
  }
  /// The elements of an array that are there.
  struct Slice {
    std::size_t first, count;
    static Slice of(const ArcId *offsets, V first, V last) {
      return {static_cast<std::size_t>(offsets[first]), static_cast<std::size_t>(offsets[last] - offsets[first])};
    }
  };
  /// Where the array would begin.
  template <class T> static const T *put(PlacedArray<T> &to, const T *from, Slice slice, bool on_device) {
    to = PlacedArray<T>(from + slice.first, slice.count, on_device);
    return to.data() - slice.first;
  }
  static HostLists<V> lists_of(const PlacedArray<V> &array, const V *seen, const ArcId *offsets, Slice slice) {
    return array.pinned() ? HostLists<V>{array.pinned() - slice.first, seen, offsets, slice.first} : HostLists<V>();
  }

  Graph() = default;
  template <class W> friend Graph<W> both_ways(const Graph<W> &graph);

  gc::Graph<V> host_, view_;
  ArcId arcs_ = 0, edge_room_ = 0;
  bool both_on_device_ = true, both_numbers_on_device_ = true; // where the arrays of both_ways(graph) are to be
  bool doubled_ = false;                                       // an arc that goes into a vertex is also one out of it
  int spared_candidates_ = 0; // so many of these there is memory for: those of a transposed graph are others
  mutable double spare_ = 0;  // bytes
  mutable bool hubs_known_ = false;
  mutable std::map<const void *, double> means_;
  mutable Buffer<V> hubs_;
  mutable PullCandidatesOfAll<V> candidates_;
  PlacedArray<ArcId> out_offsets_, in_offsets_, in_edges_;
  PlacedArray<V> out_targets_, in_sources_;
  HostLists<V> out_lists_, in_lists_;
  std::shared_ptr<ListRoom<V>> list_room_;
  PlacedArray<unsigned char> columns_[gc::Graph<V>::max_columns];
};

} // namespace cuda
} // namespace gc

#endif
