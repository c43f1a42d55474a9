#include "path_sums.h"

#include "csr_check.h"
#include "storage.h"

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

/// Whether an arc out of these vertices shows it.
template <class V, class A, class T>
bool is_shown_at(VertexBlock vertices, const Graph<V, A> &graph, const T *sums, const T *weights, Along along) {
  for (V u = static_cast<V>(vertices.begin); u < vertices.end; ++u)
    for (const auto [v, e] : out_arcs(graph, u)) {
      if (along != Along::in && sums[v] == inf<T>() && reaches_inf(sums[u], weights[e]))
        return true;
      if (along != Along::out && sums[u] == inf<T>() && reaches_inf(sums[v], weights[e]))
        return true;
    }
  return false;
}

/// Brings the greatest values of all processes of a group together.
template <class T> void agree(ProcessGroup *group, T &furthest, T &heaviest, bool &all_reached) {
  if (!group)
    return;
  const std::vector<std::uint64_t> all =
      group->all({static_cast<std::uint64_t>(furthest), static_cast<std::uint64_t>(heaviest), all_reached});
  for (std::size_t i = 0; i < all.size(); i += 3) {
    furthest = std::max(furthest, static_cast<T>(all[i]));
    heaviest = std::max(heaviest, static_cast<T>(all[i + 1]));
    all_reached = all_reached && all[i + 2] != 0;
  }
}

template <class V, class A, class T>
bool is_saturated(const Graph<V, A> &graph, const T *sums, const T *weights, Along along, ProcessGroup *group) {
  VertexBlock own{0, graph.num_vertices()};
  if constexpr (std::is_same<A, Plain>::value)
    own = block_of(graph, group);
  const auto [lists, rows] = own_lists(graph, group);
  // Without a sum and a weight that are great enough there is nothing to look for.
  T furthest = std::numeric_limits<T>::lowest(), heaviest = 0;
  bool all_reached = true;
  for (std::size_t v = own.begin; v < own.end; ++v) {
    all_reached &= sums[v] != inf<T>();
    furthest = std::max(furthest, sums[v] == inf<T>() ? furthest : sums[v]);
  }
  if (all_reached && !group)
    return false;
  for (V u = static_cast<V>(rows.begin); u < rows.end; ++u)
    for (const auto [v, e] : out_arcs(lists, u))
      heaviest = std::max(heaviest, weights[e] == inf<T>() ? heaviest : weights[e]);
  agree(group, furthest, heaviest, all_reached);
  if (all_reached || !reaches_inf(furthest, heaviest))
    return false;
  if (!group)
    return is_shown_at(own, graph, sums, weights, along);
  const std::vector<std::uint64_t> all = group->all({sums + own.begin, sums + own.end}); // blocks are in order
  const std::vector<T> everywhere(all.begin(), all.end());
  return group->greatest(is_shown_at(rows, lists, everywhere.data(), weights, along)) != 0;
}

template <class T, class V, class A>
bool is_saturated(const ProgramInfo &info, const Graph<V, A> &graph, const OutputView &output, const PathSums &sums,
                  ProcessGroup *group) {
  const auto column = std::find_if(info.edge_columns.begin(), info.edge_columns.end(),
                                   [&](const ColumnInfo &known) { return known.name == sums.column; });
  return is_saturated(
      graph, static_cast<const T *>(output.data),
      own_lists(graph, group).lists.template edge_column<T>(static_cast<int>(column - info.edge_columns.begin())),
      sums.along, group);
}

} // namespace

template <class V, class A>
std::string saturation_warning(const ProgramInfo &info, const Graph<V, A> &graph,
                               const std::vector<OutputView> &outputs, ProcessGroup *group) {
  for (const PathSums &sums : info.path_sums)
    for (const OutputView &output : outputs) {
      if (output.name != sums.output)
        continue;
      const bool narrow = output.storage == Storage::int32;
      if (narrow ? is_saturated<std::int32_t>(info, graph, output, sums, group)
                 : is_saturated<std::int64_t>(info, graph, output, sums, group))
        return "warning: " + sums.place + ": a sum of finite " + (narrow ? "ints" : "longs") + " reached inf: '" +
               output.name + "' is inf for vertices that can be reached; use " + (narrow ? "long" : "double");
    }
  return "";
}

/// The first vertex of a block whose element of the diagonal is negative; n if there is none.
template <class T> std::uint64_t negative_of_diagonal(const void *values, VertexBlock block, std::uint64_t n) {
  const T *const pairs = static_cast<const T *>(values);
  std::uint64_t v = block.begin;
  while (v < block.end && !(pairs[v * n + v] < 0))
    ++v;
  return v < block.end ? v : n;
}

std::string negative_cycle_warning(const ProgramInfo &info, const LoadedGraph &graph,
                                   const std::vector<OutputView> &outputs, ProcessGroup *group) {
  const std::uint64_t n = graph.num_vertices();
  const VertexBlock own = own_block(graph, group);
  for (const ClosedSums &sums : info.closed_sums)
    for (const OutputView &output : outputs) {
      if (output.name != sums.output || output.count != n * n)
        continue;
      std::uint64_t v = output.storage == Storage::int32     ? negative_of_diagonal<std::int32_t>(output.data, own, n)
                        : output.storage == Storage::int64   ? negative_of_diagonal<std::int64_t>(output.data, own, n)
                        : output.storage == Storage::float32 ? negative_of_diagonal<float>(output.data, own, n)
                                                             : negative_of_diagonal<double>(output.data, own, n);
      if (group) {
        const std::vector<std::uint64_t> all = group->all({v});
        v = *std::min_element(all.begin(), all.end());
      }
      if (v < n)
        return "warning: " + sums.place + ": a cycle of negative length goes through vertex " + graph.ids().name(v) +
               ": '" + output.name + "' is no distance between vertices that it joins";
    }
  return "";
}

template std::string saturation_warning(const ProgramInfo &, const Graph<std::uint32_t> &,
                                        const std::vector<OutputView> &, ProcessGroup *);
template std::string saturation_warning(const ProgramInfo &, const Graph<std::uint64_t> &,
                                        const std::vector<OutputView> &, ProcessGroup *);
template std::string saturation_warning(const ProgramInfo &, const PackedGraph<std::uint32_t> &,
                                        const std::vector<OutputView> &, ProcessGroup *);
template std::string saturation_warning(const ProgramInfo &, const PackedGraph<std::uint64_t> &,
                                        const std::vector<OutputView> &, ProcessGroup *);

} // namespace gc::detail
