// How much memory a graph and the program's state will take.
#include "estimate.h"

#include "storage.h"

namespace gc::detail {

namespace {

double column_bytes(const std::vector<ColumnInfo> &columns) {
  double bytes = 0;
  for (const ColumnInfo &column : columns)
    bytes += static_cast<double>(width_of(column.type));
  return bytes;
}

} // namespace

double estimate(const LoadOptions &options, const std::vector<ColumnInfo> &columns, double n, double arcs,
                bool directed, bool drops_duplicates) {
  const double id = options.vertex_bits == 64 || n >= none<std::uint32_t>() ? 8 : 4;
  const double arc = id + column_bytes(columns);
  double bytes = 8 * n + arcs * arc * (drops_duplicates ? 2 : 1);
  if (directed && (options.in_edges || options.in_edge_ids))
    bytes += 8 * n + arcs * id;
  if (options.in_edge_ids)
    bytes += 8 * arcs;
  return bytes + n * options.bytes_per_vertex + arcs * options.bytes_per_edge + n * n * options.bytes_per_pair;
}

} // namespace gc::detail
