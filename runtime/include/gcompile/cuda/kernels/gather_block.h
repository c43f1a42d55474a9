// The gather of a block by a block-wide prefix sum: its threads put the arcs of their vertices into a vector in shared
// memory, and all threads take one arc each (Merrill et al. 2012, section 5). A push asks for it by
// `static constexpr gc::cuda::Gather gather = gc::cuda::Gather::block_scan`, or `block_scan_warp_cta`.
#ifndef GCOMPILE_CUDA_KERNELS_GATHER_BLOCK_H
#define GCOMPILE_CUDA_KERNELS_GATHER_BLOCK_H

#include <gcompile/cuda/device/team.h>

#include <cstdint>

namespace gc {
namespace cuda {
namespace detail {

/// What a block shares while it gathers.
struct GatherMemory {
  unsigned before[1024];          ///< arcs of the threads before each, the last 32 bits
  unsigned short vector[1024];    ///< the gather vector: whose arc each thread takes
  unsigned long long sums[33];    ///< of the warps before each, and of all
  ArcId place;                    ///< of the first arc of a long list
  unsigned count_long;            ///< threads whose lists are for the block
  unsigned short long_ones[1024]; ///< these threads
};

/// The sum of the values of the threads before this one, and of all. Every thread of the block calls, and they meet.
__device__ inline unsigned long long block_prefix_sum(unsigned long long value, unsigned long long (&sums)[33],
                                                      unsigned long long &all) {
  const unsigned warp = threadIdx.x / 32;
  const unsigned long long upto = warp_prefix_sum(value);
  if (lane_of_warp() == 31)
    sums[warp] = upto;
  __syncthreads();
  if (warp == 0) {
    const unsigned long long its = lane_of_warp() < blockDim.x / 32 ? sums[lane_of_warp()] : 0;
    const unsigned long long until = warp_prefix_sum(its);
    __syncwarp();
    sums[lane_of_warp()] = until - its;
    if (lane_of_warp() == 31)
      sums[32] = until;
  }
  __syncthreads();
  all = sums[32];
  return sums[warp] + upto - value;
}

/// Calls visit(u, e, place) for the arcs of the lists that the threads of a block have, `count` from `begin` on each;
/// 0: none. after_step() after each step of a warp. The places of all arcs are consecutive numbers from base(their
/// number) on, which every thread calls together. `vertex(thread)` is the vertex of a thread. `by_length`: lists of the
/// block's length or more are walked by the block, others of 32 arcs or more by a warp, and the vector is for the rest;
/// else it is for all lists. Every thread of the block calls.
template <bool by_length, class V, class Vertex, class Base, class Visit, class AfterStep>
__device__ void gather_block(GatherMemory &memory, const gc::Graph<V> &graph, [[maybe_unused]] ArcId begin, ArcId count,
                             Vertex vertex, Base base, Visit visit, AfterStep after_step) {
  constexpr unsigned short_bits = 16; // 1024 threads have 31 arcs at most
  [[maybe_unused]] const unsigned lane = lane_of_warp();
  const bool by_vector = !by_length || count < 32;
  if (threadIdx.x == 0)
    memory.count_long = 0;
  unsigned long long all = 0;
  const unsigned long long before =
      block_prefix_sum(by_length && !by_vector ? count << short_bits : count, memory.sums, all);
  const ArcId total = by_length ? all & ((1u << short_bits) - 1) : all; // through the vector
  const ArcId first = base(by_length ? total + (all >> short_bits) : total);

  if constexpr (by_length) {
    const ArcId place = first + total + (before >> short_bits);
    if (count >= blockDim.x)
      memory.long_ones[atomicAdd(&memory.count_long, 1u)] = static_cast<unsigned short>(threadIdx.x);
    __syncthreads();
    for (unsigned k = 0; k < memory.count_long; ++k) {
      const unsigned owner = memory.long_ones[k];
      if (threadIdx.x == owner)
        memory.place = place;
      __syncthreads();
      const V hub = vertex(owner);
      const ArcId start = graph.out_begin(hub), end = graph.out_end(hub), at = memory.place;
      for (ArcId e = start; e < end; e += blockDim.x) {
        if (e + threadIdx.x < end)
          visit(hub, e + threadIdx.x, at + (e - start) + threadIdx.x);
        __syncwarp();
        after_step();
      }
      __syncthreads();
    }
    for (unsigned wide = __ballot_sync(full_warp, !by_vector && count < blockDim.x); wide != 0; wide &= wide - 1) {
      const int owner = __ffs(static_cast<int>(wide)) - 1;
      const V its = vertex(threadIdx.x / 32 * 32 + static_cast<unsigned>(owner));
      const ArcId from = __shfl_sync(full_warp, begin, owner), size = __shfl_sync(full_warp, count, owner);
      const ArcId to = __shfl_sync(full_warp, place, owner);
      for (ArcId at = 0; at < size; at += 32) {
        if (at + lane < size)
          visit(its, from + at + lane, to + at + lane);
        __syncwarp();
        after_step();
      }
    }
  }

  // A vector full of arcs at a time: the last 32 bits of their numbers tell them apart.
  const ArcId mine = by_length ? before & ((1u << short_bits) - 1) : before, end = by_vector ? mine + count : mine;
  memory.before[threadIdx.x] = static_cast<unsigned>(mine);
  for (ArcId done = 0; done < total; done += blockDim.x) {
    const ArcId stop = end < done + blockDim.x ? end : done + blockDim.x;
    for (ArcId at = mine > done ? mine : done; at < stop; ++at)
      memory.vector[at - done] = static_cast<unsigned short>(threadIdx.x);
    __syncthreads();
    const ArcId at = done + threadIdx.x;
    if (at < total) {
      const unsigned owner = memory.vector[threadIdx.x];
      const V its = vertex(owner);
      visit(its, graph.out_begin(its) + (static_cast<unsigned>(at) - memory.before[owner]), first + at);
    }
    __syncwarp();
    after_step();
    __syncthreads();
  }
  __syncthreads(); // the memory is written again
}

/// The same for listed vertices: each block takes as many at a time as it has threads. `before(i)`: the arcs before the
/// i-th of them, where visit asks for places; else anything. Every thread of `team` calls.
template <bool by_length, class V, class Team, class Before, class Visit, class AfterStep>
__device__ void gather_blocks(const Team &team, GatherMemory &memory, const gc::Graph<V> &graph, const V *items,
                              std::uint64_t length, Before before, Visit visit, AfterStep after_step) {
  for (std::uint64_t tile = team.rank() - threadIdx.x; tile < length; tile += team.size()) {
    ArcId begin = 0, count = 0;
    if (tile + threadIdx.x < length) {
      const V u = items[tile + threadIdx.x];
      begin = graph.out_begin(u);
      count = graph.out_end(u) - begin;
    }
    gather_block<by_length>(
        memory, graph, begin, count, [&](unsigned thread) { return items[tile + thread]; },
        [&](ArcId) { return before(tile); }, visit, after_step);
  }
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
