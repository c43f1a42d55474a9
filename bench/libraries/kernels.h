// The kernels of the comparison with graph libraries: what each takes and gives.
#pragma once

#include <gcompile/program/load.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

using View = gc::Graph<std::uint32_t>;

enum class Kernel { bfs, sssp, pagerank, components, betweenness, triangles, kcore, prim, forest };

/// What a library computes, and how far it may be from ours.
struct Task {
  Kernel kernel;
  double tolerance = 1e-6; ///< of each value, relative to ours
};

/// A graph library that runs some of the kernels on an undirected graph. Its own form of the graph is made by its
/// constructor, whose time is not counted.
class Library {
public:
  virtual ~Library() = default;
  virtual std::string name() const = 0;
  virtual std::vector<Task> tasks() const = 0;
  /// Runs the kernel from `source`, where it has one. The result stays in the library's own form.
  virtual void run(Kernel kernel, std::uint32_t source) = 0;
  /// The result of the last run: depths and distances (-1: not reached), ranks, the dependencies of one source, core
  /// numbers or some number for each component, by vertex; one value for triangles, and the
  /// weight of the tree or forest for prim and forest.
  virtual std::vector<double> answer() const = 0;
};

/// `weights`: one per arc of `graph`, from 1 on. They and the graph outlive the library.
std::unique_ptr<Library> ours(const gc::LoadedGraph &graph);
std::unique_ptr<Library> boost_graph(const View &graph, const std::int32_t *weights, int rounds);
std::unique_ptr<Library> igraph(const View &graph, const std::int32_t *weights);
std::unique_ptr<Library> graphblas(const View &graph, const std::int32_t *weights, int rounds, int threads);

} // namespace bench
