// Counting triangles on the device: every edge directed to the end with more neighbours, common successors of the two
// ends of each.
#ifndef GCOMPILE_CUDA_TRIANGLES_H
#define GCOMPILE_CUDA_TRIANGLES_H

#include <gcompile/cuda/kernels.h>

#include <type_traits>

namespace gc {
namespace cuda {

namespace detail {

/// The arcs to ends with more neighbours (of two with as many: the greater id), each once, without self-loops.
template <class V> struct Oriented {
  gc::Graph<V> graph;
  EdgeId *first;
  unsigned *length;
  V *source, *target;
  unsigned long long *used;

  __device__ bool forward(V u, V v) const {
    const EdgeId a = graph.out_end(u) - graph.out_begin(u), b = graph.out_end(v) - graph.out_begin(v);
    return a < b || (a == b && u < v);
  }
  __device__ bool keeps(V u, EdgeId e) const {
    const V v = graph.target(e);
    return forward(u, v) && (e == graph.out_begin(u) || graph.target(e - 1) != v);
  }
};

template <class V> struct CountForward : Oriented<V> {
  static constexpr bool by_lanes = true;
  template <class Lanes> __device__ void operator()(V u, Lanes lanes) const {
    unsigned count = 0;
    for (EdgeId e = this->graph.out_begin(u) + lanes.rank(); e < this->graph.out_end(u); e += lanes.size())
      count += this->keeps(u, e);
    count = lanes.sum(count);
    if (lanes.leader())
      this->length[u] = count;
  }
};

/// Gives each list its place; a warp reserves the room of its vertices together.
template <class V> __global__ void place_forward_kernel(Oriented<V> o, std::uint64_t n) {
  const std::uint64_t step = std::uint64_t(gridDim.x) * block_threads;
  for (std::uint64_t first = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x / 32 * 32; first < n;
       first += step) {
    const std::uint64_t u = first + lane_of_warp();
    const unsigned long long mine = u < n ? o.length[u] : 0;
    const unsigned long long sum = warp_prefix_sum(mine);
    unsigned long long place = 0;
    if (lane_of_warp() == 31)
      place = atomicAdd(o.used, sum);
    place = __shfl_sync(full_warp, place, 31);
    if (u < n)
      o.first[u] = place + sum - mine;
  }
}

/// `count` lanes take as many arcs of a list at a time, in order.
template <unsigned count, class V> __global__ void fill_forward_kernel(Oriented<V> o, std::uint64_t n) {
  const unsigned lane = threadIdx.x % count, shift = lane_of_warp() / count * count;
  const unsigned group = count == 32 ? full_warp : ((1u << (count % 32)) - 1) << shift;
  const std::uint64_t groups = std::uint64_t(gridDim.x) * block_threads / count;
  for (std::uint64_t u = (blockIdx.x * std::uint64_t(block_threads) + threadIdx.x) / count; u < n; u += groups) {
    EdgeId at = o.first[u];
    const EdgeId begin = o.graph.out_begin(static_cast<V>(u)), end = o.graph.out_end(static_cast<V>(u));
    for (EdgeId start = begin; start < end; start += count) {
      const bool kept = start + lane < end && o.keeps(static_cast<V>(u), start + lane);
      const unsigned lanes = (__ballot_sync(group, kept) & group) >> shift;
      if (kept) {
        const EdgeId place = at + static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1)));
        o.source[place] = static_cast<V>(u);
        o.target[place] = o.graph.target(start + lane);
      }
      at += static_cast<unsigned>(__popc(lanes));
    }
  }
}

struct TriangleCount {
  std::int64_t count = 0;
  GCOMPILE_HD void merge(const TriangleCount &other) { count += other.count; }
};

/// A few lanes an arc: each looks up its share of the shorter list in the longer one.
template <unsigned count, class V>
__global__ void __launch_bounds__(block_threads) intersect_kernel(Oriented<V> o, EdgeId arcs, TriangleCount *results) {
  TriangleCount mine;
  const unsigned rank = threadIdx.x % count;
  const EdgeId groups = EdgeId(gridDim.x) * (block_threads / count);
  for (EdgeId e = blockIdx.x * EdgeId(block_threads / count) + threadIdx.x / count; e < arcs; e += groups) {
    const V u = o.source[e], v = o.target[e];
    const V *shorter = o.target + o.first[u], *longer = o.target + o.first[v];
    unsigned few = o.length[u], many = o.length[v];
    if (many < few) {
      const V *list = shorter;
      shorter = longer;
      longer = list;
      const unsigned length = few;
      few = many;
      many = length;
    }
    for (unsigned i = rank; i < few; i += count) {
      const V w = shorter[i];
      unsigned low = 0, high = many;
      while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (longer[middle] < w)
          low = middle + 1;
        else
          high = middle;
      }
      mine.count += low < many && longer[low] == w;
    }
  }
  merge_block(mine, results);
}

} // namespace detail

/// The number of triangles of an undirected graph; repeated edges and self-loops do not count.
template <class V> std::int64_t count_triangles(const Graph<V> &graph) {
  const std::size_t n = graph.num_vertices();
  Buffer<EdgeId> first(n);
  Buffer<unsigned> length(n);
  Buffer<unsigned long long> used(1);
  used.clear_bytes();
  detail::CountForward<V> count;
  static_cast<detail::Oriented<V> &>(count) = {graph.view(), first.data(), length.data(),
                                               nullptr,      nullptr,      used.data()};
  for_vertices(graph, count);
  GCOMPILE_CUDA_LAUNCH((detail::place_forward_kernel<V>), blocks_for(n), block_threads,
                       static_cast<const detail::Oriented<V> &>(count), std::uint64_t(n));
  unsigned long long arcs = 0;
  used.download(&arcs, 1);
  Buffer<V> source(arcs), target(arcs);
  const detail::Oriented<V> oriented = {graph.view(),  first.data(),  length.data(),
                                        source.data(), target.data(), used.data()};
  if (graph.is_dense())
    GCOMPILE_CUDA_LAUNCH((detail::fill_forward_kernel<32, V>), blocks_for(32 * n), block_threads, oriented,
                         std::uint64_t(n));
  else
    GCOMPILE_CUDA_LAUNCH((detail::fill_forward_kernel<4, V>), blocks_for(4 * n), block_threads, oriented,
                         std::uint64_t(n));
  const unsigned blocks = blocks_for(8 * arcs);
  detail::BlockParts<detail::TriangleCount> parts(blocks);
  GCOMPILE_CUDA_LAUNCH((detail::intersect_kernel<8, V>), blocks, block_threads, oriented, EdgeId(arcs), parts.data());
  return parts.merged().count;
}

} // namespace cuda
} // namespace gc

#endif
