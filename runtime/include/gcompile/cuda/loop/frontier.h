// The frontier of the propagates that a loop of kernels runs, in the memory of its one kernel.
#ifndef GCOMPILE_CUDA_LOOP_FRONTIER_H
#define GCOMPILE_CUDA_LOOP_FRONTIER_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/rounds.h>
#include <gcompile/cuda/loop/sets.h>

#include <cstddef>
#include <cstdint>

namespace gc {
namespace cuda {
namespace detail {

/// What a block shares.
template <class V> struct LoopFrontierMemory {
  FrontierView<V> view;
  FrontierState state;
  unsigned due; ///< of the team
  bool fresh;   ///< no round has run since the frontier was started
};
/// What it shares while rounds run; `cull_bytes` hold the tables of any push.
template <std::size_t cull_bytes> struct LoopRoundsMemory {
  PullMemory pull;
  alignas(16) unsigned char cull[cull_bytes];
};

/// One thread's part in it. All threads of all blocks make the same calls, and meet in each.
template <class V, std::size_t cull_bytes> class LoopFrontier {
public:
  /// `view` is what the host has lent.
  __device__ LoopFrontier(const FrontierView<V> &view, LoopFrontierMemory<V> &memory,
                          LoopRoundsMemory<cull_bytes> &of_rounds, OutboxMemory<V> &outboxes)
      : memory_(memory), of_rounds_(of_rounds), outboxes_(outboxes), grid_(gridDim.x, &view.meeting->grid, memory.due) {
    if (threadIdx.x == 0) {
      memory.view = view;
      memory.due = 0;
      memory.state = FrontierState();
    }
    __syncthreads();
  }

  /// Starts from these vertices of the graph, which the rounds go along; `arcs` leave all its vertices. `own`: a set
  /// that lists them and counts the arcs of this graph; nullptr: there is none.
  __device__ void start(const gc::Graph<V> &graph, ArcId arcs, const Members<V> &from, const LoopSet<V> *own) {
    Propagation<V> p(memory_.view, memory_.state);
    __syncthreads();
    if (threadIdx.x == 0) {
      const unsigned turn = p.s.turn; // its counters are clear
      p.s = FrontierState();
      p.s.turn = turn & 3;
      p.s.listed = p.s.has_long = 1;
      p.s.size = static_cast<std::uint32_t>(from.count);
      p.s.arcs = own ? own->arcs : arcs;
      memory_.view.graph = graph;
      memory_.view.arcs = arcs;
      memory_.fresh = true;
    }
    __syncthreads();
    if (own || !from.items) {
      const ArcId *const before = own ? own->before : graph.out_offsets;
      for (std::uint64_t i = grid_.rank(); i < from.count; i += grid_.size()) {
        p.f.items[i] = from[i];
        p.f.before[i] = before[i];
      }
      return grid_.sync();
    }
    PhaseCounts &counts = p.begin_phase(grid_);
    const Queue<V> queue = {p.f.items, p.f.before, &counts.tally};
    for (std::uint64_t first = grid_.rank() / 32 * 32; first < from.count; first += grid_.size()) {
      const bool has = first + lane_of_warp() < from.count;
      queue.append_warp(p.f.graph, has, has ? from[first + lane_of_warp()] : V(0));
    }
    grid_.sync([&] {
      p.end_phase();
      p.take_list(counts);
    });
  }

  __device__ bool empty() const { return memory_.state.size == 0; }

  /// Runs rounds until the frontier is empty or `rounds.last` has been run.
  template <class Push, class Pull, class Commit>
  __device__ void propagate(const Push &push, const Pull &pull, const Commit &commit, const Rounds &rounds) {
    static_assert(sizeof(CullMemory<V, Push>) <= cull_bytes, "of all pushes");
    auto &cull = *reinterpret_cast<CullMemory<V, Push> *>(of_rounds_.cull);
    static_assert(!PhasesOf<Push>::lists_edges, "the host has such rounds");
    static_assert(sizeof(RoundMemory<Push, Pull>) <= sizeof(PullMemory), "of all pushes and pulls");
    auto &round_memory = reinterpret_cast<RoundMemory<Push, Pull> &>(of_rounds_.pull);
    Propagation<V> p(memory_.view, memory_.state);
    const bool fresh = memory_.fresh;
    __syncthreads();
    Culling<V, Push>::clear(cull);
    if (threadIdx.x == 0) {
      memory_.view.rounds = rounds;
      memory_.fresh = false;
      p.s.round = rounds.first;
      p.s.unvisited = p.s.unvisited_listed = 0; // what was run between has changed them
    }
    __syncthreads();
    if (fresh) {
      for (std::uint64_t i = grid_.rank(); i < p.count_words(); i += grid_.size()) {
        if (rounds.once)
          p.f.queued[0][i] = p.f.queued[1][i] = 0;
        if (MarksClaims<Push>::value)
          p.f.claimed[i] = 0;
      }
      p.begin(grid_);
    }
    while (p.goes_on())
      run_round<block_threads>(p, grid_, push, pull, commit, round_memory, outboxes_, cull);
  }

private:
  LoopFrontierMemory<V> &memory_;
  LoopRoundsMemory<cull_bytes> &of_rounds_;
  OutboxMemory<V> &outboxes_;
  SharedTeam grid_;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
