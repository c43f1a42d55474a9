#include "placement.h"
#include "memory.h"

#include <gcompile/core/error.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace gc::detail {

void print_placement(const ProgramInfo &info, const Placement &placement) {
  const char *where = placement.on == Side::cpu     ? "on the CPU"
                      : placement.on == Side::gpu   ? "on the GPU"
                      : placement.on == Side::mixed ? "stages on the CPU and on the GPU"
                                                    : "first on the CPU, then on the GPU";
  std::printf("%s: %s: %s\n", info.name.c_str(), where, placement.reason.c_str());
  if (placement.on == Side::mixed) {
    std::string sides;
    for (const Side side : placement.stages)
      sides += (sides.empty() ? "" : ", ") + std::string(name_of(side));
    std::printf("%s: stages on %s; %s moved between them\n", info.name.c_str(), sides.c_str(),
                format_bytes(static_cast<double>(placement.moved_bytes)).c_str());
  }
  if (placement.on != Side::migrate)
    return;
  if (placement.ended == Side::gpu)
    std::printf("%s: %s moved to the GPU\n", info.name.c_str(),
                format_bytes(static_cast<double>(placement.moved_bytes)).c_str());
  else
    std::printf("%s: no round was large and growing, so it has stayed on the CPU\n", info.name.c_str());
}

int calibrate_by(std::string (*measure)()) {
  if (!measure)
    throw Error(ErrorKind::argument,
                "--calibrate: this program has one form only; compile it with gcompile --target=hybrid");
  std::printf("measured; kept in %s\n", measure().c_str());
  return exit_ok;
}

void report_placement(nlohmann::ordered_json &report, const Placement *placement) {
  if (!placement)
    return;
  report["side"] = name_of(placement->on);
  report["side_reason"] = placement->reason;
  if (placement->on == Side::mixed) {
    for (const Side side : placement->stages)
      report["stages"].push_back(name_of(side));
    report["moved_bytes"] = placement->moved_bytes;
  }
  if (placement->on == Side::migrate) {
    report["ended_on"] = name_of(placement->ended);
    report["moved_bytes"] = placement->moved_bytes;
  }
}

} // namespace gc::detail
