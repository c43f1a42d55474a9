// Sweeps over the kept frontiers of a propagate: one cooperative kernel visits level after level.
#ifndef GCOMPILE_CUDA_FRONTIER_SWEEP_H
#define GCOMPILE_CUDA_FRONTIER_SWEEP_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/levels.h>
#include <gcompile/cuda/kernels/share_out.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace gc {
namespace cuda {

namespace detail {

template <class F, class = void> struct TestsLevel { static constexpr bool value = false; };
template <class F> struct TestsLevel<F, std::void_t<decltype(F::tests_level)>> {
  static constexpr bool value = F::tests_level;
};
/// A kernel with the bitmap that it is told.
template <class F, class V> struct AtLevel {
  const F &kernel;
  LevelBits<V> other;
  template <class... Arguments> __device__ void operator()(Arguments... arguments) const {
    if constexpr (TestsLevel<F>::value)
      kernel(arguments..., other);
    else
      kernel(arguments...);
  }
};

template <class V> struct LevelsView {
  gc::Graph<V> graph;
  const V *items;
  const KeptLevel *table;
  std::uint64_t count;
  V *hubs;
  unsigned long long *hub_counts; // 2 of all blocks, 2 of few
  bool reversed;
  unsigned *arrived;                   // of all blocks, of few
  std::uint32_t *even_bits, *odd_bits; // two bitmaps, clear; nullptr: no kernel asks
  __device__ const KeptLevel &operator[](std::uint64_t i) const { return table[reversed ? count - 1 - i : i]; }
};

/// Threads of a block that visits levels: these kernels need fewer registers than traversals.
constexpr unsigned sweep_threads = 4 * block_threads;

/// One kernel for the vertices of a level. `hub_counts`: the team's counters of vertices with long lists, of which
/// `turn` is 0. `count` lanes take a short list.
template <unsigned count, class V, class F>
__device__ void visit_level(Team &team, unsigned long long *hub_counts, unsigned &turn, const LevelsView<V> &levels,
                            const KeptLevel &level, const F &kernel, LevelBits<V> other) {
  const Members<V> members = {levels.items + level.first, level.size};
  const AtLevel<F, V> f = {kernel, other};
  if constexpr (ByLanes<F>::value) {
    // Long lists go to all blocks, one after another.
    unsigned long long &hubs = hub_counts[turn];
    turn = 1 - turn;
    if (team.rank() == 0)
      hub_counts[turn] = 0;
    const auto leave = [&](unsigned, V v) { gc::store(levels.hubs[atomicAdd(&hubs, 1ull)], v); };
    NoParts parts;
    constexpr unsigned groups = sweep_threads / count;
    const unsigned blocks = team.size() / sweep_threads;
    unsigned turns = 1;
    while (turns < count && std::uint64_t(groups) * blocks * turns * 2 <= level.size)
      turns *= 2;
    const std::uint64_t tile_size = std::uint64_t(groups) * turns;
    for (std::uint64_t tile = blockIdx.x * tile_size; tile < level.size; tile += blocks * tile_size)
      run_tile<count, sweep_threads>(f, levels.graph, members, tile, turns, parts, leave);
    team.sync();
    const unsigned long long found = gc::load(hubs);
    if (found == 0)
      return;
    for (std::uint64_t i = blockIdx.x; i < found; i += team.size() / sweep_threads)
      f(gc::load(levels.hubs[i]), BlockLanes<sweep_threads>());
  } else {
    for (std::uint64_t i = team.rank(); i < level.size; i += team.size())
      f(members[i]);
  }
  team.sync();
}

/// The bitmaps of levels for one step after the other: where one is written, the one of the step before is cleared.
template <class V> class StepBits {
public:
  __device__ StepBits(const LevelsView<V> &levels) : levels_(levels) {}
  /// The bitmap of a level, once all threads of the team have come.
  __device__ LevelBits<V> of(Team &team, const KeptLevel &level) {
    std::uint32_t *const words = odd_ ? levels_.odd_bits : levels_.even_bits;
    std::uint32_t *const old = odd_ ? levels_.even_bits : levels_.odd_bits;
    odd_ = !odd_;
    for (std::uint64_t i = team.rank(); i < last_.size; i += team.size())
      old[levels_.items[last_.first + i] / 32] = 0;
    for (std::uint64_t i = team.rank(); i < level.size; i += team.size()) {
      const V v = levels_.items[level.first + i];
      atomicOr(&words[v / 32], 1u << (v % 32));
    }
    last_ = level;
    team.sync();
    return {words};
  }

private:
  const LevelsView<V> &levels_;
  KeptLevel last_ = {0, 0, 0};
  bool odd_ = false;
};

} // namespace detail

/// Kernels that a loop over levels runs for each level, one after the other.
template <class... Fs> struct Steps {
  static constexpr bool empty = true, tests = false;
  template <class Visit> __device__ void each(const Visit &) const {}
};
template <class F, class... Fs> struct Steps<F, Fs...> {
  static constexpr bool empty = false, tests = detail::TestsLevel<F>::value || Steps<Fs...>::tests;
  F first;
  Steps<Fs...> rest;
  template <class Visit> __device__ void each(const Visit &visit) const {
    visit(first);
    rest.each(visit);
  }
};
inline Steps<> steps() { return {}; }
template <class F, class... Fs> Steps<F, Fs...> steps(const F &first, const Fs &...rest) {
  return {first, steps(rest...)};
}
/// One of them that runs for the level visited before instead.
template <class F> struct OverPrevious { F kernel; };
template <class F> OverPrevious<F> over_previous(const F &kernel) { return {kernel}; }

namespace detail {

/// So many times fewer arcs than its own must the level visited before have for a step to start from that.
constexpr ArcId turn_factor = 2;

/// A bitmap takes a step for each vertex of a level; it must spare so many times more looks.
constexpr ArcId bits_factor = 4;

template <class F> struct TestsLevel<OverPrevious<F>> { static constexpr bool value = TestsLevel<F>::value; };

/// The arrivals that each team waits for.
struct SweepState {
  unsigned due[2];
};

template <class F> struct VisitsPrevious {
  static constexpr bool value = false;
  __device__ static const F &kernel(const F &f) { return f; }
};
template <class F> struct VisitsPrevious<OverPrevious<F>> {
  static constexpr bool value = true;
  __device__ static const F &kernel(const OverPrevious<F> &f) { return f.kernel; }
};

template <unsigned count, class V, class Own, class Turned>
__global__ void __launch_bounds__(sweep_threads, 1) sweep_kernel(LevelsView<V> levels, Own own, Turned turned) {
  // Of all blocks, and of the few that go through small levels in a row while the others wait.
  GCOMPILE_CUDA_SHARED(SweepState, state);
  if (threadIdx.x == 0)
    state.due[0] = state.due[1] = 0;
  unsigned turns = 0; // a bit for each
  const unsigned few = gridDim.x < few_blocks ? gridDim.x : few_blocks;
  bool alone = false;
  constexpr bool tests = Own::tests || Turned::tests;
  StepBits<V> bits(levels);
  for (std::uint64_t i = 0; i < levels.count; ++i) {
    const KeptLevel level = levels[i], previous = i > 0 ? levels[i - 1] : KeptLevel{0, 0, 0};
    const bool turn = !Turned::empty && previous.arcs < level.arcs / turn_factor;
    const ArcId work = turn ? previous.arcs + previous.size : level.arcs;
    const bool small = work <= few * sweep_threads && level.size <= few * sweep_threads;
    if (!small && alone) {
      Team grid(gridDim.x, levels.arrived, threadIdx.x == 0 ? state.due[0] : 0);
      grid.sync();
      if (threadIdx.x == 0)
        state.due[0] = grid.due();
    }
    alone = small;
    if (small && blockIdx.x >= few)
      continue;
    Team team(small ? few : gridDim.x, levels.arrived + small, threadIdx.x == 0 ? state.due[small] : 0);
    unsigned odd = turns >> small & 1;
    LevelBits<V> other = {nullptr};
    if constexpr (tests) {
      // By members: a choice between two objects would keep both in memory.
      const KeptLevel tested = {turn ? level.first : previous.first, turn ? level.size : previous.size, 0};
      if (!small && work >= bits_factor * tested.size)
        other = bits.of(team, tested);
    }
    const auto visit = [&](const auto &f) {
      using Step = VisitsPrevious<std::decay_t<decltype(f)>>;
      visit_level<count, V>(team, levels.hub_counts + 2 * small, odd, levels, Step::value ? previous : level,
                            Step::kernel(f), other);
    };
    if (turn)
      turned.each(visit);
    else
      own.each(visit);
    if (threadIdx.x == 0)
      state.due[small] = team.due();
    turns = (turns & ~(1u << small)) | odd << small;
  }
}

} // namespace detail

/// Calls the kernels of `own` for the vertices of each level, one after the other, as for_vertices does; or those of
/// `turned`, which do the same, where the level visited before has fewer arcs.
template <class V, class Own, class Turned = Steps<>>
void for_levels(const Graph<V> &graph, const Levels<V> &levels, bool reversed, const Own &own,
                const Turned &turned = Turned()) {
  if (levels.size() == 0)
    return;
  Buffer<V> hubs(graph.num_vertices());
  Buffer<unsigned long long> counts(5); // of hubs: 2 of all blocks, 2 of few; and the barriers'
  counts.clear_bytes();
  Buffer<std::uint32_t> bits[2];
  if (Own::tests || Turned::tests)
    for (Buffer<std::uint32_t> &words : bits) {
      words = Buffer<std::uint32_t>((static_cast<std::size_t>(graph.num_vertices()) + 31) / 32);
      words.clear_bytes();
    }
  detail::LevelsView<V> view = {
      graph.view(),   levels.items(), levels.table(), levels.size(),
      hubs.data(),    counts.data(),  reversed,       reinterpret_cast<unsigned *>(counts.data() + 4),
      bits[0].data(), bits[1].data()};
  const auto launch = [&](auto kernel, unsigned resident) {
    const unsigned blocks = std::min(resident, blocks_for((graph.num_arcs() + graph.num_vertices()) / 4, 16));
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE(kernel, blocks, detail::sweep_threads, view, own, turned);
  };
  const auto of_dense = detail::sweep_kernel<8, V, Own, Turned>, of_sparse = detail::sweep_kernel<4, V, Own, Turned>;
  static const unsigned dense = detail::resident_blocks(of_dense, detail::sweep_threads);
  static const unsigned sparse = detail::resident_blocks(of_sparse, detail::sweep_threads);
  if (graph.is_dense())
    launch(of_dense, dense);
  else
    launch(of_sparse, sparse);
  check(cudaGetLastError(), "cannot start a kernel");
}

} // namespace cuda
} // namespace gc

#endif
