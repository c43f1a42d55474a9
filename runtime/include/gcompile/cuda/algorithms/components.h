// Connected components on the device: hooking and pointer jumping with neighbour sampling (Afforest, Sutton et al.
// 2018), the rest of the arcs shared out evenly.
#ifndef GCOMPILE_CUDA_ALGORITHMS_COMPONENTS_H
#define GCOMPILE_CUDA_ALGORITHMS_COMPONENTS_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/filter.h>
#include <gcompile/cuda/kernels/kernels.h>

namespace gc {
namespace cuda {

namespace detail {

/// The root of v's tree; halves the path on the way.
template <class V> __device__ V find_root(V *parent, V v) {
  V p = gc::load(parent[v]);
  while (p != v) {
    const V above = gc::load(parent[p]);
    if (above == p)
      return p;
    gc::store(parent[v], above);
    v = p;
    p = above;
  }
  return p;
}

/// Joins the trees of u and v: the greater root is hooked to the smaller.
template <class V> __device__ void hook(V *parent, V u, V v) {
  V a = find_root(parent, u), b = find_root(parent, v);
  while (a != b) {
    const V high = a < b ? b : a, low = a < b ? a : b;
    if (gc::claim(parent[high], high, low))
      return;
    a = find_root(parent, high);
    b = find_root(parent, low);
  }
}

template <class V> struct HookSample {
  gc::Graph<V> graph;
  V *label;
  ArcId which;
  __device__ void operator()(V v) const {
    if (graph.out_begin(v) + which < graph.out_end(v))
      hook(label, v, graph.target(graph.out_begin(v) + which));
  }
};

/// Hooks a vertex to its first neighbour, if that is smaller: nobody else writes there, and no cycle can come of it.
template <class V> struct HookFirst {
  gc::Graph<V> graph;
  V *label;
  __device__ void operator()(V v) const {
    if (graph.out_begin(v) == graph.out_end(v))
      return;
    const V first = graph.target(graph.out_begin(v));
    if (first < v)
      label[v] = first;
  }
};

/// Shortens the path of every vertex; others may lengthen it a little meanwhile.
template <class V> struct Shorten {
  V *label;
  __device__ void operator()(V v) const { gc::store(label[v], find_root(label, v)); }
};

/// Where nobody hooks meanwhile. Caches may give what a label was before: it leads to the same root, and all threads
/// ask for the few roots, which one place in memory could not serve.
template <class V> struct Compress {
  V *label;
  __device__ void operator()(V v) const {
    const V old = label[v];
    V root = old;
    for (V above = label[root]; above != root; above = label[root])
      root = above;
    if (root != old)
      label[v] = root;
  }
};

/// The vertices outside of the giant component.
template <class V> struct Outside {
  const V *label, *giant;
  __device__ bool operator()(V v) const { return label[v] != *giant; }
};

template <class V> struct HookArc {
  V *label;
  __device__ void operator()(V u, V v, ArcId) const { hook(label, u, v); }
};

template <class V> struct HookInArcs {
  gc::Graph<V> graph;
  V *label;
  __device__ void operator()(V v) const {
    for (const V u : graph.in_neighbors(v))
      hook(label, v, u);
  }
};

/// The most frequent of 512 sampled labels, found by one block.
template <class V> __global__ void frequent_kernel(V n, const V *label, V *result) {
  struct Sample {
    V values[512];
    unsigned best;
  };
  GCOMPILE_CUDA_SHARED(Sample, sample);
  for (unsigned i = threadIdx.x; i < 512; i += block_threads)
    sample.values[i] = label[gc::detail::mix((i + 1) * 0x9e3779b97f4a7c15u) % n];
  if (threadIdx.x == 0)
    sample.best = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 512; i += block_threads) {
    unsigned count = 0;
    for (unsigned k = 0; k < 512; ++k)
      count += sample.values[k] == sample.values[i];
    atomicMax(&sample.best, count << 9 | (511 - i));
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *result = sample.values[511 - (sample.best & 511)];
}

} // namespace detail

/// Gives every vertex the smallest id in its (weakly) connected component. `label` holds each vertex's own id.
template <class V> void connect_components(const Graph<V> &graph, V *label) {
  const V n = graph.num_vertices();
  if (n == 0)
    return;
  // Where vertices have many neighbours, the first is much smaller, and paths stay short without joining.
  if (graph.is_dense()) {
    for_vertices(graph, detail::HookFirst<V>{graph.view(), label});
    for_vertices(graph, detail::HookSample<V>{graph.view(), label, 1});
    for_vertices(graph, detail::Shorten<V>{label});
  } else {
    for (ArcId which = 0; which < 2; ++which) {
      for_vertices(graph, detail::HookSample<V>{graph.view(), label, which});
      for_vertices(graph, detail::Compress<V>{label});
    }
  }
  // The arcs of the giant component need no further look, if the other end of each takes it.
  if (!graph.directed() || graph.view().in_offsets) {
    Buffer<V> giant(1);
    GCOMPILE_CUDA_LAUNCH((detail::frequent_kernel<V>), 1, block_threads, n, static_cast<const V *>(label),
                         giant.data());
    const VertexSet<V> rest = filter(graph, detail::Outside<V>{label, giant.data()});
    if (rest.size() == 0)
      return; // every vertex has the root's id
    for_out_edges(graph, rest, detail::HookArc<V>{label});
    if (graph.directed())
      for_vertices(graph, rest, detail::HookInArcs<V>{graph.view(), label});
  } else {
    for_out_edges(graph, detail::HookArc<V>{label});
  }
  for_vertices(graph, detail::Compress<V>{label});
}

namespace detail {

template <class V> struct OwnLabel {
  V *label;
  __device__ void operator()(V v) const { label[v] = v; }
};
template <class V, class T> struct MinimumAtRoot {
  const V *label;
  T *value;
  __device__ void operator()(V v) const {
    if (label[v] != v)
      gc::atomic_min(value[label[v]], gc::load(value[v]));
  }
};
template <class V, class T> struct ValueOfRoot {
  const V *label;
  T *value;
  __device__ void operator()(V v) const {
    if (label[v] != v)
      value[v] = value[label[v]];
  }
};

} // namespace detail

/// Gives every vertex the minimum of the values in its (weakly) connected component.
template <class V, class T> void spread_minimum(const Graph<V> &graph, T *value) {
  Buffer<V> label(graph.num_vertices());
  for_vertices(graph, detail::OwnLabel<V>{label.data()});
  connect_components(graph, label.data());
  for_vertices(graph, detail::MinimumAtRoot<V, T>{label.data(), value});
  for_vertices(graph, detail::ValueOfRoot<V, T>{label.data(), value});
}

} // namespace cuda
} // namespace gc

#endif
