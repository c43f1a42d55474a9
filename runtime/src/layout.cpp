#include "layout.h"

#include "csr_build.h"

#include <algorithm>
#include <numeric>

namespace gc::detail {

namespace {

/// The vertices by descending out-degree, of equal degree in their order: a counting sort.
template <class V> std::vector<std::uint64_t> by_degree(const Graph<V> &g) {
  const std::uint64_t n = g.n;
  std::uint64_t greatest = 0;
#pragma omp parallel for schedule(static) reduction(max : greatest)
  for (std::uint64_t v = 0; v < n; ++v)
    greatest = std::max<std::uint64_t>(greatest, g.out_end(static_cast<V>(v)) - g.out_begin(static_cast<V>(v)));
  auto key = [&](std::uint64_t v) {
    return greatest - (g.out_end(static_cast<V>(v)) - g.out_begin(static_cast<V>(v)));
  };
  std::vector<std::uint64_t> starts(greatest + 2, 0), order(n);
  for (std::uint64_t v = 0; v < n; ++v)
    ++starts[key(v) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  for (std::uint64_t v = 0; v < n; ++v)
    order[starts[key(v)]++] = v;
  return order;
}

/// `values` of the arcs in their new order.
template <class T> void move_values(const T *values, T *out, const Array<EdgeId> &from) {
  const EdgeId arcs = from.size();
#pragma omp parallel for schedule(static)
  for (EdgeId e = 0; e < arcs; ++e)
    out[e] = values[from[e]];
}

} // namespace

template <class V> void order_by_degree(GraphStorage &storage, const ReadContext &context) {
  context.progress.update("ordering the vertices by degree");
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const std::uint64_t n = g.n;
  const EdgeId arcs = g.num_arcs();
  context.budget.require(static_cast<double>(8 * (4 * n + 1) + (sizeof(V) + 8 + 8 * storage.columns.size()) * arcs),
                         "ordering the vertices by degree");
  std::vector<std::uint64_t> order = by_degree(g);
  std::vector<V> place(n);
  for (std::uint64_t v = 0; v < n; ++v)
    place[order[v]] = static_cast<V>(v);

  Array<EdgeId> offsets(n + 1);
#pragma omp parallel for schedule(static)
  for (std::uint64_t v = 0; v < n; ++v)
    offsets[v] = g.out_end(static_cast<V>(order[v])) - g.out_begin(static_cast<V>(order[v]));
  exclusive_scan(offsets.data(), n);
  Array<V> targets(arcs);
  Array<EdgeId> from(arcs); // where each arc was
#pragma omp parallel
  {
    std::vector<std::pair<V, EdgeId>> list;
#pragma omp for schedule(dynamic, 256)
    for (std::uint64_t v = 0; v < n; ++v) {
      const V old = static_cast<V>(order[v]);
      list.clear();
      for (EdgeId e = g.out_begin(old); e < g.out_end(old); ++e)
        list.emplace_back(place[g.target(e)], e);
      std::sort(list.begin(), list.end()); // parallel arcs stay in their order
      EdgeId at = offsets[v];
      for (const auto &[target, e] : list) {
        targets[at] = target;
        from[at++] = e;
      }
    }
  }
  storage.column_data.resize(storage.columns.size());
  for (std::size_t k = 0; k < storage.columns.size(); ++k)
    with_type(storage.columns[k].type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      ColumnData data = allocate_column(storage.columns[k].type, arcs);
      move_values(g.template edge_column<T>(static_cast<int>(k)), reinterpret_cast<T *>(data.words.data()), from);
      storage.column_data[k] = std::move(data);
      g.columns[k] = storage.column_data[k].values;
    });
  arrays.out_offsets = std::move(offsets);
  arrays.out_targets = std::move(targets);
  g.out_offsets = arrays.out_offsets.data();
  g.out_targets = arrays.out_targets.data();
  storage.ids.reorder(std::move(order));
}

template void order_by_degree<std::uint32_t>(GraphStorage &, const ReadContext &);
template void order_by_degree<std::uint64_t>(GraphStorage &, const ReadContext &);

} // namespace gc::detail
