// How much memory a graph and the program's state will take.
#include "estimate.h"

#include "storage.h"

#include <algorithm>

namespace gc::detail {

namespace {

double column_bytes(const std::vector<ColumnInfo> &columns) {
  double bytes = 0;
  for (const ColumnInfo &column : columns)
    bytes += static_cast<double>(width_of(column.type));
  return bytes;
}

double id_bytes(const LoadOptions &options, double vertices) {
  return options.vertex_bits == 64 || vertices >= none<std::uint32_t>() ? 8 : 4;
}

} // namespace

double in_array_bytes(const LoadOptions &options, const GraphSize &size) {
  double bytes = 0;
  if (size.directed && (options.in_edges || options.in_edge_ids))
    bytes += 8 * (size.vertices + 1) + size.arcs * id_bytes(options, size.vertices);
  if (options.in_edge_ids)
    bytes += 8 * size.arcs;
  return bytes;
}

MemoryNeeds memory_needs(const LoadOptions &options, const std::vector<ColumnInfo> &columns, const GraphSize &size,
                         Arrival arrival, int processes) {
  const double n = size.vertices, share = std::max(processes, 1), id = id_bytes(options, n),
               values = column_bytes(columns);
  const GraphSize part{n, options.keeps_all ? size.arcs : size.arcs / share, size.directed};
  MemoryNeeds needs;
  // Columns stay whole where the arcs into own vertices lead to those of others.
  needs.graph = 8 * (n + 1) + part.arcs * id + (options.in_edge_ids ? size.arcs : part.arcs) * values +
                in_array_bytes(options, part);
  needs.state =
      n * options.bytes_per_vertex + part.arcs * options.bytes_per_edge + n * n / share * options.bytes_per_pair;
  if (arrival == Arrival::repeating_edges)
    needs.loading += size.arcs * (id + values);
  // An edge as it is read, or its arcs as they arrive and in lists; and how many edges start at a vertex.
  if (arrival == Arrival::part_of_edges)
    needs.loading += part.arcs * (std::max(16.0, 3 * id) + 8 * static_cast<double>(columns.size()) + values) +
                     (options.count_input ? part.arcs * id + 8 * n : 0);
  else if (processes > 1 && arrival != Arrival::part_of_arrays)
    needs.loading += 8 * (n + 1) + size.arcs * (id + values) + in_array_bytes(options, size);
  needs.results = n * n * (1 - 1 / share) * options.bytes_per_resulting_pair;
  if (options.bytes_per_resulting_edge > 0) // which has its ends, so that rank 0 keeps all arcs
    needs.results += (size.arcs - part.arcs) * (options.bytes_per_resulting_edge + id);
  if (processes > 0) {
    const double ends = part.arcs * (size.directed && options.in_edges ? 2 : 1), copies = std::min(n - n / share, ends);
    // A copy is in one list here and in one at its owner, and so are its messages, of a vertex with 8 bytes.
    needs.sharing = 2 * n + copies * (2 * id + 2 * (id + 8));
    if (options.passes_messages) // two lists and two messages more
      needs.sharing += copies * (2 * id + 2 * 8);
    // They may have all arcs that the process has not.
    const GraphSize others{n, size.arcs - part.arcs, size.directed};
    if (options.out_of_copies || (options.into_copies && !size.directed))
      needs.sharing += others.arcs * (id + (options.in_edge_ids ? 0 : values));
    if (options.out_of_copies || options.in_edge_ids)
      needs.sharing += others.arcs * options.bytes_per_edge;
    if (options.into_copies)
      needs.sharing += in_array_bytes(options, others) - in_array_bytes(options, {n, 0, size.directed});
  }
  return needs;
}

} // namespace gc::detail
