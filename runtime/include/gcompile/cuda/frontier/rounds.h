// One round of a propagate: a push or a pull, and the commit.
#ifndef GCOMPILE_CUDA_FRONTIER_ROUNDS_H
#define GCOMPILE_CUDA_FRONTIER_ROUNDS_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/phases.h>
#include <gcompile/cuda/pull/pull.h>

#include <type_traits>

namespace gc {
namespace cuda {
namespace detail {

/// What a block shares for pulls of this kind.
template <class Pull>
using PullMemoryOf = std::conditional_t<std::is_same<Pull, NoKernel>::value, NoKernel, PullMemory>;
/// A round needs one of them.
template <class Push, class Pull> union RoundMemory {
  PullMemoryOf<Pull> pull;
  GatherMemoryOf<Push> gather;
};

/// Every thread of `grid` calls; NoKernel stands for a kernel that the propagate does not have. `threads` are those of
/// a block.
template <unsigned threads, class V, class Push, class Pull, class Commit>
__device__ __forceinline__ void run_round(Propagation<V> &p, SharedTeam &grid, const Push &push, const Pull &pull,
                                          const Commit &commit, [[maybe_unused]] RoundMemory<Push, Pull> &memory,
                                          OutboxMemory<V> &outboxes, [[maybe_unused]] CullMemory<V, Push> &cull) {
  constexpr bool pushes = !std::is_same<Push, NoKernel>::value, pulls = !std::is_same<Pull, NoKernel>::value;
  constexpr bool commits = !std::is_same<Commit, NoKernel>::value;
  p.keep_level(grid);
  if (pulls && (!pushes || p.s.pulling)) {
    if constexpr (PhasesOf<Push>::lists == 2)
      if (p.s.edges)
        edges_to_bits(p, grid);
    if constexpr (pulls)
      pull_round<threads>(p, grid, pull, memory.pull, outboxes, !commits);
  } else if constexpr (PhasesOf<Push>::lists_edges) {
    phased_round<FirstOnly<Pull>::value>(p, grid, push, outboxes, cull, memory.gather, !commits);
  } else if constexpr (pushes) {
    p.template push_round<FirstOnly<Pull>::value>(grid, push, outboxes, cull, memory.gather, !commits);
  }
  if constexpr (commits)
    p.commit_round(grid, commit);
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
