#include "division.h"

#include "storage.h"

#include <gcompile/core/error.h>
#include <gcompile/core/partition.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gc::detail {

namespace {

/// What a part brings to the whole: its work, its arcs, those of them that are cut, and its copies. It owns a block,
/// and has the arcs at the vertices of `rows` whose other ends are in the column; of all where `column` is empty.
template <class V>
std::vector<std::uint64_t> counts_of(const Graph<V> &graph, VertexBlock block, VertexBlock rows,
                                     const std::vector<char> &column) {
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
  const auto has = [&](V u) { return column.empty() || column[u]; };
  for (std::uint64_t i = rows.begin; i < rows.end; ++i) {
    const V v = static_cast<V>(i);
    for (const V u : graph.out_neighbors(v))
      if (has(u)) {
        ++arcs;
        const bool other = meet(u);
        cut += meet(v) || other;
      }
    if (graph.in_offsets && graph.in_offsets != graph.out_offsets)
      for (const V u : graph.in_neighbors(v))
        if (has(u)) {
          meet(u);
          meet(v);
        }
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

std::string words_of(const std::string &by, const LoadedGraph &graph, const Grid &grid) {
  const std::string &found = graph.storage().parts_by;
  return grid.divided()  ? "grid of " + std::to_string(grid.rows()) + " x " + std::to_string(grid.columns())
         : found.empty() ? by
                         : found;
}

template <class V> Division of_all(const std::string &by, const LoadedGraph &loaded, const Grid &grid) {
  const int parts = grid.rows() * grid.columns();
  const Graph<V> &graph = loaded.view<V>();
  const std::vector<std::uint64_t> &begins = loaded.storage().part_begins;
  const Partition<V> partition = begins.empty() ? Partition<V>(graph, parts) : Partition<V>(begins);
  std::vector<std::uint64_t> counts;
  for (int part = 0; part < parts; ++part) {
    const VertexBlock block{partition.begin(part), partition.end(part)};
    const VertexBlock rows{partition.begin(grid.first_of_row(part)), partition.end(grid.last_of_row(part) - 1)};
    const std::vector<std::uint64_t> own =
        counts_of(graph, block, rows, grid.divided() ? vertices_of_column(partition, grid, part) : std::vector<char>());
    counts.insert(counts.end(), own.begin(), own.end());
  }
  return summed(words_of(by, loaded, grid), parts, counts);
}

template <class V> std::vector<std::uint64_t> own_counts(const LoadedGraph &loaded, const ProcessGroup &group) {
  const Graph<V> &graph = loaded.view<V>();
  const auto own = own_lists(graph, &group);
  return counts_of(own.lists, group.block(graph), own.rows, {});
}

} // namespace

Division division_of(const std::string &by, const LoadedGraph &graph, ProcessGroup &group) {
  return summed(words_of(by, graph, group.grid()), group.size(),
                group.all(graph.vertex_bits() == 32 ? own_counts<std::uint32_t>(graph, group)
                                                    : own_counts<std::uint64_t>(graph, group)));
}

Division division_of(const std::string &by, const LoadedGraph &graph, const Grid &grid) {
  return graph.vertex_bits() == 32 ? of_all<std::uint32_t>(by, graph, grid) : of_all<std::uint64_t>(by, graph, grid);
}

/// Has ranks stand in a grid.
static void divide_lists(CommandLine &line, const ProgramInfo &info) {
  const std::string option = "--partition=grid: ";
  if (!info.whole_lists.empty())
    throw Error(ErrorKind::argument, option +
                                         "ranks then have some of the edges of a vertex each, and this program "
                                         "cannot run so: " +
                                         info.whole_lists);
  if (line.routes == RouteChoice::grid)
    throw Error(ErrorKind::argument, option + "messages go straight there, and not by --routes=grid");
  line.load.divides_lists = true;
}

void choose_partition(CommandLine &line, const ProgramInfo &info, const ProcessGroup *group) {
  if (line.partition.empty())
    return;
  if (!group)
    throw Error(ErrorKind::argument,
                "--partition: this program runs in one process; compile it with gcompile --target=mpi");
  if (line.partition == "blocks")
    return;
  if (line.partition == "grid")
    return divide_lists(line, info);
  if (!info.numbers_used.empty())
    throw Error(ErrorKind::argument, "--partition: vertices get other numbers where it is not 'blocks', and the result "
                                     "depends on their numbers: " +
                                         info.numbers_used);
  line.load.partition = line.partition;
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
