// The calls of a loop of kernels, in its one kernel.
#ifndef GCOMPILE_CUDA_LOOP_DEVICE_H
#define GCOMPILE_CUDA_LOOP_DEVICE_H

#include <gcompile/cuda/kernels/gather_tiles.h>
#include <gcompile/cuda/loop/frontier.h>
#include <gcompile/cuda/loop/host.h>
#include <gcompile/cuda/loop/sets.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace gc {
namespace cuda {

/// The kernels that a loop calls.
template <class... Fs> struct Kernels {
  static constexpr bool by_lanes = (... || detail::ByLanes<Fs>::value);
  /// Of what a kernel counts; a place for anything.
  static constexpr std::size_t most_bytes =
      (std::max({std::size_t(1), sizeof(typename detail::PartsOf<Fs>::type)...}) + 15) / 16 * 16;
  /// Of pushes.
  static constexpr bool marks_claims = (... || detail::MarksClaims<Fs>::value);
  static constexpr bool culls = (... || detail::Culls<Fs>::value);
  template <class V>
  static constexpr std::size_t cull_bytes = std::max({std::size_t(1), sizeof(detail::CullMemory<V, Fs>)...});
};

namespace detail {

template <class Loop, class = void> struct NumSets { static constexpr unsigned value = 0; };
template <class Loop> struct NumSets<Loop, std::void_t<decltype(Loop::num_sets)>> {
  static constexpr unsigned value = Loop::num_sets;
};

/// Whether it runs propagates.
template <class Loop, class = void> struct Propagates { static constexpr bool value = false; };
template <class Loop> struct Propagates<Loop, std::void_t<decltype(Loop::propagates)>> {
  static constexpr bool value = Loop::propagates;
};
/// Whether it runs ordered propagates.
template <class Loop, class = void> struct Orders { static constexpr bool value = false; };
template <class Loop> struct Orders<Loop, std::void_t<decltype(Loop::orders)>> {
  static constexpr bool value = Loop::orders;
};
template <class V, class Loop> using FrontierOf = LoopFrontier<V, Loop::Kernels::template cull_bytes<V>>;

/// What the host provides for a loop.
template <class V, class Loop> struct LoopView {
  gc::Graph<V> graph;
  EdgeId arcs;
  Members<V> hubs;
  unsigned hub_shares;         ///< of those for whole blocks
  unsigned most_shares;        ///< of all other vertices
  unsigned *arrived;           ///< at two kinds of barrier, and how often the second was passed
  unsigned *next_share;        ///< two that take turns
  void *parts;                 ///< one for each share
  void *merged;                ///< two that take turns: what they come to
  unsigned long long *tallies; ///< of DeviceSets
  LoopSet<V> sets[NumSets<Loop>::value > 0 ? NumSets<Loop>::value : 1];
  std::conditional_t<Propagates<Loop>::value, FrontierView<V>, NoKernel> frontier;
};

/// What a loop leaves.
template <class V, class Loop> struct LoopResult {
  typename Loop::Scalars scalars;
  LoopSet<V> sets[NumSets<Loop>::value > 0 ? NumSets<Loop>::value : 1];
};

/// What a block shares for ordered propagates besides an outbox of the sets; the state has one size for all types.
template <class V> struct LoopOrderMemory {
  OutboxMemory<V> far;
  alignas(8) unsigned char state[sizeof(NearFarState<std::int64_t>)];
};
/// What a block shares while a propagate runs.
template <class V, class Loop> union LoopRunMemory {
  std::conditional_t<Propagates<Loop>::value, LoopRoundsMemory<Loop::Kernels::template cull_bytes<V>>, NoKernel> rounds;
  std::conditional_t<Orders<Loop>::value, LoopOrderMemory<V>, NoKernel> order;
};

/// What a block shares.
template <class V, class Loop> struct LoopMemory {
  alignas(16) unsigned char parts[block_threads * Loop::Kernels::most_bytes];
  LoopSetMemory<V, NumSets<Loop>::value> sets;
  std::conditional_t<Propagates<Loop>::value, LoopFrontierMemory<V>, NoKernel> frontier;
  LoopRunMemory<V, Loop> run;
  Hubs<block_threads> hubs;
  unsigned share;
  bool last;
};

} // namespace detail

/// The device, in one thread of a loop's kernel. `count` lanes take a short list.
template <class V, unsigned count, class Loop> class LoopDevice {
  static constexpr unsigned num_sets = detail::NumSets<Loop>::value;
  static constexpr std::size_t most_bytes = Loop::Kernels::most_bytes;
  using LoopFrontier = std::conditional_t<detail::Propagates<Loop>::value, detail::FrontierOf<V, Loop>, NoKernel>;

public:
  __device__ LoopDevice(const detail::LoopView<V, Loop> &view, detail::LoopMemory<V, Loop> &memory)
      : view_(view), memory_(memory), team_(gridDim.x, view.arrived),
        sets_(view.graph, team_, sets_of(memory), outbox_of(memory), memory.hubs, view.tallies),
        frontier_(frontier_of(view, memory)) {
    if constexpr (num_sets > 0) {
      for (unsigned set = threadIdx.x; set < num_sets; set += block_threads)
        memory.sets.sets[set] = view.sets[set];
      __syncthreads();
    }
  }
  __device__ const gc::Graph<V> &graph() const { return view_.graph; }

  /// f(v) for every vertex.
  template <class F> __device__ typename detail::PartsOf<F>::type for_vertices(const F &f) {
    return visit(f, sets_.all(), view_.hubs, view_.hub_shares);
  }
  /// f(v) for every member of a set.
  template <class F> __device__ typename detail::PartsOf<F>::type for_vertices(unsigned set, const F &f) {
    return sets_.is_all(set) ? for_vertices(f) : visit(f, sets_.members(set), {nullptr, 0}, 0);
  }
  /// f(u, v, e) for every arc.
  template <class F> __device__ typename detail::PartsOf<F>::type for_out_edges(const F &f) {
    return walk_all(f, view_.graph, view_.arcs);
  }
  /// The same for the arcs out of the members of a set.
  template <class F> __device__ typename detail::PartsOf<F>::type for_out_edges(unsigned set, const F &f) {
    return sets_.is_all(set) ? for_out_edges(f) : walk(f, view_.graph, set);
  }
  /// The same in other lists.
  template <class F> __device__ typename detail::PartsOf<F>::type for_out_edges(const LoopLists<V> &lists, const F &f) {
    return walk_all(f, lists.view, lists.arcs);
  }
  template <class F>
  __device__ typename detail::PartsOf<F>::type for_out_edges(const LoopLists<V> &lists, unsigned set, const F &f) {
    return sets_.is_all(set) ? for_out_edges(lists, f) : walk(f, lists.view, set);
  }
  /// f(e) for every arc.
  template <class F> __device__ typename detail::PartsOf<F>::type for_arcs(const F &f) {
    return for_each(view_.arcs, f, [](std::uint64_t e) { return static_cast<EdgeId>(e); });
  }
  /// f(i, j) for every ordered pair of vertices.
  template <class F> __device__ typename detail::PartsOf<F>::type for_pairs(const F &f) {
    using Parts = typename detail::PartsOf<F>::type;
    Parts parts = {};
    const std::uint64_t n = view_.graph.num_vertices();
    for (std::uint64_t k = team_.rank(); k < n * n; k += team_.size())
      detail::call(f, parts, static_cast<V>(k / n), static_cast<V>(k % n));
    detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
    return settle<Parts>(gridDim.x);
  }

  /// f() by one thread.
  template <class F> __device__ void once(const F &f) {
    if (team_.rank() == 0)
      f();
    team_.sync();
  }
  /// f(parts) by one thread; gives what it leaves there.
  template <class F> __device__ typename F::Parts once(const F &f, typename F::Parts parts) {
    typename F::Parts *const merged = next_merged<typename F::Parts>();
    if (team_.rank() == 0) {
      f(parts);
      *merged = parts;
    }
    team_.sync();
    return *merged;
  }

  /// The host alone makes segments, which do not pay in small graphs.
  template <class Segments> __device__ bool segments_pay(Segments *, unsigned) const { return false; }
  template <class Segments, class F>
  __device__ void segments_gather(Segments *, const F &, typename F::Value *) const {}

  template <class T> __device__ void copy_per_vertex(T *to, const T *from) {
    copy(to, from, view_.graph.num_vertices());
  }
  template <class T> __device__ void copy_per_arc(T *to, const T *from) { copy(to, from, view_.arcs); }
  template <class T> __device__ void copy_per_pair(const DenseView<T> &to, const DenseView<T> &from) {
    copy(to.values, from.values, std::uint64_t(from.n) * from.n);
  }
  template <class T, class Matrix> __device__ void copy_column(T *to, const Matrix &from, std::size_t j) {
    copy(to, from.values + j, from.n, from.n);
  }
  /// One element, before anyone changes it.
  template <class T> __device__ T read(const T *at) {
    const T value = *at;
    team_.sync();
    return value;
  }
  template <class T> __device__ void write(T *at, gc::detail::SameAs<T> value) {
    if (team_.rank() == 0)
      *at = value;
    team_.sync();
  }
  /// The tables of modes, of which none is in use.
  __device__ ModeRoom emptied(const ModeRoom &room) {
    write(room.used, 0);
    return room;
  }

  // ---- The frontier of its propagates -------------------------------------------------------------------------------

  /// Starts from the members of a set; the rounds go along the arcs of the graph, or along other lists.
  __device__ void start(unsigned from) { start(view_.graph, view_.arcs, from); }
  __device__ void start(const LoopLists<V> &lists, unsigned from) { start(lists.view, lists.arcs, from); }
  /// From one vertex, of which it makes that set.
  __device__ void start_at(unsigned to, V v) { start(set_of(to, v)); }
  __device__ void start_at(const LoopLists<V> &lists, unsigned to, V v) { start(lists, set_of(to, v)); }
  __device__ bool frontier_empty() const { return frontier_.empty(); }
  template <class Push, class Pull, class Commit>
  __device__ void propagate(const Push &push, const Pull &pull, const Commit &commit, const Rounds &rounds) {
    frontier_.propagate(push, pull, commit, rounds);
  }

  // ---- Ordered propagates -------------------------------------------------------------------------------------------

  /// From the members of a set.
  template <class P, class Push>
  __device__ void ordered(const LoopOrder<V, P> &order, unsigned from, const Push &push) {
    using State = detail::NearFarState<P>;
    static_assert(sizeof(State) <= sizeof memory_.run.order.state, "as large as any other");
    const detail::Members<V> members = sets_.members(from);
    detail::start_far(order.view, {members.items, sets_[from].words, 0, members.count}, team_.rank(), team_.size());
    team_.sync();
    detail::NearFarRun<V, P> run(
        order.view, members.count,
        {memory_.sets.outbox, memory_.run.order.far, reinterpret_cast<State &>(memory_.run.order.state)});
    detail::run_near_far(team_, run, push);
  }
  /// From one vertex, of which it makes that set.
  template <class P, class Push>
  __device__ void ordered_at(const LoopOrder<V, P> &order, unsigned to, V v, const Push &push) {
    ordered(order, set_of(to, v), push);
  }

  // ---- Sets ---------------------------------------------------------------------------------------------------------

  __device__ std::int64_t size(unsigned set) const { return static_cast<std::int64_t>(sets_[set].size); }
  __device__ bool contains(unsigned set, V v) { return sets_.contains(set, v); }
  __device__ SetView<V> view(unsigned set) const { return sets_.view(set); }
  /// The vertices, or the members of another set, for which f(v) holds.
  template <class F> __device__ unsigned filter(unsigned to, const F &f) {
    sets_.filter(to, sets_.all(), f);
    return to;
  }
  template <class F> __device__ unsigned filter(unsigned to, unsigned from, const F &f) {
    sets_.filter(to, sets_.members(from), f);
    return to;
  }
  __device__ unsigned set_all(unsigned to) {
    sets_.set_all(to);
    return to;
  }
  template <class... Vertices> __device__ unsigned set_of(unsigned to, Vertices... vertices) {
    sets_.set_of(to, vertices...);
    return to;
  }
  __device__ unsigned out_neighbors(unsigned to, V v) {
    sets_.set_of_lists(to, view_.graph.out_neighbors(v));
    return to;
  }
  __device__ unsigned in_neighbors(unsigned to, V v) {
    sets_.set_of_lists(to, view_.graph.in_neighbors(v));
    return to;
  }
  __device__ unsigned both_neighbors(unsigned to, V v) {
    if (!view_.graph.directed())
      return out_neighbors(to, v);
    sets_.set_of_lists(to, view_.graph.out_neighbors(v), view_.graph.in_neighbors(v));
    return to;
  }
  __device__ unsigned copy_set(unsigned to, unsigned from) {
    sets_.copy(to, from);
    return to;
  }
  /// `from` is not asked again.
  __device__ void move_set(unsigned to, unsigned from) { sets_.swap(to, from); }
  __device__ unsigned unite(unsigned to, unsigned other) {
    sets_.combine(detail::SetKernel::unite, to, other);
    return to;
  }
  __device__ unsigned intersect(unsigned to, unsigned other) {
    sets_.combine(detail::SetKernel::intersect, to, other);
    return to;
  }
  __device__ unsigned subtract(unsigned to, unsigned other) {
    sets_.combine(detail::SetKernel::subtract, to, other);
    return to;
  }

  /// By one thread, at the end.
  __device__ void leave(detail::LoopResult<V, Loop> &result) const {
    if constexpr (num_sets > 0)
      for (unsigned set = 0; set < num_sets; ++set)
        result.sets[set] = sets_[set];
  }

private:
  __device__ static LoopSet<V> *sets_of(detail::LoopMemory<V, Loop> &memory) {
    if constexpr (num_sets > 0)
      return memory.sets.sets;
    else
      return nullptr;
  }
  __device__ static OutboxMemory<V> *outbox_of(detail::LoopMemory<V, Loop> &memory) {
    if constexpr (num_sets > 0)
      return &memory.sets.outbox;
    else
      return nullptr;
  }
  __device__ static LoopFrontier frontier_of(const detail::LoopView<V, Loop> &view,
                                             detail::LoopMemory<V, Loop> &memory) {
    if constexpr (detail::Propagates<Loop>::value)
      return LoopFrontier(view.frontier, memory.frontier, memory.run.rounds, memory.sets.outbox);
    else
      return {};
  }
  __device__ void start(const gc::Graph<V> &graph, EdgeId arcs, unsigned from) {
    const detail::Members<V> members = sets_.members(from);
    const bool own = members.items && graph.out_offsets == view_.graph.out_offsets;
    frontier_.start(graph, arcs, members, own ? &sets_[from] : nullptr);
  }
  template <class T> __device__ void copy(T *to, const T *from, std::uint64_t size, std::uint64_t step = 1) {
    for (std::uint64_t i = team_.rank(); i < size; i += team_.size())
      to[i] = from[i * step];
    team_.sync();
  }
  template <class F>
  __device__ typename detail::PartsOf<F>::type visit(const F &f, const detail::Members<V> &members,
                                                     const detail::Members<V> &hubs, unsigned hub_shares) {
    using Parts = typename detail::PartsOf<F>::type;
    if constexpr (detail::ByLanes<F>::value) {
      const unsigned turns = detail::turns_of_tile<count>(members.count, gridDim.x);
      const unsigned size = block_threads / count * turns;
      const std::uint64_t tiles = (members.count + size - 1) / size;
      const unsigned shares =
          hub_shares + (tiles < view_.most_shares ? static_cast<unsigned>(tiles) : view_.most_shares);
      each_share(shares, [&](unsigned share) {
        Parts parts = {};
        detail::visit_by_lanes<count>(f, view_.graph, members, hubs, hub_shares, share, shares, turns, memory_.hubs,
                                      parts);
        detail::merge_block(parts, parts_of<Parts>(share), memory_.parts);
      });
      return settle<Parts>(shares);
    } else {
      return for_each(members.count, f, [&](std::uint64_t i) { return members[i]; });
    }
  }
  /// f(u, v, e) for arc e of a list.
  template <class F, class Walk>
  __device__ typename detail::PartsOf<F>::type walk_lists(const F &f, const gc::Graph<V> &graph, const Walk &walk) {
    using Parts = typename detail::PartsOf<F>::type;
    Parts parts = {};
    walk([&](V u, EdgeId e) { detail::call(f, parts, u, graph.target(e), edge_of(f, graph, e)); });
    detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
    return settle<Parts>(gridDim.x);
  }
  template <class F>
  __device__ typename detail::PartsOf<F>::type walk_all(const F &f, const gc::Graph<V> &graph, EdgeId arcs) {
    return walk_lists(f, graph, [&](const auto &visit) {
      gather<V>(
          team_, graph, graph.num_vertices(), arcs, [&](std::uint64_t v) { return graph.out_offsets[v]; },
          [](std::uint64_t v) { return static_cast<V>(v); }, visit, [] {});
    });
  }
  template <class F>
  __device__ typename detail::PartsOf<F>::type walk(const F &f, const gc::Graph<V> &graph, unsigned set) {
    const detail::Members<V> members = sets_.members(set);
    return walk_lists(f, graph, [&](const auto &visit) {
      if (graph.out_offsets == view_.graph.out_offsets) { // the arcs that the list counts
        const LoopSet<V> &its = sets_[set];
        gather<V>(
            team_, graph, members.count, its.arcs, [&](std::uint64_t i) { return its.before[i]; },
            [&](std::uint64_t i) { return members[i]; }, visit, [] {});
      } else {
        detail::gather_tiles(team_, graph, members.items, members.count, visit, [] {});
      }
    });
  }
  template <class F, class At>
  __device__ typename detail::PartsOf<F>::type for_each(std::uint64_t size, const F &f, const At &at) {
    using Parts = typename detail::PartsOf<F>::type;
    Parts parts = {};
    for (std::uint64_t i = team_.rank(); i < size; i += team_.size())
      detail::call(f, parts, at(i));
    detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
    return settle<Parts>(gridDim.x);
  }

  template <class Parts> __device__ Parts *parts_of(unsigned share) const {
    return static_cast<Parts *>(view_.parts) + share;
  }
  /// Where the next result goes. All blocks have met since the last in this place was read.
  template <class Parts> __device__ Parts *next_merged() {
    merged_ = 1 - merged_;
    return reinterpret_cast<Parts *>(static_cast<unsigned char *>(view_.merged) + merged_ * most_bytes);
  }

  /// visit(i) for each of so many shares; who has finished one takes the next.
  template <class Visit> __device__ void each_share(unsigned shares, const Visit &visit) {
    unsigned *const next = view_.next_share + turn_;
    turn_ = 1 - turn_;
    if (team_.rank() == 0)
      view_.next_share[turn_] = 0;
    for (unsigned share = blockIdx.x; share < shares;) {
      // The number is on its way while the block works.
      unsigned taken = shares;
      if (threadIdx.x == 0 && shares > gridDim.x)
        taken = gridDim.x + atomicAdd(next, 1u);
      visit(share);
      __syncthreads();
      if (threadIdx.x == 0)
        memory_.share = taken;
      __syncthreads();
      share = memory_.share;
    }
  }

  /// All blocks meet; gives what they have counted, merged in the order of the shares.
  template <class Parts> __device__ Parts settle(unsigned shares) {
    if constexpr (std::is_same<Parts, NoParts>::value) {
      team_.sync();
      return {};
    } else {
      // The last block to come merges for all.
      unsigned *const arrived = view_.arrived + 1, *const passed = view_.arrived + 2;
      due_ += gridDim.x;
      ++settled_;
      __syncthreads();
      if (threadIdx.x == 0)
        memory_.last = arrive_and_count(arrived) + 1 == due_;
      __syncthreads();
      Parts *const merged = next_merged<Parts>();
      if (memory_.last) {
        const unsigned each = (shares + block_threads - 1) / block_threads;
        Parts mine = {};
        for (unsigned i = threadIdx.x * each; i < shares && i < (threadIdx.x + 1) * each; ++i)
          mine.merge(*parts_of<Parts>(i));
        detail::merge_block(mine, merged, memory_.parts);
        if (threadIdx.x == 0)
          arrive(passed);
      } else if (threadIdx.x == 0) {
        await(passed, settled_);
      }
      __syncthreads();
      return *merged;
    }
  }

  const detail::LoopView<V, Loop> &view_;
  detail::LoopMemory<V, Loop> &memory_;
  Team team_;
  detail::DeviceSets<V> sets_;
  LoopFrontier frontier_;
  unsigned turn_ = 0, merged_ = 0, due_ = 0, settled_ = 0;
};

} // namespace cuda
} // namespace gc

#endif
