// The parts of the Graph500 protocol: the edge list, the checks of a tree, statistics and energy. None of them knows
// how the kernels work. Source: the Graph500 benchmark specification, https://graph500.org (BFS and SSSP).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace graph500 {

using Vertex = std::uint32_t;
constexpr Vertex no_vertex = std::numeric_limits<Vertex>::max();

/// What kernel 1 builds a graph of: directions mean nothing.
struct Edges {
  std::uint64_t num_vertices = 0; ///< the vertices are 0..num_vertices - 1
  std::vector<Vertex> sources, targets;
  std::vector<float> weights;

  std::size_t size() const { return sources.size(); }
};

/// A Kronecker graph with 2^scale vertices and edge_factor * 2^scale edges, probabilities 0.57, 0.19, 0.19 and 0.05,
/// vertices in random order; self-loops and copies stay. Weights are odd multiples of 2^-24 below 1. The same for the
/// same seed, whatever the number of threads.
Edges kronecker(int scale, int edge_factor, std::uint64_t seed);

/// Up to `count` different vertices, drawn at random among those with an edge to another vertex.
std::vector<Vertex> draw_roots(const Edges &edges, std::size_t count, std::uint64_t seed);

/// What a kernel says of one root, in the numbers of the edge list.
struct Tree {
  Vertex root = no_vertex;
  std::vector<Vertex> parent; ///< of each vertex; the root's is itself, and no_vertex of what is not reached
  /// Of each vertex: a level or a length; infinite where it is not reached. Empty: levels as the parents have them.
  std::vector<double> distance;
};

/// The five checks of the specification.
enum class Check {
  tree,      ///< 1: parents lead to the root, without a cycle
  steps,     ///< 2: along a tree edge a level grows by one, a length by the edge's weight
  edges,     ///< 3: the ends of an edge differ by at most one level, or the weight
  component, ///< 4: no edge leads out of the tree
  joined     ///< 5: a vertex and its parent are joined by an edge of the list
};
constexpr std::size_t num_checks = 5;

/// What the checks find.
struct Findings {
  std::array<std::uint64_t, num_checks> faults = {}; ///< vertices or edges that fail, by check
  std::uint64_t edges = 0; ///< of the list that lie in the tree's component, copies and loops too

  std::uint64_t of(Check check) const { return faults[static_cast<std::size_t>(check)]; }
  bool sound() const;
  /// "check 3 (edges): 12 faults", for all that fail.
  std::string text() const;
};

/// Checks a tree against the edge list alone. `weighted`: distances are lengths, otherwise levels.
Findings check_tree(const Edges &edges, const Tree &tree, bool weighted);

/// Minimum, quartiles (between neighbours in proportion), maximum, mean and its deviation.
struct Statistics {
  double minimum = 0, first_quartile = 0, median = 0, third_quartile = 0, maximum = 0;
  double mean = 0, deviation = 0;
};
/// Of at least one value. Of rates (`harmonic`), the harmonic mean and its standard error (Norris 1940).
Statistics statistics_of(std::vector<double> values, bool harmonic);

/// What energy counters say, in joules; nothing where the system shows none.
struct Joules {
  std::optional<double> processors, gpu;
};

/// The energy counters of the processor packages (Linux powercap, RAPL) and of a GPU (NVML). They are renewed some ten
/// times a second at worst.
class EnergyMeter {
public:
  /// `gpu`: the PCI bus id of the GPU whose energy counts; empty: of none. `library` is loaded where there is one.
  explicit EnergyMeter(const std::string &gpu, const std::string &folder = "/sys/class/powercap",
                       const std::string &library = "libnvidia-ml.so.1");
  bool readable() const { return !counters_.empty() || gpu_; }
  void start();
  /// Since start(). Intervals must be shorter than a counter takes to wrap around.
  Joules stop() const;

private:
  struct Counter {
    std::string file;
    double range = 0, first = 0; ///< microjoules
  };
  std::vector<Counter> counters_;
  std::function<std::optional<double>()> gpu_; ///< its joules so far; empty: they cannot be read
  std::optional<double> gpu_first_;
};

} // namespace graph500
