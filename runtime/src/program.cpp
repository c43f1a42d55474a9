#include "beside.h"
#include "checkpoint.h"
#include "division.h"
#include "load.h"
#include "memory.h"
#include "memory_report.h"
#include "path_sums.h"
#include "placement.h"
#include "plan.h"
#include "profile.h"
#include "report.h"
#include "results.h"
#include "runtime/tool_support/command_line.h"
#include "runtime/tool_support/output.h"
#include "runtime/tool_support/thread_count.h"
#include "storage.h"
#include "streamed_graph.h"
#include "suggest.h"
#include "traversed.h"
#include "vertex_file.h"

#include <gcompile/core/device_memory.h>
#include <gcompile/omp/threads/threads.h>
#include <gcompile/program.h>
#include <gcompile/program/whole_results.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

namespace gc::detail {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string format_seconds(double seconds) {
  char buffer[40];
  const bool whole = seconds >= 1;
  std::snprintf(buffer, sizeof buffer, whole ? "%.3f s" : "%.3f ms", whole ? seconds : seconds * 1e3);
  return buffer;
}

/// Throws Error if the lines of a result could name a vertex or no vertex by the same word.
void require_no_vertex_none(const OutputInfo &output, const LoadedGraph &graph) {
  const auto names_vertices = [](ElementType type) { return type == ElementType::vertex || type == ElementType::edge; };
  if ((names_vertices(output.type) || std::any_of(output.elements.begin(), output.elements.end(), names_vertices)) &&
      has_vertex_none(graph.ids()))
    throw Error(ErrorKind::argument, "--output: a vertex of the graph is called 'none', which in the result '" +
                                         output.name + "' stands for no vertex");
}

/// Throws Error if a result cannot be written, or would replace the graph.
void require_writable_beside(const std::string &graph, const std::string &path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error) && std::filesystem::equivalent(graph, path, error))
    throw Error(ErrorKind::argument, path + ": the output would replace the graph");
  require_writable(path);
}

void write_profile(const CommandLine &line, const ProgramInfo &info, const Profile &profile) {
  nlohmann::ordered_json json;
  json["program"] = info.name;
  json["graph"] = line.graph;
  json["threads"] = omp_get_max_threads();
  json.update(profile_json(profile));
  write_json(line.profile_file, json);
}

/// The arguments for each value of --each, or those of all runs.
std::vector<Arguments> arguments_of(const CommandLine &line, const ProgramInfo &info, const LoadedGraph &graph) {
  std::map<std::string, std::string> texts = line.parameters;
  if (!line.each.empty())
    texts[line.each] = line.values[0];
  std::vector<Arguments> arguments{Arguments(info.parameters, texts, graph)};
  const auto parameter = std::find_if(info.parameters.begin(), info.parameters.end(),
                                      [&](const ParameterInfo &known) { return known.name == line.each; });
  for (std::size_t i = 1; i < line.values.size(); ++i)
    arguments.push_back(arguments[0].with(*parameter, line.values[i], graph));
  return arguments;
}

void print_graph(const CommandLine &line, const LoadedGraph &graph, double load_seconds) {
  std::printf("%s: %llu vertices, %lld %s edges, loaded in %s\n", line.graph.c_str(),
              static_cast<unsigned long long>(graph.num_vertices()), static_cast<long long>(graph.num_edges()),
              graph.directed() ? "directed" : "undirected", format_seconds(load_seconds).c_str());
  if (graph.dropped_arcs() > 0)
    std::printf("repeated arcs left out: %llu (--duplicates=keep keeps them)\n",
                static_cast<unsigned long long>(graph.dropped_arcs()));
}

/// `what` is the program's name, and after --each the value.
void print_time(const std::string &what, const std::vector<double> &seconds) {
  std::printf("%s: %s", what.c_str(), format_seconds(median(seconds)).c_str());
  if (seconds.size() > 1)
    std::printf(" (median of %zu runs)", seconds.size());
  std::printf("\n");
}

template <class V>
int run_on(const CommandLine &line, const ProgramInfo &info, const Factories<V> &factories, const LoadedGraph &graph,
           double load_seconds, ProcessGroup *group, Checkpoint *checkpoint) {
  if (!factories.parallel)
    throw Error(ErrorKind::argument, line.graph + ": needs vertex ids of " + std::to_string(sizeof(V) * 8) +
                                         " bits, for which this program was not compiled; 'gcompile run' takes "
                                         "--vertex-bits=" +
                                         std::to_string(sizeof(V) * 8));
  if (line.verify && !factories.serial)
    throw Error(ErrorKind::argument, "--verify: this program was compiled without its serial form");
  // What is wrong with values and files is said before the work.
  const std::vector<Arguments> arguments = arguments_of(line, info, graph);
  const bool speaks = !group || group->speaks();
  for (const auto &[name, file] : line.outputs) {
    if (!speaks)
      break;
    require_no_vertex_none(info_of(info, name), graph);
    for (const std::string &value : line.values)
      require_writable_beside(line.graph, output_path(line, file, value));
  }
  for (const std::string &file : {line.report, line.profile_file})
    if (!file.empty())
      require_writable_beside(line.graph, file);

  const bool each = !line.each.empty();
  if (checkpoint)
    checkpoint->begin(graph);
  std::optional<Division> division;
  if (group && (line.reports || !line.partition.empty()))
    division = division_of(line.partition, graph, *group);
  if (group)
    group->choose_routes(line.routes);
  const std::unique_ptr<Instance> instance = factories.parallel(graph.view<V>(), arguments[0]);
  instance->place(
      {line.on.value_or(Side::automatic), line.values.size() * static_cast<std::size_t>(line.trials), line.stages});
  std::vector<Runs> all;
  bool agree = true;
  std::string warning; // once, for the first value
  const StreamTraffic loading = traffic_of(graph);
  StreamTraffic running;
  for (std::size_t k = 0; k < line.values.size(); ++k) {
    const std::string value = line.values[k], what = each ? line.each + "=" + value + ": " : "";
    Runs &runs = all.emplace_back();
    try {
      if (k > 0)
        instance->set_arguments(arguments[k]);
      for (int i = 0; i < line.trials; ++i) {
        const Clock::time_point start = Clock::now();
        instance->run();
        if (group)
          group->all({}); // a run takes as long as it does in the last one of them
        runs.seconds.push_back(seconds_since(start));
      }
      if (k + 1 == line.values.size())
        running = traffic_of(graph) - loading;
    } catch (const Error &error) {
      throw Error(error.kind, what + error.what());
    }
    const std::vector<OutputView> views = instance->outputs();
    if (group)
      find_named_edges(line, views, info, graph, *group);
    runs.scalars = scalars_of(views, info, graph);
    std::string found;
    if (warning.empty() || group)
      found = with_graph<V>(graph, [&](const auto &g) { return saturation_warning(info, g, views, group); });
    if (warning.empty() || group) {
      const std::string cycle = negative_cycle_warning(info, graph, views, group);
      found = found.empty() ? cycle : found;
    }
    std::string lines; // about the results
    if (line.summarizes && !each)
      for (const OutputInfo &output : info.outputs)
        lines += summary(view_of(views, output.name), output, graph, group) + '\n';

    if (!line.quiet) {
      if (k == 0)
        print_graph(line, graph, load_seconds);
      if (k == 0 && !line.partition.empty())
        std::fputs(division_text(*division).c_str(), stdout);
      if (k == 0 && instance->placement())
        print_placement(info, *instance->placement());
      if (k + 1 == line.values.size() && graph.streamed())
        print_stream(line.graph, graph, running);
      print_time(each ? info.name + ", " + line.each + "=" + value : info.name, runs.seconds);
      std::fputs(lines.c_str(), stdout);
      if (line.profile && line.profile_file.empty())
        std::fputs(profile_text(*instance->profile()).c_str(), stdout);
      require_printed();
    }
    bool right = true;
    if (line.verify) {
      const std::unique_ptr<Instance> serial = factories.serial(graph.view<V>(), arguments[k], *instance);
      serial->run();
      if (k == 0)
        print_not_compared(info);
      right = outputs_agree(views, *serial, info, graph, "serial execution", what);
      agree &= right;
      if (right && !each && !line.quiet)
        print_verified(info, "serial execution");
      require_printed();
    }
    if (group)
      group->wait_for_speaker(); // which alone has verified
    if (group ? group->sums({speaks && right})[0] > 0 : right)
      write_outputs(line, value, views, info, graph, group);
    if (right && warning.empty() && !found.empty()) {
      warning = found;
      if (speaks)
        std::fprintf(stderr, "%s\n", warning.c_str());
    }
    if (group)
      group->wait_for_speaker();
  }
  if (each && !line.quiet)
    std::printf("%s: %s (median of %zu values of %s)\n", info.name.c_str(), format_seconds(median_of(all)).c_str(),
                all.size(), line.each.c_str());
  if (!agree)
    return exit_verification_failed;
  if (each && line.verify && !line.quiet)
    print_verified(info, "serial execution", ", for each of these values");
  if (line.reports) {
    TraversedEdges traversed(info, graph, group);
    for (std::size_t k = 0; k < all.size(); ++k)
      all[k].edges = traversed.of(arguments[k]);
    const auto greatest = [&](std::uint64_t own) { return group ? group->greatest(own) : own; };
    const std::uint64_t rank_peak = greatest(peak_memory()), graph_bytes = greatest(graph.bytes());
    if (!line.report.empty())
      write_report(line, info, graph, graph_bytes, load_seconds, *instance, all, running, group, division, rank_peak,
                   checkpoint);
  }
  if (!line.profile_file.empty())
    write_profile(line, info, *instance->profile());
  if (checkpoint)
    checkpoint->finish();
  return exit_ok;
}

/// Leaves to the process that speaks what all of them would print and write; results they write together.
void keep_silent(CommandLine &line) {
  line.quiet = true;
  line.verify = false;
  line.report.clear();
  line.profile_file.clear();
}

/// Whether the process that speaks writes all lines of a result that names edges by their ends.
bool writes_edges_alone(const CommandLine &line, const ProgramInfo &info) {
  return !line.load.partition.empty() &&
         std::any_of(info.outputs.begin(), info.outputs.end(),
                     [&](const OutputInfo &output) { return output.names_edges() && is_written(output, line); });
}

/// Throws Error where several processes cannot each read the graph.
void require_readable_by_all(const std::string &graph) {
  std::error_code error;
  if (graph == "-" || std::filesystem::is_fifo(graph, error))
    throw Error(ErrorKind::argument, graph + ": standard input and pipes can be read by one process only; name a file");
}

/// How the graph is loaded for a command line.
LoadOptions options_of(const CommandLine &line, const ProgramInfo &info) {
  LoadOptions load = load_options(info, line.load);
  load.progress = load.notes = !line.quiet;
  for (const OutputInfo &output : info.outputs)
    if (is_needed_whole(output, line))
      add_whole_result(load, output);
  return load;
}

/// Does what --plan asks, in the process that speaks.
int tell_plan(const CommandLine &line, const ProgramInfo &info, ProcessGroup *group) {
  if (group && !group->speaks())
    return exit_ok;
  LoadOptions load = options_of(line, info);
  load.group = group;
  const int ranks = *line.plan > 0 || !group ? *line.plan : group->size();
  load.passes_messages = may_pass_messages(line.routes, ranks) && !load.divides_lists;
  MemoryPlan plan = plan_memory(line.graph, load, ranks);
  // How many threads other ranks than those of this run have is known where --threads says it.
  if (group && (ranks == group->size() || line.threads > 0))
    plan.threads = omp_get_max_threads();
  nlohmann::ordered_json json = plan_json(info.name, line.graph, plan);
  if (!line.quiet)
    std::fputs(plan_text(info.name, line.graph, plan).c_str(), stdout);
  if (!line.partition.empty()) { // this one needs the graph
    load.group = nullptr;
    load.parts = ranks;
    const Division division = division_of(line.partition, load_graph(line.graph, load),
                                          line.load.divides_lists ? Grid::of(ranks) : Grid(ranks));
    if (!line.quiet)
      std::fputs(division_text(division).c_str(), stdout);
    json["partition"] = division_json(division);
  }
  if (!line.report.empty())
    write_json(line.report, json);
  return exit_ok;
}

int run_checked(int argc, char **argv, const ProgramInfo &info, const Factories<std::uint32_t> &narrow,
                const Factories<std::uint64_t> &wide, ProcessGroup *group) {
  CommandLine line = parse_command_line(argc, argv, info);
  const bool speaks = !group || group->speaks();
  if (line.help || line.version) {
    if (speaks && line.help)
      std::fputs(help_text(argv[0], info).c_str(), stdout);
    else if (speaks)
      std::printf("%s, compiled from %s\n", info.name.c_str(), info.source.c_str());
    return exit_ok;
  }
  if (line.on && !info.sides)
    throw Error(ErrorKind::argument,
                "--run-on: this program has one form only; compile it with gcompile --target=hybrid");
  const bool several = narrow.several_gpus || wide.several_gpus;
  if (line.gpus > 0 && !several)
    throw Error(ErrorKind::argument,
                "--gpus: this program does not run on several GPUs; compile it with gcompile --target=gpus");
  wanted_gpus = line.gpus;
  // What can be known without the graph is said before it is loaded.
  for (const auto &[name, path] : line.outputs)
    info_of(info, name);
  if (line.profile && !info.profiled)
    throw Error(ErrorKind::argument,
                "--profile: this program does not measure itself; compile it with gcompile --profile");
  if (line.stall_timeout > 0 && !group)
    throw Error(ErrorKind::argument,
                "--stall-timeout: this program runs in one process; compile it with gcompile --target=mpi");
  if (line.routes != RouteChoice::automatic && !group)
    throw Error(ErrorKind::argument,
                "--routes: this program runs in one process; compile it with gcompile --target=mpi");
  if (line.plan.value_or(0) > 0 && !group)
    throw Error(ErrorKind::argument,
                "--plan: this program runs in one process; compile it with gcompile --target=mpi, or leave RANKS out");
  require_checkpoint_options(line, info, group);
  choose_partition(line, info, group);
  for (const ParameterInfo &parameter : info.parameters)
    if (!line.plan && !line.calibrate && parameter.required && parameter.name != line.each &&
        !given_text(line, parameter))
      throw Error(ErrorKind::argument, missing(parameter));
#ifndef _OPENMP
  if (line.threads > 1)
    throw Error(ErrorKind::argument, "--threads: this program was compiled for one thread");
#endif
  use_threads(line.threads, group);
  if (line.calibrate)
    return calibrate_by(narrow.calibrate ? narrow.calibrate : wide.calibrate);
  if (group && speaks && !line.quiet)
    std::fputs(crowding().c_str(), stderr);
  const bool on_device = narrow.start_device || wide.start_device;
  if (line.device_memory > 0 && !on_device)
    throw Error(ErrorKind::argument, "--device-memory: this program does not run on a GPU");
  device_memory.limit(line.device_memory);
  if (!line.quiet)
    print_device_plans();
  if (group && group->size() > 1)
    require_readable_by_all(line.graph);
  line.reports = !line.report.empty();
  line.summarizes = !line.quiet;
  line.verifies = line.verify;
  if (!speaks)
    keep_silent(line);
  if (line.plan)
    return tell_plan(line, info, group);
  if (line.stall_timeout > 0)
    group->limit_waiting(line.stall_timeout);
  std::optional<Checkpoint> checkpoint;
  if (!line.checkpoint.empty()) {
    checkpoint.emplace(line, info, *group);
    if (line.resume && !line.quiet)
      std::fputs(checkpoint->text().c_str(), stdout);
  }

  LoadOptions load = options_of(line, info);
  for (const OutputInfo &output : info.outputs)
    if (is_needed_whole(output, line))
      whole_results.push_back(output.name);
  load.count_input = line.reports && !info.roots.empty();
  load.may_stream = !on_device && !group;
  load.group = group;
  load.passes_messages = group && may_pass_messages(line.routes, group->size()) && !load.divides_lists;
  // The serial form goes through all of it.
  load.keeps_all |= line.verify || (speaks && writes_edges_alone(line, info));
  if (load.may_stream)
    start_team();
  // Where it surely runs, although the graph is not known.
  const Side wish = line.on.value_or(Side::automatic);
  const Side on = !info.sides ? Side::gpu : wish == Side::automatic ? info.sides->on : wish;
  const bool surely_on_device = on == Side::gpu || on == Side::mixed;
  Beside device(surely_on_device ? narrow.start_device : nullptr);
  const Clock::time_point start = Clock::now();
  const LoadedGraph graph = load_graph(line.graph, load);
  const double load_seconds = seconds_since(start) - graph.layout_seconds();
  device.join();
  Checkpoint *const kept = checkpoint ? &*checkpoint : nullptr;
  return graph.vertex_bits() == 32 ? run_on(line, info, narrow, graph, load_seconds, group, kept)
                                   : run_on(line, info, wide, graph, load_seconds, group, kept);
}

} // namespace

int run_program(int argc, char **argv, const ProgramInfo &info, const Factories<std::uint32_t> &narrow,
                const Factories<std::uint64_t> &wide, ProcessGroup *group) {
  end_cleanly();
  int status = exit_ok;
  std::string message;
  try {
    status = run_checked(argc, argv, info, narrow, wide, group);
    require_printed();
  } catch (const EndedElsewhere &elsewhere) {
    status = elsewhere.status;
  } catch (const Error &error) {
    status = error.exit_code();
    message = error.what();
  } catch (const std::bad_alloc &) {
    status = exit_user_error;
    message = "out of memory: " + format_bytes(static_cast<double>(available_memory())) + " is available";
  } catch (const std::exception &error) {
    status = exit_internal_error;
    message = std::string("internal error: ") + error.what() + "; please report it";
  }
  if (!message.empty())
    std::fflush(stdout);
  if (group)
    return group->end(status, message);
  if (!message.empty())
    std::fprintf(stderr, "error: %s\n", message.c_str());
  return status;
}

} // namespace gc::detail
