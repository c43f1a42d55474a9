#include "graph_part.h"

#include "csr_build.h"
#include "csr_check.h"

#include <algorithm>

#include <sys/mman.h>

namespace gc::detail {

namespace {

/// Copies elements [begin, end) of an array to the same places of one whose other elements take no memory: huge pages
/// lie inside of this part.
template <class T> void copy_part(T *to, const T *from, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uintptr_t huge = std::uintptr_t(1) << 21;
  const auto first = (reinterpret_cast<std::uintptr_t>(to + begin) + huge - 1) / huge * huge;
  const auto last = reinterpret_cast<std::uintptr_t>(to + end) / huge * huge;
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
  std::copy(from + begin, from + end, to + begin);
}

/// The same of an array that is seen now, if there is one.
template <class T>
void take(const T *&seen, Array<T> &own, std::uint64_t count, std::uint64_t begin, std::uint64_t end) {
  if (!seen)
    return;
  Array<T> part = Array<T>::zeros(count);
  copy_part(part.data(), seen, begin, end);
  own = std::move(part);
  seen = own.data();
}

/// Finds the arcs into own vertices among those of the file, all of which it reads once more: their pages leave when
/// they have been read.
template <class V> void find_in_arcs(GraphStorage &storage, VertexBlock block) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const auto for_arcs = [&](const auto &f) {
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
  };
  Array<ArcId> offsets = Array<ArcId>::zeros(std::uint64_t(g.n) + 1);
  for_arcs([&](V, V v) { ++offsets[v]; });
  exclusive_scan(offsets.data(), g.n);
  arrays.in_sources = Array<V>::zeros(g.num_arcs());
  std::vector<ArcId> at(offsets.begin() + block.begin, offsets.begin() + block.end);
  for_arcs([&](V u, V v) {
    if (v >= block.begin && v < block.end)
      arrays.in_sources[at[v - block.begin]++] = u; // sources ascend
  });
  check_degrees(offsets.data(), g.n, storage.ids);
  arrays.in_offsets = std::move(offsets);
  g.in_offsets = arrays.in_offsets.data();
  g.in_sources = arrays.in_sources.data();
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
  const ArcId first = g.in_edges ? 0 : g.out_offsets[block.begin], last = g.in_edges ? arcs : g.out_offsets[block.end];
  if (mapped || !g.in_edges)
    for (std::size_t k = 0; k < storage.columns.size(); ++k) {
      with_type(storage.columns[k].type, [&](auto *tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        ColumnData part;
        part.words = Array<std::uint64_t>::zeros((arcs * sizeof(T) + 7) / 8);
        copy_part(values_of<T>(part), g.template edge_column<T>(static_cast<int>(k)), first, last);
        part.values = part.words.data();
        storage.column_data[k] = std::move(part);
      });
      g.columns[k] = storage.column_data[k].values;
    }
  std::fill(g.columns + storage.columns.size(), g.columns + Graph<V>::max_columns, nullptr);
  storage.column_data.resize(storage.columns.size());
  take(g.out_targets, arrays.out_targets, arcs, g.out_offsets[block.begin], g.out_offsets[block.end]);
  storage.part_bytes = 8 * (n + 1) + sizeof(V) * (g.out_offsets[block.end] - g.out_offsets[block.begin]);
  for (const ColumnInfo &column : storage.columns)
    storage.part_bytes += width_of(column.type) * (last - first);
  if (g.in_offsets && !one_side)
    storage.part_bytes += 8 * (n + 1) + (sizeof(V) + (g.in_edges ? sizeof *g.in_edges : 0)) *
                                            (g.in_offsets[block.end] - g.in_offsets[block.begin]);
  if (one_side) {
    g.in_sources = g.out_targets;
  } else if (g.in_offsets && !finds_in_arcs) {
    const std::uint64_t begin = g.in_offsets[block.begin], end = g.in_offsets[block.end];
    take(g.in_sources, arrays.in_sources, arcs, begin, end);
    if (g.in_edges)
      take(g.in_edges, arrays.in_edges, arcs, begin, end);
    if (mapped)
      take(g.in_offsets, arrays.in_offsets, n + 1, 0, n + 1);
  }
  if (mapped)
    take(g.out_offsets, arrays.out_offsets, n + 1, 0, n + 1);
  if (one_side)
    g.in_offsets = g.out_offsets;
  storage.mapping.drop();
  storage.in_part = true;
}

} // namespace

bool reads_by_parts(const LoadOptions &options) {
  return options.group && options.weights.empty() && !options.renumbers() && !options.neighbors_by_degree &&
         !options.in_edge_ids && !options.packed;
}

void keep_part(GraphStorage &storage, const LoadOptions &options) {
  if (storage.vertex_bits == 32)
    keep<std::uint32_t>(storage, options);
  else
    keep<std::uint64_t>(storage, options);
}

} // namespace gc::detail
