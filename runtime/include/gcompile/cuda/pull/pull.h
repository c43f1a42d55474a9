// Pulling: every vertex that may still change looks for active neighbours. A warp owns whole words of the bitmaps, so
// nothing in them is atomic.
//
// A kernel that says `static constexpr bool by_arcs = true` is taken apart: `wants(v)`, which reads only what belongs
// to v, says whether v looks at all; `operator()(u, v, round, next)` takes an arc from an active u. With `first_only`
// it gives true if v is done, as it is once it has been activated. Otherwise it adds to a `Sum`, and
// `finish(v, round, next, sum)` follows. Any other kernel does all the work of a vertex.
#ifndef GCOMPILE_CUDA_PULL_PULL_H
#define GCOMPILE_CUDA_PULL_PULL_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/pull/ask_candidates.h>
#include <gcompile/cuda/pull/by_arcs.h>
#include <gcompile/cuda/pull/hubs.h>
#include <gcompile/cuda/pull/lists.h>
#include <gcompile/cuda/pull/select.h>

namespace gc {
namespace cuda {

namespace detail {

template <class F, class = void> struct ByArcs { static constexpr bool value = false; };
template <class F> struct ByArcs<F, std::void_t<decltype(F::by_arcs)>> { static constexpr bool value = F::by_arcs; };

/// One thread does all the work of a vertex.
template <class V, class Pull>
__device__ void pull_whole(Propagation<V> &p, SharedTeam &team, const Pull &pull, bool last) {
  if (!p.s.bits)
    p.to_bits(team);
  PhaseCounts &counts = p.begin_phase(team);
  const CurrentBits<V> current = {p.f.bits[p.s.current]};
  std::uint32_t *const next_words = p.f.bits[1 - p.s.current];
  std::uint64_t count = 0;
  for (std::uint64_t word = team.rank() / 32; word < p.count_words(); word += team.size() / 32) {
    const std::uint64_t v = word * 32 + lane_of_warp();
    OwnBit next;
    if (v < p.f.graph.num_vertices())
      pull(static_cast<V>(v), p.s.round, current, next);
    const unsigned found = __ballot_sync(full_warp, next.value);
    if (lane_of_warp() == 0)
      next_words[word] = found;
    count += static_cast<unsigned>(__popc(found));
  }
  if (count > 0 && lane_of_warp() == 0)
    atomicAdd(&counts.found, static_cast<unsigned long long>(count));
  team.sync([&] {
    p.end_round();
    p.s.size = static_cast<std::uint32_t>(gc::load(counts.found));
    p.s.bits = p.s.pulled = 1;
    p.s.listed = p.s.unvisited = p.s.clear = 0;
    if (last)
      p.next_round();
  });
}

/// `threads` are those of a block.
template <unsigned threads, class V, class Pull>
__device__ void pull_round(Propagation<V> &p, SharedTeam &team, const Pull &pull, PullMemory &memory,
                           OutboxMemory<V> &outboxes, bool last) {
  if constexpr (ByArcs<Pull>::value)
    PullByArcs<threads, V, Pull>(p, pull, memory, outboxes).run(team, last);
  else
    pull_whole<V>(p, team, pull, last);
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
