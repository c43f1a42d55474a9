// A pull walks the lists of the vertices that look further: a lane each, and long ones a warp.
#ifndef GCOMPILE_CUDA_PULL_LISTS_H
#define GCOMPILE_CUDA_PULL_LISTS_H

#include <gcompile/cuda/pull/by_arcs.h>

namespace gc {
namespace cuda {

namespace detail {

template <unsigned threads, class V, class Pull>
template <class Places>
__device__ inline void PullByArcs<threads, V, Pull>::look(const Places &places, unsigned looking) {
  __syncwarp(); // all have noted theirs
  if (asks_candidates())
    looking = ask_candidates(places, looking);
  const unsigned warp = threadIdx.x / 32, lane = lane_of_warp(), before = (1u << lane) - 1;
  unsigned char *const slots = memory_.slots[warp];
  unsigned taken = 0, waiting = 0; // of the warp
  bool busy = false, waits = false, is_long = false;
  Looker mine;
  while (true) {
    if (busy && mine.left == 0 && !waits) {
      settle(places, mine);
      busy = false;
    }
    places.collect();
    const unsigned free = __ballot_sync(full_warp, !busy);
    const unsigned index = taken + static_cast<unsigned>(__popc(free & before));
    if (!busy && index < looking) {
      mine = start(places, slots[index]);
      const unsigned asked = first_only && p_.f.candidates.begin_lists() ? 4 : 0;
      busy = begin_list(mine, asked);
      is_long = mine.left > few_arcs - asked;
      waits = !first_only && is_long;
      if (first_only && is_long)
        mine.left = few_arcs - asked;
    }
    taken =
        taken + static_cast<unsigned>(__popc(free)) < looking ? taken + static_cast<unsigned>(__popc(free)) : looking;
    // No more wait than have been taken: their slots are free.
    __syncwarp();
    const unsigned waiters = __ballot_sync(full_warp, busy && waits);
    if (busy && waits) {
      slots[waiting + static_cast<unsigned>(__popc(waiters & before))] = static_cast<unsigned char>(mine.slot);
      busy = false;
    }
    waiting += static_cast<unsigned>(__popc(waiters));
    if (!__any_sync(full_warp, busy)) {
      if (taken == looking)
        break;
      continue;
    }
    if (busy && mine.left > 0) {
      const bool done = take_four(mine);
      waits = first_only && is_long && !done && mine.left == 0;
    }
  }
  __syncwarp();
  for (unsigned i = 0; i < waiting; ++i) {
    Looker one = start(places, slots[i]);
    begin_list(one, first_only ? few_arcs : 0);
    take_together(one);
    if (lane == 0)
      settle(places, one);
    places.collect();
  }
}

template <unsigned threads, class V, class Pull>
__device__ inline bool PullByArcs<threads, V, Pull>::take_four(Looker &looker) {
  V u[4];
  for (unsigned k = 0; k < 4; ++k)
    u[k] = k < looker.left ? graph_.in_source(looker.at + k) : none<V>();
  bool active[4];
  ask(u, active);
  looker.at += 4;
  looker.left = looker.left > 4 ? looker.left - 4 : 0;
  if constexpr (first_takes) {
    V first = none<V>();
    for (unsigned k = 4; k-- > 0;)
      first = active[k] ? u[k] : first;
    if (first == none<V>())
      return false;
    visit(first, looker.v, looker.next, looker.sum);
    looker.left = 0;
    return true;
  } else {
    for (unsigned k = 0; k < 4; ++k) {
      if (!active[k])
        continue;
      looker.seen = true;
      if (visit(u[k], looker.v, looker.next, looker.sum)) {
        looker.left = 0;
        return true;
      }
    }
    return false;
  }
}

template <unsigned threads, class V, class Pull>
__device__ inline void PullByArcs<threads, V, Pull>::take_together(Looker &looker) {
  const unsigned lane = lane_of_warp();
  bool done = false;
  for (unsigned k = 0; k < looker.left && !done; k += 128) {
    V u[4];
    bool active[4];
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned place = k + 32 * i + lane;
      u[i] = place < looker.left ? graph_.in_source(looker.at + place) : none<V>();
    }
    ask(u, active);
    for (unsigned i = 0; i < 4; ++i)
      looker.seen = looker.seen || active[i];
    for (unsigned i = 0; i < 4; ++i) {
      if constexpr (first_only) {
        // One lane after another.
        for (unsigned rest = __ballot_sync(full_warp, active[i]); rest != 0 && !done; rest &= rest - 1) {
          const int leader = __ffs(static_cast<int>(rest)) - 1;
          const bool taken = static_cast<int>(lane) == leader && visit(u[i], looker.v, looker.next, looker.sum);
          done = __shfl_sync(full_warp, static_cast<int>(taken), leader) != 0;
        }
      } else if (active[i]) {
        visit(u[i], looker.v, looker.next, looker.sum);
      }
    }
  }
  __syncwarp();
  looker.sum.combine(WarpLanes<32>());
  looker.next.value = __any_sync(full_warp, looker.next.value) != 0;
  looker.seen = __any_sync(full_warp, looker.seen) != 0;
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
