#include "scotch.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>

#include <dlfcn.h>

namespace gc::detail {

namespace {

/// What Scotch reads: the neighbours of each vertex, without itself, each once with the number of arcs between them.
template <class Number> struct Neighbours { std::vector<Number> begins, lists, arcs, work; };

/// The arcs at each vertex from both sides, as positions and neighbours.
template <class V> struct BothSides {
  std::vector<std::uint64_t> begins;
  std::vector<V> ends;
};

template <class V> BothSides<V> both_sides(const Graph<V> &graph) {
  const std::uint64_t n = graph.num_vertices();
  BothSides<V> sides{std::vector<std::uint64_t>(n + 1, 0), {}};
  const auto for_arcs = [&](const auto &f) {
    for (std::uint64_t u = 0; u < n; ++u)
      for (const V v : graph.out_neighbors(static_cast<V>(u)))
        if (u != v) {
          f(u, static_cast<V>(v));
          if (graph.directed())
            f(v, static_cast<V>(u));
        }
  };
  for_arcs([&](std::uint64_t u, V) { ++sides.begins[u + 1]; });
  for (std::uint64_t u = 0; u < n; ++u)
    sides.begins[u + 1] += sides.begins[u];
  sides.ends.resize(sides.begins[n]);
  std::vector<std::uint64_t> at(sides.begins.begin(), sides.begins.end() - 1);
  for_arcs([&](std::uint64_t u, V v) { sides.ends[at[u]++] = v; });
  return sides;
}

template <class Number, class V> Neighbours<Number> neighbours_of(const Graph<V> &graph) {
  const std::uint64_t n = graph.num_vertices();
  BothSides<V> sides = both_sides(graph);
  Neighbours<Number> result;
  result.begins.push_back(0);
  for (std::uint64_t u = 0; u < n; ++u) {
    const auto first = sides.ends.begin() + static_cast<std::ptrdiff_t>(sides.begins[u]),
               last = sides.ends.begin() + static_cast<std::ptrdiff_t>(sides.begins[u + 1]);
    std::sort(first, last);
    for (auto v = first; v != last;) {
      const auto next = std::upper_bound(v, last, *v);
      result.lists.push_back(static_cast<Number>(*v));
      result.arcs.push_back(static_cast<Number>(next - v));
      v = next;
    }
    result.begins.push_back(static_cast<Number>(result.lists.size()));
    const V vertex = static_cast<V>(u);
    result.work.push_back(static_cast<Number>(1 + graph.out_end(vertex) - graph.out_begin(vertex)));
  }
  return result;
}

} // namespace

ScotchLibrary::ScotchLibrary() {
  setenv("SCOTCH_PTHREAD_NUMBER", "1", /*replace=*/0); // several threads find other parts each time
  for (const char *name : {"libscotch-7.0.so", "libscotch.so"})
    if (!library_)
      library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library_ || !dlsym(library_, "SCOTCH_graphPart"))
    throw Error(ErrorKind::resource,
                "--partition=scotch: Scotch is not installed: install it, as libscotch-dev of Debian, on all machines");
}

void *ScotchLibrary::symbol(const char *name) const {
  void *const found = dlsym(library_, name);
  if (!found)
    throw Error(ErrorKind::resource, std::string("--partition=scotch: the Scotch that is installed has no ") + name);
  return found;
}

template <class V>
std::vector<std::uint32_t> ScotchLibrary::parts(const Graph<V> &graph, int parts, MemoryBudget &budget) const {
  if (parts == 1 || graph.num_vertices() == 0)
    return std::vector<std::uint32_t>(graph.num_vertices(), 0);
  return function<int()>("SCOTCH_numSizeof")() == 4 ? parts_with<std::int32_t>(graph, parts, budget)
                                                    : parts_with<std::int64_t>(graph, parts, budget);
}

template <class Number, class V>
std::vector<std::uint32_t> ScotchLibrary::parts_with(const Graph<V> &graph, int parts, MemoryBudget &budget) const {
  const std::uint64_t n = graph.num_vertices(), arcs = (graph.directed() ? 2 : 1) * graph.num_arcs();
  if (n + arcs > static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
    throw Error(ErrorKind::resource, "--partition=scotch: the Scotch that is installed counts in " +
                                         std::to_string(8 * sizeof(Number)) + " bits, and the graph has " +
                                         std::to_string(n) + " vertices with " + std::to_string(arcs) +
                                         " ends of arcs; write a file of parts by other means");
  // The arrays here, and in the library about as much again for each of: itself, its coarser forms, and their bands.
  budget.require(static_cast<double>(n) * (16 + 12 * sizeof(Number)) +
                     static_cast<double>(arcs) * (sizeof(V) + 8 * sizeof(Number)),
                 "dividing the graph by Scotch");
  const Neighbours<Number> graph_of = neighbours_of<Number>(graph);
  const std::unique_ptr<void, void (*)(void *)> memory[] = {
      {function<void *()>("SCOTCH_graphAlloc")(), function<void(void *)>("SCOTCH_memFree")},
      {function<void *()>("SCOTCH_stratAlloc")(), function<void(void *)>("SCOTCH_memFree")}};
  void *const scotch = memory[0].get(), *const strategy = memory[1].get();
  std::vector<Number> found(n, 0);
  const auto require = [](int status) {
    if (status != 0)
      throw Error(ErrorKind::resource, "--partition=scotch: Scotch could not divide the graph");
  };
  constexpr double most_imbalance = 0.03;
  function<void(Number)>("SCOTCH_randomSeed")(1);
  function<void()>("SCOTCH_randomReset")();
  require(function<int(void *)>("SCOTCH_graphInit")(scotch));
  require(function<int(void *)>("SCOTCH_stratInit")(strategy));
  using Array = const Number *;
  require(function<int(void *, Number, Number, Array, Array, Array, Array, Number, Array, Array)>("SCOTCH_graphBuild")(
      scotch, 0, static_cast<Number>(n), graph_of.begins.data(), nullptr, graph_of.work.data(), nullptr,
      static_cast<Number>(graph_of.lists.size()), graph_of.lists.data(), graph_of.arcs.data()));
  require(function<int(void *, Number, Number, double)>("SCOTCH_stratGraphMapBuild")(
      strategy, 0, static_cast<Number>(parts), most_imbalance));
  require(function<int(void *, Number, void *, Number *)>("SCOTCH_graphPart")(scotch, static_cast<Number>(parts),
                                                                              strategy, found.data()));
  function<void(void *)>("SCOTCH_stratExit")(strategy);
  function<void(void *)>("SCOTCH_graphExit")(scotch);
  return {found.begin(), found.end()};
}

template std::vector<std::uint32_t> ScotchLibrary::parts(const Graph<std::uint32_t> &, int, MemoryBudget &) const;
template std::vector<std::uint32_t> ScotchLibrary::parts(const Graph<std::uint64_t> &, int, MemoryBudget &) const;

} // namespace gc::detail
