// Long lists for a block, those of a warp's length for a warp, and short ones put together: what a push says by
// `static constexpr gc::cuda::Gather gather = gc::cuda::Gather::scan_warp_cta`.
#ifndef GCOMPILE_CUDA_KERNELS_GATHER_TILES_H
#define GCOMPILE_CUDA_KERNELS_GATHER_TILES_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/sets/queue.h>

namespace gc {
namespace cuda {
namespace detail {

/// The threads of a block whose vertices have lists for the whole block.
struct LongLists {
  unsigned count;
  unsigned short threads[1024];
};

/// The same memory for all calls of a kernel.
__device__ inline LongLists &long_lists_of_block() {
  GCOMPILE_CUDA_SHARED(LongLists, lists);
  return lists;
}

/// Calls visit(u, e, place) for every arc out of the listed vertices; after_step() after each step of a warp. The place
/// of an arc is before(i), of its vertex, the i-th, plus the arcs before it in the list. Each block takes as many
/// vertices at a time as it has threads: lists of the block's length or more are walked by all its threads,
/// others of 32 arcs or more by a warp, and the arcs of the rest of a warp's vertices are dealt out to its lanes by
/// their prefix sums (Merrill et al. 2012, section 5). Every thread of `team` calls.
template <class V, class Team, class Before, class Visit, class AfterStep>
__device__ void gather_tiles(const Team &team, const gc::Graph<V> &graph, const V *items, std::uint64_t length,
                             Before before_of, Visit visit, AfterStep after_step) {
  LongLists &long_lists = long_lists_of_block();
  const unsigned lane = lane_of_warp();
  for (std::uint64_t tile = team.rank() - threadIdx.x; tile < length; tile += team.size()) {
    V u = 0;
    ArcId begin = 0, count = 0;
    if (tile + threadIdx.x < length) {
      u = items[tile + threadIdx.x];
      begin = graph.out_begin(u);
      count = graph.out_end(u) - begin;
    }

    if (threadIdx.x == 0)
      long_lists.count = 0;
    __syncthreads();
    if (count >= blockDim.x) {
      long_lists.threads[atomicAdd(&long_lists.count, 1u)] = static_cast<unsigned short>(threadIdx.x);
      count = 0;
    }
    __syncthreads();
    for (unsigned k = 0; k < long_lists.count; ++k) {
      const V hub = items[tile + long_lists.threads[k]];
      const ArcId end = graph.out_end(hub), place = before_of(tile + long_lists.threads[k]) - graph.out_begin(hub);
      for (ArcId start = graph.out_begin(hub); start < end; start += blockDim.x) {
        if (start + threadIdx.x < end)
          visit(hub, start + threadIdx.x, place + start + threadIdx.x);
        __syncwarp();
        after_step();
      }
    }

    for (unsigned wide = __ballot_sync(full_warp, count >= 32); wide != 0; wide &= wide - 1) {
      const int owner = __ffs(static_cast<int>(wide)) - 1;
      const V its = __shfl_sync(full_warp, u, owner);
      const ArcId first = __shfl_sync(full_warp, begin, owner), size = __shfl_sync(full_warp, count, owner);
      const ArcId place = before_of(tile + threadIdx.x - lane + static_cast<unsigned>(owner));
      for (ArcId at = 0; at < size; at += 32) {
        if (at + lane < size)
          visit(its, first + at + lane, place + at + lane);
        __syncwarp();
        after_step();
      }
    }

    // At most 31 arcs for each lane are left.
    unsigned rest = count < 32 ? static_cast<unsigned>(count) : 0, upto = rest;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const unsigned below = __shfl_up_sync(full_warp, upto, distance);
      if (lane >= distance)
        upto += below;
    }
    const unsigned total = __shfl_sync(full_warp, upto, 31), before = upto - rest;
    for (unsigned at = 0; at < total; at += 32) {
      // The last lane with no more arcs before it has the arc.
      unsigned owner = 0;
      for (unsigned half = 16; half > 0; half /= 2)
        if (__shfl_sync(full_warp, before, static_cast<int>(owner + half)) <= at + lane)
          owner += half;
      const V its = __shfl_sync(full_warp, u, static_cast<int>(owner));
      const ArcId first = __shfl_sync(full_warp, begin, static_cast<int>(owner));
      const unsigned its_before = __shfl_sync(full_warp, before, static_cast<int>(owner));
      if (at + lane < total) {
        const unsigned k = at + lane - its_before;
        visit(its, first + k, before_of(tile + threadIdx.x - lane + owner) + k);
      }
      __syncwarp();
      after_step();
    }
    __syncthreads(); // the list of long ones is written again
  }
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
