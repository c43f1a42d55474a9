// The kept frontiers of a propagate, and loops over them on the device.
#ifndef GCOMPILE_CUDA_LEVELS_H
#define GCOMPILE_CUDA_LEVELS_H

#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/propagate.h>
#include <gcompile/cuda/share_out.h>
#include <gcompile/levels.h>

#include <algorithm>
#include <vector>

namespace gc {
namespace cuda {

/// One kept frontier, as a set that loops run over.
template <class V> class Level {
public:
  Level(const V *items, const EdgeId *before, std::uint64_t size, EdgeId arcs)
      : items_(items), before_(before), size_(size), arcs_(arcs) {}
  bool is_all() const { return false; }
  std::int64_t size() const { return static_cast<std::int64_t>(size_); }
  const V *items() const { return items_; }
  const EdgeId *before() const { return before_; }
  EdgeId arcs() const { return arcs_; }

private:
  const V *items_;
  const EdgeId *before_;
  std::uint64_t size_;
  EdgeId arcs_;
};

/// The kept frontiers of a propagate, in order. They stay on the device, one list after another.
template <class V> class Levels {
public:
  explicit Levels(const Graph<V> &graph) : graph_(graph) {}

  void clear() { count_ = used_ = 0; }

  std::size_t size() const { return count_; }
  Level<V> operator[](std::size_t i) const {
    if (host_.size() != count_) {
      host_.resize(count_);
      table_.download(host_.data(), count_);
    }
    const detail::KeptLevel &kept = host_[i];
    return {items_.data() + kept.first, before_.data() + kept.first, kept.size, kept.arcs};
  }
  typename LevelRange<Levels>::Iterator begin() const { return LevelRange<Levels>{*this, false}.begin(); }
  typename LevelRange<Levels>::Iterator end() const { return LevelRange<Levels>{*this, false}.end(); }
  /// The levels, last first.
  LevelRange<Levels> reversed() const { return {*this, true}; }

  // ---- For the kernels of the runtime -------------------------------------------------------------------------------

  /// Makes room for one more list of any length, and for one more level; keeps what is there.
  void make_room() {
    const std::size_t n = graph_.num_vertices();
    if (items_.size() < used_ + n || before_.size() < used_ + n) {
      const std::size_t room = std::max<std::size_t>(2 * n, 2 * used_ + n);
      grow(items_, room, used_);
      grow(before_, room, used_);
    }
    if (table_.size() <= count_)
      grow(table_, std::max<std::size_t>(4096, 4 * count_), count_);
  }
  /// After a kernel: there are so many levels, and their lists end there.
  void set_size(std::size_t count, std::size_t used) {
    count_ = count;
    used_ = used;
    host_.clear();
  }
  V *items() const { return items_.data(); }
  EdgeId *before() const { return before_.data(); }
  std::size_t room() const { return items_.size(); }
  detail::KeptLevel *table() const { return table_.data(); }
  std::size_t table_room() const { return table_.size(); }

private:
  template <class T> static void grow(Buffer<T> &buffer, std::size_t room, std::size_t used) {
    Buffer<T> more(room);
    if (used > 0)
      more.copy_from(buffer, used);
    buffer = std::move(more);
  }

  const Graph<V> &graph_;
  Buffer<V> items_;
  Buffer<EdgeId> before_;
  Buffer<detail::KeptLevel> table_;
  mutable std::vector<detail::KeptLevel> host_;
  std::size_t count_ = 0, used_ = 0;
};

namespace detail {

template <class V> struct LevelsView {
  gc::Graph<V> graph;
  const V *items;
  const KeptLevel *table;
  std::uint64_t count;
  V *hubs;
  unsigned long long *hub_counts; // 2 of all blocks, 2 of few
  bool reversed, dense;
  unsigned *arrived; // of all blocks, of few
  __device__ KeptLevel operator[](std::uint64_t i) const { return table[reversed ? count - 1 - i : i]; }
};

/// Threads of a block that visits levels: these kernels need fewer registers than traversals.
constexpr unsigned sweep_threads = 4 * block_threads;

/// The blocks that visit a level, and their counters of vertices with long lists: 2, taken in turn.
struct SweepTeam {
  Team team;
  unsigned long long *hub_counts;
  unsigned turn;
};

/// One kernel for the vertices of a level.
template <class V, class F>
__device__ void visit_level(SweepTeam &sweep, const LevelsView<V> &levels, const KeptLevel &level, const F &f) {
  Team &team = sweep.team;
  const Members<V> members = {levels.items + level.first, level.size};
  if constexpr (ByLanes<F>::value) {
    // Long lists go to all blocks, one after another.
    unsigned long long &hubs = sweep.hub_counts[sweep.turn];
    sweep.turn = 1 - sweep.turn;
    if (team.rank() == 0)
      sweep.hub_counts[sweep.turn] = 0;
    const auto leave = [&](unsigned, V v) { gc::store(levels.hubs[atomicAdd(&hubs, 1ull)], v); };
    NoParts parts;
    const auto run = [&](auto lanes) {
      constexpr unsigned count = decltype(lanes)::size(), groups = sweep_threads / count;
      const unsigned blocks = team.size() / sweep_threads;
      unsigned turns = 1;
      while (turns < count && std::uint64_t(groups) * blocks * turns * 2 <= level.size)
        turns *= 2;
      const std::uint64_t tile_size = std::uint64_t(groups) * turns;
      for (std::uint64_t tile = blockIdx.x * tile_size; tile < level.size; tile += blocks * tile_size)
        run_tile<count, sweep_threads>(f, levels.graph, members, tile, turns, parts, leave);
    };
    if (levels.dense)
      run(WarpLanes<8>());
    else
      run(WarpLanes<4>());
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

} // namespace detail

/// Kernels that a loop over levels runs for each level, one after the other.
template <class... Fs> struct Steps {
  static constexpr bool empty = true;
  template <class Visit> __device__ void each(const Visit &) const {}
};
template <class F, class... Fs> struct Steps<F, Fs...> {
  static constexpr bool empty = false;
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

template <class V, class F>
__device__ void visit_either(SweepTeam &sweep, const LevelsView<V> &levels, const KeptLevel &level, const KeptLevel &,
                             const F &f) {
  visit_level<V>(sweep, levels, level, f);
}
template <class V, class F>
__device__ void visit_either(SweepTeam &sweep, const LevelsView<V> &levels, const KeptLevel &,
                             const KeptLevel &previous, const OverPrevious<F> &f) {
  visit_level<V>(sweep, levels, previous, f.kernel);
}

/// So many times fewer arcs than its own must the level visited before have for a step to start from that.
constexpr EdgeId turn_factor = 2;

template <class V, class Own, class Turned>
__global__ void __launch_bounds__(sweep_threads) sweep_kernel(LevelsView<V> levels, Own own, Turned turned) {
  SweepTeam grid = {Team(gridDim.x, levels.arrived), levels.hub_counts, 0};
  SweepTeam few = {Team(gridDim.x < few_blocks ? gridDim.x : few_blocks, levels.arrived + 1), levels.hub_counts + 2, 0};
  const EdgeId small = few.team.size();
  KeptLevel previous = {0, 0, 0};
  bool apart = false; // few blocks go through the small levels in a row, and the others wait
  for (std::uint64_t i = 0; i < levels.count; ++i) {
    const KeptLevel level = levels[i];
    const bool turns = !Turned::empty && previous.arcs < level.arcs / turn_factor;
    const EdgeId arcs = turns ? previous.arcs + previous.size : level.arcs;
    const bool is_small = arcs <= small && level.size <= small;
    if (!is_small && apart)
      grid.team.sync();
    apart = is_small;
    SweepTeam team = is_small ? few : grid;
    if (team.team.joins()) {
      if (turns)
        turned.each([&](const auto &f) { visit_either<V>(team, levels, level, previous, f); });
      else
        own.each([&](const auto &f) { visit_level<V>(team, levels, level, f); });
    }
    (is_small ? few : grid) = team;
    previous = level;
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
  detail::LevelsView<V> view = {graph.view(),  levels.items(),   levels.table(),
                                levels.size(), hubs.data(),      counts.data(),
                                reversed,      graph.is_dense(), reinterpret_cast<unsigned *>(counts.data() + 4)};
  static const unsigned resident = detail::resident_blocks(detail::sweep_kernel<V, Own, Turned>, detail::sweep_threads);
  const unsigned blocks = std::min(resident, blocks_for((graph.num_arcs() + graph.num_vertices()) / 4, 16));
  GCOMPILE_CUDA_LAUNCH_COOPERATIVE((detail::sweep_kernel<V, Own, Turned>), blocks, detail::sweep_threads, view, own,
                                   turned);
  check(cudaGetLastError(), "cannot start a kernel");
}

} // namespace cuda
} // namespace gc

#endif
