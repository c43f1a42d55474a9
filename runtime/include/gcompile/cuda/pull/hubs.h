// A pull walks the longest lists by whole blocks.
#ifndef GCOMPILE_CUDA_PULL_HUBS_H
#define GCOMPILE_CUDA_PULL_HUBS_H

#include <gcompile/cuda/pull/by_arcs.h>

namespace gc {
namespace cuda {

namespace detail {

template <unsigned threads, class V, class Pull> __device__ inline bool PullByArcs<threads, V, Pull>::take_hub(V v) {
  const BlockLanes<threads> lanes;
  OwnBit next;
  Sum sum;
  bool seen = false, done = false;
  const ArcId end = graph_.in_end(v);
  for (ArcId k = graph_.in_begin(v); k < end && !done; k += lanes.size()) {
    V u = 0;
    bool active = k + lanes.rank() < end;
    if (active) {
      u = graph_.in_source(k + lanes.rank());
      active = current_.contains(u);
    }
    seen = seen || active;
    if constexpr (first_takes) {
      const unsigned leader = lanes.min(active ? threadIdx.x : lanes.size());
      if (threadIdx.x == leader)
        visit(u, v, next, sum);
      done = leader < lanes.size();
    } else if constexpr (first_only) {
      while (!done) {
        const unsigned leader = lanes.min(active ? threadIdx.x : lanes.size());
        if (leader == lanes.size())
          break;
        const bool taken = threadIdx.x == leader && visit(u, v, next, sum);
        active = active && threadIdx.x != leader;
        done = lanes.any(taken);
      }
    } else if (active) {
      visit(u, v, next, sum);
    }
  }
  sum.combine(lanes);
  next.value = lanes.any(next.value);
  seen = lanes.any(seen);
  if constexpr (!first_only)
    if (lanes.leader() && seen)
      pull_.finish(v, p_.s.round, next, sum);
  return next.value;
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
