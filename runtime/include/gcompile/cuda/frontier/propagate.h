// The rounds of a propagate on the device: what they carry on, pushing, and the frontier's two forms.
#ifndef GCOMPILE_CUDA_FRONTIER_PROPAGATE_H
#define GCOMPILE_CUDA_FRONTIER_PROPAGATE_H

#include <gcompile/cuda/frontier/next_list.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/kernels/gather_tiles.h>

#include <limits>
#include <type_traits>

namespace gc {
namespace cuda {

/// Which end drives the rounds.
enum class Direction { push, pull, hybrid };

/// Who walks the lists of active vertices in a push: a warp or a block each, all threads the same number of arcs, found
/// by the arcs before each vertex, or one of these by the length of each list (Merrill et al. 2012).
enum class Gather { warp, cta, scan, scan_warp_cta };

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

/// The blocks that go on without the others while little happens.
constexpr unsigned few_blocks = 32;

/// A kept frontier: its place in the lists, and the arcs out of its vertices.
struct KeptLevel {
  std::uint64_t first, size;
  EdgeId arcs;
};

/// What the rounds carry on. Each block has the same copy.
struct FrontierState {
  std::uint64_t first;               ///< where its list begins
  EdgeId arcs, unseen;               ///< out of it, guessed if it is not listed; out of vertices never in it
  EdgeId previous_arcs;              ///< a round before
  std::uint32_t size, previous_size; ///< now and a round before
  std::uint32_t levels;              ///< kept so far
  std::uint32_t open_left;           ///< vertices that the last pull looked at and did not find
  std::uint32_t open_size;           ///< vertices in the list of those that a pull has to look at
  std::int32_t round;
  std::uint32_t narrow_rounds;             ///< so many in a row had a narrow frontier
  std::uint32_t turn : 2, current : 1;     ///< whose counters, and which of two bitmaps, are the frontier's
  std::uint32_t bits : 1, listed : 1;      ///< which of its forms hold it
  std::uint32_t pulled : 1;                ///< what the last round was
  std::uint32_t open : 1;                  ///< the bitmap of vertices that a pull has to look at is kept
  std::uint32_t open_listed : 1;           ///< or a list of them, or of more
  std::uint32_t has_long : 1;              ///< a list of its vertices may be long
  std::uint32_t pulling : 1, counting : 1; ///< what the next round is; whether `unseen` is counted
  std::uint32_t clear : 2;                 ///< which of the bitmaps are known to be all zero
};

template <class T> __device__ T load_fresh(const T *from) {
  static_assert(sizeof(T) % 8 == 0, "whole words");
  T value = T();
  std::uint64_t words[sizeof(T) / 8];
  for (std::size_t i = 0; i < sizeof(T) / 8; ++i)
    words[i] = gc::load(reinterpret_cast<const std::uint64_t *>(from)[i]);
  memcpy(static_cast<void *>(&value), words, sizeof value);
  return value;
}

/// What the threads count in a phase. Three take turns: of this phase, of the last, and one being cleared.
struct PhaseCounts {
  unsigned long long tally, found, open, hubs, has_long, spilled;
};

/// Where the blocks of the kernels meet; all 0 when they start.
struct MeetingPoints {
  unsigned grid, narrow;               ///< blocks that have come to a barrier
  unsigned long long narrow_rounds[3]; ///< and the sums of what they have found, by turns
};

/// Of all vertices, and which have any; nullptr: no pull asks them, or memory is short.
template <class V> struct FirstSourcesView {
  const V *best; ///< asked before the others; nullptr: degrees are even
  const FirstSources<V> *lists;
  const std::uint32_t *any;
  /// Whether they are those that the lists begin with.
  GCOMPILE_HD bool begin_lists() const { return lists && !best; }
};

template <class V> struct FrontierView {
  gc::Graph<V> graph;
  EdgeId arcs;
  V *items;           // the lists: two that take turns, or all levels, one after another
  EdgeId *before;     // of each list's vertices
  std::uint64_t room; // of both
  KeptLevel *levels;  // nullptr: they are not kept
  std::uint64_t levels_room;
  std::uint32_t *bits[2];
  std::uint32_t *queued[2]; // the members of each list, while it is collected
  std::uint32_t *open;
  std::uint32_t *claimed; // of these vertices it is known that nobody can claim them
  std::uint32_t *spilled; // clear between rounds
  V *hubs, *open_list;
  FirstSourcesView<V> first_sources;
  static constexpr unsigned phases = 4; ///< counts of three phases that take turns, and the place of the meeting points
  PhaseCounts *counts;
  PhaseCounts *next_counts; // of the next call, which the kernel clears
  MeetingPoints *meeting;
  FrontierState *state;   // where kernels leave it
  FrontierState *outcome; // in the host's memory, once there are no more rounds
  bool resumes;           // the frontier is that of `state`, else that of `start`
  EdgeId narrow;          // the arcs of a frontier that is narrow; 0: none is
  Rounds rounds;
  FrontierState start;
  V root; // the only vertex, if `start` has neither form
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

template <class F, class = void> struct WholeVertex { static constexpr bool value = false; };
template <class F> struct WholeVertex<F, std::void_t<decltype(F::whole_vertex)>> {
  static constexpr bool value = F::whole_vertex;
};

template <class F, class = void> struct GatherOf { static constexpr Gather value = Gather::scan; };
template <class F> struct GatherOf<F, std::void_t<decltype(F::gather)>> { static constexpr Gather value = F::gather; };

template <class F, class = void> struct MarksClaims { static constexpr bool value = false; };
template <class F> struct MarksClaims<F, std::void_t<decltype(F::marks_claims)>> {
  static constexpr bool value = F::marks_claims;
};

/// A push that reads nothing that any push of its propagate() writes, but for what it claims or updates by an atomic
/// operation. There is no commit then, no levels are kept, and no vertex is activated twice in a round.
template <class F, class = void> struct RoundIndependent { static constexpr bool value = false; };
template <class F> struct RoundIndependent<F, std::void_t<decltype(F::round_independent)>> {
  static constexpr bool value = F::round_independent;
};

/// Rounds in a row after which a narrow frontier is left to fewer blocks: starting them costs as much as it saves then.
constexpr std::uint32_t patience = 8;

/// One round after another. `s` is shared by a block, and changes while its other threads wait.
template <class V> class Propagation {
public:
  __device__ Propagation(const FrontierView<V> &view, FrontierState &state) : f(view), s(state) {}

  /// The frontier that the host or another kernel has left.
  __device__ void start(SharedTeam &team) {
    if (team.rank() < f.phases)
      f.next_counts[team.rank()] = PhaseCounts();
    if (threadIdx.x == 0)
      s = f.resumes ? load_fresh(f.state) : f.start;
    __syncthreads();
    if (!s.bits && !s.listed && s.size > 0 && team.rank() == 0) {
      f.items[s.first] = f.root;
      f.before[s.first] = 0;
    }
    begin(team);
  }

  /// Before the first round. Every thread of `team` calls, perhaps after writing to the frontier's list.
  __device__ void begin(SharedTeam &team) {
    const unsigned dirty = pushes_to_bits() ? 3 & ~s.clear & ~(s.bits << s.current) : 0;
    for (std::uint64_t i = team.rank(); dirty != 0 && i < count_words(); i += team.size())
      for (unsigned k = 0; k < 2; ++k)
        if (dirty >> k & 1)
          f.bits[k][i] = 0;
    team.sync([&] {
      s.listed = s.listed || !s.bits;
      s.clear |= dirty;
      s.pulling = decide();
    });
  }

  /// Whether another round is wanted here, and the next list has room.
  __device__ bool goes_on() const {
    return s.size > 0 && s.round <= f.rounds.last && has_room() && s.narrow_rounds < patience;
  }

  /// The books between two rounds.
  __device__ void next_round() {
    ++s.round;
    s.pulling = decide();
    s.narrow_rounds =
        !s.pulling && s.listed && !s.has_long && s.arcs <= f.narrow && s.size <= f.narrow ? s.narrow_rounds + 1 : 0;
  }

  /// Whether pushes may leave a bitmap where the next round pulls. Whoever runs single rounds wants to know the arcs.
  __device__ bool pushes_to_bits() const {
    return f.rounds.direction == Direction::hybrid && !f.levels && f.rounds.first < f.rounds.last;
  }
  /// The arcs out of what an arc of the frontier finds, by those of the last round and the graph's mean.
  __device__ double growth() const {
    const double mean = static_cast<double>(f.arcs) / static_cast<double>(f.graph.num_vertices());
    const double last = s.previous_arcs > 0 ? static_cast<double>(s.arcs) / static_cast<double>(s.previous_arcs) : 0;
    return last > mean ? last : mean;
  }
  /// Whether the round after this push is going to be a pull if the frontier goes on growing.
  __device__ bool will_pull() const {
    if (!pushes_to_bits() || !s.counting || (s.clear >> (1 - s.current) & 1) == 0)
      return false;
    const double next = static_cast<double>(s.arcs) * growth();
    return next > static_cast<double>(f.arcs / 256) && next * f.rounds.alpha > static_cast<double>(s.unseen);
  }

  /// Whether the round is a pull; keeps the books of the switch.
  __device__ bool decide() {
    if (f.rounds.direction != Direction::hybrid)
      return f.rounds.direction == Direction::pull;
    const double n = static_cast<double>(f.graph.num_vertices());
    // A pull looks at the vertices that are left, a push at those of the frontier.
    if (s.pulling)
      return s.size >= s.previous_size || static_cast<double>(s.size) > n / f.rounds.beta ||
             (s.open && s.open_left / 4 < s.size);
    if (!s.counting) {
      s.counting = 1;
      s.unseen = f.arcs;
    }
    if (s.arcs > f.arcs / 256 && static_cast<double>(s.arcs) * f.rounds.alpha > static_cast<double>(s.unseen))
      return true;
    s.unseen -= s.arcs < s.unseen ? s.arcs : s.unseen;
    return false;
  }

  /// Before each round.
  __device__ void keep_level(SharedTeam &team) {
    if (!f.levels)
      return;
    if (!s.listed)
      to_list(team);
    if (team.rank() == 0)
      f.levels[s.levels] = {s.first, s.size, s.arcs};
  }

  /// `last`: nothing else happens in the round. `before_pulls`: it can be followed by a pull that gains by a bitmap.
  template <bool before_pulls, class Push>
  __device__ void push_round(SharedTeam &team, const Push &push, OutboxMemory<V> &memory,
                             CullMemory<V, Push> &cull_memory, bool last) {
    if (!s.listed)
      to_list(team);
    const V *const list = f.items + s.first;
    const EdgeId *const before = f.before + s.first;
    if (f.rounds.once)
      clear_queued(team);
    PhaseCounts &counts = begin_phase(team);
    const std::uint64_t next_first = first_of_next();
    constexpr bool may_set_bits = before_pulls && !Culls<Push>::value;
    using Next = NextList<V, Push, may_set_bits>;
    typename Next::Room room = {};
    if constexpr (Next::culls)
      room = {list_room(), f.arcs, f.spilled, &counts.spilled};
    GCOMPILE_CUDA_SHARED(PushManner, manner);
    if (threadIdx.x == 0)
      manner = {may_set_bits && will_pull() ? f.bits[1 - s.current] : nullptr, s.counting && s.unseen > f.arcs / 2};
    __syncthreads();
    Next next(f.graph, {f.items + next_first, f.before + next_first, &counts.tally}, memory, f.queued[1 - s.current],
              f.claimed, room, Culling<V, Push>(cull_memory), manner);
    if constexpr (WholeVertex<Push>::value) {
      for (std::uint64_t first = team.rank() / 32 * 32; first < s.size; first += team.size()) {
        if (first + lane_of_warp() < s.size)
          push(list[first + lane_of_warp()], s.round, next);
        __syncwarp();
        next.collect();
      }
    } else if constexpr (GatherOf<Push>::value == Gather::scan_warp_cta) {
      gather_tiles<V>(
          team, f.graph, list, s.size,
          [&](V u, EdgeId e) { push(u, f.graph.target(e), edge_of(push, f.graph, e), s.round, next); },
          [&] { next.collect(); });
    } else if constexpr (GatherOf<Push>::value != Gather::scan) {
      // A warp or a block for each list.
      constexpr bool warps = GatherOf<Push>::value == Gather::warp;
      const unsigned lanes = warps ? 32 : blockDim.x, lane = warps ? lane_of_warp() : threadIdx.x;
      for (std::uint64_t i = team.rank() / lanes; i < s.size; i += team.size() / lanes) {
        const V u = list[i];
        const EdgeId end = f.graph.out_end(u);
        for (EdgeId start = f.graph.out_begin(u); start < end; start += lanes) {
          if (start + lane < end)
            push(u, f.graph.target(start + lane), edge_of(push, f.graph, start + lane), s.round, next);
          __syncwarp();
          next.collect();
        }
      }
    } else {
      gather<V>(
          team, f.graph, s.size, s.arcs, [&](std::uint64_t i) { return before[i]; },
          [&](std::uint64_t i) { return list[i]; },
          [&](V u, EdgeId e) { push(u, f.graph.target(e), edge_of(push, f.graph, e), s.round, next); },
          [&] { next.collect(); });
    }
    if (may_set_bits && manner.bits) {
      const std::uint32_t found = warp_sum(next.count());
      if (lane_of_warp() == 0 && found > 0)
        atomicAdd(&counts.found, static_cast<unsigned long long>(found));
    } else if (__any_sync(full_warp, next.finish()) && lane_of_warp() == 0) {
      gc::store(counts.has_long, 1ull);
    }
    team.sync([&] {
      const EdgeId arcs = s.arcs;
      const double grows = growth();
      end_round();
      s.bits = manner.bits != nullptr;
      s.open = s.open_listed = s.pulled = 0;
      if (s.bits) {
        s.size = static_cast<std::uint32_t>(gc::load(counts.found));
        s.arcs = static_cast<EdgeId>(s.size * grows);
        if (s.arcs > s.unseen)
          s.arcs = s.unseen;
        s.listed = 0;
        s.clear &= ~(1u << s.current);
      } else {
        take_list(counts);
        s.has_long = gc::load(counts.has_long) != 0;
      }
      s.previous_arcs = arcs;
      if (last)
        next_round();
    });
    if constexpr (Next::culls)
      if (gc::load(counts.spilled) != 0)
        take_spilled(team);
  }

  /// Every thread of `team` calls.
  template <class Some, class Commit> __device__ void commit_list(const Some &team, const Commit &commit) {
    for (std::uint64_t i = team.rank(); i < s.size; i += team.size())
      commit(f.items[s.first + i], s.round);
  }
  template <class Commit> __device__ void commit_round(SharedTeam &team, const Commit &commit) {
    if (s.listed) {
      commit_list(team, commit);
    } else {
      const CurrentBits<V> current = {f.bits[s.current]};
      for (std::uint64_t i = team.rank(); i < f.graph.num_vertices(); i += team.size())
        if (current.contains(static_cast<V>(i)))
          commit(static_cast<V>(i), s.round);
    }
    team.sync([&] { next_round(); });
  }

  __device__ std::uint64_t count_words() const { return (std::uint64_t(f.graph.num_vertices()) + 31) / 32; }

  /// The counters of a phase that begins, and those of the next are cleared.
  __device__ PhaseCounts &begin_phase(const SharedTeam &team) const {
    if (team.rank() == 0)
      f.counts[next_turn()] = PhaseCounts();
    return f.counts[s.turn];
  }
  /// Those of the phase.
  __device__ PhaseCounts &counts() const { return f.counts[s.turn]; }
  __device__ void end_phase() { s.turn = next_turn(); }
  /// The next frontier is the current one.
  __device__ void end_round() {
    end_phase();
    s.first = first_of_next();
    s.previous_size = s.size;
    s.previous_arcs = 0;
    s.current = !s.current;
    s.levels += f.levels != nullptr;
  }
  /// The list that a phase has made.
  __device__ void take_list(const PhaseCounts &counts) {
    const unsigned long long tally = gc::load(counts.tally);
    s.size = static_cast<std::uint32_t>(Tally::length(tally));
    s.arcs = Tally::arcs(tally);
    s.listed = 1;
  }
  __device__ std::uint64_t first_of_next() const {
    return f.levels ? s.first + s.size : s.first == 0 ? f.graph.num_vertices() : 0;
  }

  __device__ void to_bits(SharedTeam &team) {
    std::uint32_t *const bits = f.bits[s.current];
    if (f.rounds.once)
      clear_queued(team);
    for (std::uint64_t i = team.rank(); i < count_words(); i += team.size())
      bits[i] = 0;
    team.sync();
    for (std::uint64_t i = team.rank(); i < s.size; i += team.size()) {
      const V v = f.items[s.first + i];
      atomicOr(&bits[v / 32], 1u << (v % 32));
    }
    team.sync([&] {
      s.bits = 1;
      s.clear = 0;
    });
  }

  const FrontierView<V> &f;
  FrontierState &s;

private:
  /// The places of a list that takes copies; a tally can count some more.
  __device__ std::uint64_t list_room() const {
    const std::uint64_t n = f.graph.num_vertices(), most = (std::uint64_t(1) << Tally::length_bits) - (1u << 22);
    return n < most ? n : most;
  }
  __device__ unsigned next_turn() const { return s.turn == 2 ? 0 : s.turn + 1; }
  __device__ bool has_room() const {
    return !f.levels || (s.first + s.size + f.graph.num_vertices() <= f.room && s.levels < f.levels_room);
  }
  __device__ void clear_queued(const SharedTeam &team) {
    if (s.listed)
      for (std::uint64_t i = team.rank(); i < s.size; i += team.size())
        f.queued[s.current][f.items[s.first + i] / 32] = 0;
  }

  /// The frontier is what its list and the bitmap of what has found no place there have together, each vertex once.
  __device__ void take_spilled(SharedTeam &team) {
    std::uint32_t *const bits = f.bits[s.current];
    for (std::uint64_t i = team.rank(); i < count_words(); i += team.size()) {
      bits[i] = f.spilled[i];
      f.spilled[i] = 0;
    }
    team.sync();
    const std::uint64_t listed = s.size < list_room() ? s.size : list_room();
    for (std::uint64_t i = team.rank(); i < listed; i += team.size()) {
      const V v = f.items[s.first + i];
      atomicOr(&bits[v / 32], 1u << (v % 32));
    }
    team.sync([&] {
      s.size = static_cast<std::uint32_t>(listed);
      s.bits = 1;
      s.clear = 0;
      s.listed = 0;
    });
  }

  /// Lists the members of the bitmap; a warp reserves the room of 32 words together.
  __device__ void to_list(SharedTeam &team) {
    PhaseCounts &counts = begin_phase(team);
    const Queue<V> list = {f.items + s.first, f.before + s.first, &counts.tally};
    const std::uint32_t *const bits = f.bits[s.current];
    for (std::uint64_t first = team.rank() / 32 * 32; first < count_words(); first += team.size()) {
      const std::uint32_t word = first + lane_of_warp() < count_words() ? bits[first + lane_of_warp()] : 0;
      const unsigned filled = __ballot_sync(full_warp, word != 0);
      if (filled == 0)
        continue;
      const auto visit = [&](auto take) {
        for (unsigned rest = filled; rest != 0; rest &= rest - 1) {
          const int k = __ffs(static_cast<int>(rest)) - 1;
          if (__shfl_sync(full_warp, word, k) >> lane_of_warp() & 1u)
            take(static_cast<V>((first + static_cast<unsigned>(k)) * 32 + lane_of_warp()));
        }
      };
      unsigned long long mine = 0;
      visit([&](V v) { mine += list.weigh(f.graph, v); });
      const unsigned long long sum = warp_prefix_sum(mine);
      unsigned long long at = 0;
      if (lane_of_warp() == 31)
        at = atomicAdd(list.tally, sum);
      at = __shfl_sync(full_warp, at, 31) + sum - mine;
      visit([&](V v) {
        list.place(v, at);
        at += list.weigh(f.graph, v);
      });
    }
    team.sync([&] {
      end_phase();
      take_list(counts);
      s.has_long = 1;
    });
  }
};

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
