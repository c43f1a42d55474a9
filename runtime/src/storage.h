// What a LoadedGraph owns.
#ifndef GCOMPILE_SRC_STORAGE_H
#define GCOMPILE_SRC_STORAGE_H

#include "scan.h"
#include "streamed_file.h"
#include "text.h"

#include <gcompile/core/packed_graph.h>
#include <gcompile/core/property.h>
#include <gcompile/program/load.h>
#include <gcompile/program/process_group.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gc::detail {

/// Owned or mapped memory for a column: one value per out-arc.
struct ColumnData {
  Array<std::uint64_t> words; ///< room for the values, whatever their type
  const void *values = nullptr;
};

/// Where packed lists of neighbours are.
struct PackedParts {
  const PackedGroup *groups = nullptr;
  const std::uint64_t *records = nullptr, *fields = nullptr;
  std::uint64_t num_groups = 0, num_records = 0, num_fields = 0; ///< records and fields in words of 8 bytes
  ArcId arcs = 0;

  std::uint64_t bytes() const { return sizeof(PackedGroup) * num_groups + 8 * (num_records + num_fields); }
  template <class V> PackedLists<V> view(std::uint64_t n) const {
    const auto *const bytes = reinterpret_cast<const std::uint8_t *>(fields);
    return {n, arcs, groups, records, bytes, bytes + 8 * num_fields};
  }
};

/// Packed lists of neighbours. Those in a file have no memory of their own.
struct PackedStore {
  Array<PackedGroup> groups;
  Array<std::uint64_t> records, fields;
  PackedParts parts;

  /// After the arrays are filled.
  void keep(ArcId arcs) {
    parts = {groups.data(), records.data(), fields.data(), groups.size(), records.size(), fields.size(), arcs};
  }
};

/// CSR arrays; empty arrays are not used, or are mapped from a file.
template <class V> struct CsrArrays {
  Array<ArcId> out_offsets;
  Array<V> out_targets;
  Array<ArcId> in_offsets;
  Array<V> in_sources;
  Array<ArcId> in_edges;
  PackedStore packed_out, packed_in; ///< empty unless asked for
  PackedArcs<V> packed;
  Graph<V> view;
  std::unique_ptr<CsrArrays> divided; ///< what view.divided sees

  /// Has `view` see the packed lists; those of an undirected graph are the same on both sides.
  void see_packed() {
    packed.out = packed_out.parts.view<V>(view.n);
    packed.in = view.is_directed ? packed_in.parts.view<V>(view.n) : packed.out;
    view.packed = &packed;
  }
};

struct GraphStorage {
  int vertex_bits = 32;
  CsrArrays<std::uint32_t> narrow;
  CsrArrays<std::uint64_t> wide;
  VertexIds ids;
  double layout_seconds = 0;                    ///< see LoadedGraph
  std::uint64_t plain_bytes = 0;                ///< of lists that are packed now, with the offsets
  std::uint64_t dropped_arcs = 0;               ///< see LoadedGraph
  std::optional<std::uint64_t> num_input_edges; ///< see LoadedGraph
  Array<std::uint64_t> input_edges; ///< of each vertex those that start there; empty unless asked for and known
  std::vector<ColumnInfo> columns;
  std::vector<ColumnData> column_data;
  std::vector<ColumnData> divided_columns; ///< those of the arcs that are divided
  std::vector<std::uint64_t> part_begins;  ///< where the parts begin that LoadOptions::partition asks for, and the
                                           ///< number of vertices; or empty
  std::string parts_by;                    ///< if so: what has found them: "scotch", "ptscotch" or the file
  bool in_part = false;                    ///< arcs of vertices that other processes own are left out
  std::uint64_t part_bytes = 0;            ///< if so: of arcs, offsets and columns that are there
  std::vector<std::pair<ArcId, std::uint64_t>> far_targets; ///< if so: the targets of some of these, ascending by arcs
  TextBuffer mapping;                                       ///< of the binary file that the view points into
  std::unique_ptr<StreamedFile> streamed;                   ///< the same, if the arcs stay in the file

  ArcId num_arcs() const {
    const auto arcs = [](const auto &view) { return view.packed ? view.packed->out.num_arcs() : view.num_arcs(); };
    return vertex_bits == 32 ? arcs(narrow.view) : arcs(wide.view);
  }
  bool is_packed() const { return narrow.view.packed || wide.view.packed; }

  template <class V> CsrArrays<V> &arrays() {
    if constexpr (sizeof(V) == 4)
      return narrow;
    else
      return wide;
  }
};

inline std::size_t width_of(ColumnType type) {
  return type == ColumnType::int32 || type == ColumnType::float32 ? 4 : 8;
}

/// Room for `count` values of a column, with `values` pointing at it.
inline ColumnData allocate_column(ColumnType type, std::uint64_t count) {
  ColumnData data;
  data.words = Array<std::uint64_t>((count * width_of(type) + 7) / 8);
  data.values = data.words.data();
  return data;
}

/// The same, of zeros, which take no memory before they are written.
inline ColumnData zero_column(ColumnType type, std::uint64_t count) {
  ColumnData data;
  data.words = Array<std::uint64_t>::zeros((count * width_of(type) + 7) / 8);
  data.values = data.words.data();
  return data;
}

/// Calls f with the graph that kernels see.
template <class V, class F> decltype(auto) with_graph(const LoadedGraph &graph, F &&f) {
  const Graph<V> &plain = graph.view<V>();
  return plain.packed ? f(PackedGraph<V>(plain)) : f(plain);
}

/// The vertices that this process of a group owns; all of them without a group.
inline VertexBlock own_block(const LoadedGraph &graph, const ProcessGroup *group) {
  if (!group)
    return {0, graph.num_vertices()};
  return graph.vertex_bits() == 32 ? group->block(graph.view<std::uint32_t>())
                                   : group->block(graph.view<std::uint64_t>());
}

/// The arcs that a process has: `lists` has them at the vertices of `rows`.
template <class V, class A> struct OwnLists {
  const Graph<V, A> &lists;
  VertexBlock rows;
};
/// Those of a process of a group, or of one that is alone.
template <class V, class A> OwnLists<V, A> own_lists(const Graph<V, A> &graph, const ProcessGroup *group) {
  if constexpr (std::is_same<A, Plain>::value)
    if (group) {
      const Grid grid = group->grid();
      if (!graph.divided)
        return {graph, group->block(graph)};
      const Partition<V> partition(graph, group->size()); // blocks: other partitions are not divided
      return {*graph.divided,
              {partition.begin(grid.first_of_row(group->rank())), partition.end(grid.last_of_row(group->rank()) - 1)}};
    }
  return {graph, {0, graph.num_vertices()}};
}

/// Calls f with a null pointer of the C++ type of a column.
template <class F> decltype(auto) with_type(ColumnType type, F &&f) {
  switch (type) {
  case ColumnType::int32:
    return f(static_cast<std::int32_t *>(nullptr));
  case ColumnType::int64:
    return f(static_cast<std::int64_t *>(nullptr));
  case ColumnType::float32:
    return f(static_cast<float *>(nullptr));
  case ColumnType::float64:
    break;
  }
  return f(static_cast<double *>(nullptr));
}

template <class T> T *values_of(ColumnData &data) { return reinterpret_cast<T *>(data.words.data()); }

/// Writes a value of scan_value's form into a column.
inline void store_value(ColumnData &data, ColumnType type, std::uint64_t position, std::uint64_t bits) {
  with_type(type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    values_of<T>(data)[position] =
        is_real(type) ? static_cast<T>(real_of(bits)) : static_cast<T>(static_cast<std::int64_t>(bits));
  });
}

} // namespace gc::detail

#endif
