// Results of a program as text: lines, summary, comparison. gcompile verifies interpreted programs with them.
#ifndef GCOMPILE_TOOL_SUPPORT_OUTPUT_H
#define GCOMPILE_TOOL_SUPPORT_OUTPUT_H

#include "runtime/tool_support/output_file.h"

#include <gcompile/program.h>
#include <gcompile/program/process_group.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gc::detail {

/// Appends the i-th value: integers and floats in full precision, `inf`, `none`, `true`, `false`, vertices by name, and
/// edges as their source and target (`none none`: no edge).
void append_value(const OutputView &view, std::size_t i, const OutputInfo &info, const LoadedGraph &graph,
                  std::string &out);

/// Calls take for the lines of a result, some at a time; of one with values at vertices, those of a block of the
/// input's order.
void for_lines(const OutputView &view, const OutputInfo &info, const LoadedGraph &graph, VertexBlock block,
               const std::function<void(std::string_view)> &take);
void write_output(OutputFile &file, const OutputView &view, const OutputInfo &info, const LoadedGraph &graph);

const OutputView &view_of(const std::vector<OutputView> &views, const std::string &name);

/// Says on standard error which outputs are not compared.
void print_not_compared(const ProgramInfo &info);

/// Whether the compared outputs agree with those of another execution, the `other`, and nothing should have been
/// claimed before; says on standard error where they differ, each time after `what`.
bool outputs_agree(const std::vector<OutputView> &views, const Instance &execution, const ProgramInfo &info,
                   const LoadedGraph &graph, const char *other, const std::string &what = "");

/// Says on standard output that they agree, and `where`.
void print_verified(const ProgramInfo &info, const char *other, const std::string &where = "");

/// Compares all outputs with those of another execution, the `other`, and says on standard error where they differ or
/// cannot be compared, and what should have been claimed before; unless `quiet`, on standard output that they agree.
/// Returns the exit status.
int compare_outputs(const std::vector<OutputView> &views, const Instance &execution, const ProgramInfo &info,
                    const LoadedGraph &graph, const char *other, bool quiet);

} // namespace gc::detail

#endif
