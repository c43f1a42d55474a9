// What tests gather by segments under the emulation.
#pragma once

#include "test/cuda/device_graphs.h"

#include <gcompile/core/device_memory.h>
#include <gcompile/cuda/segments.h>

#include <algorithm>
#include <limits>

/// What arcs bring: a number of the source, 1 to 7.
template <class T> struct Number {
  GCOMPILE_HD static T of(V u) { return static_cast<T>(u * 5 % 7 + 1); }
};
template <class T> struct Sum {
  using Value = T;
  static constexpr bool may_fail = false;
  __device__ Value source(V u) const { return Number<T>::of(u); }
  GCOMPILE_HD static Value first() { return 0; }
  GCOMPILE_HD static Value combine(Value a, Value b) { return a + b; }
};
/// Must not be asked for vertices that no arc leaves.
struct Least {
  using Value = std::int32_t;
  static constexpr bool may_fail = true;
  gc::Graph<V> graph;
  __device__ Value source(V u) const {
    if (graph.out_degree(u) == 0)
      gc::fail_runtime("segments_test.cpp", "a vertex without arcs");
    return static_cast<Value>(u);
  }
  GCOMPILE_HD static Value first() { return std::numeric_limits<Value>::max(); }
  GCOMPILE_HD static Value combine(Value a, Value b) { return std::min(a, b); }
};

/// What f makes of the list of each vertex.
template <class F> std::vector<typename F::Value> gathered(const gc::Graph<V> &graph, const F &f) {
  std::vector<typename F::Value> expected(graph.n, F::first());
  for (V v = 0; v < graph.n; ++v)
    for (const V u : graph.in_neighbors(v))
      expected[v] = F::combine(expected[v], f.source(u));
  return expected;
}

/// While it stands, a program does nothing at random that is right either way: whether segments pay is sure.
struct Sure {
  Sure() { gc::device_memory.limit(std::uint64_t(1) << 30); }
  Sure(const Sure &) = delete;
  Sure &operator=(const Sure &) = delete;
  ~Sure() { gc::device_memory.limit(0); }
};
