// The results of a run that its command line asks for: files, and lines for people.
#ifndef GCOMPILE_SRC_RESULTS_H
#define GCOMPILE_SRC_RESULTS_H

#include "runtime/tool_support/command_line.h"
#include "runtime/tool_support/output.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gc::detail {

/// The result of a name. Throws Error if there is none.
const OutputInfo &info_of(const ProgramInfo &info, const std::string &name);

/// Whether --output names it.
bool is_written(const OutputInfo &output, const CommandLine &line);

/// Whether the process that speaks needs a result as a whole: to compare it, or to write it alone.
bool is_needed_whole(const OutputInfo &output, const CommandLine &line);

/// The values begin, ..., end - 1 of a result.
struct OwnValues {
  std::size_t begin = 0, end = 0;
};
/// Those that this process has; what is the same in each process is that of the one that speaks.
OwnValues own_values(const OutputView &view, OutputShape shape, const LoadedGraph &graph, const ProcessGroup *group);

/// Brings the targets of edges of other processes that this one names: as values of a result that it writes, or tells.
/// Each process of a group calls it, before it tells results of a run.
void find_named_edges(const CommandLine &line, const std::vector<OutputView> &views, const ProgramInfo &info,
                      const LoadedGraph &graph, ProcessGroup &group);

/// One line about a result for people. Each process of a group calls it; the line is that of the one that speaks.
std::string summary(const OutputView &view, const OutputInfo &info, const LoadedGraph &graph, ProcessGroup *group);

/// The results that are one value, by their names.
nlohmann::ordered_json scalars_of(const std::vector<OutputView> &views, const ProgramInfo &info,
                                  const LoadedGraph &graph);

/// Writes the results that --output names, all or none; `value` is that of --each. Each process of a group calls it:
/// together they write the lines of one process.
void write_outputs(const CommandLine &line, const std::string &value, const std::vector<OutputView> &views,
                   const ProgramInfo &info, const LoadedGraph &graph, ProcessGroup *group);

} // namespace gc::detail

#endif
