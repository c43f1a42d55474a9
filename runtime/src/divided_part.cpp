#include "divided_part.h"

#include "group_steps.h"

#include <gcompile/core/partition.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc::detail {

namespace {

/// Where a process stands in the grid of its group: the vertices of its row.
template <class V> struct Place {
  Grid grid;
  int rank;
  Partition<V> partition;
  VertexBlock rows;

  Place(const Graph<V> &g, const ProcessGroup &group)
      : grid(group.grid()), rank(group.rank()),
        partition(g, group.size()), rows{partition.begin(grid.first_of_row(rank)),
                                         partition.end(grid.last_of_row(rank) - 1)} {}
};

/// The lists of one side, of the vertices of a row, with the other ends that are in a column.
template <class V> struct Lists {
  Array<ArcId> offsets;
  Array<V> ends;

  explicit Lists(std::uint64_t n) : offsets(Array<ArcId>::zeros(n + 1)) {}
  std::size_t arcs() const { return offsets[offsets.size() - 1]; }
};

/// Of lists that are here as a whole; `from`: of each arc, its number among those of the whole graph.
template <class V>
Lists<V> pick(const Graph<V> &g, VertexBlock rows, const ArcId *whole, const V *ends_of_whole,
              const std::vector<char> &column, std::vector<ArcId> &from) {
  Lists<V> lists(g.n);
  for (std::uint64_t v = rows.begin; v < rows.end; ++v) {
    lists.offsets[v] = from.size();
    for (ArcId e = whole[v]; e < whole[v + 1]; ++e)
      if (column[ends_of_whole[e]])
        from.push_back(e);
  }
  lists.offsets[rows.end] = lists.offsets[g.n] = from.size();
  lists.ends = Array<V>(std::max<std::size_t>(from.size(), 1)); // a graph that has lists has memory for them
  for (std::size_t i = 0; i < from.size(); ++i)
    lists.ends[i] = ends_of_whole[from[i]];
  return lists;
}

/// Of lists of which each process has those at its own vertices: it sends to each process of its row what is in the
/// column of that one, as the number of arcs of each vertex, the other ends, and then each column that is asked for.
/// `column_of`: of each vertex. `drop()` is called when the lists and columns are not read any more. All processes.
template <class V, class Drop>
Lists<V> exchange(const Graph<V> &g, const Place<V> &place, const std::vector<int> &column_of, ProcessGroup &group,
                  const ArcId *offsets, const V *ends, const std::vector<ColumnInfo> &columns,
                  std::vector<ColumnData> &taken, const Drop &drop) {
  const int first = place.grid.first_of_row(place.rank), last = place.grid.last_of_row(place.rank);
  const auto begin_of = [&](int process) { return static_cast<std::uint64_t>(place.partition.begin(process)); };
  const auto end_of = [&](int process) { return static_cast<std::uint64_t>(place.partition.end(process)); };
  const std::uint64_t begin = begin_of(place.rank), end = end_of(place.rank);
  Deal deal(group);
  for (int to = first; to < last; ++to) {
    const int column = place.grid.column(to);
    ArcId arcs = 0;
    for (std::uint64_t v = begin; v < end; ++v) {
      ArcId count = 0;
      for (ArcId e = offsets[v]; e < offsets[v + 1]; ++e)
        count += column_of[ends[e]] == column;
      deal.put(to, count);
      arcs += count;
    }
    const auto send = [&](const auto *values) {
      char *at = deal.room(to, arcs * sizeof *values);
      for (ArcId e = offsets[begin]; e < offsets[end]; ++e)
        if (column_of[ends[e]] == column) {
          std::memcpy(at, values + e, sizeof *values);
          at += sizeof *values;
        }
    };
    send(ends);
    for (std::size_t k = 0; k < columns.size(); ++k)
      with_type(columns[k].type, [&](auto *tag) {
        send(g.template edge_column<std::remove_pointer_t<decltype(tag)>>(static_cast<int>(k)));
      });
  }
  drop();
  std::vector<Bytes> arrived = deal.exchange();

  Lists<V> lists(g.n);
  std::vector<const char *> behind_counts;
  ArcId total = 0;
  for (int from = first; from < last; ++from) {
    const char *at = arrived[static_cast<std::size_t>(from)].data();
    for (std::uint64_t v = begin_of(from); v < end_of(from); ++v) {
      lists.offsets[v] = total;
      total += take_value<ArcId>(at);
    }
    lists.offsets[end_of(from)] = total;
    behind_counts.push_back(at);
  }
  lists.offsets[g.n] = total;
  lists.ends = Array<V>(std::max<std::size_t>(total, 1));
  for (const ColumnInfo &column : columns)
    taken.push_back(allocate_column(column.type, total));
  for (int from = first; from < last; ++from) {
    const ArcId first_arc = lists.offsets[begin_of(from)], count = lists.offsets[end_of(from)] - first_arc;
    const char *at = behind_counts[static_cast<std::size_t>(from - first)];
    const auto receive = [&](auto *values) {
      std::memcpy(values + first_arc, at, count * sizeof *values);
      at += count * sizeof *values;
    };
    if (count > 0) {
      receive(lists.ends.data());
      for (std::size_t k = 0; k < columns.size(); ++k)
        with_type(columns[k].type,
                  [&](auto *tag) { receive(values_of<std::remove_pointer_t<decltype(tag)>>(taken[k])); });
    }
    arrived[static_cast<std::size_t>(from)] = {};
  }
  return lists;
}

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

/// Has the graph see the divided lists: of one side, or of both.
template <class V>
Graph<V> &show(CsrArrays<V> &arrays, Lists<V> out, std::optional<Lists<V>> in, GraphStorage &storage,
               VertexBlock rows) {
  const Graph<V> &g = arrays.view;
  arrays.divided = std::make_unique<CsrArrays<V>>();
  CsrArrays<V> &own = *arrays.divided;
  Graph<V> &divided = own.view;
  divided.n = g.n;
  divided.is_directed = g.is_directed;
  divided.edges = g.edges;
  const std::uint64_t sides = in ? 2 : 1;
  storage.part_bytes =
      8 * (g.n + 1) * sides + 8 * (rows.end - rows.begin) * sides + sizeof(V) * (out.arcs() + (in ? in->arcs() : 0));
  own.out_offsets = std::move(out.offsets);
  own.out_targets = std::move(out.ends);
  divided.out_offsets = own.out_offsets.data();
  divided.out_targets = own.out_targets.data();
  if (in) {
    own.in_offsets = std::move(in->offsets);
    own.in_sources = std::move(in->ends);
    divided.in_offsets = own.in_offsets.data();
    divided.in_sources = own.in_sources.data();
  } else if (g.in_offsets) {
    divided.in_offsets = divided.out_offsets;
    divided.in_sources = divided.out_targets;
  }
  return divided;
}

template <class V> void keep(GraphStorage &storage, const LoadOptions &options) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const Place<V> place(g, *options.group);
  const std::vector<char> column = vertices_of_column(place.partition, place.grid, place.rank);
  const bool one_side = g.in_offsets && g.in_offsets == g.out_offsets;
  std::vector<ArcId> arcs, in_arcs;
  Lists<V> out = pick(g, place.rows, g.out_offsets, g.out_targets, column, arcs);
  std::optional<Lists<V>> in;
  if (one_side)
    in_arcs = arcs;
  else if (g.in_offsets)
    in = pick(g, place.rows, g.in_offsets, g.in_sources, column, in_arcs);
  Graph<V> &divided = show(arrays, std::move(out), std::move(in), storage, place.rows);
  if (g.in_edges) {
    CsrArrays<V> &own = *arrays.divided;
    own.in_edges = Array<ArcId>(std::max<std::size_t>(in_arcs.size(), 1));
    std::iota(own.in_edges.begin(), own.in_edges.begin() + static_cast<std::ptrdiff_t>(in_arcs.size()), arcs.size());
    divided.in_edges = own.in_edges.data();
    storage.part_bytes += 8 * in_arcs.size();
    for (const ArcId k : in_arcs)
      arcs.push_back(g.in_edges[k]);
  }
  take_columns(storage, g, divided, arcs);
  if (!options.keeps_all)
    drop_lists(storage, arrays);
  g.divided = &divided;
}

template <class V> void divide(GraphStorage &storage, ProcessGroup &group) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const Place<V> place(g, group);
  std::vector<int> column_of(g.n);
  for (int process = 0; process < group.size(); ++process)
    std::fill(column_of.begin() + static_cast<std::ptrdiff_t>(place.partition.begin(process)),
              column_of.begin() + static_cast<std::ptrdiff_t>(place.partition.end(process)),
              place.grid.column(process));
  std::vector<ColumnData> columns, none;
  const bool two_sides = g.in_offsets && g.in_offsets != g.out_offsets;
  Lists<V> out = exchange(g, place, column_of, group, g.out_offsets, g.out_targets, storage.columns, columns, [&] {
    arrays.out_targets = Array<V>();
    for (ColumnData &column : storage.column_data)
      column = {};
  });
  std::optional<Lists<V>> in;
  if (two_sides)
    in = exchange(g, place, column_of, group, g.in_offsets, g.in_sources, {}, none,
                  [&] { arrays.in_sources = Array<V>(); });
  const std::size_t arcs = out.arcs();
  Graph<V> &divided = show(arrays, std::move(out), std::move(in), storage, place.rows);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    divided.columns[k] = columns[k].values;
    storage.part_bytes += width_of(storage.columns[k].type) * arcs;
  }
  storage.divided_columns = std::move(columns);
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

void divide_part(GraphStorage &storage, ProcessGroup &group) {
  if (storage.vertex_bits == 32)
    divide<std::uint32_t>(storage, group);
  else
    divide<std::uint64_t>(storage, group);
}

} // namespace gc::detail
