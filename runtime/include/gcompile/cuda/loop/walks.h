// How the threads of a loop's kernel share the work of one call, and what they have counted.
#ifndef GCOMPILE_CUDA_LOOP_WALKS_H
#define GCOMPILE_CUDA_LOOP_WALKS_H

#include <gcompile/cuda/aligned/rows.h>
#include <gcompile/cuda/kernels/gather_tiles.h>
#include <gcompile/cuda/loop/device.h>

namespace gc {
namespace cuda {

template <class V, unsigned count, class Loop>
template <class F>
__device__ inline typename detail::PartsOf<F>::type
LoopDevice<V, count, Loop>::visit(const F &f, const detail::Members<V> &members, const detail::Members<V> &hubs,
                                  unsigned hub_shares) {
  using Parts = typename detail::PartsOf<F>::type;
  if constexpr (detail::ByLanes<F>::value) {
    detail::Members<V> rest = members;
    unsigned most = view_.most_shares, group_shares = 0;
    if constexpr (detail::IsAligned<F>::value)
      if (!members.items && f.lists.groups > 0) {
        rest = {f.lists.others, f.lists.count_others};
        group_shares = (f.lists.groups - 1) / (block_threads / 32) + 1;
        group_shares = group_shares < most / 2 ? group_shares : most / 2;
        most -= group_shares;
      }
    const unsigned turns = detail::turns_of_tile<count>(rest.count, gridDim.x);
    const unsigned size = block_threads / count * turns;
    const std::uint64_t tiles = (rest.count + size - 1) / size;
    const unsigned others = hub_shares + (tiles < most ? static_cast<unsigned>(tiles) : most);
    each_share(group_shares + others, [&](unsigned share) {
      Parts parts = {};
      if constexpr (detail::IsAligned<F>::value)
        if (share < group_shares)
          detail::visit_groups(f, (share * block_threads + threadIdx.x) / 32, group_shares * (block_threads / 32),
                               parts);
      if (share >= group_shares)
        detail::visit_by_lanes<count>(f, view_.graph, rest, hubs, hub_shares, share - group_shares, others, turns,
                                      memory_.hubs, parts);
      detail::merge_block(parts, parts_of<Parts>(share), memory_.parts);
    });
    return settle<Parts>(group_shares + others);
  } else {
    return for_each(members.count, f, [&](std::uint64_t i) { return members[i]; });
  }
}

template <class V, unsigned count, class Loop>
template <class F, class Walk>
__device__ inline typename detail::PartsOf<F>::type
LoopDevice<V, count, Loop>::walk_lists(const F &f, const gc::Graph<V> &graph, const Walk &walk) {
  using Parts = typename detail::PartsOf<F>::type;
  Parts parts = {};
  walk([&](V u, ArcId e) { detail::call(f, parts, u, graph.target(e), edge_of(f, graph, e)); });
  detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
  return settle<Parts>(gridDim.x);
}

template <class V, unsigned count, class Loop>
template <class F>
__device__ inline typename detail::PartsOf<F>::type
LoopDevice<V, count, Loop>::walk_all(const F &f, const gc::Graph<V> &graph, ArcId arcs) {
  return walk_lists(f, graph, [&](const auto &visit) {
    gather<V>(
        team_, graph, graph.num_vertices(), arcs, [&](std::uint64_t v) { return graph.out_offsets[v]; },
        [](std::uint64_t v) { return static_cast<V>(v); }, visit, [] {});
  });
}

template <class V, unsigned count, class Loop>
template <class F>
__device__ inline typename detail::PartsOf<F>::type
LoopDevice<V, count, Loop>::walk(const F &f, const gc::Graph<V> &graph, unsigned set) {
  const detail::Members<V> members = sets_.members(set);
  return walk_lists(f, graph, [&](const auto &visit) {
    if (graph.out_offsets == view_.graph.out_offsets) { // the arcs that the list counts
      const LoopSet<V> &its = sets_[set];
      gather<V>(
          team_, graph, members.count, its.arcs, [&](std::uint64_t i) { return its.before[i]; },
          [&](std::uint64_t i) { return members[i]; }, visit, [] {});
    } else {
      detail::gather_tiles(
          team_, graph, members.items, members.count, [](std::uint64_t) { return ArcId(0); },
          [&](V u, ArcId e, ArcId) { visit(u, e); }, [] {});
    }
  });
}

template <class V, unsigned count, class Loop>
template <class F>
__device__ inline typename detail::PartsOf<F>::type
LoopDevice<V, count, Loop>::walk_one(const F &f, const gc::Graph<V> &graph, V u) {
  using Parts = typename detail::PartsOf<F>::type;
  Parts parts = {};
  detail::each_edge_of(f, parts, graph, u, team_.rank(), team_.size());
  detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
  return settle<Parts>(gridDim.x);
}

template <class V, unsigned count, class Loop>
template <class F, class At>
__device__ inline typename detail::PartsOf<F>::type LoopDevice<V, count, Loop>::for_each(std::uint64_t size, const F &f,
                                                                                         const At &at) {
  using Parts = typename detail::PartsOf<F>::type;
  Parts parts = {};
  for (std::uint64_t i = team_.rank(); i < size; i += team_.size())
    detail::call(f, parts, at(i));
  detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
  return settle<Parts>(gridDim.x);
}

template <class V, unsigned count, class Loop>
template <class Visit>
__device__ inline void LoopDevice<V, count, Loop>::each_share(unsigned shares, const Visit &visit) {
  unsigned *const next = view_.next_share + turn_;
  turn_ = 1 - turn_;
  if (team_.rank() == 0)
    view_.next_share[turn_] = 0;
  for (unsigned share = blockIdx.x; share < shares;) {
    // The number is on its way while the block works.
    unsigned taken = shares;
    if (threadIdx.x == 0 && shares > gridDim.x)
      taken = gridDim.x + atomicAdd(next, 1u);
    visit(share);
    __syncthreads();
    if (threadIdx.x == 0)
      memory_.share = taken;
    __syncthreads();
    share = memory_.share;
  }
}

template <class V, unsigned count, class Loop>
template <class Parts>
__device__ inline Parts LoopDevice<V, count, Loop>::settle(unsigned shares) {
  if constexpr (std::is_same<Parts, NoParts>::value) {
    team_.sync();
    return {};
  } else {
    // The last block to come merges for all.
    unsigned *const arrived = view_.arrived + 1, *const passed = view_.arrived + 2;
    due_ += gridDim.x;
    ++settled_;
    __syncthreads();
    if (threadIdx.x == 0)
      memory_.last = arrive_and_count(arrived) + 1 == due_;
    __syncthreads();
    Parts *const merged = next_merged<Parts>();
    if (memory_.last) {
      const unsigned each = (shares + block_threads - 1) / block_threads;
      Parts mine = {};
      for (unsigned i = threadIdx.x * each; i < shares && i < (threadIdx.x + 1) * each; ++i)
        mine.merge(*parts_of<Parts>(i));
      detail::merge_block(mine, merged, memory_.parts);
      if (threadIdx.x == 0)
        arrive(passed);
    } else if (threadIdx.x == 0) {
      await(passed, settled_);
    }
    __syncthreads();
    return *merged;
  }
}

} // namespace cuda
} // namespace gc

#endif
