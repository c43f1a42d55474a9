#include "report.h"

#include "memory_report.h"
#include "placement.h"
#include "runtime/tool_support/output_file.h"

#include <gcompile/omp/threads/threads.h>

#include <algorithm>

namespace gc::detail {

namespace {

/// Edges that the runs went through in a second: of each value of --each as many as one run goes through, in the median
/// of its times.
double edges_per_second(const std::vector<Runs> &all) {
  double edges = 0, seconds = 0;
  for (const Runs &runs : all) {
    edges += static_cast<double>(runs.edges);
    seconds += median(runs.seconds);
  }
  return seconds > 0 ? edges / seconds : 0;
}

} // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double median_of(const std::vector<Runs> &all) {
  std::vector<double> medians;
  for (const Runs &runs : all)
    medians.push_back(median(runs.seconds));
  return median(medians);
}

void write_json(const std::string &path, const nlohmann::ordered_json &json) {
  OutputFile file(path);
  file.write(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  file.commit();
}

void write_report(const CommandLine &line, const ProgramInfo &info, const LoadedGraph &graph, std::uint64_t graph_bytes,
                  double load_seconds, const Instance &instance, const std::vector<Runs> &all,
                  const StreamTraffic &running, const ProcessGroup *group, const std::optional<Division> &division,
                  std::uint64_t rank_peak, const Checkpoint *checkpoint) {
  nlohmann::ordered_json report;
  const double middle = median_of(all);
  report["program"] = info.name;
  report["graph"] = line.graph;
  report["vertices"] = graph.num_vertices();
  report["edges"] = graph.num_edges();
  if (const std::optional<std::uint64_t> input = graph.input_edges())
    report["input_edges"] = *input;
  report["directed"] = graph.directed();
  report["vertex_bits"] = graph.vertex_bits();
  if (group) {
    report["ranks"] = group->size();
    report["routes"] = group->routes();
  }
  if (division)
    report["partition"] = division_json(*division);
  if (instance.gpus() > 0)
    report["gpus"] = instance.gpus();
  report["threads"] = omp_get_max_threads();
  report_placement(report, instance.placement());
  report["load_seconds"] = load_seconds;
  const double layout_seconds = graph.layout_seconds() + instance.layout_seconds();
  if (info.vertex_order != VertexOrder::input || info.neighbors_by_degree || info.packed || layout_seconds > 0)
    report["layout_seconds"] = layout_seconds;
  if (line.each.empty()) {
    report["traversed_edges"] = all[0].edges;
    report["trial_seconds"] = all[0].seconds;
  } else {
    report["each"] = line.each;
    for (std::size_t i = 0; i < all.size(); ++i)
      report["values"].push_back({{"value", line.values[i]},
                                  {"traversed_edges", all[i].edges},
                                  {"trial_seconds", all[i].seconds},
                                  {"median_seconds", median(all[i].seconds)},
                                  {"outputs", all[i].scalars}});
  }
  report["median_seconds"] = middle;
  report["edges_per_second"] = edges_per_second(all);
  report["graph_bytes"] = graph_bytes;
  if (const std::size_t bytes = instance.segment_bytes())
    report["segment_bytes"] = bytes;
  if (info.packed)
    report["packed"] = {{"adjacency_bytes", graph.adjacency_bytes()}, {"plain_bytes", graph.plain_adjacency_bytes()}};
  const double n = static_cast<double>(graph.num_vertices());
  report["state_bytes_estimate"] = info.bytes_per_vertex * n +
                                   info.bytes_per_edge * static_cast<double>(graph.num_arcs()) +
                                   info.bytes_per_pair * n * n / (group ? group->size() : 1);
  report_memory(report, graph, running);
  if (group)
    report["rank_peak_bytes"] = rank_peak;
  if (checkpoint)
    report["checkpoints"] = checkpoint->report();
  if (line.each.empty())
    report["outputs"] = all[0].scalars;
  write_json(line.report, report);
}

} // namespace gc::detail
