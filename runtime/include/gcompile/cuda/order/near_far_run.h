// The rounds of near-far lists (Davidson et al. 2014): relax the arcs of the near list, split the far list lazily.
#ifndef GCOMPILE_CUDA_ORDER_NEAR_FAR_RUN_H
#define GCOMPILE_CUDA_ORDER_NEAR_FAR_RUN_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/propagate.h>
#include <gcompile/cuda/kernels/share_out.h>
#include <gcompile/cuda/order/near_far_state.h>

#include <cstdint>

namespace gc {
namespace cuda {

namespace detail {

template <class F, class = void> struct Relaxes { static constexpr bool value = false; };
template <class F> struct Relaxes<F, std::void_t<decltype(F::relaxes)>> { static constexpr bool value = F::relaxes; };

/// `s` is shared by a block, and changes while its other threads wait. `until`: it may end before all is done.
template <class V, class P, bool until = false> class NearFarRun {
public:
  /// From so many vertices, which start_far() has put into the far list.
  __device__ NearFarRun(const NearFarView<V, P> &view, std::uint64_t starts, const NearFarMemory<V, P> &memory,
                        const EndsView<V> &ends = {})
      : f(view), s(memory.state), memory_(memory), ends_(ends) {
    if (threadIdx.x == 0)
      s = NearFarState<P>::of(starts);
    __syncthreads();
  }
  /// What other blocks have left.
  __device__ void resume(Team &team) {
    team.sync([&] { s = load_fresh(f.state); });
  }

  template <class Push> __device__ void near_round(Team &team, const Push &push, bool small) {
    const unsigned slot = static_cast<unsigned>(s.turn % 3);
    clear_next_slot(team);
    const Queue<V> &list = f.lists[s.current];
    for (std::uint64_t i = team.rank(); i < s.size; i += team.size())
      f.queued[s.current][list.items[i] / 32] = 0;
    NearFarNext<V, P> next(f, s, slot, memory_, small);
    const auto before = [&](std::uint64_t i) { return list.before[i]; };
    const auto vertex = [&](std::uint64_t i) { return list.items[i]; };
    if constexpr (WholeVertex<Push>::value)
      for (std::uint64_t first = team.rank() / 32 * 32; first < s.size; first += team.size()) {
        if (first + lane_of_warp() < s.size)
          push(list.items[first + lane_of_warp()], next);
        __syncwarp();
        next.collect();
      }
    else if (small && !s.has_long)
      gather_short<V>(
          team, f.graph, list.items, s.size, s.arcs,
          [&](V u, ArcId e) {
            if constexpr (Relaxes<Push>::value) {
              relax<1, true>(push, {u}, {e}, 1, next, [] {});
            } else {
              const V v = f.graph.target(e);
              prefetch(f.graph.out_offsets + v);
              push(u, v, edge_of(push, f.graph, e), next);
            }
          },
          [&] { next.collect(); });
    else if constexpr (Relaxes<Push>::value)
      gather_several<arcs_at_once>(
          team, f.graph, s.size, s.arcs, before, vertex,
          [&](const V(&us)[arcs_at_once], const ArcId(&es)[arcs_at_once], unsigned count, ArcId) {
            relax<arcs_at_once, false>(push, us, es, count, next, [&] { next.collect(); });
          });
    else
      gather<V>(
          team, f.graph, s.size, s.arcs, before, vertex,
          [&](V u, ArcId e) { push(u, f.graph.target(e), edge_of(push, f.graph, e), next); }, [&] { next.collect(); });
    next.finish(slot);
    team.sync([&] { take(slot); });
  }

  /// Whether all that is asked for is final, while the near list is empty: it lies below the limit.
  __device__ bool reached_end() const {
    static_assert(std::is_same<P, Priority<P>>::value, "'until' asks for values less than infinity");
    if (ends_.size == 0)
      return false;
    Limit<P> last = ends_.first ? inf<Limit<P>>() : lowest<Limit<P>>();
    for (unsigned i = 0; i < ends_.size; ++i) {
      const V end = ends_.vertices[i];
      const P priority = end == none<V>() ? inf<P>() : gc::load(f.priority[end]);
      const Limit<P> p = static_cast<Limit<P>>(priority);
      if (ends_.first ? p < last : last < p)
        last = p;
    }
    return last < s.limit;
  }

  /// Moves the vertices of the next window from the far list to the near one; none of them once the end is reached.
  __device__ void split_far(Team &team) {
    if constexpr (until)
      if (reached_end())
        return team.sync([&] { s.far_size = 0; });
    const std::uint64_t size = s.far_size;
    V *const from = f.far[s.far];
    // The least priority that is left. What is below the limit has been processed since it was put here.
    Limit<P> *const cell = &f.least[s.split % 2];
    Limit<P> mine = inf<Limit<P>>();
    for (std::uint64_t i = team.rank(); i < size; i += team.size()) {
      const Limit<P> p = Precedence<P>::key(gc::load(f.priority[from[i]]));
      if (p >= s.limit && p < mine)
        mine = p;
    }
    mine = WarpLanes<32>().min(mine);
    if (lane_of_warp() == 0 && mine != inf<Limit<P>>())
      gc::atomic_min(*cell, mine);
    if (team.rank() == 0)
      f.far_sizes[1 - s.far] = 0;
    team.sync();
    const Limit<P> least = gc::load(*cell), limit = limit_after(least, f.delta);
    const unsigned slot = static_cast<unsigned>(s.turn % 3);
    clear_next_slot(team);
    if (team.rank() == 0)
      f.least[(s.split + 1) % 2] = inf<Limit<P>>();
    std::uint32_t *const queued = f.queued[1 - s.current];
    const Queue<V> &list = f.lists[1 - s.current];
    Outbox<V> near(f.graph, {list.items, list.before, &f.tallies[slot]}, memory_.near);
    Outbox<V> far(f.graph, {f.far[1 - s.far], nullptr, &f.far_sizes[1 - s.far]}, memory_.far);
    for (std::uint64_t first = team.rank() / 32 * 32; first < size; first += team.size()) {
      const std::uint64_t i = first + lane_of_warp();
      if (i < size) {
        const V v = from[i];
        const Limit<P> p = Precedence<P>::key(gc::load(f.priority[v]));
        const bool stale = p < s.limit, now = !stale && !(p > limit); // also what is no number
        if (stale || now)
          reset_bit(f.waiting, v);
        if (now && set_bit(queued, v))
          near.push(v);
        else if (!stale && !now)
          far.push(v);
      }
      __syncwarp();
      near.collect();
      far.collect();
    }
    near.finish();
    far.finish();
    if (__any_sync(full_warp, near.has_long()) && lane_of_warp() == 0)
      gc::store(f.long_flags[slot], 1ull);
    team.sync([&] {
      s.limit = limit;
      s.far = 1 - s.far;
      ++s.split;
      take(slot);
    });
  }

  /// Whether so few threads do the next step as fast as the grid.
  __device__ bool is_small(ArcId threads) const {
    return s.size > 0 ? s.arcs <= threads && s.size <= threads : s.far_size <= threads;
  }
  __device__ bool is_done() const { return s.size == 0 && s.far_size == 0; }
  /// A near round, or a split once the near list is empty.
  template <class Push> __device__ void step(Team &team, const Push &push, bool small) {
    if (s.size > 0)
      near_round(team, push, small);
    else
      split_far(team);
  }

  const NearFarView<V, P> &f;
  NearFarState<P> &s;

private:
  /// Of one lane, where a push only relaxes: the reads of one do not wait for those of another. With ids of 64 bits no
  /// register is left.
  static constexpr unsigned arcs_at_once = sizeof(V) == 4 ? 2 : 1;

  /// Improves priorities by the first `count` arcs; after_each() after each of so many. `soon`: the lists of what is
  /// found are walked at once.
  template <unsigned several, bool soon, class Push, class AfterEach>
  __device__ void relax(const Push &push, const V (&us)[several], const ArcId (&es)[several], unsigned count,
                        NearFarNext<V, P> &next, const AfterEach &after_each) {
    V vs[several];
    Priority<P> values[several], seen[several];
    bool better[several];
    each_of<several>([&](unsigned j) { vs[j] = j < count ? f.graph.target(es[j]) : V(0); });
    if (soon)
      each_of<several>([&](unsigned j) { prefetch(f.graph.out_offsets + vs[j]); });
    each_of<several>([&](unsigned j) {
      values[j] = j < count ? push.value(us[j], vs[j], edge_of(push, f.graph, es[j])) : Priority<P>(0);
    });
    each_of<several>([&](unsigned j) { seen[j] = j < count ? gc::load(f.priority[vs[j]]) : Priority<P>(0); });
    each_of<several>([&](unsigned j) {
      better[j] = Precedence<P>::before(values[j], seen[j]) && Precedence<P>::improve(f.priority[vs[j]], values[j]);
    });
    each_of<several>([&](unsigned j) {
      if (better[j])
        next.push(vs[j], values[j]);
      after_each();
    });
  }
  __device__ void clear_next_slot(const Team &team) {
    if (team.rank() == 0)
      f.tallies[(s.turn + 1) % 3] = f.long_flags[(s.turn + 1) % 3] = 0;
  }
  __device__ void take(unsigned slot) {
    const unsigned long long tally = gc::load(f.tallies[slot]);
    ++s.turn;
    s.current = 1 - s.current;
    s.size = Tally::length(tally);
    s.arcs = Tally::arcs(tally);
    s.has_long = gc::load(f.long_flags[slot]);
    s.far_size = s.size > 0 ? 0 : gc::load(f.far_sizes[s.far]);
  }

  const NearFarMemory<V, P> memory_;
  const EndsView<V> ends_;
};

/// The blocks that go on without the others while all lists are short. Steps of roads have some 10000 arcs: 128 blocks
/// took 59 ms for what 32 took 62 for.
constexpr unsigned short_blocks = 4 * few_blocks;

/// Runs until both lists are empty. All blocks call.
template <class V, class P, bool until, class Push>
__device__ void run_near_far(Team &grid, NearFarRun<V, P, until> &run, const Push &push) {
  Team alone(1, nullptr), few(gridDim.x < short_blocks ? gridDim.x : short_blocks, run.f.arrived + 1);
  while (!run.is_done()) {
    if (!run.is_small(few.size())) {
      run.step(grid, push, false);
      continue;
    }
    if (few.joins()) {
      while (!run.is_done() && run.is_small(few.size())) {
        if (!run.is_small(alone.size())) {
          run.step(few, push, true);
          continue;
        }
        if (alone.joins()) {
          while (!run.is_done() && run.is_small(2 * alone.size()))
            run.step(alone, push, true);
          if (threadIdx.x == 0)
            *run.f.state = run.s;
        }
        run.resume(few);
      }
      if (few.rank() == 0)
        *run.f.state = run.s;
    }
    run.resume(grid);
  }
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
