// What a program says of memory: of arcs that stay in the file, and of a GPU's.
#ifndef GCOMPILE_SRC_MEMORY_REPORT_H
#define GCOMPILE_SRC_MEMORY_REPORT_H

#include "streamed_file.h"

#include <gcompile/program/load.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gc::detail {

StreamTraffic traffic_of(const LoadedGraph &graph);

/// Says how much of the file the runs have read; and where they jump about in it, that this is why they take so long.
void print_stream(const std::string &name, const LoadedGraph &graph, const StreamTraffic &running);

/// From now on says of each plan for a GPU's memory where the parts go, unless all are there and nobody has limited it.
void print_device_plans();

/// Adds the members `streamed` and `device_memory` to a report, where there is something to tell.
void report_memory(nlohmann::ordered_json &report, const LoadedGraph &graph, const StreamTraffic &running);

} // namespace gc::detail

#endif
