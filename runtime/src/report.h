// The report of a run, as JSON.
#ifndef GCOMPILE_SRC_REPORT_H
#define GCOMPILE_SRC_REPORT_H

#include "checkpoint.h"
#include "division.h"
#include "runtime/tool_support/command_line.h"
#include "streamed_file.h"

#include <gcompile/program.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gc::detail {

/// The runs with one value of --each, or all runs.
struct Runs {
  std::vector<double> seconds;
  std::int64_t edges = 0;         ///< that a run goes through; for the report
  nlohmann::ordered_json scalars; ///< the results that are one value; for the report
};

double median(std::vector<double> values);
/// The median of the medians of all values of --each.
double median_of(const std::vector<Runs> &all);

/// Writes a file that is complete or not there. Words of the user that are no UTF-8 are shown with a mark.
void write_json(const std::string &path, const nlohmann::ordered_json &json);

/// Writes the file of --report. `rank_peak`: the most memory that a process of the group has had, in bytes.
void write_report(const CommandLine &line, const ProgramInfo &info, const LoadedGraph &graph, std::uint64_t graph_bytes,
                  double load_seconds, const Instance &instance, const std::vector<Runs> &all,
                  const StreamTraffic &running, const ProcessGroup *group, const std::optional<Division> &division,
                  std::uint64_t rank_peak, const Checkpoint *checkpoint);

} // namespace gc::detail

#endif
