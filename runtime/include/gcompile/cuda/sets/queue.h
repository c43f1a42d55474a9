// Lists of vertices that know how many arcs leave the vertices before each: the work on their arcs splits evenly.
#ifndef GCOMPILE_CUDA_SETS_QUEUE_H
#define GCOMPILE_CUDA_SETS_QUEUE_H

#include <gcompile/cuda/device/lanes.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/sets/tally.h>

#include <cstdint>
#include <type_traits>

namespace gc {
namespace cuda {

/// A list as kernels see it.
template <class V> struct Queue {
  V *items;
  ArcId *before; ///< arcs of the vertices before each; nullptr: the list does not count arcs
  unsigned long long *tally;

  /// What a vertex adds to the tally.
  __device__ unsigned long long weigh(const gc::Graph<V> &graph, V v) const {
    return before ? Tally::of(graph.out_end(v) - graph.out_begin(v)) : 1;
  }
  /// Appends a vertex for one thread.
  __device__ void append(const gc::Graph<V> &graph, V v) const { place(v, atomicAdd(tally, weigh(graph, v))); }
  /// Appends the vertex of every lane that has one; the whole warp calls.
  __device__ void append_warp(const gc::Graph<V> &graph, bool has, V v) const {
    const unsigned lanes = __ballot_sync(full_warp, has);
    if (lanes == 0)
      return;
    const unsigned long long mine = has ? weigh(graph, v) : 0;
    const unsigned long long sum = warp_prefix_sum(mine);
    unsigned long long first = 0;
    if (lane_of_warp() == 31)
      first = atomicAdd(tally, sum);
    first = __shfl_sync(full_warp, first, 31);
    if (has)
      place(v, first + sum - mine);
  }
  /// Writes a vertex to the place that the tally had reserved.
  __device__ void place(V v, unsigned long long at) const {
    items[Tally::length(at)] = v;
    if (before)
      before[Tally::length(at)] = Tally::arcs(at);
  }
};

/// The arcs of a list that few lanes walk.
constexpr ArcId short_list = 64;

/// What the warps of a block have collected.
template <class V> struct OutboxMemory {
  static constexpr unsigned capacity = 512 / sizeof(V); ///< vertices of a warp
  V items[32][capacity];
  unsigned long long sums[32];
};

/// A list that has room for all that is ever added to it.
struct EnoughRoom {
  /// The tally before `weight` was added.
  __device__ static unsigned long long reserve(unsigned long long *tally, unsigned long long weight) {
    return atomicAdd(tally, weight);
  }
  /// Whether the place that the tally had reserved is in the list; where not, v has been seen to.
  template <class V> __device__ static bool takes(V, unsigned long long) { return true; }
};

/// Adds to a list what the threads of a block find. It is collected in shared memory: a warp writes many vertices with
/// one atomic addition, and the block what is left at the end; all warps meet at the list's tally otherwise.
template <class V, class Room = EnoughRoom> class Outbox {
public:
  /// `soon`: the arcs of what is added will be walked at once.
  __device__ Outbox(const gc::Graph<V> &graph, const Queue<V> &queue, OutboxMemory<V> &memory, bool soon = false,
                    const Room &room = Room())
      : graph_(graph), queue_(queue), memory_(memory), room_(room), soon_(soon) {}

  /// For one thread; cheapest if it is called once in each step.
  __device__ void push(V v) {
    if (has_)
      place(v, room_.reserve(queue_.tally, queue_.weigh(graph_, v)));
    else
      vertex_ = v;
    has_ = true;
  }
  /// Drops the vertices of this step for which stays(has one, vertex) does not hold. A warp calls together.
  template <class Stays> __device__ void cull(const Stays &stays) { has_ = stays(has_, vertex_); }
  /// Whether this thread has written a vertex with a long list.
  __device__ bool has_long() const { return has_long_; }
  /// After each step of a warp, all of whose lanes call.
  __device__ void collect() {
    const unsigned lanes = __ballot_sync(full_warp, has_);
    if (lanes == 0)
      return;
    if (has_)
      mine()[count_ + static_cast<unsigned>(__popc(lanes & ((1u << lane_of_warp()) - 1)))] = vertex_;
    has_ = false;
    count_ += static_cast<unsigned>(__popc(lanes));
    if (count_ <= capacity - 32)
      return;
    const unsigned long long total = weigh(), sum = warp_prefix_sum(total);
    unsigned long long first = 0;
    if (lane_of_warp() == 31)
      first = room_.reserve(queue_.tally, sum);
    place_all(__shfl_sync(full_warp, first, 31) + sum - total);
  }
  /// At the end: every thread of the block calls.
  __device__ void finish() {
    const unsigned long long total = weigh(), sum = warp_prefix_sum(total);
    const unsigned warp = threadIdx.x / 32;
    if (lane_of_warp() == 31)
      memory_.sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
      const unsigned long long some = lane_of_warp() < blockDim.x / 32 ? memory_.sums[lane_of_warp()] : 0;
      const unsigned long long upto = warp_prefix_sum(some);
      unsigned long long first = 0;
      if (lane_of_warp() == 31 && upto != 0)
        first = room_.reserve(queue_.tally, upto);
      memory_.sums[lane_of_warp()] = __shfl_sync(full_warp, first, 31) + upto - some;
    }
    __syncthreads();
    place_all(memory_.sums[warp] + sum - total);
  }

private:
  static constexpr unsigned capacity = OutboxMemory<V>::capacity, each = capacity / 32;

  __device__ V *mine() const { return memory_.items[threadIdx.x / 32]; }
  /// What the vertices of this lane add to the tally.
  __device__ unsigned long long weigh() {
    __syncwarp();
    unsigned long long total = 0;
    for (unsigned k = 0; k < each; ++k)
      if (k * 32 + lane_of_warp() < count_)
        total += queue_.weigh(graph_, mine()[k * 32 + lane_of_warp()]);
    return total;
  }
  __device__ void place_all(unsigned long long at) {
    for (unsigned k = 0; k < each; ++k)
      if (k * 32 + lane_of_warp() < count_) {
        const V v = mine()[k * 32 + lane_of_warp()];
        place(v, at);
        at += queue_.weigh(graph_, v);
      }
    count_ = 0;
    __syncwarp();
  }
  __device__ void place(V v, unsigned long long at) {
    if (!room_.takes(v, at))
      return;
    queue_.place(v, at);
    if (soon_)
      prefetch(graph_.out_targets + graph_.out_begin(v));
    has_long_ = has_long_ || Tally::arcs(queue_.weigh(graph_, v)) > short_list;
  }

  const gc::Graph<V> &graph_;
  const Queue<V> queue_;
  OutboxMemory<V> &memory_;
  const Room room_;
  V vertex_ = 0;
  unsigned count_ = 0; // of this warp
  bool has_ = false, has_long_ = false;
  const bool soon_;
};

/// The last of `length` positions with before(position) <= arc; before(0) is 0. A warp searches together.
template <class Before> __device__ std::uint32_t last_not_after(std::uint32_t length, ArcId arc, Before before) {
  std::uint32_t low = 0, count = length; // it is one of `count` from `low` on
  while (count > 1) {
    const std::uint32_t step = (count + 31) / 32, mine = low + lane_of_warp() * step;
    const bool fits = lane_of_warp() * step < count && before(mine) <= arc;
    const unsigned last = 31 - static_cast<unsigned>(__clz(static_cast<int>(__ballot_sync(full_warp, fits))));
    const std::uint32_t rest = count - last * step;
    low += last * step;
    count = rest < step ? rest : step;
  }
  return low;
}

template <class F, class = void> struct MapsEdges { static constexpr bool value = false; };
template <class F> struct MapsEdges<F, std::void_t<decltype(F::maps_edges)>> {
  static constexpr bool value = F::maps_edges;
};
/// The edge that a kernel is told for arc e of a list.
template <class F, class V> __device__ ArcId edge_of(const F &, const gc::Graph<V> &graph, ArcId e) {
  if constexpr (MapsEdges<F>::value)
    return graph.in_edges ? graph.in_edges[e] : e;
  else
    return e;
}

/// Shares the arcs out of the listed vertices out evenly, up to `several` at a time to each lane of a warp, whose lanes
/// call visit(us, es, count, place) together: the first `count` of the arrays are a lane's arcs, and `place` is how
/// many arcs are before the first of them; the next are 32 arcs further each. `before(i)` is the number of arcs before
/// the i-th of `length` vertices, `vertex(i)` that vertex.
template <unsigned several, class V, class Team, class Before, class Vertex, class Visit>
__device__ void gather_several(const Team &team, const gc::Graph<V> &graph, std::uint32_t length, ArcId arcs,
                               Before before, Vertex vertex, Visit visit) {
  const unsigned lane = lane_of_warp();
  const unsigned warps = team.size() / 32;
  // The arcs that a warp takes at a time: many, unless warps would have nothing to do.
  const unsigned tile = arcs >= ArcId(warps) * 128 ? 128 : 32;
  const unsigned step = warps * tile;
  for (ArcId start = team.rank() / 32 * tile; start < arcs; start += step) {
    const unsigned size = arcs - start < tile ? static_cast<unsigned>(arcs - start) : tile;
    std::uint32_t window = last_not_after(length, start, before);
    ArcId mine = window + lane < length ? before(window + lane) : ~ArcId(0);
    ArcId next = window + 32 < length ? before(window + 32) : ~ArcId(0);
    // Where the list of this lane's vertex begins, less the arcs before it. Read once for each vertex, and not when its
    // arcs come, which would wait for it. With ids of 64 bits no register is left.
    constexpr bool finds_early = sizeof(V) == 4;
    ArcId base = 0;
    const auto find_list = [&] {
      if (finds_early && mine < start + size)
        base = graph.out_begin(vertex(window + lane)) - mine;
    };
    find_list();
    for (unsigned first = 0; first < size; first += 32 * several) {
      V us[several];
      ArcId es[several];
      each_of<several>([&](unsigned j) {
        const unsigned at = first + 32 * j + lane;
        const ArcId arc = start + at;
        bool open = at < size;
        us[j] = 0, es[j] = 0;
        while (true) {
          // Which of the 32 vertices of the window has the arc: the last with no more arcs before it.
          unsigned owner = 0;
          for (unsigned half = 16; half > 0; half /= 2) {
            const ArcId candidate = __shfl_sync(full_warp, mine, static_cast<int>((owner + half) % 32));
            owner += candidate <= arc ? half : 0;
          }
          const ArcId its = __shfl_sync(full_warp, finds_early ? base : mine, static_cast<int>(owner));
          if (open && arc < next) {
            us[j] = vertex(window + owner);
            es[j] = finds_early ? its + arc : graph.out_begin(us[j]) + (arc - its);
            open = false;
          }
          if (!__any_sync(full_warp, open))
            break;
          window += 32;
          // Vertices without arcs may fill many windows: leap over them.
          const unsigned some = static_cast<unsigned>(__ffs(static_cast<int>(__ballot_sync(full_warp, open))) - 1);
          const ArcId wanted = __shfl_sync(full_warp, arc, static_cast<int>(some));
          if (window + 32 < length && before(window + 32) <= wanted) {
            std::uint32_t far = length;
            while (far - window > 1) {
              const std::uint32_t middle = window + (far - window) / 2;
              if (before(middle) <= wanted)
                window = middle;
              else
                far = middle;
            }
          }
          mine = window + lane < length ? before(window + lane) : ~ArcId(0);
          next = window + 32 < length ? before(window + 32) : ~ArcId(0);
          find_list();
        }
      });
      visit(us, es, first + lane < size ? (size - first - lane + 31) / 32 : 0, start + first + lane);
    }
  }
}

/// Calls visit(u, e, place) for every arc out of the listed vertices, each thread for as many; after_step() after each
/// step of a warp. The rest as above.
template <class V, class Team, class Before, class Vertex, class Visit, class AfterStep>
__device__ void gather_places(const Team &team, const gc::Graph<V> &graph, std::uint32_t length, ArcId arcs,
                              Before before, Vertex vertex, Visit visit, AfterStep after_step) {
  gather_several<1>(team, graph, length, arcs, before, vertex,
                    [&](const V(&us)[1], const ArcId(&es)[1], unsigned count, ArcId place) {
                      if (count > 0)
                        visit(us[0], es[0], place);
                      after_step();
                    });
}

/// The same with visit(u, e).
template <class V, class Team, class Before, class Vertex, class Visit, class AfterStep>
__device__ void gather(const Team &team, const gc::Graph<V> &graph, std::uint32_t length, ArcId arcs, Before before,
                       Vertex vertex, Visit visit, AfterStep after_step) {
  gather_places<V>(
      team, graph, length, arcs, before, vertex, [&](V u, ArcId e, ArcId) { visit(u, e); }, after_step);
}

/// The same where no list is long: as many neighbouring lanes for each vertex as it has arcs on average.
template <class V, class Team, class Visit, class AfterStep>
__device__ void gather_short(const Team &team, const gc::Graph<V> &graph, const V *items, std::uint64_t length,
                             ArcId arcs, Visit visit, AfterStep after_step) {
  unsigned shift = 0;
  while (shift < 5 && length << shift < arcs)
    ++shift;
  for (std::uint64_t first = team.rank() / 32 * 32; first < length << shift; first += team.size()) {
    const std::uint64_t i = (first + lane_of_warp()) >> shift;
    V u = 0;
    ArcId at = 0, end = 0;
    if (i < length) {
      u = items[i];
      at = graph.out_begin(u) + (lane_of_warp() & ((1u << shift) - 1));
      end = graph.out_end(u);
    }
    while (__any_sync(full_warp, at < end)) {
      if (at < end)
        visit(u, at);
      at += 1u << shift;
      after_step();
    }
  }
}

} // namespace cuda
} // namespace gc

#endif
