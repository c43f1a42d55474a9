// The rounds of a propagate on the device: pushing, and the frontier's two forms.
#ifndef GCOMPILE_CUDA_FRONTIER_PROPAGATE_H
#define GCOMPILE_CUDA_FRONTIER_PROPAGATE_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/directions.h>
#include <gcompile/cuda/frontier/edge_lists.h>
#include <gcompile/cuda/frontier/next_list.h>
#include <gcompile/cuda/frontier/state.h>
#include <gcompile/cuda/frontier/walk_list.h>
#include <gcompile/cuda/kernels/share_out.h>

#include <cstdint>

namespace gc {
namespace cuda {

namespace detail {

/// One round after another. `s` is shared by a block, and changes while its other threads wait.
template <class V> class Propagation : public Directions<V> {
public:
  using Directions<V>::f;
  using Directions<V>::s;
  using Directions<V>::decide;
  using Directions<V>::growth;
  using Directions<V>::pushes_to_bits;
  using Directions<V>::will_pull;

  __device__ Propagation(const FrontierView<V> &view, FrontierState &state) : Directions<V>(view, state) {}

  /// The frontier that the host or another kernel has left.
  __device__ void start(SharedTeam &team) {
    if (team.rank() < f.phases)
      f.next_counts[team.rank()] = PhaseCounts();
    if (threadIdx.x == 0) {
      s = f.resumes ? load_fresh(f.state) : f.start;
      s.unvisited = s.unvisited_listed = 0; // what was run between may have changed them
    }
    __syncthreads();
    if (!s.bits && !s.listed && !s.edges && s.size > 0 && team.rank() == 0) {
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
      s.listed = s.listed || !(s.bits || s.edges);
      s.clear |= dirty;
      s.pulling = decide();
    });
  }

  /// Whether another round is wanted here, and the next list has room.
  __device__ bool goes_on() const {
    return s.size > 0 && s.round <= f.rounds.last && has_room() && s.small_rounds < patience;
  }

  /// The books between two rounds.
  __device__ void next_round() {
    ++s.round;
    s.pulling = decide();
    s.small_rounds = !s.pulling && s.listed && !s.has_long && s.arcs <= f.small_arcs && s.size <= f.small_arcs
                         ? s.small_rounds + 1
                         : 0;
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
  /// `from_edges`: the edges of the frontier are listed.
  template <bool before_pulls, bool from_edges = false, class Push>
  __device__ void push_round(SharedTeam &team, const Push &push, OutboxMemory<V> &memory,
                             CullMemory<V, Push> &cull_memory, [[maybe_unused]] GatherMemoryOf<Push> &gather_memory,
                             bool last) {
    if (!from_edges && !s.listed)
      to_list(team);
    const V *const list = f.items + s.first;
    const ArcId *const before = f.before + s.first; // asked for late, it takes more registers
    if (f.rounds.once)
      clear_queued(team);
    PhaseCounts &counts = begin_phase(team);
    const std::uint64_t next_first = first_of_next();
    constexpr bool may_set_bits = before_pulls && !Culls<Push>::value;
    using Next = NextList<V, Push, may_set_bits>;
    typename Next::Room room = {};
    if constexpr (Next::culls)
      room = {list_room(), f.arcs < Tally::most_of_copies ? f.arcs : Tally::most_of_copies, f.spilled, &counts.spilled};
    GCOMPILE_CUDA_SHARED(PushManner, manner);
    if (threadIdx.x == 0) {
      const bool to_bits = may_set_bits && will_pull(), uneven = f.candidates.best != nullptr;
      manner = {to_bits ? f.bits[1 - s.current] : nullptr, s.counting && s.unseen > f.arcs / 2, to_bits && uneven};
    }
    __syncthreads();
    Next next(f.graph, {f.items + next_first, f.before + next_first, &counts.tally}, memory, f.queued[1 - s.current],
              f.claimed, room, Culling<V, Push>(cull_memory), manner);
    if constexpr (from_edges) {
      const EdgeList<V> edges = edge_list(f.edges, s.current);
      for (ArcId first = team.rank() / 32 * 32; first < s.arcs; first += team.size()) {
        if (first + lane_of_warp() < s.arcs)
          edges.call(first + lane_of_warp(), push, s.round, next);
        __syncwarp();
        next.collect();
      }
    } else if constexpr (WholeVertex<Push>::value) {
      for (std::uint64_t first = team.rank() / 32 * 32; first < s.size; first += team.size()) {
        if (first + lane_of_warp() < s.size)
          push(list[first + lane_of_warp()], s.round, next);
        __syncwarp();
        next.collect();
      }
    } else {
      walk_list<Push>(
          team, gather_memory, f.graph, list, before, s,
          [&](V u, ArcId e) { push(u, f.graph.target(e), edge_of(push, f.graph, e), s.round, next); },
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
      const ArcId arcs = s.arcs;
      const double grows = growth();
      end_round();
      s.bits = manner.bits != nullptr;
      s.unvisited = s.unvisited_listed = s.pulled = 0;
      if (s.bits) {
        s.size = static_cast<std::uint32_t>(gc::load(counts.found));
        s.arcs = static_cast<ArcId>(s.size * grows);
        if (s.counting && s.arcs > s.unseen)
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
    s.visited += s.size;
    s.previous_size = s.size;
    s.previous_arcs = 0;
    s.current = !s.current;
    s.edges = 0;
    s.levels += f.levels != nullptr;
  }
  /// The list that a phase has made.
  __device__ void take_list(const PhaseCounts &counts) {
    const unsigned long long tally = gc::load(counts.tally);
    s.size = static_cast<std::uint32_t>(Tally::length(tally));
    s.arcs = Tally::arcs(tally);
    s.listed = 1;
  }
  /// The bitmap that the frontier becomes, with what has found no place in a list: put(add) adds more to it. Every
  /// thread of `team` calls, and they meet before they call anything else.
  template <class Put> __device__ void to_bits_with_spilled(SharedTeam &team, const Put &put) {
    std::uint32_t *const bits = f.bits[s.current];
    for (std::uint64_t i = team.rank(); i < count_words(); i += team.size()) {
      bits[i] = f.spilled[i];
      f.spilled[i] = 0;
    }
    team.sync();
    put([&](V v) {
      const std::uint32_t bit = 1u << (v % 32);
      if (!(gc::load(bits[v / 32]) & bit))
        atomicOr(&bits[v / 32], bit);
    });
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

  /// The places of a list that takes copies; a tally can count some more.
  __device__ std::uint64_t list_room() const {
    const std::uint64_t n = f.graph.num_vertices(), most = (std::uint64_t(1) << Tally::length_bits) - (1u << 22);
    return n < most ? n : most;
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

private:
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
    const std::uint64_t listed = s.size < list_room() ? s.size : list_room();
    to_bits_with_spilled(team, [&](const auto &add) {
      for (std::uint64_t i = team.rank(); i < listed; i += team.size())
        add(f.items[s.first + i]);
    });
    team.sync([&] {
      s.size = static_cast<std::uint32_t>(listed);
      s.bits = 1;
      s.clear = 0;
      s.listed = 0;
    });
  }
};

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
