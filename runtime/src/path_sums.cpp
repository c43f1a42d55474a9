#include "path_sums.h"

#include <gcompile/core/adjacency.h>
#include <gcompile/core/numeric.h>
#include <gcompile/core/packed_graph.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gc::detail {

namespace {

template <class T> bool reaches_inf(T sum, T weight) {
  T result = 0;
  return sum != inf<T>() && weight != inf<T>() &&
         ((__builtin_add_overflow(sum, weight, &result) && weight > 0) || result == inf<T>());
}

template <class V, class A, class T>
bool is_saturated(const Graph<V, A> &graph, const T *sums, const T *weights, Along along) {
  const std::size_t n = graph.num_vertices();
  // Without a sum and a weight that are great enough there is nothing to look for.
  T furthest = std::numeric_limits<T>::lowest(), heaviest = 0;
  bool all_reached = true;
  for (std::size_t v = 0; v < n; ++v) {
    all_reached &= sums[v] != inf<T>();
    furthest = std::max(furthest, sums[v] == inf<T>() ? furthest : sums[v]);
  }
  if (all_reached)
    return false;
  for (ArcId e = 0; e < graph.num_arcs(); ++e)
    heaviest = std::max(heaviest, weights[e] == inf<T>() ? heaviest : weights[e]);
  if (!reaches_inf(furthest, heaviest))
    return false;
  for (V u = 0; u < graph.num_vertices(); ++u)
    for (const auto [v, e] : out_arcs(graph, u)) {
      if (along != Along::in && sums[v] == inf<T>() && reaches_inf(sums[u], weights[e]))
        return true;
      if (along != Along::out && sums[u] == inf<T>() && reaches_inf(sums[v], weights[e]))
        return true;
    }
  return false;
}

template <class T, class V, class A>
bool is_saturated(const ProgramInfo &info, const Graph<V, A> &graph, const OutputView &output, const PathSums &sums) {
  const auto column = std::find_if(info.edge_columns.begin(), info.edge_columns.end(),
                                   [&](const ColumnInfo &known) { return known.name == sums.column; });
  return is_saturated(graph, static_cast<const T *>(output.data),
                      graph.template edge_column<T>(static_cast<int>(column - info.edge_columns.begin())), sums.along);
}

} // namespace

template <class V, class A>
std::string saturation_warning(const ProgramInfo &info, const Graph<V, A> &graph,
                               const std::vector<OutputView> &outputs) {
  for (const PathSums &sums : info.path_sums)
    for (const OutputView &output : outputs) {
      if (output.name != sums.output)
        continue;
      const bool narrow = output.storage == Storage::int32;
      if (narrow ? is_saturated<std::int32_t>(info, graph, output, sums)
                 : is_saturated<std::int64_t>(info, graph, output, sums))
        return "warning: " + sums.place + ": a sum of finite " + (narrow ? "ints" : "longs") + " reached inf: '" +
               output.name + "' is inf for vertices that can be reached; use " + (narrow ? "long" : "double");
    }
  return "";
}

template std::string saturation_warning(const ProgramInfo &, const Graph<std::uint32_t> &,
                                        const std::vector<OutputView> &);
template std::string saturation_warning(const ProgramInfo &, const Graph<std::uint64_t> &,
                                        const std::vector<OutputView> &);
template std::string saturation_warning(const ProgramInfo &, const PackedGraph<std::uint32_t> &,
                                        const std::vector<OutputView> &);
template std::string saturation_warning(const ProgramInfo &, const PackedGraph<std::uint64_t> &,
                                        const std::vector<OutputView> &);

} // namespace gc::detail
