// Vertices in the order of a priority: near-far lists (Davidson et al. 2014), the far list split lazily, in one
// cooperative kernel.
#ifndef GCOMPILE_CUDA_NEAR_FAR_H
#define GCOMPILE_CUDA_NEAR_FAR_H

#include <gcompile/cuda/frontier.h>

#include <limits>
#include <type_traits>

namespace gc {
namespace cuda {

namespace detail {

/// Priorities in a type that has room for a limit beyond them.
template <class P> using Limit = std::conditional_t<std::is_floating_point<P>::value, double, std::int64_t>;

/// What the near-far loop carries on. Every thread has the same copy.
template <class P> struct NearFarState {
  std::uint64_t size = 0;
  EdgeId arcs = 0;
  Limit<P> limit = 0; ///< near: below
  std::uint64_t current = 0, far = 0, turn = 0, split = 0;
};

template <class V, class P> struct NearFarView {
  gc::Graph<V> graph;
  P *priority;
  Limit<P> delta;
  Queue<V> lists[2];
  V *far[2];
  std::uint32_t *queued[2];
  std::uint32_t *waiting; // the members of the far list
  unsigned long long *tallies, *far_sizes;
  Limit<P> *least; // 2, taken in turn
  unsigned *arrived;
  NearFarState<P> *state;
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

/// Appends for every lane of a warp that has a vertex; the whole warp calls.
template <class V> __device__ void append_plain(V *items, unsigned long long *size, bool has, V v) {
  const unsigned lanes = __ballot_sync(full_warp, has);
  if (lanes == 0)
    return;
  unsigned long long first = 0;
  if (lane_of_warp() == 0)
    first = atomicAdd(size, static_cast<unsigned long long>(__popc(lanes)));
  first = __shfl_sync(full_warp, first, 0);
  if (has)
    items[first + static_cast<unsigned>(__popc(lanes & ((1u << lane_of_warp()) - 1)))] = v;
}

/// Takes the vertices whose priority has improved.
template <class V, class P> class NearFarNext {
public:
  __device__ NearFarNext(const NearFarView<V, P> &view, const NearFarState<P> &state, const Queue<V> &near)
      : f_(view), near_(view.graph, near), queued_(view.queued[1 - state.current]), limit_(state.limit),
        far_(view.far[state.far]), far_size_(&view.far_sizes[state.far]) {}
  __device__ void push(V v) {
    if (static_cast<Limit<P>>(gc::load(f_.priority[v])) < limit_) {
      if (set_bit(queued_, v))
        near_.push(v);
    } else if (set_bit(f_.waiting, v)) {
      if (has_far_)
        far_[atomicAdd(far_size_, 1ull)] = v;
      else
        far_vertex_ = v;
      has_far_ = true;
    }
  }
  __device__ void flush() {
    near_.flush();
    append_plain(far_, far_size_, has_far_, far_vertex_);
    has_far_ = false;
  }

private:
  const NearFarView<V, P> &f_;
  Pending<V> near_;
  std::uint32_t *queued_;
  Limit<P> limit_;
  V *far_;
  unsigned long long *far_size_;
  V far_vertex_ = 0;
  bool has_far_ = false;
};

template <class V, class P> class NearFarRun {
public:
  __device__ explicit NearFarRun(const NearFarView<V, P> &view) : f(view), s(load_fresh(view.state)) {}

  template <class Team, class Push> __device__ void near_round(Team &team, const Push &push) {
    const unsigned slot = static_cast<unsigned>(s.turn % 3);
    clear_next_slot(team);
    const Queue<V> &list = f.lists[s.current];
    for (std::uint64_t i = team.rank(); i < s.size; i += team.size())
      f.queued[s.current][list.items[i] / 32] = 0;
    Queue<V> next_list = f.lists[1 - s.current];
    next_list.tally = &f.tallies[slot];
    NearFarNext<V, P> next(f, s, next_list);
    gather<V>(
        team, f.graph, s.size, s.arcs, [&](std::uint64_t i) { return list.before[i]; },
        [&](std::uint64_t i) { return list.items[i]; }, [&](V u, EdgeId e) { push(u, f.graph.target(e), e, next); },
        [&] { next.flush(); });
    team.sync();
    take(slot);
  }

  /// Moves the vertices of the next window from the far list to the near one; false if none is left.
  template <class Team> __device__ bool split_far(Team &team) {
    const std::uint64_t size = gc::load(f.far_sizes[s.far]);
    if (size == 0)
      return false;
    V *const from = f.far[s.far];
    // The least priority that is left. What is below the limit has been processed since it was put here.
    Limit<P> *const cell = &f.least[s.split % 2];
    Limit<P> mine = std::numeric_limits<Limit<P>>::max();
    for (std::uint64_t i = team.rank(); i < size; i += team.size()) {
      const Limit<P> p = static_cast<Limit<P>>(gc::load(f.priority[from[i]]));
      if (p >= s.limit && p < mine)
        mine = p;
    }
    mine = WarpLanes<32>().min(mine);
    if (lane_of_warp() == 0 && mine != std::numeric_limits<Limit<P>>::max())
      gc::atomic_min(*cell, mine);
    if (team.rank() == 0)
      f.far_sizes[1 - s.far] = 0;
    team.sync();
    const Limit<P> least = gc::load(*cell), limit = limit_after(least, f.delta);
    const unsigned slot = static_cast<unsigned>(s.turn % 3);
    clear_next_slot(team);
    if (team.rank() == 0)
      f.least[(s.split + 1) % 2] = std::numeric_limits<Limit<P>>::max();
    Queue<V> next_list = f.lists[1 - s.current];
    next_list.tally = &f.tallies[slot];
    std::uint32_t *const queued = f.queued[1 - s.current];
    for (std::uint64_t first = team.rank() / 32 * 32; first < size; first += team.size()) {
      const std::uint64_t i = first + lane_of_warp();
      const V v = i < size ? from[i] : V(0);
      const Limit<P> p = i < size ? static_cast<Limit<P>>(gc::load(f.priority[v])) : Limit<P>(0);
      const bool stale = i >= size || p < s.limit, near = !stale && (p < limit || limit == p);
      if (i < size && (stale || near))
        reset_bit(f.waiting, v);
      next_list.append_warp(f.graph, near && set_bit(queued, v), v);
      append_plain(f.far[1 - s.far], &f.far_sizes[1 - s.far], !stale && !near, v);
    }
    team.sync();
    s.limit = limit;
    s.far = 1 - s.far;
    ++s.split;
    take(slot);
    return s.size > 0 || gc::load(f.far_sizes[s.far]) > 0;
  }

  /// Whether one block does the next step faster than the grid. All blocks agree: the far list does not grow while the
  /// near one is empty.
  __device__ bool is_small() const {
    return s.size > 0 ? s.arcs <= small_round && s.size <= small_round : gc::load(f.far_sizes[s.far]) <= small_round;
  }

  const NearFarView<V, P> &f;
  NearFarState<P> s;

private:
  template <class Team> __device__ void clear_next_slot(const Team &team) {
    if (team.rank() == 0)
      f.tallies[(s.turn + 1) % 3] = 0;
  }
  __device__ void take(unsigned slot) {
    const unsigned long long tally = gc::load(f.tallies[slot]);
    ++s.turn;
    s.current = 1 - s.current;
    s.size = Tally::length(tally);
    s.arcs = Tally::arcs(tally);
  }
};

template <class V, class P, class Push>
__global__ void __launch_bounds__(team_threads) near_far_kernel(NearFarView<V, P> f, Push push) {
  GridTeam grid(f.arrived);
  NearFarRun<V, P> run(f);
  while (true) {
    if (run.is_small()) {
      if (blockIdx.x == 0) {
        BlockTeam block;
        bool more = true;
        while (more && run.is_small()) {
          block.sync();
          if (run.s.size > 0)
            run.near_round(block, push);
          else
            more = run.split_far(block);
        }
        if (threadIdx.x == 0)
          *f.state = run.s;
      }
      grid.sync();
      run.s = load_fresh(f.state);
      if (run.s.size == 0 && gc::load(f.far_sizes[run.s.far]) == 0)
        return;
      continue;
    }
    if (run.s.size > 0)
      run.near_round(grid, push);
    else if (!run.split_far(grid))
      return;
  }
}

template <class V, class P> __global__ void start_far_kernel(NearFarView<V, P> f, const V *items, std::uint64_t size) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i < size;
       i += std::uint64_t(gridDim.x) * block_threads) {
    f.far[0][i] = items[i];
    atomicOr(&f.waiting[items[i] / 32], 1u << (items[i] % 32));
  }
}

template <class W> struct GreatestWeight {
  const W *weights;
  struct Parts {
    W greatest = 0;
    GCOMPILE_HD void merge(const Parts &other) { greatest = other.greatest > greatest ? other.greatest : greatest; }
  };
  __device__ void operator()(EdgeId e, Parts &parts) const {
    parts.greatest = weights[e] > parts.greatest ? weights[e] : parts.greatest;
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
      queued_[i].clear_bytes();
    }
    waiting_ = Buffer<std::uint32_t>(words);
    waiting_.clear_bytes();
    counters_ = Buffer<unsigned long long>(5);
    counters_.clear_bytes();
    least_ = Buffer<detail::Limit<P>>(2);
    const detail::Limit<P> greatest[] = {std::numeric_limits<detail::Limit<P>>::max(),
                                         std::numeric_limits<detail::Limit<P>>::max()};
    least_.upload(greatest, 2);
    arrived_ = Buffer<unsigned>(1);
    arrived_.clear_bytes();
    state_ = Buffer<detail::NearFarState<P>>(1);
  }

  /// Runs until no priority improves: push(u, v, e, next) for every arc of each vertex taken.
  template <class Push> void run(const VertexSet<V> &from, const Push &push) {
    if (from.size() == 0)
      return;
    detail::NearFarState<P> state;
    state.limit = std::numeric_limits<detail::Limit<P>>::lowest();
    state_.upload(&state, 1);
    const unsigned long long counters[] = {0, 0, 0, static_cast<unsigned long long>(from.size()), 0};
    counters_.upload(counters, 5);
    detail::NearFarView<V, P> view = {graph_.view(),
                                      priority_,
                                      static_cast<detail::Limit<P>>(delta_),
                                      {},
                                      {far_[0].data(), far_[1].data()},
                                      {queued_[0].data(), queued_[1].data()},
                                      waiting_.data(),
                                      counters_.data(),
                                      counters_.data() + 3,
                                      least_.data(),
                                      arrived_.data(),
                                      state_.data()};
    for (int i = 0; i < 2; ++i)
      view.lists[i] = {lists_[i].data(), before_[i].data(), nullptr};
    GCOMPILE_CUDA_LAUNCH((detail::start_far_kernel<V, P>), blocks_for(static_cast<std::uint64_t>(from.size())),
                         block_threads, view, from.items(), static_cast<std::uint64_t>(from.size()));
    const auto kernel = detail::near_far_kernel<V, P, Push>;
    static const unsigned resident = detail::resident_blocks(kernel);
    const unsigned blocks = std::min(resident, blocks_for((graph_.num_arcs() + graph_.num_vertices()) / 4, 16));
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE((detail::near_far_kernel<V, P, Push>), blocks, team_threads, view, push);
    synchronize();
  }

private:
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
/// fill the device. Both the square and the factor are measured (bench/results).
template <class P, class V, class W> double choose_window(const Graph<V> &graph, const W *weights) {
  const double greatest = static_cast<double>(for_arcs(graph, detail::GreatestWeight<W>{weights}).greatest);
  const double degree =
      static_cast<double>(graph.num_arcs()) / static_cast<double>(graph.num_vertices() ? graph.num_vertices() : 1);
  const double window = 64 * greatest / (degree > 1 ? degree * degree : 1);
  return std::is_floating_point<P>::value && window > 0 ? window : window > 1 ? window : 1;
}
/// Without weights each step counts one.
template <class P, class V> double choose_window(const Graph<V> &) { return 1; }

} // namespace cuda
} // namespace gc

#endif
