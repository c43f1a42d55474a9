// The files of results that --output names.
#ifndef GCOMPILE_SRC_RESULTS_H
#define GCOMPILE_SRC_RESULTS_H

#include "runtime/tool_support/command_line.h"
#include "runtime/tool_support/output.h"

#include <string>
#include <vector>

namespace gc::detail {

/// The result of a name. Throws Error if there is none.
const OutputInfo &info_of(const ProgramInfo &info, const std::string &name);

/// Writes the results that --output names, all or none; `value` is that of --each. Each process of a group calls it:
/// together they write the lines of one process.
void write_outputs(const CommandLine &line, const std::string &value, const std::vector<OutputView> &views,
                   const ProgramInfo &info, const LoadedGraph &graph, ProcessGroup *group);

} // namespace gc::detail

#endif
