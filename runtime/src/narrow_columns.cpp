// Columns that are read as real numbers, and are whole numbers.
#include "edges.h"
#include "scan.h"

#include <cmath>

namespace gc::detail {

bool is_whole(double value) {
  return value > -9e15 && value < 9e15 && value == std::trunc(value) &&
         !(value == 0 && std::signbit(value)); // an integer has no -0
}

void narrow_columns(RawGraph &graph) {
  const std::size_t columns = graph.columns.size();
  for (std::size_t k = 0; k < columns; ++k) {
    bool whole = true, narrow = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : whole, narrow)
    for (std::size_t i = 0; i < graph.chunks.size(); ++i)
      for (std::size_t e = k; e < graph.chunks[i].values.size(); e += columns) {
        const double value = real_of(graph.chunks[i].values[e]);
        whole = whole && is_whole(value);
        narrow = narrow && value >= INT32_MIN && value <= INT32_MAX;
      }
    if (!whole)
      continue;
    graph.columns[k].type = narrow ? ColumnType::int32 : ColumnType::int64;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < graph.chunks.size(); ++i)
      for (std::size_t e = k; e < graph.chunks[i].values.size(); e += columns) {
        std::uint64_t &bits = graph.chunks[i].values[e];
        bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(real_of(bits)));
      }
  }
}

} // namespace gc::detail
