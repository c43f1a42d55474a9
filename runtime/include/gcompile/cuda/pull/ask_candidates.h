// A pull asks the candidates of all vertices that look, before their lists.
#ifndef GCOMPILE_CUDA_PULL_ASK_CANDIDATES_H
#define GCOMPILE_CUDA_PULL_ASK_CANDIDATES_H

#include <gcompile/cuda/pull/by_arcs.h>

namespace gc {
namespace cuda {

namespace detail {

template <unsigned threads, class V, class Pull>
template <class Places>
__device__ inline unsigned PullByArcs<threads, V, Pull>::ask_candidates(const Places &places, unsigned looking) {
  const unsigned lane = lane_of_warp();
  unsigned char *const slots = memory_.slots[threadIdx.x / 32];
  unsigned left = 0; // of the warp
  for (unsigned from = 0; from < looking; from += 32) {
    bool looks = from + lane < looking;
    const unsigned slot = slots[looks ? from + lane : from];
    const V v = places.vertex(slot);
    OwnBit found;
    Sum sum;
    const PullCandidates<V> first = p_.f.candidates.lists[v];
    bool active[4];
    ask(first.u, active);
    const V best = !Places::best_asked && asks_best() ? p_.f.candidates.best[v] : none<V>();
    const bool best_active = best != none<V>() && current_.contains(best);
    if constexpr (first_takes) {
      // All lanes that have found one write together: what neighbouring vertices have is in the same sectors.
      V u = best_active ? best : none<V>();
      for (unsigned k = 0; k < 4; ++k)
        u = u == none<V>() && active[k] ? first.u[k] : u;
      if (looks && u != none<V>()) {
        visit(u, v, found, sum);
        looks = false;
      }
    } else {
      if (looks && best_active)
        looks = !visit(best, v, found, sum);
      for (unsigned k = 0; k < 4; ++k)
        if (looks && active[k])
          looks = !visit(first.u[k], v, found, sum);
    }
    looks = looks && first.u[3] != none<V>();
    if (found.value)
      places.found(slot, v, [&](V w) { write_found(w); });
    places.collect();
    const unsigned lanes = __ballot_sync(full_warp, looks);
    __syncwarp(); // all slots of this step have been read
    if (looks)
      slots[left + static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1)))] = static_cast<unsigned char>(slot);
    left += static_cast<unsigned>(__popc(lanes));
  }
  __syncwarp();
  return left;
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
