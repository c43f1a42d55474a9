#include "graph_part.h"

#include "csr_build.h"
#include "csr_check.h"
#include "divided_part.h"

#include <algorithm>

namespace gc::detail {

namespace {

/// The vertices at whose arcs a process keeps: a block of its own, and some of the others.
struct KeptRows {
  VertexBlock block;
  std::vector<char> others{}; ///< of each vertex whether it is one of these; empty: none are

  /// Calls f(begin, end) for parts of an array with an element for each arc, which begin at these offsets.
  template <class F> void for_parts(const ArcId *offsets, const F &f) const {
    f(offsets[block.begin], offsets[block.end]);
    for (std::uint64_t v = 0; v < others.size(); ++v)
      if (others[v])
        f(offsets[v], offsets[v + 1]);
  }
  std::uint64_t arcs(const ArcId *offsets) const {
    std::uint64_t count = 0;
    for_parts(offsets, [&](ArcId begin, ArcId end) { count += end - begin; });
    return count;
  }
};

/// An array that is seen now, if there is one, of which parts come to have memory of their own.
template <class T, class Parts> void take(const T *&seen, Array<T> &own, std::uint64_t count, const Parts &for_parts) {
  if (!seen)
    return;
  Array<T> part = Array<T>::zeros(count);
  for_parts([&](std::uint64_t begin, std::uint64_t end) { copy_part(part.data(), seen, begin, end); });
  own = std::move(part);
  seen = own.data();
}
template <class T> void take_all(const T *&seen, Array<T> &own, std::uint64_t count) {
  take(seen, own, count, [&](const auto &f) { f(0, count); });
}

/// Calls f for the ends of all arcs of a file, which it reads once more: their pages leave when they have been read.
template <class V, class F> void for_mapped_arcs(GraphStorage &storage, const Graph<V> &g, const F &f) {
  constexpr std::uint64_t together = std::uint64_t(1) << 20; // arcs whose pages leave at once
  ArcId left = 0;
  for (V u = 0; u < g.n; ++u) {
    for (ArcId e = g.out_offsets[u]; e < g.out_offsets[u + 1]; ++e)
      f(u, g.out_targets[e]);
    if (g.out_offsets[u + 1] - left >= together || u + 1 == g.n) {
      storage.mapping.forget(g.out_targets + left, g.out_targets + g.out_offsets[u + 1]);
      left = g.out_offsets[u + 1];
    }
  }
}

/// Finds where the arcs into each vertex would be, and those into own ones, among those of the file.
template <class V> void find_in_arcs(GraphStorage &storage, VertexBlock block) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  Array<ArcId> offsets = Array<ArcId>::zeros(std::uint64_t(g.n) + 1);
  for_mapped_arcs(storage, g, [&](V, V v) { ++offsets[v]; });
  exclusive_scan(offsets.data(), g.n);
  arrays.in_sources = Array<V>::zeros(g.num_arcs());
  std::vector<ArcId> at(offsets.begin() + block.begin, offsets.begin() + block.end);
  for_mapped_arcs(storage, g, [&](V u, V v) {
    if (v >= block.begin && v < block.end)
      arrays.in_sources[at[v - block.begin]++] = u; // sources ascend
  });
  check_degrees(offsets.data(), g.n, storage.ids);
  arrays.in_offsets = std::move(offsets);
  g.in_offsets = arrays.in_offsets.data();
  g.in_sources = arrays.in_sources.data();
}
/// The same of those into others.
template <class V> void find_in_arcs_of(GraphStorage &storage, const std::vector<char> &others) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  std::vector<ArcId> at(arrays.in_offsets.begin(), arrays.in_offsets.end());
  for_mapped_arcs(storage, arrays.view, [&](V u, V v) {
    if (others[v])
      arrays.in_sources[at[v]++] = u;
  });
}

/// Of each vertex, whether it is another one's at the other end of an arc at a vertex of the block.
template <class V> std::vector<char> copies_of(const Graph<V> &g, VertexBlock block) {
  std::vector<char> copies(g.n, 0);
  for (std::uint64_t v = block.begin; v < block.end; ++v) {
    for (const V u : g.out_neighbors(static_cast<V>(v)))
      copies[u] = 1;
    if (g.in_offsets)
      for (const V u : g.in_neighbors(static_cast<V>(v)))
        copies[u] = 1;
  }
  std::fill(copies.begin() + static_cast<std::ptrdiff_t>(block.begin),
            copies.begin() + static_cast<std::ptrdiff_t>(block.end), 0);
  return copies;
}

template <class V> void keep(GraphStorage &storage, const LoadOptions &options) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const bool mapped = storage.mapping.size() > 0;
  if (options.keeps_all && !mapped)
    return;
  const std::uint64_t n = g.n, arcs = g.num_arcs();
  const VertexBlock block = options.keeps_all ? VertexBlock{0, n} : options.group->block(g);
  const bool one_side = g.in_offsets && g.in_offsets == g.out_offsets;
  const bool finds_in_arcs = mapped && options.in_edges && g.is_directed && !g.in_offsets;
  if (finds_in_arcs)
    find_in_arcs<V>(storage, block);
  KeptRows out{block}, in{block};
  if (options.out_of_copies || (options.into_copies && one_side))
    out.others = copies_of(g, block);
  if (options.into_copies && !one_side)
    in.others = options.out_of_copies ? out.others : copies_of(g, block);
  if (finds_in_arcs && !in.others.empty())
    find_in_arcs_of<V>(storage, in.others);
  const auto for_out = [&](const auto &f) { out.for_parts(g.out_offsets, f); };
  const auto for_in = [&](const auto &f) { in.for_parts(g.in_offsets, f); };
  const auto for_columns = [&](const auto &f) { g.in_edges ? f(0, arcs) : for_out(f); };
  const std::uint64_t out_arcs = out.arcs(g.out_offsets);
  if (mapped || !g.in_edges)
    for (std::size_t k = 0; k < storage.columns.size(); ++k) {
      with_type(storage.columns[k].type, [&](auto *tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        ColumnData part = zero_column(storage.columns[k].type, arcs);
        for_columns([&](std::uint64_t begin, std::uint64_t end) {
          copy_part(values_of<T>(part), g.template edge_column<T>(static_cast<int>(k)), begin, end);
        });
        storage.column_data[k] = std::move(part);
      });
      g.columns[k] = storage.column_data[k].values;
    }
  std::fill(g.columns + storage.columns.size(), g.columns + Graph<V>::max_columns, nullptr);
  storage.column_data.resize(storage.columns.size());
  take(g.out_targets, arrays.out_targets, arcs, for_out);
  storage.part_bytes = 8 * (n + 1) + sizeof(V) * out_arcs;
  for (const ColumnInfo &column : storage.columns)
    storage.part_bytes += width_of(column.type) * (g.in_edges ? arcs : out_arcs);
  if (g.in_offsets && !one_side)
    storage.part_bytes += 8 * (n + 1) + (sizeof(V) + (g.in_edges ? sizeof *g.in_edges : 0)) * in.arcs(g.in_offsets);
  if (one_side) {
    g.in_sources = g.out_targets;
  } else if (g.in_offsets && !finds_in_arcs) {
    take(g.in_sources, arrays.in_sources, arcs, for_in);
    if (g.in_edges)
      take(g.in_edges, arrays.in_edges, arcs, for_in);
    if (mapped)
      take_all(g.in_offsets, arrays.in_offsets, n + 1);
  }
  if (mapped)
    take_all(g.out_offsets, arrays.out_offsets, n + 1);
  if (one_side)
    g.in_offsets = g.out_offsets;
  storage.mapping.drop();
  storage.in_part = true;
}

} // namespace

bool may_part(const LoadOptions &options) {
  // Weights are made of the arcs at own vertices.
  const bool makes_weights = options.weights.empty() || !(options.out_of_copies || options.into_copies);
  return options.group && makes_weights && !options.renumbers() && !options.neighbors_by_degree &&
         !options.in_edge_ids && !options.packed;
}
bool reads_by_parts(const LoadOptions &options) { return may_part(options) && !options.divides_lists; }

void keep_part(GraphStorage &storage, const LoadOptions &options) {
  if (options.divides_lists && options.group->grid().divided()) {
    keep_divided(storage, options);
    if (!options.keeps_all)
      return;
  }
  if (storage.vertex_bits == 32)
    keep<std::uint32_t>(storage, options);
  else
    keep<std::uint64_t>(storage, options);
}

} // namespace gc::detail
