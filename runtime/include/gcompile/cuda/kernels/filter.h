// Filters: the set of the vertices, or of the members of a set, for which a test holds.
#ifndef GCOMPILE_CUDA_KERNELS_FILTER_H
#define GCOMPILE_CUDA_KERNELS_FILTER_H

#include <gcompile/cuda/kernels/kernels.h>

namespace gc {
namespace cuda {

namespace detail {

/// Adds the members for which f(v) holds to a list and to a bitmap, whose words are 0 or, where the members begin
/// with the first vertex, anything. The threads of all blocks call.
template <class V, class F>
__device__ void filter_each(const F &f, const Members<V> &members, std::uint32_t *words, Outbox<V> &outbox) {
  const std::uint64_t step = std::uint64_t(gridDim.x) * block_threads;
  for (std::uint64_t first = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x / 32 * 32; first < members.count;
       first += step) {
    const std::uint64_t i = first + lane_of_warp();
    const V v = i < members.count ? members[i] : V(0);
    const bool kept = i < members.count && f(v);
    if (members.items || members.first != 0) {
      if (kept)
        atomicOr(&words[v / 32], 1u << (v % 32));
    } else {
      const unsigned word = __ballot_sync(full_warp, kept);
      if (lane_of_warp() == 0)
        words[first / 32] = word;
    }
    if (kept)
      outbox.push(v);
    __syncwarp();
    outbox.collect();
  }
  outbox.finish();
}

/// The same by `count` lanes for each member, or a warp or block where its list is long. The words are 0.
template <unsigned count, class V, class F>
__device__ void filter_by_lanes(const F &f, const gc::Graph<V> &graph, const Members<V> &members, std::uint32_t *words,
                                Hubs<block_threads> &hubs, Outbox<V> &outbox) {
  constexpr unsigned groups = block_threads / count;
  const unsigned group = threadIdx.x / count;
  const WarpLanes<count> lanes;
  if (threadIdx.x == 0)
    hubs.count = 0;
  __syncthreads();
  const auto keep = [&](bool leads, V v) {
    if (leads) {
      atomicOr(&words[v / 32], 1u << (v % 32));
      outbox.push(v);
    }
    __syncwarp();
    outbox.collect();
  };
  for (std::uint64_t tile = blockIdx.x * std::uint64_t(block_threads); tile < members.count;
       tile += std::uint64_t(gridDim.x) * block_threads) {
    for (unsigned turn = 0; turn < count; ++turn) {
      const unsigned slot = turn * groups + group;
      const bool inside = tile + slot < members.count;
      const V v = inside ? members[tile + slot] : V(0);
      const ArcId length = inside ? list_length(graph, v) : 0;
      bool kept = false;
      if (length > hub_degree) {
        if (lanes.leader())
          hubs.slots[atomicAdd(&hubs.count, 1u)] = static_cast<unsigned short>(slot);
      } else if (inside && length <= 16 * count) {
        kept = f(v, lanes);
      }
      unsigned longer = __ballot_sync(full_warp, lanes.leader() && length > 16 * count && length <= hub_degree);
      for (; longer != 0; longer &= longer - 1) {
        const unsigned owner = static_cast<unsigned>(__ffs(static_cast<int>(longer))) - 1;
        const bool its = f(static_cast<V>(__shfl_sync(full_warp, v, static_cast<int>(owner))), WarpLanes<32>());
        kept = lane_of_warp() == owner ? its : kept;
      }
      __syncwarp();
      keep(kept && lanes.leader(), v);
    }
    __syncthreads();
    const unsigned found = hubs.count;
    __syncthreads();
    if (threadIdx.x == 0)
      hubs.count = 0;
    for (unsigned i = 0; i < found; ++i) {
      const V v = members[tile + hubs.slots[i]];
      const bool kept = f(v, BlockLanes<block_threads>());
      keep(kept && threadIdx.x == 0, v);
    }
    __syncthreads();
  }
  outbox.finish();
}

template <class V, class F>
__global__ void __launch_bounds__(block_threads)
    filter_kernel(F f, gc::Graph<V> graph, Members<V> members, std::uint32_t *words, Queue<V> queue) {
  GCOMPILE_CUDA_SHARED(OutboxMemory<V>, memory);
  Outbox<V> outbox(graph, queue, memory);
  filter_each(f, members, words, outbox);
}

template <unsigned count, class V, class F>
__global__ void __launch_bounds__(block_threads)
    filter_lanes_kernel(F f, gc::Graph<V> graph, Members<V> members, std::uint32_t *words, Queue<V> queue) {
  GCOMPILE_CUDA_SHARED(Hubs<block_threads>, hubs);
  GCOMPILE_CUDA_SHARED(OutboxMemory<V>, memory);
  Outbox<V> outbox(graph, queue, memory);
  filter_by_lanes<count>(f, graph, members, words, hubs, outbox);
}

template <class V, class F> VertexSet<V> run_filter(const Graph<V> &graph, const F &f, const Members<V> &members) {
  VertexSet<V> result(graph);
  const Queue<V> queue = result.start_collecting();
  const unsigned blocks = blocks_for(members.count, 32);
  if constexpr (!ByLanes<F>::value)
    GCOMPILE_CUDA_LAUNCH((filter_kernel<V, F>), blocks, block_threads, f, graph.view(), members, result.words(), queue);
  else if (graph.is_dense())
    GCOMPILE_CUDA_LAUNCH((filter_lanes_kernel<8, V, F>), blocks, block_threads, f, graph.view(), members,
                         result.words(), queue);
  else
    GCOMPILE_CUDA_LAUNCH((filter_lanes_kernel<2, V, F>), blocks, block_threads, f, graph.view(), members,
                         result.words(), queue);
  result.finish_collecting();
  return result;
}

} // namespace detail

/// The vertices (or members) for which f(v) holds.
template <class V, class F> VertexSet<V> filter(const Graph<V> &graph, const F &f) {
  return detail::run_filter<V>(graph, f, {nullptr, graph.num_vertices()});
}
template <class V, class Set, class F> VertexSet<V> filter(const Graph<V> &graph, const Set &set, const F &f) {
  return set.is_all() ? filter(graph, f)
                      : detail::run_filter<V>(graph, f, {set.items(), static_cast<std::uint64_t>(set.size())});
}

} // namespace cuda
} // namespace gc

#endif
