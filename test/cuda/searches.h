// Breadth-first searches on the device, checked against a plain one.
#ifndef GCOMPILE_TEST_CUDA_SEARCHES_H
#define GCOMPILE_TEST_CUDA_SEARCHES_H

#include "test/cuda/device_graphs.h"

#include <gcompile/cuda/frontier/frontier.h>

#include <queue>

struct BfsPush {
  V *parent;
  std::int32_t *depth;
  template <class Next> __device__ void operator()(V u, V v, ArcId, std::int32_t, Next &next) const {
    if (next.claim(parent[v], gc::none<V>(), u)) {
      gc::store(depth[v], gc::load(depth[u]) + 1);
      next.push(v);
    }
  }
};

struct BfsPull {
  gc::Graph<V> graph;
  V *parent;
  std::int32_t *depth;
  template <class Current, class Next>
  __device__ void operator()(V v, std::int32_t, const Current &current, Next &next) const {
    if (parent[v] != gc::none<V>())
      return;
    for (const V u : graph.in_neighbors(v))
      if (current.contains(u)) {
        parent[v] = u;
        gc::store(depth[v], gc::load(depth[u]) + 1);
        next.set(v);
        return;
      }
  }
};

/// What a push does that claims without atomic operations; each winner is pushed `times` times.
template <class Next>
__device__ void claim_shared(V *parent, std::int32_t *depth, unsigned times, V u, V v, std::int32_t round, Next &next) {
  if (!next.claim_shared(parent[v], gc::none<V>(), u))
    return;
  gc::store(depth[v], round);
  for (unsigned i = 0; i < times; ++i)
    next.push(v);
}

/// Any neighbour is taken.
inline constexpr auto any_parent = [](V, V) { return true; };

/// Depths from `root` along the arcs from u to v for which takes(u, v); -1 where none leads.
template <class Takes = decltype(any_parent)>
std::vector<std::int32_t> serial_depths(const gc::Graph<V> &graph, V root, const Takes &takes = any_parent) {
  std::vector<std::int32_t> depth(graph.n, -1);
  std::queue<V> open;
  depth[root] = 0;
  for (open.push(root); !open.empty(); open.pop())
    for (const V v : graph.out_neighbors(open.front()))
      if (depth[v] < 0 && takes(open.front(), v)) {
        depth[v] = depth[open.front()] + 1;
        open.push(v);
      }
  return depth;
}

/// Searches from `root` by propagate(frontier, parent, depth), and checks both results.
template <class Takes, class Propagate>
void check_search(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, V root, const Takes &takes,
                  Propagate propagate) {
  const std::vector<std::int32_t> expected = serial_depths(graph, root, takes);
  gc::cuda::Property<V> parent(graph.n);
  gc::cuda::Property<std::int32_t> depth(graph.n);
  ASSERT_EQ(cudaMemset(parent.data(), 255, graph.n * sizeof(V)), cudaSuccess);
  ASSERT_EQ(cudaMemset(depth.data(), 255, graph.n * sizeof(std::int32_t)), cudaSuccess);
  const std::int32_t zero = 0;
  ASSERT_EQ(cudaMemcpy(parent.data() + root, &root, sizeof root, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(depth.data() + root, &zero, sizeof zero, cudaMemcpyHostToDevice), cudaSuccess);
  gc::cuda::Frontier<V> frontier(device);
  frontier.start({root});
  propagate(frontier, parent.data(), depth.data());
  EXPECT_EQ(contents(depth), expected);
  const std::vector<V> parents = contents(parent);
  for (V v = 0; v < graph.n; ++v) {
    if (expected[v] < 0) {
      EXPECT_EQ(parents[v], gc::none<V>());
    } else if (v != root) {
      ASSERT_LT(parents[v], graph.n);
      EXPECT_TRUE(takes(parents[v], v));
      EXPECT_EQ(expected[parents[v]], expected[v] - 1);
    }
  }
}

#endif
