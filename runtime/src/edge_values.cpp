#include "edge_values.h"

#include "generate.h"
#include "scan.h"

#include <gcompile/core/adjacency.h>

#include <algorithm>
#include <string>
#include <type_traits>

namespace gc::detail {

/// The vertices whose arcs this process has the values of.
template <class V> static VertexBlock rows_of(GraphStorage &storage, const LoadOptions &options) {
  const Graph<V> &g = storage.arrays<V>().view;
  return storage.in_part && !options.keeps_all ? options.group->block(g) : VertexBlock{0, g.n};
}

template <class V> void add_weights(GraphStorage &storage, const LoadOptions &options) {
  const VertexBlock rows = rows_of<V>(storage, options);
  storage.columns = options.columns;
  fill_weights<V>(storage, rows, parse_weights(options.weights, options.columns, options.nonnegative),
                  options.weights_seed);
  const ArcId *const offsets = storage.arrays<V>().view.out_offsets;
  for (const ColumnInfo &column : storage.columns)
    storage.part_bytes += width_of(column.type) * (offsets[rows.end] - offsets[rows.begin]);
}

template <class V>
void check_values(const std::string &name, GraphStorage &storage, const LoadOptions &options, std::size_t k) {
  const Graph<V> &g = storage.arrays<V>().view;
  with_type(storage.columns[k].type, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    const T *values = g.template edge_column<T>(static_cast<int>(k));
    const VertexBlock rows = rows_of<V>(storage, options);
    const bool all = rows.end - rows.begin == g.n; // of packed lists, too
    const ArcId begin = all ? 0 : g.out_offsets[rows.begin], end = all ? storage.num_arcs() : g.out_offsets[rows.end];
    ArcId bad = none<ArcId>();
#pragma omp parallel for schedule(static) reduction(min : bad)
    for (ArcId e = begin; e < end; ++e)
      if (!(values[e] >= 0)) // or not a number
        bad = std::min(bad, e);
    if (bad == none<ArcId>())
      return;
    const std::uint64_t from = g.packed ? source(PackedGraph<V>(g), bad) : source(g, bad);
    const std::uint64_t to = g.packed ? PackedGraph<V>(g).target(bad) : g.target(bad);
    const bool negative = values[bad] < 0;
    std::string what = storage.columns[k].name;
    if (negative)
      what += " " + (std::is_floating_point<T>::value ? number_text(static_cast<double>(values[bad]))
                                                      : std::to_string(values[bad]));
    fail_file(name, what + " of edge " + storage.ids.name(from) + " " + storage.ids.name(to) +
                        (negative ? " is negative" : " is not a number (nan)") + ", which the program does not allow");
  });
}

template void add_weights<std::uint32_t>(GraphStorage &, const LoadOptions &);
template void add_weights<std::uint64_t>(GraphStorage &, const LoadOptions &);
template void check_values<std::uint32_t>(const std::string &, GraphStorage &, const LoadOptions &, std::size_t);
template void check_values<std::uint64_t>(const std::string &, GraphStorage &, const LoadOptions &, std::size_t);

} // namespace gc::detail
