// Frontiers that go through memory as lists of edges: a round contracts such a list, and expands what enters the next
// frontier to another (Merrill et al. 2012, section 6).
#ifndef GCOMPILE_CUDA_FRONTIER_EDGE_LISTS_H
#define GCOMPILE_CUDA_FRONTIER_EDGE_LISTS_H

#include <gcompile/cuda/frontier/next_list.h>
#include <gcompile/cuda/frontier/state.h>
#include <gcompile/cuda/kernels/gather_block.h>

#include <cstdint>

namespace gc {
namespace cuda {
namespace detail {

/// One of the lists.
template <class V> struct EdgeList {
  ListedEdge<V> *edges;
  ArcId *numbers;
  ArcId room;

  /// Puts arc e, which leaves u, to its place, with the number of its edge if the push names edges.
  template <class Push> __device__ void put(ArcId place, const Push &push, const gc::Graph<V> &graph, V u, ArcId e) {
    edges[place] = {u, graph.target(e)};
    if constexpr (NamesEdges<Push>::value)
      numbers[place] = edge_of(push, graph, e);
  }
  /// Calls the push for the edge at this place.
  template <class Push, class Next>
  __device__ void call(ArcId place, const Push &push, std::int32_t round, Next &next) const {
    const ListedEdge<V> edge = edges[place];
    ArcId number = 0;
    if constexpr (NamesEdges<Push>::value)
      number = numbers[place];
    push(edge.source, edge.target, number, round, next);
  }
};

template <class V> __device__ EdgeList<V> edge_list(const EdgeListsView<V> &lists, unsigned which) {
  return {lists.edges[which], lists.numbers[which], lists.room};
}

/// Collects the vertices that enter the next frontier, for the block to expand them to its list of edges. What the list
/// cannot take goes to a bitmap.
template <class V, class Push> class ExpandingNext : public Claims<V, MarksClaims<Push>::value> {
public:
  /// The edges of a thread after which the block has to call expand().
  static constexpr unsigned steps = OutboxMemory<V>::capacity / 32;

  /// `counts` counts the vertices and their edges, `most` of the former at most.
  __device__ ExpandingNext(const gc::Graph<V> &graph, const EdgeList<V> &list, PhaseCounts &counts, std::uint64_t most,
                           std::uint32_t *spilled, OutboxMemory<V> &memory, std::uint32_t *claimed,
                           const Culling<V, Push> &culling, const PushManner &manner)
      : Claims<V, MarksClaims<Push>::value>(claimed, manner), graph_(graph), list_(list), counts_(counts), most_(most),
        spilled_(spilled), memory_(memory), culling_(culling) {}

  __device__ void push(V v) {
    if (!culling_.admits(v))
      return;
    if (has_)
      return spill(v); // the second of one edge
    vertex_ = v;
    has_ = true;
  }
  /// After each step of a warp, all of whose lanes call.
  __device__ void collect() {
    if constexpr (Culls<Push>::value)
      has_ = culling_.stays(has_, vertex_);
    const unsigned lanes = __ballot_sync(full_warp, has_);
    if (has_)
      mine()[count_ + static_cast<unsigned>(__popc(lanes & ((1u << lane_of_warp()) - 1)))] = vertex_;
    has_ = false;
    count_ += static_cast<unsigned>(__popc(lanes));
  }
  /// Writes the edges of all that has been collected. Every thread of the block calls.
  __device__ void expand(GatherMemory &memory, const Push &push) {
    for (unsigned first = 0; __syncthreads_or(first < count_); first += 32) {
      const bool has = first + lane_of_warp() < count_;
      const V v = has ? mine()[first + lane_of_warp()] : V(0);
      const ArcId begin = has ? graph_.out_begin(v) : 0, count = has ? graph_.out_end(v) - begin : 0;
      const unsigned vertices = static_cast<unsigned>(__syncthreads_count(has));
      bool fits = true;
      gather_block<true>(
          memory, graph_, begin, count,
          [&](unsigned thread) { return memory_.items[thread / 32][first + thread % 32]; },
          [&](ArcId arcs) {
            if (threadIdx.x == 0)
              memory.place = reserve(arcs, vertices);
            __syncthreads();
            const ArcId place = memory.place;
            fits = place + arcs <= list_.room;
            __syncthreads();
            return place;
          },
          [&](V u, ArcId e, ArcId place) {
            if (fits)
              list_.put(place, push, graph_, u, e);
            else if (place < list_.room)
              list_.edges[place] = {none<V>(), none<V>()};
          },
          [] {});
      if (!fits && has)
        spill(v);
    }
    count_ = 0;
    __syncwarp();
  }

private:
  __device__ V *mine() const { return memory_.items[threadIdx.x / 32]; }
  /// The place of the first of so many edges, of so many vertices.
  __device__ ArcId reserve(ArcId arcs, unsigned vertices) const {
    const unsigned long long now = gc::load(counts_.tally);
    if (Tally::length(now) >= most_ || Tally::arcs(now) > list_.room)
      return list_.room + 1;
    return Tally::arcs(
        atomicAdd(&counts_.tally, static_cast<unsigned long long>(arcs) << Tally::length_bits | vertices));
  }
  __device__ void spill(V v) const {
    atomicOr(&spilled_[v / 32], 1u << (v % 32));
    gc::store(counts_.spilled, 1ull);
  }

  const gc::Graph<V> &graph_;
  EdgeList<V> list_;
  PhaseCounts &counts_;
  const std::uint64_t most_;
  std::uint32_t *const spilled_;
  OutboxMemory<V> &memory_;
  const Culling<V, Push> culling_;
  V vertex_ = 0;
  unsigned count_ = 0; // of this warp
  bool has_ = false;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
