// Times the kernels of examples/ and of the graph libraries that Debian packages, in turn, in one process and on the
// same graph, checks that all give the same answer, and prints a Markdown table.
#include "kernels.h"

#include <gcompile/core/error.h>
#include <gcompile/omp/threads/threads.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>

namespace {

using bench::Kernel;

const std::vector<std::pair<std::string, Kernel>> kernels = {{"bfs", Kernel::bfs},
                                                             {"sssp", Kernel::sssp},
                                                             {"pagerank", Kernel::pagerank},
                                                             {"components", Kernel::components},
                                                             {"betweenness", Kernel::betweenness},
                                                             {"triangles", Kernel::triangles},
                                                             {"kcore", Kernel::kcore},
                                                             {"prim", Kernel::prim},
                                                             {"forest", Kernel::forest}};
constexpr int rounds = 20; // of PageRank, as in examples/pagerank.gdsl

/// Numbers each component by its first vertex.
std::vector<double> canonical(const std::vector<double> &labels) {
  std::map<double, double> first;
  std::vector<double> result;
  for (std::size_t v = 0; v < labels.size(); ++v)
    result.push_back(first.emplace(labels[v], static_cast<double>(v)).first->second);
  return result;
}

void compare(Kernel kernel, std::vector<double> expected, std::vector<double> got, double tolerance,
             const std::string &who) {
  if (kernel == Kernel::components) {
    expected = canonical(expected);
    got = canonical(got);
  }
  if (expected.size() != got.size())
    throw std::runtime_error(fmt::format("{} gives {} values, not {}", who, got.size(), expected.size()));
  for (std::size_t v = 0; v < got.size(); ++v)
    if (std::abs(got[v] - expected[v]) > tolerance * std::max(1e-12, std::abs(expected[v])))
      throw std::runtime_error(
          fmt::format("{} has {} at vertex {}, where gcompile has {}", who, got[v], v, expected[v]));
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// A vertex with neighbours.
std::uint32_t sourceIn(const bench::View &graph, std::mt19937 &random) {
  for (;;)
    if (auto v = static_cast<std::uint32_t>(random() % graph.num_vertices()); graph.out_degree(v) > 0)
      return v;
}

struct Options {
  std::vector<std::string> graphs, only, libraries;
  std::string weights = "1..255", json;
  int trials = 3, threads = omp_get_max_threads();
};

/// The lines of the table; `record` gets the same as JSON.
void compareOn(const std::string &spec, const Options &options, nlohmann::ordered_json &record) {
  gc::LoadOptions how;
  how.program = gc::Directedness::undirected;
  how.self_loops = gc::Keep::drop;
  how.vertex_bits = 32;
  how.in_edges = true;
  how.columns = {{"weight", gc::ColumnType::int32}};
  how.weights = options.weights;
  gc::LoadedGraph graph = gc::load_graph(spec, how);
  const auto &view = graph.view<std::uint32_t>();
  if (graph.num_edges() == 0)
    throw std::runtime_error("'" + spec + "' has no edges");
  const auto *weights = view.edge_column<std::int32_t>(0);

  std::vector<std::unique_ptr<bench::Library>> libraries;
  libraries.push_back(bench::ours(graph));
  auto wanted = [&](const char *name) {
    const std::vector<std::string> &only = options.libraries;
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  if (wanted("boost"))
    libraries.push_back(bench::boost_graph(view, weights, rounds));
  if (wanted("igraph"))
    libraries.push_back(bench::igraph(view, weights));
  if (wanted("graphblas"))
    libraries.push_back(bench::graphblas(view, weights, rounds, options.threads));

  fmt::print("\n{}: {} vertices, {} edges\n\n| kernel |", spec, graph.num_vertices(), graph.num_edges());
  for (auto &library : libraries)
    fmt::print(" {} |", library->name());
  fmt::print("\n| --- |");
  for (std::size_t i = 0; i < libraries.size(); ++i)
    fmt::print(" ---: |");
  fmt::print("\n");
  for (const auto &entry : kernels) {
    const std::string &name = entry.first;
    Kernel kernel = entry.second;
    if (!options.only.empty() && std::find(options.only.begin(), options.only.end(), name) == options.only.end())
      continue;
    std::vector<std::vector<double>> times(libraries.size());
    std::mt19937 random(27);
    for (int trial = 0; trial < options.trials; ++trial) {
      std::uint32_t source = sourceIn(view, random);
      std::vector<double> expected;
      for (std::size_t i = 0; i < libraries.size(); ++i) {
        auto tasks = libraries[i]->tasks();
        auto task = std::find_if(tasks.begin(), tasks.end(), [&](const bench::Task &t) { return t.kernel == kernel; });
        if (task == tasks.end())
          continue;
        auto start = std::chrono::steady_clock::now();
        libraries[i]->run(kernel, source);
        times[i].push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        std::vector<double> answer = libraries[i]->answer();
        if (i == 0)
          expected = std::move(answer);
        else
          compare(kernel, expected, answer, task->tolerance, libraries[i]->name() + "'s " + name);
      }
    }
    for (std::size_t i = 0; i < libraries.size(); ++i)
      if (!times[i].empty())
        record.push_back({{"graph", spec},
                          {"vertices", graph.num_vertices()},
                          {"edges", graph.num_edges()},
                          {"kernel", name},
                          {"library", libraries[i]->name()},
                          {"milliseconds", times[i]}});
    fmt::print("| {} |", name);
    for (std::size_t i = 0; i < libraries.size(); ++i)
      fmt::print(times[i].empty() ? " |"
                 : i == 0         ? " {:.2f} |"
                                  : " {:.2f} ({:.1f}x) |",
                 times[i].empty() ? 0 : median(times[i]), times[i].empty() ? 0 : median(times[i]) / median(times[0]));
    fmt::print("\n");
    std::fflush(stdout);
  }
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Compares the kernels of examples/ with the Boost Graph Library, igraph and SuiteSparse:GraphBLAS.\n"
               "Median milliseconds of the runs, and how much more than gcompile's; every answer is compared.");
  app.add_option(
      "graph", options.graphs,
      "Files or generators, taken as undirected (default: a Kronecker and a uniform graph of scale 18, and a grid)");
  app.add_option("--weights", options.weights, "Weights of graphs without (default 1..255)");
  std::vector<std::string> names;
  for (const auto &[name, kernel] : kernels)
    names.push_back(name);
  app.add_option("--kernels", options.only, "Only these")->delimiter(',')->check(CLI::IsMember(names));
  app.add_option("--libraries", options.libraries, "Only these beside gcompile")
      ->delimiter(',')
      ->check(CLI::IsMember({"boost", "igraph", "graphblas"}));
  app.add_option("--json", options.json, "A file for all times");
  app.add_option("--trials", options.trials, "Runs, each from another source (default 3)")->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "Threads (default: all)")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  if (options.graphs.empty())
    options.graphs = {"kronecker:scale=18,degree=16", "uniform:scale=18,degree=16", "grid:700x700"};
  omp_set_num_threads(options.threads);
  try {
    nlohmann::ordered_json record = nlohmann::ordered_json::array();
    for (const std::string &spec : options.graphs)
      compareOn(spec, options, record);
    if (!options.json.empty())
      std::ofstream(options.json) << record.dump(2) << "\n";
  } catch (const std::exception &error) {
    std::fflush(stdout);
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
