#include "division.h"

#include "storage.h"

#include <gcompile/core/partition.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

namespace gc::detail {

namespace {

/// What a part brings to the whole: its work, its arcs, those of them that are cut, and its copies.
template <class V> std::vector<std::uint64_t> counts_of(const Graph<V> &graph, VertexBlock block) {
  std::vector<bool> copied(graph.num_vertices(), false);
  std::uint64_t copies = 0;
  const auto meet = [&](V v) {
    if (v >= block.begin && v < block.end)
      return false;
    copies += !copied[v];
    copied[v] = true;
    return true;
  };
  std::uint64_t arcs = 0, cut = 0;
  for (std::uint64_t v = block.begin; v < block.end; ++v) {
    for (const V u : graph.out_neighbors(static_cast<V>(v))) {
      ++arcs;
      cut += meet(u);
    }
    if (graph.in_offsets && graph.in_offsets != graph.out_offsets)
      for (const V u : graph.in_neighbors(static_cast<V>(v)))
        meet(u);
  }
  return {block.end - block.begin + arcs, arcs, cut, copies};
}

/// What the counts of all parts, one after the other, say of the whole.
Division summed(const std::string &by, int parts, const std::vector<std::uint64_t> &counts) {
  Division division;
  division.by = by.empty() ? "blocks" : by;
  division.parts = parts;
  std::uint64_t work = 0, most = 0;
  for (std::size_t i = 0; i < counts.size(); i += 4) {
    work += counts[i];
    most = std::max(most, counts[i]);
    division.arcs += counts[i + 1];
    division.cut_arcs += counts[i + 2];
    division.copies += counts[i + 3];
  }
  if (work > 0)
    division.balance = static_cast<double>(most) * parts / static_cast<double>(work);
  return division;
}

template <class V> Division of_all(const std::string &by, const LoadedGraph &loaded, int parts) {
  const Graph<V> &graph = loaded.view<V>();
  const std::vector<std::uint64_t> &begins = loaded.storage().part_begins;
  const Partition<V> partition = begins.empty() ? Partition<V>(graph, parts) : Partition<V>(begins);
  std::vector<std::uint64_t> counts;
  for (int part = 0; part < parts; ++part) {
    const std::vector<std::uint64_t> own = counts_of(graph, {partition.begin(part), partition.end(part)});
    counts.insert(counts.end(), own.begin(), own.end());
  }
  return summed(by, parts, counts);
}

template <class V> std::vector<std::uint64_t> own_counts(const LoadedGraph &loaded, const ProcessGroup &group) {
  const Graph<V> &graph = loaded.view<V>();
  return counts_of(graph, group.block(graph));
}

} // namespace

Division division_of(const std::string &by, const LoadedGraph &graph, ProcessGroup &group) {
  return summed(by, group.size(),
                group.all(graph.vertex_bits() == 32 ? own_counts<std::uint32_t>(graph, group)
                                                    : own_counts<std::uint64_t>(graph, group)));
}

Division division_of(const std::string &by, const LoadedGraph &graph, int parts) {
  return graph.vertex_bits() == 32 ? of_all<std::uint32_t>(by, graph, parts) : of_all<std::uint64_t>(by, graph, parts);
}

std::string division_text(const Division &division) {
  char line[160];
  std::snprintf(line, sizeof line, "%d parts: %.2f %% of the arcs cut, balance %.3f, %llu copies of vertices\n",
                division.parts, 100 * division.cut(), division.balance,
                static_cast<unsigned long long>(division.copies));
  return "partition by " + division.by + " into " + line;
}

nlohmann::ordered_json division_json(const Division &division) {
  return {{"by", division.by},
          {"cut_arcs", division.cut_arcs},
          {"cut", division.cut()},
          {"balance", division.balance},
          {"copies", division.copies}};
}

} // namespace gc::detail
