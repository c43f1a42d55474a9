#include "command_line.h"
#include "memory.h"
#include "output.h"
#include "profile.h"
#include "suggest.h"
#include "vertex_file.h"

#include <gcompile/program.h>
#include <gcompile/threads.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>

namespace gc {

LoadOptions load_options(const ProgramInfo &info, LoadOptions options) {
  options.program = info.directedness;
  options.columns = info.edge_columns;
  options.nonnegative = info.nonnegative_weights;
  options.by_degree = info.vertices_by_degree;
  options.neighbors_by_degree = info.neighbors_by_degree;
  options.in_edges = info.needs_in_edges;
  options.in_edge_ids = info.needs_in_edge_ids;
  options.bytes_per_vertex = info.bytes_per_vertex;
  options.bytes_per_edge = info.bytes_per_edge;
  options.bytes_per_pair = info.bytes_per_pair;
  return options;
}

} // namespace gc

namespace gc::detail {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string format_seconds(double seconds) {
  char buffer[40];
  if (seconds >= 1)
    std::snprintf(buffer, sizeof buffer, "%.3f s", seconds);
  else
    std::snprintf(buffer, sizeof buffer, "%.3f ms", seconds * 1e3);
  return buffer;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

const OutputInfo &info_of(const ProgramInfo &info, const std::string &name) {
  for (const OutputInfo &output : info.outputs)
    if (output.name == name)
      return output;
  std::vector<std::string> names;
  for (const OutputInfo &output : info.outputs)
    names.push_back(output.name);
  std::string list;
  for (const std::string &known : names)
    list += (list.empty() ? "" : ", ") + known;
  throw Error(ErrorKind::argument,
              "--output: there is no result '" + name + "', the results are: " + list + suggestion(name, names));
}

/// Throws Error if the lines of a result could name a vertex or no vertex by the same word.
void require_no_vertex_none(const OutputInfo &output, const LoadedGraph &graph) {
  const auto names_vertices = [](ElementType type) { return type == ElementType::vertex || type == ElementType::edge; };
  if ((names_vertices(output.type) || std::any_of(output.elements.begin(), output.elements.end(), names_vertices)) &&
      has_vertex_none(graph.ids()))
    throw Error(ErrorKind::argument, "--output: a vertex of the graph is called 'none', which in the result '" +
                                         output.name + "' stands for no vertex");
}

void write_report(OutputFile &file, const CommandLine &line, const ProgramInfo &info, const LoadedGraph &graph,
                  double load_seconds, double layout_seconds, const std::vector<double> &trials,
                  const std::vector<OutputView> &views) {
  nlohmann::ordered_json report;
  const double middle = median(trials);
  report["program"] = info.name;
  report["graph"] = line.graph;
  report["vertices"] = graph.num_vertices();
  report["edges"] = graph.num_edges();
  report["directed"] = graph.directed();
  report["vertex_bits"] = graph.vertex_bits();
  report["threads"] = omp_get_max_threads();
  report["load_seconds"] = load_seconds;
  if (info.vertices_by_degree || info.neighbors_by_degree || layout_seconds > 0)
    report["layout_seconds"] = layout_seconds;
  report["trial_seconds"] = trials;
  report["median_seconds"] = middle;
  report["edges_per_second"] = middle > 0 ? static_cast<double>(graph.num_edges()) / middle : 0.0;
  report["graph_bytes"] = graph.bytes();
  const double n = static_cast<double>(graph.num_vertices());
  report["state_bytes_estimate"] = info.bytes_per_vertex * n +
                                   info.bytes_per_edge * static_cast<double>(graph.num_arcs()) +
                                   info.bytes_per_pair * n * n;
  nlohmann::ordered_json scalars = nlohmann::ordered_json::object();
  for (const OutputInfo &output : info.outputs)
    if (output.shape == OutputShape::scalar) {
      std::string text;
      append_value(view_of(views, output.name), 0, output, graph, text);
      const bool number =
          output.type != ElementType::vertex && output.type != ElementType::edge && output.type != ElementType::tuple;
      nlohmann::ordered_json value =
          number ? nlohmann::ordered_json::parse(text, nullptr, false) : nlohmann::ordered_json();
      scalars[output.name] = number && !value.is_discarded() ? value : nlohmann::ordered_json(text);
    }
  report["outputs"] = scalars;
  file.write(report.dump(2) + "\n");
}

void write_profile(OutputFile &file, const CommandLine &line, const ProgramInfo &info, const Profile &profile) {
  nlohmann::ordered_json json;
  json["program"] = info.name;
  json["graph"] = line.graph;
  json["threads"] = omp_get_max_threads();
  json.update(profile_json(profile));
  file.write(json.dump(2) + "\n");
}

template <class V>
int run_on(const CommandLine &line, const ProgramInfo &info, const Factories<V> &factories, const LoadedGraph &graph,
           double load_seconds) {
  const Arguments arguments(info.parameters, line.parameters, graph);
  for (const auto &[name, path] : line.outputs)
    require_no_vertex_none(info_of(info, name), graph);
  // Files are opened before the work, so that an unwritable one is known at once.
  std::vector<std::pair<const OutputInfo *, OutputFile>> files;
  for (const auto &[name, path] : line.outputs)
    files.emplace_back(&info_of(info, name), OutputFile(path));
  std::vector<OutputFile> report;
  if (!line.report.empty())
    report.emplace_back(line.report);
  std::vector<OutputFile> profile;
  if (!line.profile_file.empty())
    profile.emplace_back(line.profile_file);

  const std::unique_ptr<Instance> instance = factories.parallel(graph.view<V>(), arguments);
  std::vector<double> trials;
  for (int i = 0; i < line.trials; ++i) {
    const Clock::time_point start = Clock::now();
    instance->run();
    trials.push_back(seconds_since(start));
  }
  const std::vector<OutputView> views = instance->outputs();

  if (!line.quiet) {
    std::printf("%s: %llu vertices, %lld %s edges, loaded in %s\n", line.graph.c_str(),
                static_cast<unsigned long long>(graph.num_vertices()), static_cast<long long>(graph.num_edges()),
                graph.directed() ? "directed" : "undirected", format_seconds(load_seconds).c_str());
    if (graph.dropped_arcs() > 0)
      std::printf("repeated arcs left out: %llu (--duplicates=keep keeps them)\n",
                  static_cast<unsigned long long>(graph.dropped_arcs()));
    std::printf("%s: %s", info.name.c_str(), format_seconds(median(trials)).c_str());
    if (trials.size() > 1)
      std::printf(" (median of %zu runs)", trials.size());
    std::printf("\n");
    for (const OutputInfo &output : info.outputs)
      std::printf("%s\n", summary(view_of(views, output.name), output, graph).c_str());
    if (line.profile && profile.empty())
      std::fputs(profile_text(*instance->profile()).c_str(), stdout);
    std::fflush(stdout);
  }
  if (line.verify) {
    const std::unique_ptr<Instance> serial = factories.serial(graph.view<V>(), arguments, *instance);
    serial->run();
    if (const int status = compare_outputs(views, serial->outputs(), info, graph, "serial execution", line.quiet))
      return status;
    std::fflush(stdout);
  }
  for (auto &[output, file] : files)
    write_output(file, view_of(views, output->name), *output, graph);
  if (!report.empty())
    write_report(report[0], line, info, graph, load_seconds, graph.layout_seconds() + instance->layout_seconds(),
                 trials, views);
  for (auto &[output, file] : files)
    file.commit();
  if (!profile.empty())
    write_profile(profile[0], line, info, *instance->profile());
  if (!report.empty())
    report[0].commit();
  if (!profile.empty())
    profile[0].commit();
  return exit_ok;
}

int run_checked(int argc, char **argv, const ProgramInfo &info, const Factories<std::uint32_t> &narrow,
                const Factories<std::uint64_t> &wide) {
  const CommandLine line = parse_command_line(argc, argv, info);
  if (line.help) {
    std::fputs(help_text(argv[0], info).c_str(), stdout);
    return exit_ok;
  }
  if (line.version) {
    std::printf("%s, compiled from %s\n", info.name.c_str(), info.source.c_str());
    return exit_ok;
  }
  // What can be known without the graph is said before it is loaded.
  for (const auto &[name, path] : line.outputs)
    info_of(info, name);
  if (line.profile && !info.profiled)
    throw Error(ErrorKind::argument,
                "--profile: this program does not measure itself; compile it with gcompile --profile");
  for (const ParameterInfo &parameter : info.parameters)
    if (parameter.required && line.parameters.count(parameter.name) == 0)
      throw Error(ErrorKind::argument, "the parameter --" + parameter.name + "=VALUE is missing");
  if (line.threads > 0)
    omp_set_num_threads(line.threads);

  LoadOptions load = load_options(info, line.load);
  load.progress = !line.quiet;
  const Clock::time_point start = Clock::now();
  const LoadedGraph graph = load_graph(line.graph, load);
  const double load_seconds = seconds_since(start) - graph.layout_seconds();
  return graph.vertex_bits() == 32 ? run_on(line, info, narrow, graph, load_seconds)
                                   : run_on(line, info, wide, graph, load_seconds);
}

} // namespace

int run_program(int argc, char **argv, const ProgramInfo &info, const Factories<std::uint32_t> &narrow,
                const Factories<std::uint64_t> &wide) {
  try {
    return run_checked(argc, argv, info, narrow, wide);
  } catch (const Error &error) {
    std::fflush(stdout);
    std::fprintf(stderr, "error: %s\n", error.what());
    return error.exit_code();
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "error: out of memory: %s is available\n",
                 format_bytes(static_cast<double>(available_memory())).c_str());
    return exit_user_error;
  }
}

} // namespace gc::detail
