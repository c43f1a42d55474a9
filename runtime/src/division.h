// How a graph is divided among processes, and how well.
#ifndef GCOMPILE_SRC_DIVISION_H
#define GCOMPILE_SRC_DIVISION_H

#include "runtime/tool_support/command_line.h"

#include <gcompile/program/info.h>
#include <gcompile/program/load.h>
#include <gcompile/program/process_group.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gc::detail {

struct Division {
  std::string by; ///< "blocks", "scotch", "ptscotch", "grid of ROWS x COLUMNS", or the file of parts
  int parts = 1;
  std::uint64_t arcs = 0;
  std::uint64_t cut_arcs = 0; ///< their ends are in two parts
  std::uint64_t copies = 0;   ///< of vertices, in parts that do not own them
  double balance = 1;         ///< the most work of a part, a vertex being one more than its arcs, by that of the mean

  double cut() const { return arcs > 0 ? static_cast<double>(cut_arcs) / static_cast<double>(arcs) : 0; }
};

/// That of the graph of which each process of the group has its part. Each process calls it.
Division division_of(const std::string &by, const LoadedGraph &graph, ProcessGroup &group);
/// That of a graph which this process has all of, for parts in such a grid.
Division division_of(const std::string &by, const LoadedGraph &graph, const Grid &grid);

/// Has a run divide the graph as --partition says. `group`: the processes that run the program, or null. Throws Error
/// (argument) where this program cannot.
void choose_partition(CommandLine &line, const ProgramInfo &info, const ProcessGroup *group);

/// A line that tells it.
std::string division_text(const Division &division);
nlohmann::ordered_json division_json(const Division &division);

} // namespace gc::detail

#endif
