// Vertices in the order of a priority: near-far lists (Davidson et al. 2014), the far list split lazily, in one
// cooperative kernel, which may be that of a loop.
#ifndef GCOMPILE_CUDA_ORDER_NEAR_FAR_H
#define GCOMPILE_CUDA_ORDER_NEAR_FAR_H

#include <gcompile/core/numeric.h>
#include <gcompile/cuda/frontier/frontier.h>
#include <gcompile/cuda/kernels/kernels.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace gc {
namespace cuda {

namespace detail {

/// Priorities in a type that has room for a limit beyond them.
template <class P> using Limit = std::conditional_t<std::is_floating_point<P>::value, double, std::int64_t>;

/// What the near-far loop carries on. Each block has the same copy.
template <class P> struct NearFarState {
  std::uint64_t size;
  EdgeId arcs;
  Limit<P> limit; ///< near: below
  std::uint64_t current, far, turn, split;
  std::uint64_t has_long; ///< a list of the near vertices may be long
  std::uint64_t far_size; ///< while the near list is empty

  /// All vertices to start from are far.
  __device__ static NearFarState of(std::uint64_t starts) {
    NearFarState state = {};
    state.has_long = 1;
    state.limit = lowest<Limit<P>>();
    state.far_size = starts;
    return state;
  }
};

template <class V, class P> struct NearFarView {
  gc::Graph<V> graph;
  P *priority;
  Limit<P> delta;
  Queue<V> lists[2];
  V *far[2];
  std::uint32_t *queued[2];
  std::uint32_t *waiting;                               // the members of the far list
  unsigned long long *tallies, *long_flags, *far_sizes; // 3, 3 and 2, taken in turn
  Limit<P> *least;                                      // 2, taken in turn
  unsigned *arrived;
  NearFarState<P> *state; // what few blocks leave to the others
};

template <class T> __device__ T limit_after(T least, T delta) {
  if constexpr (std::is_floating_point<T>::value)
    return least + delta;
  else
    return least > std::numeric_limits<T>::max() - delta ? std::numeric_limits<T>::max() : least + delta;
}

/// Sets a bit; whether it was not set.
template <class V> __device__ bool set_bit(std::uint32_t *words, V v) {
  const std::uint32_t bit = 1u << (v % 32);
  return !(gc::load(words[v / 32]) & bit) && !(atomicOr(&words[v / 32], bit) & bit);
}
template <class V> __device__ void reset_bit(std::uint32_t *words, V v) {
  atomicAnd(&words[v / 32], ~(1u << (v % 32)));
}

/// What a block collects for the two lists, and the block's copy of what the loop carries on.
template <class V, class P> struct NearFarMemory {
  OutboxMemory<V> &near, &far;
  NearFarState<P> &state;
};

/// Takes the vertices whose priority has improved.
template <class V, class P> class NearFarNext {
public:
  __device__ NearFarNext(const NearFarView<V, P> &view, const NearFarState<P> &state, unsigned slot,
                         const NearFarMemory<V, P> &memory, bool small)
      : f_(view), limit_(state.limit), queued_(view.queued[1 - state.current]),
        near_(view.graph,
              {view.lists[1 - state.current].items, view.lists[1 - state.current].before, &view.tallies[slot]},
              memory.near, small),
        far_(view.graph, {view.far[state.far], nullptr, &view.far_sizes[state.far]}, memory.far) {}
  __device__ void push(V v) { push(v, gc::load(f_.priority[v])); }
  /// Its priority is this or has improved further.
  __device__ void push(V v, P priority) {
    if (static_cast<Limit<P>>(priority) < limit_) {
      if (set_bit(queued_, v))
        near_.push(v);
    } else if (set_bit(f_.waiting, v)) {
      far_.push(v);
    }
  }
  __device__ void collect() {
    near_.collect();
    far_.collect();
  }
  /// Every thread of the block calls.
  __device__ void finish(unsigned slot) {
    near_.finish();
    far_.finish();
    if (__any_sync(full_warp, near_.has_long()) && lane_of_warp() == 0)
      gc::store(f_.long_flags[slot], 1ull);
  }

private:
  const NearFarView<V, P> &f_;
  Limit<P> limit_;
  std::uint32_t *queued_;
  Outbox<V> near_, far_;
};

template <class F, class = void> struct Relaxes { static constexpr bool value = false; };
template <class F> struct Relaxes<F, std::void_t<decltype(F::relaxes)>> { static constexpr bool value = F::relaxes; };

/// `s` is shared by a block, and changes while its other threads wait.
template <class V, class P> class NearFarRun {
public:
  /// From so many vertices, which start_far() has put into the far list.
  __device__ NearFarRun(const NearFarView<V, P> &view, std::uint64_t starts, const NearFarMemory<V, P> &memory)
      : f(view), s(memory.state), memory_(memory) {
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
          [&](V u, EdgeId e) {
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
      gather_several<arcs_at_once>(team, f.graph, s.size, s.arcs, before, vertex,
                                   [&](const V(&us)[arcs_at_once], const EdgeId(&es)[arcs_at_once], unsigned count) {
                                     relax<arcs_at_once, false>(push, us, es, count, next, [&] { next.collect(); });
                                   });
    else
      gather<V>(
          team, f.graph, s.size, s.arcs, before, vertex,
          [&](V u, EdgeId e) { push(u, f.graph.target(e), edge_of(push, f.graph, e), next); }, [&] { next.collect(); });
    next.finish(slot);
    team.sync([&] { take(slot); });
  }

  /// Moves the vertices of the next window from the far list to the near one.
  __device__ void split_far(Team &team) {
    const std::uint64_t size = s.far_size;
    V *const from = f.far[s.far];
    // The least priority that is left. What is below the limit has been processed since it was put here.
    Limit<P> *const cell = &f.least[s.split % 2];
    Limit<P> mine = inf<Limit<P>>();
    for (std::uint64_t i = team.rank(); i < size; i += team.size()) {
      const Limit<P> p = static_cast<Limit<P>>(gc::load(f.priority[from[i]]));
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
        const Limit<P> p = static_cast<Limit<P>>(gc::load(f.priority[v]));
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
  __device__ bool is_small(EdgeId threads) const {
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

  /// Lowers priorities by the first `count` arcs; after_each() after each of so many. `soon`: the lists of what is
  /// found are walked at once.
  template <unsigned several, bool soon, class Push, class AfterEach>
  __device__ void relax(const Push &push, const V (&us)[several], const EdgeId (&es)[several], unsigned count,
                        NearFarNext<V, P> &next, const AfterEach &after_each) {
    V vs[several];
    P values[several], seen[several];
    bool lower[several];
    each_of<several>([&](unsigned j) { vs[j] = j < count ? f.graph.target(es[j]) : V(0); });
    if (soon)
      each_of<several>([&](unsigned j) { prefetch(f.graph.out_offsets + vs[j]); });
    each_of<several>(
        [&](unsigned j) { values[j] = j < count ? push.value(us[j], vs[j], edge_of(push, f.graph, es[j])) : P(0); });
    each_of<several>([&](unsigned j) { seen[j] = j < count ? gc::load(f.priority[vs[j]]) : P(0); });
    each_of<several>(
        [&](unsigned j) { lower[j] = values[j] < seen[j] && gc::atomic_lower(f.priority[vs[j]], values[j]); });
    each_of<several>([&](unsigned j) {
      if (lower[j])
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
};

/// The blocks that go on without the others while all lists are short. Steps of roads have some 10000 arcs: 128 blocks
/// took 59 ms for what 32 took 62 for.
constexpr unsigned short_blocks = 4 * few_blocks;

/// Runs until both lists are empty. All blocks call.
template <class V, class P, class Push>
__device__ void run_near_far(Team &grid, NearFarRun<V, P> &run, const Push &push) {
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

/// What a block shares in the kernel below.
template <class V, class P> struct NearFarShared {
  OutboxMemory<V> near, far;
  NearFarState<P> state;
};

template <class V, class P, class Push>
__global__ void __launch_bounds__(team_threads) near_far_kernel(NearFarView<V, P> f, std::uint64_t starts, Push push) {
  using Shared = NearFarShared<V, P>;
  GCOMPILE_CUDA_SHARED(Shared, shared);
  Team grid(gridDim.x, f.arrived);
  NearFarRun<V, P> run(f, starts, {shared.near, shared.far, shared.state});
  run_near_far(grid, run, push);
}

/// The vertices to start from.
template <class V> struct NearFarStart {
  const V *items;             ///< nullptr: they follow each other
  const std::uint32_t *words; ///< the same as a bitmap
  std::uint64_t first, size;
  __device__ V operator[](std::uint64_t i) const { return items ? items[i] : static_cast<V>(first + i); }
  /// Of the bitmap.
  __device__ std::uint32_t word(std::uint64_t i) const {
    if (items)
      return words[i];
    const std::uint64_t low = 32 * i, end = first + size;
    if (end <= low || first >= low + 32)
      return 0;
    return (first > low ? ~0u << (first - low) : ~0u) & (end < low + 32 ? ~0u >> (low + 32 - end) : ~0u);
  }
};

/// Makes everything ready for a run: all vertices to start from are far. `rank` of `step` threads.
template <class V, class P>
__device__ void start_far(const NearFarView<V, P> &f, const NearFarStart<V> &from, std::uint64_t rank,
                          std::uint64_t step) {
  const std::uint64_t words = (std::uint64_t(f.graph.num_vertices()) + 31) / 32;
  for (std::uint64_t i = rank; i < words; i += step) {
    f.queued[0][i] = f.queued[1][i] = 0;
    f.waiting[i] = from.word(i);
  }
  for (std::uint64_t i = rank; i < from.size; i += step)
    f.far[0][i] = from[i];
  if (rank > 0)
    return;
  for (unsigned i = 0; i < 3; ++i)
    f.tallies[i] = f.long_flags[i] = 0;
  for (unsigned i = 0; i < 2; ++i) {
    f.far_sizes[i] = i == 0 ? from.size : 0;
    f.least[i] = inf<Limit<P>>();
    f.arrived[i] = 0;
  }
}
template <class V, class P> __global__ void start_far_kernel(NearFarView<V, P> f, NearFarStart<V> from) {
  start_far(f, from, blockIdx.x * std::uint64_t(block_threads) + threadIdx.x, gridDim.x * std::uint64_t(block_threads));
}

/// The sum and number of finite weights.
template <class W> struct MeanWeight {
  const W *weights;
  struct Parts {
    double sum = 0, count = 0;
    GCOMPILE_HD void merge(const Parts &other) {
      sum += other.sum;
      count += other.count;
    }
    double mean() const { return count > 0 ? sum / count : 0; }
  };
  __device__ void operator()(EdgeId i, Parts &parts) const {
    if (weights[i] < inf<W>()) {
      parts.sum += static_cast<double>(weights[i]);
      ++parts.count;
    }
  }
};

} // namespace detail

/// The work of an ordered propagate. `priority` has one value per vertex.
template <class V, class P> class NearFar {
public:
  NearFar(const Graph<V> &graph, P *priority, double delta)
      : graph_(graph), priority_(priority), delta_(delta > 1 || std::is_floating_point<P>::value ? delta : 1) {
    const std::size_t n = graph.num_vertices(), words = (n + 31) / 32;
    for (int i = 0; i < 2; ++i) {
      lists_[i] = Buffer<V>(n);
      before_[i] = Buffer<EdgeId>(n);
      far_[i] = Buffer<V>(n);
      queued_[i] = Buffer<std::uint32_t>(words);
    }
    waiting_ = Buffer<std::uint32_t>(words);
    counters_ = Buffer<unsigned long long>(8);
    least_ = Buffer<detail::Limit<P>>(2);
    arrived_ = Buffer<unsigned>(2);
    state_ = Buffer<detail::NearFarState<P>>(1);
  }

  /// Runs until no priority improves: push(u, v, e, next) for every arc of each vertex taken, or push(u, next) if one
  /// thread does all the work of a vertex. A push that says `static constexpr bool relaxes = true` only lowers the
  /// priority of v to value(u, v, e), where that is less.
  template <class Push> void run(const VertexSet<V> &from, const Push &push) {
    if (from.size() > 0)
      run({from.items(), from.view().words, 0, static_cast<std::uint64_t>(from.size())}, push);
  }
  template <class Push> void run(std::initializer_list<V> from, const Push &push) {
    if (from.size() == 1 && *from.begin() < graph_.num_vertices())
      run({nullptr, nullptr, *from.begin(), 1}, push);
    else
      run(VertexSet<V>::of(graph_, from), push);
  }

  /// For a kernel that runs it: what this has, as long as it lives.
  detail::NearFarView<V, P> lend() {
    detail::NearFarView<V, P> view = {graph_.view(),
                                      priority_,
                                      static_cast<detail::Limit<P>>(delta_),
                                      {},
                                      {far_[0].data(), far_[1].data()},
                                      {queued_[0].data(), queued_[1].data()},
                                      waiting_.data(),
                                      counters_.data(),
                                      counters_.data() + 3,
                                      counters_.data() + 6,
                                      least_.data(),
                                      arrived_.data(),
                                      state_.data()};
    for (int i = 0; i < 2; ++i)
      view.lists[i] = {lists_[i].data(), before_[i].data(), nullptr};
    return view;
  }

private:
  template <class Push> void run(const detail::NearFarStart<V> &from, const Push &push) {
    const detail::NearFarView<V, P> view = lend();
    const std::uint64_t words = (std::uint64_t(graph_.num_vertices()) + 31) / 32;
    GCOMPILE_CUDA_LAUNCH((detail::start_far_kernel<V, P>), blocks_for(std::max(words, from.size)), block_threads, view,
                         from);
    const auto kernel = detail::near_far_kernel<V, P, Push>;
    static const unsigned resident = detail::resident_blocks(kernel);
    const unsigned blocks = std::min(resident, blocks_for((graph_.num_arcs() + graph_.num_vertices()) / 4, 16));
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE((detail::near_far_kernel<V, P, Push>), blocks, team_threads, view, from.size,
                                     push);
    synchronize();
  }

  const Graph<V> &graph_;
  P *priority_;
  double delta_;
  Buffer<V> lists_[2], far_[2];
  Buffer<EdgeId> before_[2];
  Buffer<std::uint32_t> queued_[2], waiting_;
  Buffer<unsigned long long> counters_;
  Buffer<detail::Limit<P>> least_;
  Buffer<unsigned> arrived_;
  Buffer<detail::NearFarState<P>> state_;
};

/// The width of the window of near vertices: where vertices have few neighbours it must be wide, or a round does not
/// fill the device. Power and factors are measured (bench/results).
template <class P, class V> double choose_window(const Graph<V> &graph, double mean_weight) {
  const double degree =
      static_cast<double>(graph.num_arcs()) / static_cast<double>(graph.num_vertices() ? graph.num_vertices() : 1);
  return usable_width<P>(mean_weight * std::min(32.0, 2048 / (degree * degree * degree)));
}
/// With a weight for each arc.
template <class P, class V, class W> double choose_window(const Graph<V> &graph, const W *weights) {
  return choose_window<P>(
      graph, graph.mean_weight(weights, [&] { return for_arcs(graph, detail::MeanWeight<W>{weights}).mean(); }));
}
/// With a weight for each vertex, which the next run may have others of.
template <class P, class V, class W>
double choose_window(const Graph<V> &graph, const W *weights, std::uint64_t /*vertices*/) {
  return choose_window<P>(graph, for_vertices(graph, detail::MeanWeight<W>{weights}).mean());
}
/// Without weights each step counts one.
template <class P, class V> double choose_window(const Graph<V> &) { return 1; }

} // namespace cuda
} // namespace gc

#endif
