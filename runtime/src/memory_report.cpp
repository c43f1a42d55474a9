#include "memory_report.h"

#include "memory.h"
#include "storage.h"

#include <gcompile/core/device_memory.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace gc::detail {

namespace {

void print_plan(const DevicePlan &plan) {
  if (plan.bytes(true) + plan.bytes(false) <= plan.usable && device_memory.limit() == 0)
    return;
  std::printf("memory of the GPU: %s may be used\n", format_bytes(plan.usable).c_str());
  std::size_t width = 0;
  for (const DevicePlan::Part &part : plan.parts)
    width = std::max(width, part.what.size());
  for (const DevicePlan::Part &part : plan.parts)
    std::printf("  %-*s  %10s  %s\n", static_cast<int>(width), part.what.c_str(), format_bytes(part.bytes).c_str(),
                part.on_device ? "GPU" : "host");
  std::fflush(stdout);
}

} // namespace

StreamTraffic traffic_of(const LoadedGraph &graph) {
  return graph.streamed() ? graph.storage().streamed->traffic() : StreamTraffic();
}

void print_stream(const std::string &name, const LoadedGraph &graph, const StreamTraffic &running) {
  const StreamPlan &plan = graph.storage().streamed->plan();
  std::printf("%s: streamed, %s read by the runs in blocks of %s\n", name.c_str(),
              format_bytes(static_cast<double>(running.bytes)).c_str(),
              format_bytes(static_cast<double>(plan.block_bytes)).c_str());
  if (running.visited > 1000 && running.in_order < running.visited / 2 && running.bytes > 4 * plan.room)
    std::fprintf(stderr, "note: %s: the program reads edges in no order, which is slow while they stay in the file\n",
                 name.c_str());
}

void print_device_plans() { device_memory.when_planned(print_plan); }

void report_memory(nlohmann::ordered_json &report, const LoadedGraph &graph, const StreamTraffic &running) {
  if (graph.streamed()) {
    const StreamPlan &plan = graph.storage().streamed->plan();
    report["streamed"] = {{"block_bytes", plan.block_bytes},   {"room_bytes", plan.room},
                          {"read_bytes", running.bytes},       {"blocks_in_order", running.in_order},
                          {"blocks_visited", running.visited}, {"waited_seconds", running.waited},
                          {"peak_bytes", peak_memory()}};
  }
  const DevicePlan &plan = device_memory.plan();
  if (plan.parts.empty())
    return;
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const DevicePlan::Part &part : plan.parts)
    parts.push_back({{"what", part.what}, {"bytes", part.bytes}, {"on_device", part.on_device}});
  report["device_memory"] = {{"usable_bytes", plan.usable},
                             {"device_bytes", plan.bytes(true)},
                             {"host_bytes", plan.bytes(false)},
                             {"peak_bytes", device_memory.peak()},
                             {"parts", parts}};
  if (const DeviceMemory::Loops &loops = device_memory.loops(); loops.streamed + loops.in_place > 0) {
    report["device_memory"]["streamed_loops"] = loops.streamed;
    report["device_memory"]["loops_in_place"] = loops.in_place;
  }
}

} // namespace gc::detail
