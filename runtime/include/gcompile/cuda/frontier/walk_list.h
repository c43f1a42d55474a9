// The edges out of a listed frontier, dealt out to threads as a push says.
#ifndef GCOMPILE_CUDA_FRONTIER_WALK_LIST_H
#define GCOMPILE_CUDA_FRONTIER_WALK_LIST_H

#include <gcompile/cuda/frontier/state.h>
#include <gcompile/cuda/kernels/gather_block.h>
#include <gcompile/cuda/kernels/gather_tiles.h>
#include <gcompile/cuda/kernels/share_out.h>
#include <gcompile/cuda/sets/queue.h>

#include <cstdint>
#include <type_traits>

namespace gc {
namespace cuda {
namespace detail {

template <class Push> constexpr bool scans_blocks() {
  constexpr Gather how = GatherOf<Push>::value;
  return how == Gather::block_scan || how == Gather::block_scan_warp_cta;
}
/// What a block shares for the gathers of this push.
template <class Push>
using GatherMemoryOf = std::conditional_t<scans_blocks<Push>() || PhasesOf<Push>::lists == 2, GatherMemory, NoKernel>;

/// Calls visit(u, e) for every arc out of the listed frontier, or visit(u, e, place) with the number of arcs before it
/// in all lists; after_step() after each step of a warp. `before`: the arcs before each vertex. Every thread of `team`
/// calls.
template <class Push, class V, class Team, class Visit, class AfterStep>
__device__ void walk_list(const Team &team, [[maybe_unused]] GatherMemoryOf<Push> &memory, const gc::Graph<V> &graph,
                          const V *list, const ArcId *before, const FrontierState &s, Visit visit,
                          AfterStep after_step) {
  constexpr Gather how = GatherOf<Push>::value;
  constexpr bool places = std::is_invocable<Visit, V, ArcId, ArcId>::value;
  const auto call = [&](V u, ArcId e, [[maybe_unused]] ArcId place) {
    if constexpr (places)
      visit(u, e, place);
    else
      visit(u, e);
  };
  const auto before_of = [&](std::uint64_t i) { return before[i]; };
  const auto place_of = [&]([[maybe_unused]] std::uint64_t i) { return places ? before[i] : 0; };
  if constexpr (how == Gather::block_scan || how == Gather::block_scan_warp_cta) {
    gather_blocks<how == Gather::block_scan_warp_cta>(team, memory, graph, list, s.size, place_of, call, after_step);
  } else if constexpr (how == Gather::scan_warp_cta) {
    gather_tiles(team, graph, list, s.size, place_of, call, after_step);
  } else if constexpr (how == Gather::scan) {
    gather_places(
        team, graph, s.size, s.arcs, before_of, [&](std::uint64_t i) { return list[i]; }, call, after_step);
  } else {
    // A warp or a block for each list.
    const unsigned lanes = how == Gather::warp ? 32 : blockDim.x,
                   lane = how == Gather::warp ? lane_of_warp() : threadIdx.x;
    for (std::uint64_t i = team.rank() / lanes; i < s.size; i += team.size() / lanes) {
      const V u = list[i];
      const ArcId end = graph.out_end(u), place = place_of(i) - graph.out_begin(u);
      for (ArcId start = graph.out_begin(u); start < end; start += lanes) {
        if (start + lane < end)
          call(u, start + lane, place + start + lane);
        __syncwarp();
        after_step();
      }
    }
  }
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
