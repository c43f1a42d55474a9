// Pulling: every vertex that may still change looks for active neighbours. A warp owns whole words of the bitmaps, so
// nothing in them is atomic.
//
// A kernel that says `static constexpr bool by_arcs = true` is taken apart: `wants(v)`, which reads only what belongs
// to v, says whether v looks at all; `operator()(u, v, round, next)` takes an arc from an active u. With `first_only`
// it gives true if v is done. Otherwise it adds to a `Sum`, and `finish(v, round, next, sum)` follows. Any other kernel
// does all the work of a vertex.
#ifndef GCOMPILE_CUDA_PULL_H
#define GCOMPILE_CUDA_PULL_H

#include <gcompile/cuda/propagate.h>

namespace gc {
namespace cuda {

namespace detail {

template <class F, class = void> struct ByArcs { static constexpr bool value = false; };
template <class F> struct ByArcs<F, std::void_t<decltype(F::by_arcs)>> { static constexpr bool value = F::by_arcs; };

/// What a pull by arcs does not add up.
struct NoSum {
  template <class Lanes> __device__ void combine(const Lanes &) {}
  __device__ void merge(const NoSum &) {}
};
template <class F, class = void> struct SumOf { using type = NoSum; };
template <class F> struct SumOf<F, std::void_t<typename F::Sum>> { using type = typename F::Sum; };

/// Of a block: the vertices that look, of each warp's words; which of them were found; how many in all.
struct PullMemory {
  static constexpr unsigned words = 8; ///< that a warp takes at a time
  unsigned char slots[32][words * 32];
  std::uint32_t found[32][words];
  unsigned count_found, count_open;
};

/// Lists longer than this are left to whole blocks.
constexpr EdgeId pull_hub_degree = 32 * block_threads;

template <class V, class Pull> class PullByArcs {
public:
  __device__ PullByArcs(Propagation<V> &propagation, const Pull &pull, PullMemory &memory)
      : p_(propagation), pull_(pull), memory_(memory), graph_(p_.f.graph) {}

  __device__ void run(Team &team) {
    if (!p_.s.bits)
      p_.to_bits(team);
    current_ = {p_.f.bits[p_.s.current]};
    next_words_ = p_.f.bits[1 - p_.s.current];
    PhaseCounts &counts = p_.begin_phase(team);
    if (threadIdx.x == 0)
      memory_.count_found = memory_.count_open = 0;
    __syncthreads();
    for (std::uint64_t first = team.rank() / 32 * words; first < p_.count_words(); first += team.size() / 32 * words)
      take_words(first, counts);
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&counts.found, static_cast<unsigned long long>(memory_.count_found));
      atomicAdd(&counts.open, static_cast<unsigned long long>(memory_.count_open));
    }
    team.sync();
    const unsigned long long hubs = gc::load(counts.hubs);
    for (std::uint64_t i = blockIdx.x; i < hubs; i += gridDim.x)
      take_hub(gc::load(p_.f.hubs[i]), counts);
    if (hubs > 0)
      team.sync();
    p_.end_round();
    p_.s.size = gc::load(counts.found);
    p_.s.open_left = gc::load(counts.open);
    p_.s.bits = p_.s.open = 1;
    p_.s.listed = 0;
  }

private:
  using Sum = typename SumOf<Pull>::type;
  static constexpr unsigned words = PullMemory::words;
  static constexpr bool first_only = Pull::first_only;

  /// The 32 * words vertices from word `first` on.
  __device__ void take_words(std::uint64_t first, PhaseCounts &counts) {
    const unsigned warp = threadIdx.x / 32, lane = lane_of_warp();
    const bool owner = lane < words && first + lane < p_.count_words();
    const std::uint32_t open = !owner ? 0 : p_.s.open ? p_.f.open[first + lane] : full_warp;
    std::uint32_t wanted = 0, found = 0;
    const unsigned looking = __any_sync(full_warp, open != 0) ? select(first, open, wanted) : 0;
    if (looking > 0) {
      if (lane < words)
        memory_.found[warp][lane] = 0;
      __syncwarp();
      for (unsigned i = 0; i < looking; i += 32)
        look(first, i + lane < looking, i + lane, counts);
      __syncwarp();
      found = lane < words ? memory_.found[warp][lane] : 0;
      __syncwarp();
    }
    if (!owner)
      return;
    next_words_[first + lane] = found;
    p_.f.open[first + lane] = first_only ? wanted & ~found : wanted;
    if (found != 0)
      atomicAdd(&memory_.count_found, static_cast<unsigned>(__popc(found)));
    if (wanted & ~found)
      atomicAdd(&memory_.count_open, static_cast<unsigned>(__popc(wanted & ~found)));
  }

  /// Notes the vertices that look and have somewhere to look; gives their number.
  __device__ unsigned select(std::uint64_t first, std::uint32_t open, std::uint32_t &wanted) {
    const unsigned warp = threadIdx.x / 32, lane = lane_of_warp();
    const std::uint64_t n = graph_.num_vertices();
    unsigned count = 0;
    for (unsigned from = 0; from < words; from += 4) {
      bool wants[4];
      std::uint32_t word[4], any = 0;
      for (unsigned k = 0; k < 4; ++k) {
        word[k] = __shfl_sync(full_warp, open, static_cast<int>(from + k));
        any |= word[k];
      }
      if (any == 0)
        continue;
      // Four at a time: their reads do not wait for each other.
      for (unsigned k = 0; k < 4; ++k) {
        const std::uint64_t v = (first + from + k) * 32 + lane;
        wants[k] = (word[k] >> lane & 1u) != 0 && v < n && pull_.wants(static_cast<V>(v));
      }
      for (unsigned k = 0; k < 4; ++k) {
        const std::uint64_t v = (first + from + k) * 32 + lane;
        wants[k] = wants[k] && graph_.in_begin(static_cast<V>(v)) < graph_.in_end(static_cast<V>(v));
      }
      for (unsigned k = 0; k < 4; ++k) {
        const unsigned lanes = __ballot_sync(full_warp, wants[k]);
        if (wants[k])
          memory_.slots[warp][count + static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1)))] =
              static_cast<unsigned char>((from + k) * 32 + lane);
        count += static_cast<unsigned>(__popc(lanes));
        if (lane == from + k)
          wanted = lanes;
      }
    }
    return count;
  }

  /// One vertex a lane.
  __device__ void look(std::uint64_t first, bool mine, unsigned at_slot, PhaseCounts &counts) {
    const unsigned warp = threadIdx.x / 32, lane = lane_of_warp();
    const unsigned slot = mine ? memory_.slots[warp][at_slot] : 0;
    const V v = static_cast<V>(first * 32 + slot);
    EdgeId at = 0, end = 0;
    if (mine) {
      at = graph_.in_begin(v);
      end = graph_.in_end(v);
      if (end - at > pull_hub_degree) {
        gc::store(p_.f.hubs[atomicAdd(&counts.hubs, 1ull)], v);
        at = end;
      }
    }
    OwnBit next;
    Sum sum;
    bool seen = false;
    for (unsigned left = __ballot_sync(full_warp, at < end); left != 0; left = __ballot_sync(full_warp, at < end)) {
      if (__popc(left) >= 8) {
        // Four neighbours of each.
        V u[4];
        bool active[4];
        for (unsigned k = 0; k < 4; ++k) {
          active[k] = at + k < end;
          u[k] = active[k] ? graph_.in_source(at + k) : V(0);
        }
        for (unsigned k = 0; k < 4; ++k)
          active[k] = active[k] && current_.contains(u[k]);
        for (unsigned k = 0; k < 4; ++k) {
          if (!active[k])
            continue;
          seen = true;
          if (visit(u[k], v, next, sum)) {
            at = end;
            break;
          }
        }
        at += 4;
      } else {
        // All lanes take the rest of one list.
        const int owner = __ffs(static_cast<int>(left)) - 1;
        const V w = __shfl_sync(full_warp, v, owner);
        const EdgeId from = __shfl_sync(full_warp, at, owner), to = __shfl_sync(full_warp, end, owner);
        OwnBit bit;
        Sum part;
        bool done = false, some = false;
        for (EdgeId k = from; k < to && !done; k += 32) {
          V u = 0;
          bool active = k + lane < to;
          if (active) {
            u = graph_.in_source(k + lane);
            active = current_.contains(u);
          }
          some = some || active;
          if constexpr (first_only) {
            for (unsigned rest = __ballot_sync(full_warp, active); rest != 0 && !done; rest &= rest - 1) {
              const int leader = __ffs(static_cast<int>(rest)) - 1;
              const bool taken = static_cast<int>(lane) == leader && visit(u, w, bit, part);
              done = __shfl_sync(full_warp, static_cast<int>(taken), leader) != 0;
            }
          } else if (active) {
            visit(u, w, bit, part);
          }
        }
        part.combine(WarpLanes<32>());
        const bool found = __any_sync(full_warp, bit.value) != 0;
        some = __any_sync(full_warp, some) != 0;
        if (static_cast<int>(lane) == owner) {
          at = end;
          next.value = next.value || found;
          seen = seen || some;
          sum.merge(part);
        }
      }
    }
    if constexpr (!first_only)
      if (seen)
        pull_.finish(v, p_.s.round, next, sum);
    if (next.value)
      atomicOr(&memory_.found[warp][slot / 32], 1u << (slot % 32));
  }

  /// One vertex by the whole block.
  __device__ void take_hub(V v, PhaseCounts &counts) {
    const BlockLanes<team_threads> lanes;
    OwnBit next;
    Sum sum;
    bool seen = false, done = false;
    const EdgeId end = graph_.in_end(v);
    for (EdgeId k = graph_.in_begin(v); k < end && !done; k += lanes.size()) {
      V u = 0;
      bool active = k + lanes.rank() < end;
      if (active) {
        u = graph_.in_source(k + lanes.rank());
        active = current_.contains(u);
      }
      seen = seen || active;
      if constexpr (first_only) {
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
    if (!lanes.leader())
      return;
    if constexpr (!first_only)
      if (seen)
        pull_.finish(v, p_.s.round, next, sum);
    if (next.value) {
      atomicOr(&next_words_[v / 32], 1u << (v % 32));
      atomicAdd(&counts.found, 1ull);
    }
  }

  __device__ bool visit(V u, V v, OwnBit &next, Sum &sum) const {
    if constexpr (first_only) {
      return pull_(u, v, p_.s.round, next);
    } else {
      pull_(u, v, p_.s.round, next, sum);
      return false;
    }
  }

  Propagation<V> &p_;
  const Pull &pull_;
  PullMemory &memory_;
  const gc::Graph<V> &graph_;
  CurrentBits<V> current_ = {};
  std::uint32_t *next_words_ = nullptr;
};

/// One thread does all the work of a vertex.
template <class V, class Pull> __device__ void pull_whole(Propagation<V> &p, Team &team, const Pull &pull) {
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
  team.sync();
  p.end_round();
  p.s.size = gc::load(counts.found);
  p.s.bits = 1;
  p.s.listed = p.s.open = 0;
}

template <class V, class Pull>
__device__ void pull_round(Propagation<V> &p, Team &team, const Pull &pull, PullMemory &memory) {
  if constexpr (ByArcs<Pull>::value)
    PullByArcs<V, Pull>(p, pull, memory).run(team);
  else
    pull_whole<V>(p, team, pull);
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
