#include "csr_build.h"
#include "order_key.h"
#include "scan.h"
#include "symmetry.h"
#include "thread_errors.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>

#include <gcompile/omp/threads/threads.h>

namespace gc::detail {

namespace {

/// Sorts the stretch [begin, end) of targets together with the columns.
template <class V> class ListSorter {
public:
  ListSorter(Array<V> &targets, GraphStorage &storage, std::vector<ColumnData> &columns)
      : targets_(targets), storage_(storage), columns_(columns) {}

  void sort(ArcId begin, ArcId end) {
    V *list = targets_.data() + begin;
    if (columns_.empty())
      std::sort(list, targets_.data() + end);
    else if (columns_.size() == 1)
      sort_pairs(list, begin, end);
    else
      sort_indices(list, begin, end);
  }

private:
  void sort_pairs(V *list, ArcId begin, ArcId end) {
    const std::size_t size = end - begin;
    with_type(storage_.columns[0].type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      T *values = values_of<T>(columns_[0]) + begin;
      pairs_.resize(size);
      for (std::size_t i = 0; i < size; ++i)
        pairs_[i] = {list[i], order_key(values[i])};
      std::sort(pairs_.begin(), pairs_.end());
      for (std::size_t i = 0; i < size; ++i) {
        list[i] = pairs_[i].first;
        values[i] = from_order_key<T>(pairs_[i].second);
      }
    });
  }

  void sort_indices(V *list, ArcId begin, ArcId end) {
    const std::size_t size = end - begin, width = columns_.size() + 1;
    keys_.resize(size * width); // per arc: its target, then the columns
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), std::size_t(0));
    for (std::size_t i = 0; i < size; ++i)
      keys_[i * width] = list[i];
    for (std::size_t k = 1; k < width; ++k)
      with_type(storage_.columns[k - 1].type, [&](auto *tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        const T *values = values_of<T>(columns_[k - 1]) + begin;
        for (std::size_t i = 0; i < size; ++i)
          keys_[i * width + k] = order_key(values[i]);
      });
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return std::lexicographical_compare(&keys_[a * width], &keys_[a * width] + width, &keys_[b * width],
                                          &keys_[b * width] + width);
    });
    for (std::size_t i = 0; i < size; ++i)
      list[i] = static_cast<V>(keys_[order_[i] * width]);
    for (std::size_t k = 1; k < width; ++k)
      with_type(storage_.columns[k - 1].type, [&](auto *tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        T *values = values_of<T>(columns_[k - 1]) + begin;
        for (std::size_t i = 0; i < size; ++i)
          values[i] = from_order_key<T>(keys_[order_[i] * width + k]);
      });
  }

  Array<V> &targets_;
  GraphStorage &storage_;
  std::vector<ColumnData> &columns_;
  std::vector<std::pair<V, std::uint64_t>> pairs_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::size_t> order_;
};

/// Runs f(chunk) for all chunks of the source, in parallel.
template <class F> void for_chunks(const EdgeSource &source, const ReadContext &context, const char *what, const F &f) {
  const std::size_t chunks = source.chunks();
  std::size_t done = 0;
  ThreadErrors errors;
#pragma omp parallel
  {
    EdgeChunk scratch;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t i = 0; i < chunks; ++i)
      errors.guard([&] {
        f(source.chunk(i, scratch));
        std::size_t so_far;
#pragma omp atomic capture
        so_far = ++done;
        if (omp_get_thread_num() == 0)
          context.progress.update(what, static_cast<double>(so_far) / static_cast<double>(chunks));
      });
  }
  errors.raise();
}

ArcId take(ArcId *counter) { return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

/// Removes duplicates: copies the first arc of each run of equal targets into new arrays.
template <class V>
void drop_duplicates(std::uint64_t n, Array<ArcId> &offsets, Array<V> &targets, GraphStorage &storage,
                     std::vector<ColumnData> &columns) {
  Array<ArcId> kept(n + 1);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint64_t v = 0; v < n; ++v) {
    ArcId count = 0;
    for (ArcId e = offsets[v]; e < offsets[v + 1]; ++e)
      count += e == offsets[v] || targets[e] != targets[e - 1];
    kept[v] = count;
  }
  exclusive_scan(kept.data(), n);
  storage.dropped_arcs = offsets[n] - kept[n];
  if (storage.dropped_arcs == 0)
    return;
  Array<V> new_targets(kept[n]);
  std::vector<ColumnData> new_columns;
  for (const ColumnInfo &column : storage.columns)
    new_columns.push_back(allocate_column(column.type, kept[n]));
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint64_t v = 0; v < n; ++v) {
    ArcId to = kept[v];
    for (ArcId e = offsets[v]; e < offsets[v + 1]; ++e) {
      if (e != offsets[v] && targets[e] == targets[e - 1])
        continue;
      new_targets[to] = targets[e];
      for (std::size_t k = 0; k < columns.size(); ++k)
        with_type(storage.columns[k].type, [&](auto *tag) {
          using T = std::remove_pointer_t<decltype(tag)>;
          values_of<T>(new_columns[k])[to] = values_of<T>(columns[k])[e];
        });
      ++to;
    }
  }
  offsets = std::move(kept);
  targets = std::move(new_targets);
  columns = std::move(new_columns);
}

template <class V> std::int64_t count_edges(const CsrArrays<V> &arrays, std::uint64_t n, bool directed) {
  const ArcId *offsets = arrays.out_offsets.data();
  if (directed)
    return static_cast<std::int64_t>(offsets[n]);
  ArcId loops = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : loops)
  for (std::uint64_t v = 0; v < n; ++v) {
    const V *first = arrays.out_targets.data() + offsets[v], *last = arrays.out_targets.data() + offsets[v + 1];
    const auto range = std::equal_range(first, last, static_cast<V>(v));
    loops += static_cast<ArcId>(range.second - range.first);
  }
  return edges_of_arcs(offsets[n], loops, directed);
}

} // namespace

void exclusive_scan(ArcId *offsets, std::uint64_t n) {
  const int threads = omp_get_max_threads();
  std::vector<ArcId> sums(static_cast<std::size_t>(threads) + 1, 0);
  const std::uint64_t block = n / static_cast<std::uint64_t>(threads) + 1;
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const std::uint64_t begin = std::min(n, block * static_cast<std::uint64_t>(t)), end = std::min(n, begin + block);
    sums[static_cast<std::size_t>(t) + 1] = std::accumulate(offsets + begin, offsets + end, ArcId(0));
  }
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
#pragma omp parallel for schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    const std::uint64_t begin = std::min(n, block * static_cast<std::uint64_t>(t)), end = std::min(n, begin + block);
    ArcId sum = sums[static_cast<std::size_t>(t)];
    for (std::uint64_t v = begin; v < end; ++v) {
      const ArcId count = offsets[v];
      offsets[v] = sum;
      sum += count;
    }
  }
  offsets[n] = sums.back();
}

void check_degrees(const ArcId *offsets, std::uint64_t n, const VertexIds &ids) {
  std::uint64_t bad = std::numeric_limits<std::uint64_t>::max();
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (std::uint64_t v = 0; v < n; ++v)
    if (offsets[v + 1] - offsets[v] > static_cast<ArcId>(std::numeric_limits<std::int32_t>::max()))
      bad = std::min(bad, v);
  if (bad != std::numeric_limits<std::uint64_t>::max())
    throw Error(ErrorKind::input, "vertex " + ids.name(bad) + " has " +
                                      std::to_string(offsets[bad + 1] - offsets[bad]) +
                                      " arcs, more than an int can count");
}

template <class V>
void build_csr(EdgeSource &source, std::uint64_t n, const BuildOptions &options, const ReadContext &context,
               GraphStorage &storage) {
  // Counting sort: count, sum, scatter. Behind the scatter offsets[v] is the end of list v, so they move by one.
  Array<ArcId> offsets(n + 1);
#pragma omp parallel for schedule(static)
  for (std::uint64_t v = 0; v <= n; ++v)
    offsets[v] = 0;
  Array<std::uint64_t> input(options.count_input ? n : 0);
#pragma omp parallel for schedule(static)
  for (std::uint64_t v = 0; v < input.size(); ++v)
    input[v] = 0;
  std::uint64_t entries = 0;
  for_chunks(source, context, "counting degrees", [&](EdgeView edges) {
    __atomic_fetch_add(&entries, edges.size, __ATOMIC_RELAXED);
    for (std::size_t i = 0; i < edges.size; ++i) {
      const std::uint64_t u = edges.ends[2 * i], v = edges.ends[2 * i + 1];
      if (options.count_input)
        take(&input[u]);
      if (u == v && options.drop_self_loops)
        continue;
      take(&offsets[u]);
      if (options.mirror && u != v)
        take(&offsets[v]);
    }
  });
  exclusive_scan(offsets.data(), n);
  storage.num_input_edges = entries;
  storage.input_edges = std::move(input);

  const ArcId arcs = offsets[n];
  const std::size_t num_columns = storage.columns.size();
  Array<V> targets(arcs);
  std::vector<ColumnData> columns;
  for (const ColumnInfo &column : storage.columns)
    columns.push_back(allocate_column(column.type, arcs));
  for_chunks(source, context, "placing edges", [&](EdgeView edges) {
    const auto place = [&](std::uint64_t u, std::uint64_t v, const std::uint64_t *values) {
      const ArcId position = take(&offsets[u]);
      targets[position] = static_cast<V>(v);
      for (std::size_t k = 0; k < num_columns; ++k)
        store_value(columns[k], storage.columns[k].type, position, values[k]);
    };
    for (std::size_t i = 0; i < edges.size; ++i) {
      const std::uint64_t u = edges.ends[2 * i], v = edges.ends[2 * i + 1];
      if (u == v && options.drop_self_loops)
        continue;
      place(u, v, edges.values + i * num_columns);
      if (options.mirror && u != v)
        place(v, u, edges.values + i * num_columns);
    }
  });
  source.release();
  std::memmove(offsets.data() + 1, offsets.data(), n * sizeof(ArcId));
  offsets[0] = 0;

  context.progress.update("sorting the adjacency lists");
  ThreadErrors errors;
#pragma omp parallel
  {
    ListSorter<V> sorter(targets, storage, columns);
#pragma omp for schedule(dynamic, 256)
    for (std::uint64_t v = 0; v < n; ++v)
      errors.guard([&] { sorter.sort(offsets[v], offsets[v + 1]); });
  }
  errors.raise();
  if (options.drop_duplicates)
    drop_duplicates(n, offsets, targets, storage, columns);
  check_degrees(offsets.data(), n, storage.ids);

  CsrArrays<V> &arrays = storage.arrays<V>();
  arrays.out_offsets = std::move(offsets);
  arrays.out_targets = std::move(targets);
  storage.column_data = std::move(columns);
  Graph<V> &view = arrays.view;
  view.n = static_cast<V>(n);
  view.is_directed = options.directed;
  view.edges = count_edges(arrays, n, options.directed);
  view.out_offsets = arrays.out_offsets.data();
  view.out_targets = arrays.out_targets.data();
  for (std::size_t k = 0; k < num_columns; ++k)
    view.columns[k] = storage.column_data[k].values;
}

namespace {

/// in_edges of an undirected graph: the opposite arc of each arc, by search in the other end's list. The i-th of
/// several parallel arcs is opposite to the i-th.
template <class V> void build_opposite_arcs(CsrArrays<V> &arrays) {
  const Graph<V> &g = arrays.view;
  arrays.in_edges = Array<ArcId>(g.num_arcs());
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint64_t i = 0; i < g.n; ++i) {
    const V v = static_cast<V>(i);
    ArcId run = g.out_begin(v); // first arc with the same target
    for (ArcId e = g.out_begin(v); e < g.out_end(v); ++e) {
      const V u = g.target(e);
      if (g.target(run) != u)
        run = e;
      const Span<V> list = g.out_neighbors(u);
      const V *found = std::lower_bound(list.begin(), list.end(), v);
      arrays.in_edges[e] = static_cast<ArcId>(found - g.out_targets) + (e - run);
    }
  }
}

template <class V> void build_transposed(CsrArrays<V> &arrays, bool edge_ids) {
  const Graph<V> &g = arrays.view;
  const std::uint64_t n = g.n;
  const ArcId arcs = g.num_arcs();
  Array<ArcId> offsets(n + 1);
#pragma omp parallel for schedule(static)
  for (std::uint64_t v = 0; v <= n; ++v)
    offsets[v] = 0;
#pragma omp parallel for schedule(static)
  for (ArcId e = 0; e < arcs; ++e)
    take(&offsets[g.out_targets[e]]);
  exclusive_scan(offsets.data(), n);
  Array<V> sources(arcs);
  Array<ArcId> edges(edge_ids ? arcs : 0);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint64_t u = 0; u < n; ++u)
    for (ArcId e = g.out_offsets[u]; e < g.out_offsets[u + 1]; ++e) {
      const ArcId position = take(&offsets[g.out_targets[e]]);
      sources[position] = static_cast<V>(u);
      if (edge_ids)
        edges[position] = e;
    }
  std::memmove(offsets.data() + 1, offsets.data(), n * sizeof(ArcId));
  offsets[0] = 0;
  ThreadErrors errors;
#pragma omp parallel
  {
    std::vector<std::pair<ArcId, V>> pairs; // arcs ascend with their sources
#pragma omp for schedule(dynamic, 256)
    for (std::uint64_t v = 0; v < n; ++v)
      errors.guard([&] {
        const ArcId begin = offsets[v], end = offsets[v + 1];
        if (!edge_ids) {
          std::sort(sources.data() + begin, sources.data() + end);
          return;
        }
        pairs.clear();
        for (ArcId k = begin; k < end; ++k)
          pairs.emplace_back(edges[k], sources[k]);
        std::sort(pairs.begin(), pairs.end());
        for (ArcId k = begin; k < end; ++k) {
          edges[k] = pairs[k - begin].first;
          sources[k] = pairs[k - begin].second;
        }
      });
  }
  errors.raise();
  arrays.in_offsets = std::move(offsets);
  arrays.in_sources = std::move(sources);
  arrays.in_edges = std::move(edges);
}

} // namespace

template <class V> void build_in_edges(GraphStorage &storage, bool edge_ids, const ReadContext &context) {
  context.progress.update("building the in-edges");
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &view = arrays.view;
  if (!view.is_directed) {
    view.in_offsets = view.out_offsets;
    view.in_sources = view.out_targets;
    if (edge_ids)
      build_opposite_arcs(arrays);
  } else if (!view.in_offsets) { // the file has none
    build_transposed(arrays, edge_ids);
    view.in_offsets = arrays.in_offsets.data();
    view.in_sources = arrays.in_sources.data();
    check_degrees(view.in_offsets, view.n, storage.ids);
  }
  view.in_edges = edge_ids ? arrays.in_edges.data() : nullptr;
}

template void build_csr<std::uint32_t>(EdgeSource &, std::uint64_t, const BuildOptions &, const ReadContext &,
                                       GraphStorage &);
template void build_csr<std::uint64_t>(EdgeSource &, std::uint64_t, const BuildOptions &, const ReadContext &,
                                       GraphStorage &);
template void build_in_edges<std::uint32_t>(GraphStorage &, bool, const ReadContext &);
template void build_in_edges<std::uint64_t>(GraphStorage &, bool, const ReadContext &);

} // namespace gc::detail
