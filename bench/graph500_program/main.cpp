// The Graph500 protocol on the programs that gcompile compiles: kernel 1 builds the graph of an edge list, kernels 2
// and 3 search from 64 roots, every result is checked, and the official statistics are printed. The headers of the
// programs decide the target.
#include "protocol.h"

#include "bfs_parent.h"
#include "shortest_paths.h"

#include <gcompile/program/arrays.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif
#include <sys/resource.h>

namespace {

using namespace graph500;
using Id = std::uint32_t; ///< of vertices in the graph

constexpr const char *usage =
    R"(usage: bench/graph500 --scale=N [options]

Runs the Graph500 protocol on a Kronecker graph of 2^N vertices, N from 1 to 30.

  --edgefactor=N        edges for each vertex (default 16)
  --roots=N             roots of kernels 2 and 3 (default 64)
  --checks=N            roots whose results are checked, the first ones (default: all, as the protocol has it)
  --seed=N              of the graph and the roots (default 1)
  --kernels=bfs,sssp    which kernels to run besides the construction (default: both)
  --vertices=ORDER      input, degree or bfs: how the graph numbers its vertices (default input)
  --neighbors=ORDER     ascending or degree: the order of each list (default ascending)
  --threads=N           threads (default: as OpenMP says)
  --json=FILE           writes the figures as JSON, too
)";

struct Options {
  int scale = 0, edge_factor = 16, threads = 0;
  std::size_t roots = 64, checks = std::numeric_limits<std::size_t>::max();
  std::uint64_t seed = 1;
  bool bfs = true, sssp = true;
  gc::VertexOrder vertices = gc::VertexOrder::input;
  std::string vertices_name = "input";
  bool neighbors_by_degree = false;
  std::string json;
};

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

long long number(const std::string &name, const std::string &text, long long least, long long greatest) {
  char *end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != 0 || value < least || value > greatest)
    throw UsageError("--" + name + " takes a whole number from " + std::to_string(least) + " to " +
                     std::to_string(greatest) + ", not '" + text + "'");
  return value;
}

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i], value;
    if (name == "--help" || name == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    const std::size_t equals = name.find('=');
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (i + 1 < argc) {
      value = argv[++i];
    }
    if (name == "--scale")
      options.scale = static_cast<int>(number("scale", value, 1, 30));
    else if (name == "--edgefactor")
      options.edge_factor = static_cast<int>(number("edgefactor", value, 1, 1024));
    else if (name == "--roots")
      options.roots = static_cast<std::size_t>(number("roots", value, 1, 1 << 20));
    else if (name == "--checks")
      options.checks = static_cast<std::size_t>(number("checks", value, 1, 1 << 20));
    else if (name == "--seed")
      options.seed = static_cast<std::uint64_t>(number("seed", value, 0, 1LL << 62));
    else if (name == "--threads")
      options.threads = static_cast<int>(number("threads", value, 1, 4096));
    else if (name == "--json" && !value.empty())
      options.json = value;
    else if (name == "--kernels" && (value == "bfs" || value == "sssp" || value == "bfs,sssp")) {
      options.bfs = value != "sssp";
      options.sssp = value != "bfs";
    } else if (name == "--vertices" && (value == "input" || value == "degree" || value == "bfs")) {
      options.vertices_name = value;
      options.vertices = value == "input"    ? gc::VertexOrder::input
                         : value == "degree" ? gc::VertexOrder::by_degree
                                             : gc::VertexOrder::by_bfs;
    } else if (name == "--neighbors" && (value == "ascending" || value == "degree"))
      options.neighbors_by_degree = value == "degree";
    else
      throw UsageError("'" + std::string(argv[i]) + "' is not understood; --help lists the options");
  }
  if (options.scale == 0)
    throw UsageError("--scale=N is missing; --help lists the options");
  return options;
}

double seconds_of(const std::function<void()> &work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of the GPU that the programs run on; empty where they do not.
std::string bus_id_of_gpu() {
  char id[32] = "";
#ifdef __CUDACC__
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetPCIBusId(id, sizeof id, device) != cudaSuccess)
    return "";
#endif
  return id;
}

/// The most memory that the process has had, in bytes.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// Prints figures as lines, and keeps them for JSON.
class Figures {
public:
  void add(const std::string &name, double value, const char *format = "%.9g") {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    print(name, text, text);
  }
  void add(const std::string &name, const std::string &value) { print(name, value, "\"" + value + "\""); }
  void write(const std::string &path) const {
    std::FILE *file = std::fopen(path.c_str(), "w");
    const bool good = file && std::fprintf(file, "{%s\n}\n", json_.c_str()) > 0;
    if ((file && std::fclose(file) != 0) || !good)
      throw std::runtime_error(path + ": cannot be written");
  }

private:
  void print(const std::string &name, const std::string &text, const std::string &value) {
    std::printf("%s: %s\n", name.c_str(), text.c_str());
    std::fflush(stdout);
    json_ += (json_.empty() ? "\n  \"" : ",\n  \"") + name + "\": " + value;
  }
  std::string json_;
};

void add_statistics(Figures &figures, const std::string &kernel, const std::string &of,
                    const std::vector<double> &values, bool harmonic) {
  const Statistics s = statistics_of(values, harmonic);
  const std::string before = kernel + "_", after = "_" + of;
  figures.add(before + "min" + after, s.minimum);
  figures.add(before + "firstquartile" + after, s.first_quartile);
  figures.add(before + "median" + after, s.median);
  figures.add(before + "thirdquartile" + after, s.third_quartile);
  figures.add(before + "max" + after, s.maximum);
  figures.add(before + (harmonic ? "harmonic_mean" : "mean") + after, s.mean);
  figures.add(before + (harmonic ? "harmonic_stddev" : "stddev") + after, s.deviation);
}

/// A result in the numbers of the edge list.
class Translation {
public:
  explicit Translation(const gc::LoadedGraph &graph) : ids(graph.ids()), position(graph.num_vertices()) {
    for (Vertex i = 0; i < position.size(); ++i)
      position[ids.at(i)] = i;
  }
  Id vertex(Vertex v) const { return static_cast<Id>(ids.at(v)); }
  template <class Parents> Tree tree(Vertex root, const Parents &parents) const {
    Tree tree;
    tree.root = root;
    tree.parent.resize(position.size());
#pragma omp parallel for schedule(static)
    for (Vertex v = 0; v < position.size(); ++v) {
      const Id parent = parents[vertex(v)];
      tree.parent[v] = parent == gc::none<Id>() ? no_vertex : position[parent];
    }
    return tree;
  }
  template <class Distances> std::vector<double> distances(const Distances &of) const {
    using Distance = std::decay_t<decltype(of[0])>;
    std::vector<double> result(position.size());
#pragma omp parallel for schedule(static)
    for (Vertex v = 0; v < result.size(); ++v) {
      const Distance distance = of[vertex(v)];
      result[v] =
          distance == gc::inf<Distance>() ? std::numeric_limits<double>::infinity() : static_cast<double>(distance);
    }
    return result;
  }

private:
  const gc::VertexIds &ids;
  std::vector<Vertex> position; ///< in the edge list, of the graph's vertices
};

/// Runs a kernel from every root, checks what tree_of(root) then gives, at least of the first `checks` roots, and adds
/// its figures. A root in the component of one that was checked has as many edges to count.
template <class Program, class TreeOf>
void run_kernel(const std::string &name, bool weighted, std::size_t checks, Program &program, const TreeOf &tree_of,
                const Edges &edges, const std::vector<Vertex> &roots, const Translation &translation,
                EnergyMeter &meter, Figures &figures) {
  Tree checked;
  double checked_edges = 0, count_checked = 0;
  std::vector<double> times, counts, rates;
  double checking = 0;
  program.set_arguments(translation.vertex(roots[0]));
  program.run(); // does not count: a GPU loads kernels when they first run
  for (const Vertex root : roots) {
    program.set_arguments(translation.vertex(root));
    times.push_back(seconds_of([&] { program.run(); }));
    if (times.size() > checks && checked.parent[root] != no_vertex) {
      counts.push_back(checked_edges);
    } else {
      Tree tree = tree_of(root);
      Findings findings;
      checking += seconds_of([&] { findings = check_tree(edges, tree, weighted); });
      if (!findings.sound())
        throw std::runtime_error(name + " from root " + std::to_string(root) + " is refused: " + findings.text());
      counts.push_back(static_cast<double>(findings.edges));
      ++count_checked;
      if (counts.back() > checked_edges) {
        checked = std::move(tree);
        checked_edges = counts.back();
      }
    }
    rates.push_back(counts.back() / times.back());
  }
  add_statistics(figures, name, "time", times, false);
  add_statistics(figures, name, "nedge", counts, false);
  add_statistics(figures, name, "TEPS", rates, true);
  figures.add(name + "_checked", count_checked, "%.0f");
  figures.add(name + "_check_time", checking);
  if (!meter.readable())
    return figures.add(name + "_nanojoules_per_edge", "not readable: the system shows no energy counters");
  // Searches that take less time than the counters need to be renewed, once more from root to root.
  double edges_in_all = 0, seconds = 0;
  meter.start();
  for (std::size_t i = 0; seconds < 2; i = (i + 1) % roots.size()) {
    program.set_arguments(translation.vertex(roots[i]));
    seconds += seconds_of([&] { program.run(); });
    edges_in_all += counts[i];
  }
  const Joules joules = meter.stop();
  if (joules.processors)
    figures.add(name + "_nanojoules_per_edge", 1e9 * *joules.processors / edges_in_all);
  if (joules.gpu)
    figures.add(name + "_gpu_nanojoules_per_edge", 1e9 * *joules.gpu / edges_in_all);
}

void run(const Options &options) {
#ifdef _OPENMP
  if (options.threads > 0)
    omp_set_num_threads(options.threads);
#endif
  Figures figures;
  figures.add("SCALE", options.scale, "%.0f");
  figures.add("edgefactor", options.edge_factor, "%.0f");
#ifdef __CUDACC__
  figures.add("target", "cuda");
#elif defined(_OPENMP)
  figures.add("target", "omp");
  figures.add("threads", omp_get_max_threads(), "%.0f");
#else
  figures.add("target", "serial");
#endif
  figures.add("vertices", options.vertices_name);
  figures.add("neighbors", options.neighbors_by_degree ? "degree" : "ascending");

  Edges edges;
  figures.add("graph_generation",
              seconds_of([&] { edges = kronecker(options.scale, options.edge_factor, options.seed); }));
  const std::vector<Vertex> roots = draw_roots(edges, options.roots, options.seed);
  if (roots.empty())
    throw std::runtime_error("no vertex has an edge to another one");
  figures.add("NBFS", static_cast<double>(roots.size()), "%.0f");
  figures.add("edge_list_bytes", static_cast<double>((2 * sizeof(Vertex) + sizeof(float)) * edges.size()), "%.0f");

  gc::LoadOptions load = gc::load_options(options.sssp ? shortest_paths_info() : bfs_parent_info());
  const gc::ProgramInfo bfs_needs = bfs_parent_info();
  load.in_edges |= bfs_needs.needs_in_edges;
  load.in_edge_ids |= bfs_needs.needs_in_edge_ids;
  load.self_loops = gc::Keep::drop;
  load.vertex_order = options.vertices;
  load.neighbors_by_degree = options.neighbors_by_degree;
  gc::EdgeList<Id> list;
  list.num_vertices = edges.num_vertices;
  list.num_edges = edges.size();
  list.is_directed = false;
  list.sources = edges.sources.data();
  list.targets = edges.targets.data();
  if (options.sssp)
    list.columns[0] = edges.weights.data(); // of shortest_paths.gdsl
  std::vector<gc::LoadedGraph> built;
  figures.add("construction_time", seconds_of([&] { built.push_back(gc::build_of(list, load)); }));
  const gc::LoadedGraph &graph = built.front();
  figures.add("layout_time", graph.layout_seconds());
  figures.add("graph_bytes", static_cast<double>(graph.bytes()), "%.0f");
  figures.add("peak_bytes_after_construction", peak_memory(), "%.0f");

  const gc::Graph<Id> &view = graph.view<Id>();
  const Translation translation(graph);
  EnergyMeter meter(bus_id_of_gpu());
  if (options.bfs) {
    BfsParent<Id> program(view, translation.vertex(roots[0]));
    const auto tree_of = [&](Vertex root) { return translation.tree(root, program.parent()); };
    run_kernel("bfs", false, options.checks, program, tree_of, edges, roots, translation, meter, figures);
  }
  if (options.sssp) {
    ShortestPaths<Id> program(view, translation.vertex(roots[0]));
    const auto tree_of = [&](Vertex root) {
      Tree tree = translation.tree(root, program.parent());
      tree.distance = translation.distances(program.dist());
      return tree;
    };
    run_kernel("sssp", true, options.checks, program, tree_of, edges, roots, translation, meter, figures);
  }
  if (!options.json.empty())
    figures.write(options.json);
}

} // namespace

int main(int argc, char **argv) {
  try {
    run(parse(argc, argv));
    return 0;
  } catch (const UsageError &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
