// Rounds whose two phases do not run at once: one expands the frontier to a list of edges, and one contracts the list.
#ifndef GCOMPILE_CUDA_FRONTIER_PHASES_H
#define GCOMPILE_CUDA_FRONTIER_PHASES_H

#include <gcompile/cuda/frontier/edge_lists.h>
#include <gcompile/cuda/frontier/propagate.h>

#include <cstdint>

namespace gc {
namespace cuda {
namespace detail {

/// The frontier that is a list of edges becomes a bitmap of vertices, without those that no edge leaves.
template <class V> __device__ void edges_to_bits(Propagation<V> &p, SharedTeam &team) {
  const EdgeList<V> list = edge_list(p.f.edges, p.s.current);
  const ArcId count = p.s.arcs < list.room ? p.s.arcs : list.room;
  p.to_bits_with_spilled(team, [&](const auto &add) {
    for (ArcId i = team.rank(); i < count; i += team.size())
      if (const V u = list.edges[i].source; u != none<V>())
        add(u);
  });
  team.sync([&] {
    p.s.bits = 1;
    p.s.clear = 0;
    p.s.edges = 0;
  });
}

/// Contracts the list of edges, and expands what enters the next frontier: that is a list of edges, or a bitmap where
/// the list has no room.
template <class V, class Push>
__device__ void contract_and_expand(Propagation<V> &p, SharedTeam &team, const Push &push, OutboxMemory<V> &memory,
                                    CullMemory<V, Push> &cull, GatherMemory &gather_memory) {
  using Next = ExpandingNext<V, Push>;
  PhaseCounts &counts = p.begin_phase(team);
  GCOMPILE_CUDA_SHARED(PushManner, manner);
  if (threadIdx.x == 0)
    manner = {nullptr, p.s.counting && p.s.unseen > p.f.arcs / 2, false};
  __syncthreads();
  const EdgeList<V> list = edge_list(p.f.edges, p.s.current);
  Next next(p.f.graph, edge_list(p.f.edges, 1 - p.s.current), counts, p.list_room(), p.f.spilled, memory, p.f.claimed,
            Culling<V, Push>(cull), manner);
  const ArcId each = (p.s.arcs + team.size() - 1) / team.size();
  const unsigned steps = each < Next::steps ? static_cast<unsigned>(each) : Next::steps;
  for (ArcId tile = ArcId(blockIdx.x) * blockDim.x * steps; tile < p.s.arcs; tile += ArcId(team.size()) * steps) {
    for (unsigned k = 0; k < steps; ++k) {
      const ArcId i = tile + k * blockDim.x + threadIdx.x;
      if (i < p.s.arcs)
        list.call(i, push, p.s.round, next);
      __syncwarp();
      next.collect();
    }
    next.expand(gather_memory, push);
  }
  team.sync([&] {
    const ArcId arcs = p.s.arcs;
    p.end_round();
    p.s.unvisited = p.s.unvisited_listed = p.s.pulled = 0;
    p.take_list(counts);
    p.s.listed = p.s.bits = 0;
    p.s.edges = 1;
    p.s.previous_arcs = arcs;
    p.next_round();
  });
  if (gc::load(counts.spilled) != 0)
    edges_to_bits(p, team);
}

/// One round. A frontier whose edges the list has no room for is expanded and contracted at once. The arguments are
/// those of Propagation::push_round.
template <bool before_pulls, class V, class Push>
__device__ void phased_round(Propagation<V> &p, SharedTeam &team, const Push &push, OutboxMemory<V> &memory,
                             CullMemory<V, Push> &cull, GatherMemoryOf<Push> &gather_memory, bool last) {
  constexpr Phases phases = PhasesOf<Push>::value;
  if (!p.s.edges) {
    if (!p.s.listed)
      p.to_list(team);
    if (p.s.arcs > p.f.edges.room)
      return p.template push_round<before_pulls>(team, push, memory, cull, gather_memory, last);
    EdgeList<V> list = edge_list(p.f.edges, p.s.current);
    walk_list<Push>(
        team, gather_memory, p.f.graph, p.f.items + p.s.first, p.f.before + p.s.first, p.s,
        [&](V u, ArcId e, ArcId place) { list.put(place, push, p.f.graph, u, e); }, [] {});
    team.sync();
  }
  if constexpr (phases != Phases::two_phase)
    if (phases == Phases::contract_expand || p.s.arcs <= FewEdges<Push>::value)
      return contract_and_expand(p, team, push, memory, cull, gather_memory);
  p.template push_round<before_pulls, true>(team, push, memory, cull, gather_memory, last);
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
