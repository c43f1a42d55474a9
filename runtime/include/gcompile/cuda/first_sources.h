// The first sources of all vertices, in an array of their own: in a pull that ends with the first active neighbour,
// most vertices look no further, and threads side by side read neighbouring memory.
#ifndef GCOMPILE_CUDA_FIRST_SOURCES_H
#define GCOMPILE_CUDA_FIRST_SOURCES_H

#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/propagate.h>

namespace gc {
namespace cuda {

namespace detail {

template <class V>
__global__ void __launch_bounds__(block_threads)
    first_sources_kernel(gc::Graph<V> graph, FirstSources<V> *lists, std::uint32_t *any) {
  const std::uint64_t n = graph.num_vertices(), words = (n + 31) / 32;
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i / 32 < words;
       i += std::uint64_t(gridDim.x) * block_threads) {
    FirstSources<V> its;
    if (i < n) {
      const EdgeId begin = graph.in_begin(static_cast<V>(i)), end = graph.in_end(static_cast<V>(i));
      for (unsigned k = 0; k < 4; ++k)
        its.u[k] = begin + k < end ? graph.in_source(begin + k) : none<V>();
      lists[i] = its;
    }
    const unsigned filled = __ballot_sync(full_warp, i < n && its.u[0] != none<V>());
    if (lane_of_warp() == 0)
      any[i / 32] = filled;
  }
}

/// The first sources of a graph, made once for it.
template <class V> FirstSourcesView<V> first_sources_of(const Graph<V> &graph) {
  const FirstSourcesOfAll<V> &all = graph.first_sources([&] {
    const std::size_t n = graph.num_vertices();
    FirstSourcesOfAll<V> made = {Buffer<FirstSources<V>>(n), Buffer<std::uint32_t>((n + 31) / 32)};
    GCOMPILE_CUDA_LAUNCH((first_sources_kernel<V>), blocks_for(n), block_threads, graph.view(), made.lists.data(),
                         made.any.data());
    check(cudaGetLastError(), "cannot start a kernel");
    return made;
  });
  return {all.lists.data(), all.any.data()};
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
