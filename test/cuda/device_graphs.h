// Small graphs of many shapes, on the host and under the emulation.
#ifndef GCOMPILE_TEST_CUDA_DEVICE_GRAPHS_H
#define GCOMPILE_TEST_CUDA_DEVICE_GRAPHS_H

#include "cuda_runtime.h"

#include "test/kernels/small_graph.h"

#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/sets/vertex_set.h>
#include <gcompile/program.h>

#include <gtest/gtest.h>

#include <vector>

using V = std::uint32_t;
using gc::ArcId;

/// What a program would say that it needs for one integer weight per arc.
inline gc::ProgramInfo weighted() {
  gc::ProgramInfo info;
  info.name = "test";
  info.edge_columns.push_back({});
  info.edge_columns.back().type = gc::ColumnType::int32;
  return info;
}

/// Graphs without vertices, without arcs, with hubs whose lists a block shares, long paths, and random ones.
inline std::vector<SmallGraph<V>> all_graphs() {
  std::vector<SmallGraph<V>> graphs;
  graphs.push_back(SmallGraph<V>(1, {}, true));
  graphs.push_back(SmallGraph<V>(70, {}, false));
  graphs.push_back(random_graph<V>(10, 30, true, false, 1));
  graphs.push_back(random_graph<V>(1000, 5000, true, true, 2));
  graphs.push_back(random_graph<V>(1000, 5000, false, false, 3));
  std::vector<std::tuple<V, V, std::int32_t>> star, path;
  for (V v = 1; v < 3000; ++v) {
    star.push_back({v % 3 == 0 ? 7 : 8, v, static_cast<std::int32_t>(v % 100 + 1)});
    if (v < 500)
      path.push_back({v, v - 1, static_cast<std::int32_t>(v % 7 + 1)});
  }
  star.push_back({7, 8, 3});
  graphs.push_back(SmallGraph<V>(3000, star, false));
  graphs.push_back(SmallGraph<V>(600, path, true));
  return graphs;
}

/// Calls check(host, device) for every graph under several seeds.
template <class Check> void on_all_graphs(Check check) {
  std::uint64_t seed = 0;
  for (const SmallGraph<V> &graph : all_graphs()) {
    const gc::cuda::Graph<V> device(graph.graph, weighted());
    for (int repeat = 0; repeat < 2; ++repeat) {
      SCOPED_TRACE(testing::Message() << graph.graph.n << " vertices, " << graph.graph.num_arcs() << " arcs, seed "
                                      << ++seed);
      emulation::seed(seed);
      check(graph.graph, device);
    }
  }
}

template <class T> std::vector<T> contents(const gc::cuda::Property<T> &property) {
  const auto &values = property.host();
  return std::vector<T>(values.data(), values.data() + property.size());
}

#endif
