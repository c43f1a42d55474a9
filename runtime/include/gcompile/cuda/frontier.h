// The frontier of a propagate on the device, and the loop of its rounds in one cooperative kernel.
#ifndef GCOMPILE_CUDA_FRONTIER_H
#define GCOMPILE_CUDA_FRONTIER_H

#include <gcompile/cuda/kernels.h>
#include <gcompile/levels.h>

#include <initializer_list>
#include <limits>
#include <vector>

namespace gc {
namespace cuda {

/// Which end drives the rounds.
enum class Direction { push, pull, hybrid };

/// Stands for a kernel that a propagate does not have.
struct NoKernel {};

/// How a propagate runs.
struct Rounds {
  Direction direction = Direction::push;
  bool once = false; ///< a vertex may be activated several times a round, and enters the frontier once
  double alpha = 15; ///< pull when the arcs out of the frontier exceed the unseen arcs / alpha (Beamer et al. 2012)
  double beta = 18;  ///< push again when fewer than n / beta vertices are active and the frontier shrinks
  std::int32_t first = 1, last = std::numeric_limits<std::int32_t>::max();
};

namespace detail {

/// The arcs that one block works on alone rather than waking the grid.
constexpr EdgeId small_round = 4 * team_threads;

/// What the rounds carry on. Every thread has the same copy.
struct FrontierState {
  std::uint64_t size = 0, previous_size = 0;
  EdgeId arcs = 0, unseen = 0;
  std::uint32_t pulling = 0, bits = 0, current = 0, turn = 0;
  std::int32_t round = 0, counting = 0;
};

template <class T> __device__ T load_fresh(const T *from) {
  static_assert(sizeof(T) % 8 == 0, "whole words");
  T value;
  std::uint64_t words[sizeof(T) / 8];
  for (std::size_t i = 0; i < sizeof(T) / 8; ++i)
    words[i] = gc::load(reinterpret_cast<const std::uint64_t *>(from)[i]);
  memcpy(static_cast<void *>(&value), words, sizeof value);
  return value;
}

template <class V> struct FrontierView {
  gc::Graph<V> graph;
  Queue<V> lists[2];
  std::uint32_t *bits[2];
  std::uint32_t *queued[2];             // the members of each list, while it is collected
  unsigned long long *tallies, *counts; // 3 each, taken in turn: of this phase, of the last, and one being cleared
  unsigned *arrived;
  FrontierState *state; // where one block leaves it for the others, and the kernel for the host
  Rounds rounds;
  FrontierState start;
};

/// The current frontier in a pull.
template <class V> struct CurrentBits {
  const std::uint32_t *words;
  __device__ bool contains(V v) const { return (words[v / 32] >> (v % 32) & 1u) != 0; }
};

/// Takes the one vertex that a thread can activate in a pull.
struct OwnBit {
  bool value = false;
  template <class V> __device__ void set(V) { value = true; }
};

/// Collects the next list of a push.
template <class V> class NextList {
public:
  __device__ NextList(const gc::Graph<V> &graph, const Queue<V> &queue, std::uint32_t *queued)
      : pending_(graph, queue), queued_(queued) {}
  __device__ void push(V v) { pending_.push(v); }
  __device__ void push_once(V v) {
    std::uint32_t *const word = &queued_[v / 32];
    const std::uint32_t bit = 1u << (v % 32);
    if (!(gc::load(*word) & bit) && !(atomicOr(word, bit) & bit))
      pending_.push(v);
  }
  __device__ void flush() { pending_.flush(); }

private:
  Pending<V> pending_;
  std::uint32_t *queued_;
};

template <class F, class = void> struct WholeVertex { static constexpr bool value = false; };
template <class F> struct WholeVertex<F, std::void_t<decltype(F::whole_vertex)>> {
  static constexpr bool value = F::whole_vertex;
};

template <class V> class Propagation {
public:
  __device__ Propagation(const FrontierView<V> &view) : f(view), s(view.start) {}

  /// Whether the round is a pull; keeps the books of the switch.
  __device__ bool decide() {
    if (f.rounds.direction != Direction::hybrid)
      return f.rounds.direction == Direction::pull;
    const double all = static_cast<double>(f.graph.num_arcs());
    if (!s.pulling) {
      if (!s.counting) {
        s.counting = 1;
        s.unseen = f.graph.num_arcs();
      }
      const double limit = static_cast<double>(s.unseen) / f.rounds.alpha, least = all / 256;
      if (static_cast<double>(s.arcs) > (limit > least ? limit : least))
        return true;
      s.unseen -= s.arcs < s.unseen ? s.arcs : s.unseen;
      return false;
    }
    return s.size >= s.previous_size ||
           static_cast<double>(s.size) > static_cast<double>(f.graph.num_vertices()) / f.rounds.beta;
  }

  template <class Team, class Push> __device__ void push_round(Team &team, const Push &push) {
    if (s.bits)
      to_list(team);
    const unsigned slot = s.turn % 3;
    clear_next_slot(team);
    const Queue<V> &list = f.lists[s.current];
    if (f.rounds.once)
      clear_queued(team);
    Queue<V> next_list = f.lists[1 - s.current];
    next_list.tally = &f.tallies[slot];
    NextList<V> next(f.graph, next_list, f.queued[1 - s.current]);
    if constexpr (WholeVertex<Push>::value) {
      for (std::uint64_t first = team.rank() / 32 * 32; first < s.size; first += team.size()) {
        if (first + lane_of_warp() < s.size)
          push(list.items[first + lane_of_warp()], s.round, next);
        __syncwarp();
        next.flush();
      }
    } else {
      gather<V>(
          team, f.graph, s.size, s.arcs, [&](std::uint64_t i) { return list.before[i]; },
          [&](std::uint64_t i) { return list.items[i]; },
          [&](V u, EdgeId e) { push(u, f.graph.target(e), e, s.round, next); }, [&] { next.flush(); });
    }
    team.sync();
    advance();
    const unsigned long long tally = gc::load(f.tallies[slot]);
    s.size = Tally::length(tally);
    s.arcs = Tally::arcs(tally);
  }

  template <class Team, class Pull> __device__ void pull_round(Team &team, const Pull &pull) {
    if (!s.bits)
      to_bits(team);
    const unsigned slot = s.turn % 3;
    clear_next_slot(team);
    const std::uint64_t n = f.graph.num_vertices(), words = (n + 31) / 32;
    const CurrentBits<V> current = {f.bits[s.current]};
    std::uint32_t *const next_words = f.bits[1 - s.current];
    std::uint64_t count = 0;
    for (std::uint64_t word = team.rank() / 32; word < words; word += team.size() / 32) {
      const V v = static_cast<V>(word * 32 + lane_of_warp());
      OwnBit next;
      if (v < n)
        pull(v, s.round, current, next);
      const unsigned found = __ballot_sync(full_warp, next.value);
      if (lane_of_warp() == 0)
        next_words[word] = found;
      count += static_cast<unsigned>(__popc(found));
    }
    if (count > 0 && lane_of_warp() == 0)
      atomicAdd(&f.counts[slot], static_cast<unsigned long long>(count));
    team.sync();
    advance();
    s.size = gc::load(f.counts[slot]);
  }

  template <class Team, class Commit> __device__ void commit_round(Team &team, const Commit &commit) {
    if (s.bits) {
      const CurrentBits<V> current = {f.bits[s.current]};
      for (std::uint64_t i = team.rank(); i < f.graph.num_vertices(); i += team.size())
        if (current.contains(static_cast<V>(i)))
          commit(static_cast<V>(i), s.round);
    } else {
      for (std::uint64_t i = team.rank(); i < s.size; i += team.size())
        commit(f.lists[s.current].items[i], s.round);
    }
    team.sync();
  }

  template <class Team> __device__ void to_bits(Team &team) {
    const std::uint64_t words = (std::uint64_t(f.graph.num_vertices()) + 31) / 32;
    std::uint32_t *const bits = f.bits[s.current];
    if (f.rounds.once)
      clear_queued(team);
    for (std::uint64_t i = team.rank(); i < words; i += team.size())
      bits[i] = 0;
    team.sync();
    for (std::uint64_t i = team.rank(); i < s.size; i += team.size()) {
      const V v = f.lists[s.current].items[i];
      atomicOr(&bits[v / 32], 1u << (v % 32));
    }
    team.sync();
    s.bits = 1;
  }

  template <class Team> __device__ void to_list(Team &team) {
    const std::uint64_t words = (std::uint64_t(f.graph.num_vertices()) + 31) / 32;
    const unsigned slot = s.turn % 3;
    clear_next_slot(team);
    Queue<V> list = f.lists[s.current];
    list.tally = &f.tallies[slot];
    const std::uint32_t *const bits = f.bits[s.current];
    for (std::uint64_t word = team.rank() / 32; word < words; word += team.size() / 32) {
      const std::uint32_t members = bits[word];
      if (members != 0)
        list.append_warp(f.graph, (members >> lane_of_warp() & 1u) != 0, static_cast<V>(word * 32 + lane_of_warp()));
    }
    team.sync();
    ++s.turn;
    const unsigned long long tally = gc::load(f.tallies[slot]);
    s.size = Tally::length(tally);
    s.arcs = Tally::arcs(tally);
    s.bits = 0;
  }

  const FrontierView<V> &f;
  FrontierState s;

private:
  template <class Team> __device__ void clear_next_slot(const Team &team) {
    if (team.rank() == 0) {
      f.tallies[(s.turn + 1) % 3] = 0;
      f.counts[(s.turn + 1) % 3] = 0;
    }
  }
  template <class Team> __device__ void clear_queued(const Team &team) {
    for (std::uint64_t i = team.rank(); i < s.size; i += team.size())
      f.queued[s.current][f.lists[s.current].items[i] / 32] = 0;
  }
  __device__ void advance() {
    ++s.turn;
    s.previous_size = s.size;
    s.current = 1 - s.current;
  }
};

template <class V, class Push, class Pull, class Commit>
__global__ void __launch_bounds__(team_threads)
    propagate_kernel(FrontierView<V> f, Push push, Pull pull, Commit commit) {
  constexpr bool pushes = !std::is_same<Push, NoKernel>::value, pulls = !std::is_same<Pull, NoKernel>::value;
  constexpr bool commits = !std::is_same<Commit, NoKernel>::value;
  GridTeam grid(f.arrived);
  Propagation<V> p(f);
  FrontierState &s = p.s;
  while (s.size > 0 && s.round <= f.rounds.last) {
    if constexpr (pushes) {
      // While little happens, one block goes on alone.
      if (!s.bits && s.arcs <= small_round && s.size <= small_round && f.rounds.direction != Direction::pull) {
        if (blockIdx.x == 0) {
          BlockTeam block;
          while (s.size > 0 && s.round <= f.rounds.last && s.arcs <= small_round && s.size <= small_round) {
            if (p.decide())
              break;
            s.pulling = 0;
            p.push_round(block, push);
            if constexpr (commits)
              p.commit_round(block, commit);
            ++s.round;
          }
          if (threadIdx.x == 0)
            *f.state = s;
        }
        grid.sync();
        s = load_fresh(f.state);
        if (s.size == 0 || s.round > f.rounds.last)
          break;
      }
    }
    bool pull_now = !pushes;
    if constexpr (pushes && pulls)
      pull_now = p.decide();
    s.pulling = pull_now;
    if constexpr (pulls)
      if (pull_now)
        p.pull_round(grid, pull);
    if constexpr (pushes)
      if (!pull_now)
        p.push_round(grid, push);
    if constexpr (commits)
      p.commit_round(grid, commit);
    ++s.round;
  }
  if (grid.rank() == 0)
    *f.state = s;
}

template <class V> __global__ void start_list_kernel(V *items, EdgeId *before, V v) {
  items[0] = v;
  before[0] = 0;
}

} // namespace detail

/// The active vertices of a propagate.
template <class V> class Frontier {
public:
  explicit Frontier(const Graph<V> &graph) : graph_(graph) {}

  void start(std::initializer_list<V> from) {
    if (from.size() != 1 || *from.begin() >= graph_.num_vertices())
      return start(VertexSet<V>::of(graph_, from));
    prepare();
    state_ = detail::FrontierState();
    state_.size = 1;
    state_.arcs = graph_.host().out_end(*from.begin()) - graph_.host().out_begin(*from.begin());
    GCOMPILE_CUDA_LAUNCH((detail::start_list_kernel<V>), 1, 1, lists_[0].data(), before_[0].data(), *from.begin());
  }
  void start(const VertexSet<V> &from) {
    prepare();
    state_ = detail::FrontierState();
    state_.size = static_cast<std::uint64_t>(from.size());
    state_.arcs = from.arcs();
    check(cudaMemcpyAsync(lists_[0].data(), from.items(), state_.size * sizeof(V), cudaMemcpyDeviceToDevice, 0),
          "copy on the device");
    check(cudaMemcpyAsync(before_[0].data(), from.before(), state_.size * sizeof(EdgeId), cudaMemcpyDeviceToDevice, 0),
          "copy on the device");
  }
  void start_all() { start(VertexSet<V>::all(graph_)); }

  bool empty() const { return state_.size == 0; }
  std::size_t size() const { return state_.size; }

  /// Runs rounds until the frontier is empty or `rounds.last` has been run.
  template <class Push, class Pull, class Commit>
  void propagate(const Push &push, const Pull &pull, const Commit &commit, const Rounds &rounds) {
    state_.round = rounds.first;
    counters_.clear_bytes();
    if (rounds.once && !queued_clear_) {
      queued_[0].clear_bytes();
      queued_[1].clear_bytes();
    }
    queued_clear_ = true;
    const auto kernel = detail::propagate_kernel<V, Push, Pull, Commit>;
    static const unsigned resident = detail::resident_blocks(kernel);
    const unsigned blocks = std::min(resident, blocks_for((graph_.num_arcs() + graph_.num_vertices()) / 4, 16));
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE((detail::propagate_kernel<V, Push, Pull, Commit>), blocks, team_threads,
                                     view(rounds), push, pull, commit);
    check(cudaGetLastError(), "cannot start a kernel");
    state_device_.download(&state_, 1);
  }

  // ---- For kept levels ----------------------------------------------------------------------------------------------
  detail::FrontierView<V> view(const Rounds &rounds) const {
    detail::FrontierView<V> view = {graph_.view(),
                                    {},
                                    {},
                                    {},
                                    counters_.data(),
                                    counters_.data() + 3,
                                    reinterpret_cast<unsigned *>(counters_.data() + 6),
                                    state_device_.data(),
                                    rounds,
                                    state_};
    for (int i = 0; i < 2; ++i) {
      view.lists[i] = {lists_[i].data(), before_[i].data(), nullptr};
      view.bits[i] = bits_[i].data();
      view.queued[i] = queued_[i].data();
    }
    return view;
  }
  const detail::FrontierState &state() const { return state_; }

private:
  void prepare() {
    const std::size_t n = graph_.num_vertices(), words = (n + 31) / 32;
    for (int i = 0; i < 2; ++i) {
      lists_[i].reserve_discard(n);
      before_[i].reserve_discard(n);
      bits_[i].reserve_discard(words);
      queued_[i].reserve_discard(words);
    }
    queued_clear_ = false;
    counters_.reserve_discard(7);
    state_device_.reserve_discard(1);
  }

  const Graph<V> &graph_;
  detail::FrontierState state_;
  Buffer<V> lists_[2];
  Buffer<EdgeId> before_[2];
  Buffer<std::uint32_t> bits_[2], queued_[2];
  bool queued_clear_ = false;
  Buffer<unsigned long long> counters_; // 3 of lists, 3 of bitmaps, the barrier
  Buffer<detail::FrontierState> state_device_;
};

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

/// The kept frontiers of a propagate, in order.
template <class V> class Levels {
public:
  explicit Levels(const Graph<V> &graph) : graph_(graph) {}

  void clear() {
    levels_.clear();
    used_ = 0;
  }
  /// Appends the frontier's current vertices.
  void keep(const Frontier<V> &frontier) {
    const detail::FrontierState &state = frontier.state();
    reserve(used_ + state.size);
    V *const items = items_.data() + used_;
    EdgeId *const before = before_.data() + used_;
    EdgeId arcs = state.arcs;
    const detail::FrontierView<V> view = frontier.view({});
    if (state.bits) {
      tally_.reserve_discard(1);
      tally_.clear_bytes();
      const std::uint64_t words = (std::uint64_t(graph_.num_vertices()) + 31) / 32;
      GCOMPILE_CUDA_LAUNCH((detail::list_kernel<V>), blocks_for(words * 32), block_threads, graph_.view(),
                           view.bits[state.current], words, (Queue<V>{items, before, tally_.data()}));
      unsigned long long tally = 0;
      tally_.download(&tally, 1);
      arcs = Tally::arcs(tally);
    } else {
      const Queue<V> &list = view.lists[state.current];
      check(cudaMemcpyAsync(items, list.items, state.size * sizeof(V), cudaMemcpyDeviceToDevice, 0), "copy");
      check(cudaMemcpyAsync(before, list.before, state.size * sizeof(EdgeId), cudaMemcpyDeviceToDevice, 0), "copy");
    }
    levels_.push_back({used_, state.size, arcs});
    used_ += state.size;
  }

  std::size_t size() const { return levels_.size(); }
  Level<V> operator[](std::size_t i) const {
    const Kept &kept = levels_[i];
    return {items_.data() + kept.first, before_.data() + kept.first, kept.size, kept.arcs};
  }
  typename LevelRange<Levels>::Iterator begin() const { return LevelRange<Levels>{*this, false}.begin(); }
  typename LevelRange<Levels>::Iterator end() const { return LevelRange<Levels>{*this, false}.end(); }
  /// The levels, last first.
  LevelRange<Levels> reversed() const { return {*this, true}; }

private:
  struct Kept {
    std::size_t first, size;
    EdgeId arcs;
  };
  void reserve(std::size_t size) {
    if (size <= items_.size())
      return;
    const std::size_t room = std::max({std::size_t(graph_.num_vertices()), 2 * items_.size(), size});
    Buffer<V> items(room);
    Buffer<EdgeId> before(room);
    if (used_ > 0) {
      items.copy_from(items_, used_);
      before.copy_from(before_, used_);
    }
    items_ = std::move(items);
    before_ = std::move(before);
  }

  const Graph<V> &graph_;
  Buffer<V> items_;
  Buffer<EdgeId> before_;
  Buffer<unsigned long long> tally_;
  std::vector<Kept> levels_;
  std::size_t used_ = 0;
};

} // namespace cuda
} // namespace gc

#endif
