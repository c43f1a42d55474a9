#include "divided_part.h"

#include <gcompile/core/partition.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc::detail {

namespace {

/// The lists of one side, of the vertices from `begin` to `end`, with the vertices that are in the column. `from`: of
/// each arc, its number among those of the whole graph.
template <class V> struct Lists {
  Array<ArcId> offsets;
  Array<V> ends;
  std::vector<ArcId> from;

  Lists(const Graph<V> &g, VertexBlock rows, const ArcId *whole, const V *ends_of_whole,
        const std::vector<char> &column)
      : offsets(Array<ArcId>::zeros(std::uint64_t(g.n) + 1)) {
    for (std::uint64_t v = rows.begin; v < rows.end; ++v) {
      offsets[v] = from.size();
      for (ArcId e = whole[v]; e < whole[v + 1]; ++e)
        if (column[ends_of_whole[e]])
          from.push_back(e);
    }
    offsets[rows.end] = offsets[g.n] = from.size();
    ends = Array<V>(std::max<std::size_t>(from.size(), 1)); // a graph that has lists has memory for them
    for (std::size_t i = 0; i < from.size(); ++i)
      ends[i] = ends_of_whole[from[i]];
  }
};

/// The columns of the arcs out of vertices, and behind them, where they are needed, of those into vertices.
template <class V>
void take_columns(GraphStorage &storage, const Graph<V> &whole, Graph<V> &divided, const std::vector<ArcId> &arcs) {
  storage.divided_columns.clear();
  for (std::size_t k = 0; k < storage.columns.size(); ++k) {
    const ColumnType type = storage.columns[k].type;
    ColumnData part = allocate_column(type, arcs.size());
    with_type(type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      const T *const values = whole.template edge_column<T>(static_cast<int>(k));
      for (std::size_t i = 0; i < arcs.size(); ++i)
        values_of<T>(part)[i] = values[arcs[i]];
    });
    divided.columns[k] = part.values;
    storage.divided_columns.push_back(std::move(part));
    storage.part_bytes += width_of(type) * arcs.size();
  }
}

/// Leaves the offsets alone, in memory of their own.
template <class V> void drop_lists(GraphStorage &storage, CsrArrays<V> &arrays) {
  Graph<V> &g = arrays.view;
  const bool one_side = g.in_offsets == g.out_offsets, mapped = storage.mapping.size() > 0;
  const auto take = [&](const ArcId *&seen, Array<ArcId> &own) {
    if (!seen || !mapped)
      return;
    Array<ArcId> copy(std::uint64_t(g.n) + 1);
    std::copy(seen, seen + g.n + 1, copy.data());
    own = std::move(copy);
    seen = own.data();
  };
  if (!one_side)
    take(g.in_offsets, arrays.in_offsets);
  take(g.out_offsets, arrays.out_offsets);
  if (one_side)
    g.in_offsets = g.out_offsets;
  g.out_targets = g.in_sources = nullptr;
  g.in_edges = nullptr;
  std::fill(g.columns, g.columns + Graph<V>::max_columns, nullptr);
  arrays.out_targets = Array<V>();
  arrays.in_sources = Array<V>();
  arrays.in_edges = Array<ArcId>();
  storage.column_data.clear();
  storage.column_data.resize(storage.columns.size());
  storage.mapping.drop();
  storage.in_part = true;
}

template <class V> void keep(GraphStorage &storage, const LoadOptions &options) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const Grid grid = options.group->grid();
  const int rank = options.group->rank();
  const Partition<V> partition(g, options.group->size());
  const VertexBlock rows{partition.begin(grid.first_of_row(rank)), partition.end(grid.last_of_row(rank) - 1)};
  const std::vector<char> column = vertices_of_column(partition, grid, rank);
  arrays.divided = std::make_unique<CsrArrays<V>>();
  CsrArrays<V> &own = *arrays.divided;
  Graph<V> &divided = own.view;
  divided.n = g.n;
  divided.is_directed = g.is_directed;
  divided.edges = g.edges;
  const bool one_side = g.in_offsets && g.in_offsets == g.out_offsets;
  const std::uint64_t sides = g.in_offsets && !one_side ? 2 : 1;
  storage.part_bytes = 8 * (g.n + 1) * sides;

  Lists<V> out(g, rows, g.out_offsets, g.out_targets, column);
  std::vector<ArcId> arcs = std::move(out.from);
  const std::size_t out_arcs = arcs.size();
  own.out_offsets = std::move(out.offsets);
  own.out_targets = std::move(out.ends);
  divided.out_offsets = own.out_offsets.data();
  divided.out_targets = own.out_targets.data();
  std::size_t in_arcs = one_side ? out_arcs : 0;
  if (one_side) {
    divided.in_offsets = divided.out_offsets;
    divided.in_sources = divided.out_targets;
    if (g.in_edges)
      for (std::size_t i = 0; i < out_arcs; ++i)
        arcs.push_back(g.in_edges[arcs[i]]);
  } else if (g.in_offsets) {
    Lists<V> in(g, rows, g.in_offsets, g.in_sources, column);
    in_arcs = in.from.size();
    own.in_offsets = std::move(in.offsets);
    own.in_sources = std::move(in.ends);
    divided.in_offsets = own.in_offsets.data();
    divided.in_sources = own.in_sources.data();
    if (g.in_edges)
      for (const ArcId k : in.from)
        arcs.push_back(g.in_edges[k]);
  }
  if (g.in_edges) {
    own.in_edges = Array<ArcId>(std::max<std::size_t>(in_arcs, 1));
    for (std::size_t i = 0; i < in_arcs; ++i)
      own.in_edges[i] = out_arcs + i;
    divided.in_edges = own.in_edges.data();
  }
  storage.part_bytes += sizeof(V) * (out_arcs + (one_side ? 0 : in_arcs)) + (g.in_edges ? 8 * in_arcs : 0) +
                        8 * (rows.end - rows.begin) * sides;
  take_columns(storage, g, divided, arcs);
  if (!options.keeps_all)
    drop_lists(storage, arrays);
  g.divided = &divided;
}

} // namespace

void keep_divided(GraphStorage &storage, const LoadOptions &options) {
  if (storage.vertex_bits == 32)
    keep<std::uint32_t>(storage, options);
  else
    keep<std::uint64_t>(storage, options);
}

} // namespace gc::detail
