#include "plan.h"

#include "formats.h"
#include "gap.h"
#include "gcsr.h"
#include "generate.h"
#include "graph_part.h"
#include "load.h"
#include "memory.h"
#include "read_together.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace gc::detail {

namespace {

/// The columns and the size of a graph that is going to be built of edges. `in_ranges`: each of several processes can
/// read some of them.
void plan_edges(MemoryPlan &plan, double vertices, double edges, bool input_directed, bool generated, bool in_ranges,
                const ReadContext &context) {
  const LoadOptions &options = context.options;
  const BuildOptions build = build_options(options, input_directed, generated);
  plan.size = {vertices, edges * (build.mirror ? 2 : 1), build.directed};
  plan.at_most = build.drop_duplicates || build.drop_self_loops || (build.mirror && !generated);
  plan.vertex_bits = choose_bits(options, static_cast<std::uint64_t>(vertices));
  const Arrival arrival = in_ranges && plan.processes > 1 && wants_own_arcs(options) ? Arrival::part_of_edges
                          : build.drop_duplicates                                    ? Arrival::repeating_edges
                                                                                     : Arrival::edges;
  plan.needs = memory_needs(options, options.weights.empty() ? context.columns : options.columns, plan.size, arrival,
                            plan.processes);
}

/// Of arrays that a file has; those of its own kind serve by parts.
void plan_arrays(MemoryPlan &plan, const std::string &path, const StoredArrays &stored, const GraphSize &size,
                 double edges, bool has_parts, ReadContext &context) {
  const LoadOptions &options = context.options;
  if (options.all_columns)
    context.columns = stored.columns;
  if (context.columns.size() > stored.columns.size())
    fail_file(path, missing_column(context.columns[stored.columns.size()], "the graph"));
  const bool directed = choose_direction(options, stored.directed);
  const int bits = choose_bits(options, static_cast<std::uint64_t>(size.vertices));
  if (!serves_as_is(stored, options, directed, bits, context.columns))
    return plan_edges(plan, size.vertices, edges, stored.directed, false, false, context);
  plan.size = size;
  plan.vertex_bits = bits;
  plan.needs = memory_needs(options, options.weights.empty() ? context.columns : options.columns, size,
                            has_parts && plan.processes > 0 && reads_by_parts(options) ? Arrival::part_of_arrays
                                                                                       : Arrival::arrays,
                            plan.processes);
}

void plan_gcsr(MemoryPlan &plan, const std::string &path, ReadContext &context) {
  const InputFile file = open_input(path, context.budget);
  const GcsrHeader header = read_header(path, file.text.view());
  require_size(path, header, file.text.size());
  StoredArrays stored{static_cast<int>(header.vertex_bits), header.directed != 0, {}};
  for (std::size_t k = 0; k < header.num_columns; ++k)
    stored.columns.push_back({"", static_cast<ColumnType>(header.column_types[k])});
  const double n = static_cast<double>(header.n);
  if (header.id_kind != static_cast<std::uint32_t>(VertexIds::Kind::range))
    plan.names = 8 * n + static_cast<double>(header.characters);
  plan_arrays(plan, path, stored, {n, static_cast<double>(header.arcs), stored.directed},
              static_cast<double>(header.edges), !header.is_packed(), context);
}

void plan_gap(MemoryPlan &plan, const std::string &path, bool weighted, ReadContext &context) {
  const GraphSize size = gap_size(open_input(path, context.budget), weighted);
  std::vector<ColumnInfo> columns = context.columns;
  columns.resize(std::min<std::size_t>(columns.size(), weighted ? 1 : 0)); // the weight has the type that is wanted
  plan_arrays(plan, path, {32, size.directed, columns}, size, size.arcs / (size.directed ? 1 : 2), false, context);
}

void plan_text_file(MemoryPlan &plan, const std::string &path, const std::string &format, ReadContext &context) {
  const RawGraph raw = read_raw(path, format, context);
  context.columns = raw.columns;
  plan.names =
      static_cast<double>(8 * (raw.ids.integer_ids().size() + raw.ids.ends().size()) + raw.ids.characters().size());
  plan_edges(plan, static_cast<double>(raw.ids.size()), static_cast<double>(raw.num_entries()), raw.directed, false,
             raw.in_ranges && compression_of(path) == Compression::none, context);
}

/// What the parts of the need are called, with their bytes; those that are nothing are left out.
std::vector<std::pair<const char *, double>> parts_of(const MemoryPlan &plan) {
  std::vector<std::pair<const char *, double>> parts;
  for (const auto &[what, bytes] : {std::pair(plan.processes > 1 ? "part of the graph" : "graph", plan.needs.graph),
                                    {"names of vertices", plan.names},
                                    {"data of the program", plan.needs.state},
                                    {"copies and messages", plan.needs.sharing},
                                    {"loading, besides", plan.needs.loading}})
    if (bytes > 0)
      parts.emplace_back(what, bytes);
  return parts;
}

} // namespace

MemoryPlan plan_memory(const std::string &spec, const LoadOptions &given, int processes) {
  const GraphRequest request = resolve(spec, given);
  const LoadOptions &options = request.options;
  Progress progress(options.progress);
  MemoryBudget budget(options.memory_limit);
  ReadContext context{options, {}, 0, budget, progress};
  if (options.weights.empty())
    take_columns(context);
  MemoryPlan plan;
  plan.processes = processes;
  plan.available = budget.left();
  if (request.generated) {
    const GeneratedGraph generator = make_generator(spec);
    plan_edges(plan, static_cast<double>(generator.n), generator.num_edges, generator.directed, true, true, context);
    return plan;
  }
  const std::string format = format_of(request.path, options.format);
  if (format == "gcsr")
    plan_gcsr(plan, request.path, context);
  else if (format == "sg" || format == "wsg")
    plan_gap(plan, request.path, format == "wsg", context);
  else
    plan_text_file(plan, request.path, format, context);
  return plan;
}

std::string plan_text(const std::string &program, const std::string &graph, const MemoryPlan &plan) {
  char line[160];
  std::snprintf(line, sizeof line, "%.0f vertices, %s%.0f arcs, ids of %d bits\n", plan.size.vertices,
                plan.at_most ? "at most " : "", plan.size.arcs, plan.vertex_bits);
  std::string text = "memory that " + program + " needs for " + graph + ": " + line;
  const auto add = [&](const std::string &what, double bytes) {
    std::snprintf(line, sizeof line, "  %-20s %12s\n", what.c_str(), format_bytes(bytes).c_str());
    text += line;
  };
  for (const auto &[what, bytes] : parts_of(plan))
    add(what, bytes);
  add(plan.processes > 0 ? "a rank" : "in all", plan.of_a_process());
  if (plan.needs.results > 0)
    add("rank 0, besides", plan.needs.results);
  if (plan.processes > 1)
    add("all " + std::to_string(plan.processes) + " ranks", plan.of_a_process() * plan.processes + plan.needs.results);
  add("available here", plan.available);
  if (plan.threads > 0)
    text += "threads of a rank: " + std::to_string(plan.threads) + "\n";
  return text;
}

nlohmann::ordered_json plan_json(const std::string &program, const std::string &graph, const MemoryPlan &plan) {
  const auto whole = [](double value) { return static_cast<std::uint64_t>(value); };
  nlohmann::ordered_json json;
  json["program"] = program;
  json["graph"] = graph;
  json["vertices"] = whole(plan.size.vertices);
  json["arcs"] = whole(plan.size.arcs);
  json["arcs_at_most"] = plan.at_most;
  json["directed"] = plan.size.directed;
  json["vertex_bits"] = plan.vertex_bits;
  if (plan.processes > 0)
    json["ranks"] = plan.processes;
  if (plan.threads > 0)
    json["threads"] = plan.threads;
  json["graph_bytes"] = whole(plan.needs.graph + plan.names);
  json["state_bytes"] = whole(plan.needs.state);
  json["sharing_bytes"] = whole(plan.needs.sharing);
  json["loading_bytes"] = whole(plan.needs.loading);
  if (plan.needs.results > 0)
    json["results_bytes"] = whole(plan.needs.results);
  json["needed_bytes"] = whole(plan.of_a_process());
  json["available_bytes"] = whole(plan.available);
  return json;
}

} // namespace gc::detail
