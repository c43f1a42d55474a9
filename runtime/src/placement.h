// What is said of the side on which a program of two forms has run.
#ifndef GCOMPILE_SRC_PLACEMENT_H
#define GCOMPILE_SRC_PLACEMENT_H

#include <gcompile/program/info.h>
#include <gcompile/program/placement.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gc::detail {

/// Says where the program runs, and why there.
void print_placement(const ProgramInfo &info, const Placement &placement);

/// Adds the same to the report; `placement` may be null.
void report_placement(nlohmann::ordered_json &report, const Placement *placement);

/// Has the machine measured, says where the rates are kept, and gives the exit code. `measure` is null in a program of
/// one form.
int calibrate_by(std::string (*measure)());

} // namespace gc::detail

#endif
