#include "traversed.h"

#include "csr_check.h"
#include "storage.h"

#include <gcompile/omp/order/swept_vertices.h>

#include <algorithm>
#include <set>
#include <type_traits>
#include <vector>

namespace gc::detail {

namespace {

/// What lies in a part of a graph.
struct Part {
  std::int64_t input = 0; ///< edges of the input
  std::int64_t arcs = 0;  ///< arcs that the graph has
  std::int64_t loops = 0; ///< of these the self-loops

  Part &operator+=(const Part &other) {
    input += other.input;
    arcs += other.arcs;
    loops += other.loops;
    return *this;
  }
};

} // namespace

struct TraversedEdges::Counter {
  virtual ~Counter() = default;
  virtual std::int64_t of(const Arguments &arguments) = 0;
};

/// Parts are numbered from 1. Where edges lead both ways a part is a component: it is counted once, for all its roots.
template <class V, class A> struct TraversedEdges::CounterOn final : TraversedEdges::Counter {
  CounterOn(const ProgramInfo &info, const LoadedGraph &graph, const Graph<V, A> &kernels, ProcessGroup *group)
      : info(info), g(own_lists(kernels, group).lists), group(group), own(own_of(kernels, group)),
        rows(own_lists(kernels, group).rows), input(graph.storage().input_edges), in_part(graph.num_vertices(), 0),
        both(!g.is_directed || info.along == Along::both) {}

  std::int64_t of(const Arguments &arguments) override {
    if (!both)
      forget();
    std::set<std::uint32_t> reached;
    for (const V root : roots_of(arguments)) {
      if (!both && !parts.empty() && in_part[root] == 0)
        count_from(root, 1); // what several roots reach is one part
      else if (in_part[root] == 0) {
        parts.emplace_back();
        count_from(root, static_cast<std::uint32_t>(parts.size()));
      }
      reached.insert(in_part[root]);
    }
    std::int64_t edges = 0;
    for (const std::uint32_t part : reached)
      edges += edges_of(parts[part - 1]);
    return edges;
  }

private:
  static VertexBlock own_of([[maybe_unused]] const Graph<V, A> &graph, [[maybe_unused]] const ProcessGroup *group) {
    if constexpr (std::is_same<A, Plain>::value)
      return block_of(graph, group);
    return {0, graph.num_vertices()};
  }
  bool owns(V v) const { return v >= own.begin && v < own.end; }
  /// Whether this process has arcs at the vertex.
  bool has(V v) const { return v >= rows.begin && v < rows.end; }

  std::vector<V> roots_of(const Arguments &arguments) const {
    std::vector<V> roots;
    for (const ParameterInfo &parameter : info.parameters) {
      if (std::find(info.roots.begin(), info.roots.end(), parameter.name) == info.roots.end())
        continue;
      if (parameter.type == ParameterType::vertex_set) {
        const std::vector<V> set = arguments.vertex_set<V>(parameter.name.c_str());
        roots.insert(roots.end(), set.begin(), set.end());
      } else if (const V root = arguments.vertex<V>(parameter.name.c_str()); root != none<V>()) {
        roots.push_back(root);
      }
    }
    return roots;
  }

  void forget() {
    std::fill(in_part.begin(), in_part.end(), 0);
    parts.clear();
  }

  std::int64_t edges_of(const Part &part) const {
    if (input.size() > 0 && (both || info.along == Along::out))
      return part.input;
    return g.is_directed ? part.arcs : (part.arcs + part.loops) / 2;
  }

  /// Puts a vertex into a part, unless it is in one.
  bool enter(V v, std::uint32_t part) {
    std::uint32_t none = 0;
    return __atomic_load_n(&in_part[v], __ATOMIC_RELAXED) == 0 &&
           __atomic_compare_exchange_n(&in_part[v], &none, part, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }

  /// Adds what a root reaches, and is in no part yet, to a part.
  void count_from(V root, std::uint32_t part) {
    enter(root, part);
    if (g.is_directed && info.along == Along::in && !g.has_in_arcs())
      reach_by_scanning(part);
    else if (g.lists_in_file)
      reach_by_passes(root, part);
    else
      reach_by_lists(root, part);
  }

  /// Counts what lies at a vertex, and calls reached(u) for each neighbour that it puts into the part.
  template <class Reached> void walk(V v, std::uint32_t part, Part &counted, const Reached &reached) {
    const bool forwards = both || info.along == Along::out;
    const bool backwards = g.is_directed && info.along != Along::out;
    counted.input += input.size() > 0 && owns(v) ? static_cast<std::int64_t>(input[v]) : 0;
    if (forwards)
      for (const V u : g.out_neighbors(v)) {
        ++counted.arcs;
        counted.loops += u == v;
        if (enter(u, part))
          reached(u);
      }
    if (backwards)
      for (const V u : g.in_neighbors(v)) {
        counted.arcs += !forwards;
        if (enter(u, part))
          reached(u);
      }
  }

  void reach_by_lists(V root, std::uint32_t part) {
    std::vector<V> level;
    if (has(root))
      level.push_back(root);
    Part all;
    for (bool goes_on = true; goes_on;) {
      std::vector<V> next;
#pragma omp parallel if (level.size() > 256)
      {
        std::vector<V> mine;
        Part counted;
#pragma omp for schedule(dynamic, 64) nowait
        for (std::size_t i = 0; i < level.size(); ++i)
          walk(level[i], part, counted, [&](V u) { mine.push_back(u); });
#pragma omp critical(gcompile_traversed)
        {
          next.insert(next.end(), mine.begin(), mine.end());
          all += counted;
        }
      }
      if (group)
        next = met_by_all(next, part);
      goes_on = !next.empty();
      next.erase(std::remove_if(next.begin(), next.end(), [&](V v) { return !has(v); }), next.end());
      level = std::move(next);
    }
    add(part, all);
  }

  /// In passes over the file where the lists stay.
  void reach_by_passes(V root, std::uint32_t part) {
    if constexpr (std::is_same<A, Plain>::value) {
      SweptVertices<V> waiting;
      waiting.start(g.num_vertices(), g.out_offsets);
      waiting.add(root);
      Part all;
      while (waiting.advance()) {
#pragma omp parallel if (waiting.size() > 256)
        {
          Part counted;
          while (waiting.take([&](V v) { walk(v, part, counted, [&](V u) { waiting.add(u); }); })) {
          }
#pragma omp critical(gcompile_traversed)
          all += counted;
        }
      }
      add(part, all);
    }
  }

  /// What all processes have put into a part in one step, ascending.
  std::vector<V> met_by_all(const std::vector<V> &own_ones, std::uint32_t part) {
    const std::vector<std::uint64_t> all = group->all({own_ones.begin(), own_ones.end()});
    std::vector<V> met(all.begin(), all.end());
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    for (const V v : met)
      in_part[v] = part;
    return met;
  }

  /// Against the edges, by the out-arcs of what is not reached yet: for programs that only pull, whose graphs have no
  /// in-arcs; such programs are not run by groups.
  void reach_by_scanning(std::uint32_t part) {
    for (bool grows = true; grows;) {
      grows = false;
#pragma omp parallel for schedule(dynamic, 1024) reduction(|| : grows)
      for (std::uint64_t i = 0; i < g.n; ++i) {
        const V v = static_cast<V>(i);
        if (__atomic_load_n(&in_part[v], __ATOMIC_RELAXED) != 0)
          continue;
        for (const V u : g.out_neighbors(v))
          if (__atomic_load_n(&in_part[u], __ATOMIC_RELAXED) == part) {
            grows = enter(v, part) || grows;
            break;
          }
      }
    }
    std::int64_t arcs = 0;
#pragma omp parallel for schedule(static) reduction(+ : arcs)
    for (std::uint64_t v = 0; v < g.n; ++v)
      for (const V u : g.out_neighbors(static_cast<V>(v)))
        arcs += in_part[u] == part;
    parts[part - 1] = {};
    add(part, {0, arcs, 0});
  }

  void add(std::uint32_t part, Part counted) {
    if (group) {
      const std::vector<std::uint64_t> sums =
          group->sums({std::uint64_t(counted.input), std::uint64_t(counted.arcs), std::uint64_t(counted.loops)});
      counted = {static_cast<std::int64_t>(sums[0]), static_cast<std::int64_t>(sums[1]),
                 static_cast<std::int64_t>(sums[2])};
    }
    parts[part - 1] += counted;
  }

  const ProgramInfo &info;
  const Graph<V, A> g;
  ProcessGroup *group;
  const VertexBlock own, rows;
  const Array<std::uint64_t> &input; ///< of each vertex the edges of the input that start there; may be empty
  std::vector<std::uint32_t> in_part;
  std::vector<Part> parts;
  const bool both;
};

namespace {

/// All edges, for programs without roots.
std::int64_t all_edges(const LoadedGraph &graph) {
  const std::optional<std::uint64_t> input = graph.input_edges();
  return input ? static_cast<std::int64_t>(*input) : graph.num_edges();
}

} // namespace

template <class V, class A>
std::unique_ptr<TraversedEdges::Counter> TraversedEdges::on(const ProgramInfo &info, const LoadedGraph &graph,
                                                            const Graph<V, A> &kernels, ProcessGroup *group) {
  return std::make_unique<CounterOn<V, A>>(info, graph, kernels, group);
}

TraversedEdges::TraversedEdges(const ProgramInfo &info, const LoadedGraph &graph, ProcessGroup *group) {
  struct All final : Counter {
    std::int64_t edges;
    explicit All(std::int64_t edges) : edges(edges) {}
    std::int64_t of(const Arguments &) override { return edges; }
  };
  const auto count_on = [&](const auto &kernels) { counter_ = on(info, graph, kernels, group); };
  if (info.roots.empty())
    counter_ = std::make_unique<All>(all_edges(graph));
  else if (graph.vertex_bits() == 32)
    with_graph<std::uint32_t>(graph, count_on);
  else
    with_graph<std::uint64_t>(graph, count_on);
}

TraversedEdges::~TraversedEdges() = default;

std::int64_t TraversedEdges::of(const Arguments &arguments) { return counter_->of(arguments); }

} // namespace gc::detail
