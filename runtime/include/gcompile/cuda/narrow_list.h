// The frontier of narrow rounds: of each block a part, in the shared memory of a cluster or in the device's memory.
#ifndef GCOMPILE_CUDA_NARROW_LIST_H
#define GCOMPILE_CUDA_NARROW_LIST_H

#include <gcompile/cuda/cluster.h>
#include <gcompile/cuda/propagate.h>

#include <utility>

namespace gc {
namespace cuda {
namespace detail {

/// Vertices of a block's part.
constexpr unsigned narrow_capacity = 4 * block_threads;

/// What a block has found, counted in one word: how many vertices, and the arcs out of them.
struct NarrowTally {
  static constexpr unsigned length_bits = 13;
  /// Arcs of one block that the sum over all blocks has room for.
  static constexpr std::uint32_t most_arcs = (1u << 13) - 1;
  __device__ static std::uint32_t of(EdgeId arcs) { return static_cast<std::uint32_t>(arcs) << length_bits | 1; }
  __device__ static std::uint32_t length(std::uint32_t tally) { return tally & ((1u << length_bits) - 1); }
  __device__ static std::uint32_t arcs(std::uint32_t tally) { return tally >> length_bits; }
};

/// A vertex of the frontier with its first arc (35 bits), the arcs before it in its block's part (17) and its own (7).
template <class V> struct alignas(16) NarrowItem {
  std::uint64_t packed;
  V v;
  __device__ static NarrowItem of(V v, EdgeId first, std::uint32_t before, std::uint32_t own) {
    return {first << 24 | before << 7 | own, v};
  }
  __device__ EdgeId first() const { return packed >> 24; }
  __device__ std::uint32_t before() const { return packed >> 7 & 0x1ffff; }
  __device__ std::uint32_t own() const { return packed & 0x7f; }
};

/// What a block has found in a round.
struct alignas(8) NarrowPart {
  std::uint32_t tally;
  std::uint32_t grown; ///< whether something went to the list in memory; 3: with a long list of arcs
};

/// A block's own: of this round, of the last, and one being cleared.
struct NarrowParts {
  NarrowPart of_turn[3];
};

/// Two lists that take turns, in the shared memory of one cluster, whose blocks meet at a barrier in hardware. Best for
/// few vertices: more would wait for the few multiprocessors.
template <class V> class InCluster {
public:
  static constexpr unsigned threads = block_threads, most_blocks = 16;
  /// Arcs of a frontier that this is best for.
  GCOMPILE_HD static constexpr EdgeId most_arcs(unsigned blocks) { return EdgeId(blocks) * threads / 2; }
  struct Memory {
    NarrowItem<V> items[2][narrow_capacity];
    NarrowPart inbox[2][most_blocks]; // what each block has found
  };
  /// What the host provides.
  struct View {};

  __device__ InCluster(const View &, Memory &memory) : memory_(memory) {
    cluster_.sync(); // a block's shared memory is there once it has begun
  }
  __device__ unsigned blocks() const { return cluster_.blocks(); }
  __device__ unsigned rank() const { return cluster_.rank(); }
  __device__ unsigned size() const { return cluster_.size(); }
  /// The part of this block, and a vertex of any.
  __device__ NarrowItem<V> *part(unsigned which) const { return memory_.items[which]; }
  __device__ NarrowItem<V> item(unsigned which, unsigned block, unsigned place) const {
    return cluster_.at(block, memory_.items[which][place]);
  }
  /// Tells all blocks what this one has found; its threads have met. Every thread calls, and then settle().
  __device__ void post(unsigned which, const NarrowPart &found) {
    if (threadIdx.x < blocks())
      cluster_.at(threadIdx.x, memory_.inbox[which][blockIdx.x]) = found;
    cluster_.arrive();
  }
  __device__ void settle() { cluster_.wait(); }
  /// What a block has posted.
  __device__ NarrowPart found(unsigned which, unsigned block) const { return memory_.inbox[which][block]; }
  __device__ void sync() { cluster_.sync(); }

private:
  Memory &memory_;
  Cluster cluster_;
};

/// The same in memory, for blocks on many multiprocessors. They meet at a counter.
template <class V> class Scattered {
public:
  static constexpr unsigned threads = 2 * block_threads, most_blocks = 64;
  GCOMPILE_HD static constexpr EdgeId most_arcs(unsigned blocks) { return EdgeId(blocks) * threads; }
  struct Memory {};
  struct View {
    NarrowItem<V> *items; ///< 2 * most_blocks * narrow_capacity
    NarrowPart *inbox;    ///< 2 * most_blocks
    unsigned *arrived;    ///< 0 when the kernel starts
  };

  __device__ Scattered(const View &view, Memory &) : view_(view), team_(gridDim.x, view.arrived) {}
  __device__ unsigned blocks() const { return gridDim.x; }
  __device__ unsigned rank() const { return team_.rank(); }
  __device__ unsigned size() const { return team_.size(); }
  __device__ NarrowItem<V> *part(unsigned which) const { return part(which, blockIdx.x); }
  __device__ NarrowItem<V> item(unsigned which, unsigned block, unsigned place) const {
    return part(which, block)[place];
  }
  __device__ void post(unsigned which, const NarrowPart &found) {
    if (threadIdx.x != 0)
      return;
    view_.inbox[which * most_blocks + blockIdx.x] = found;
    team_.arrive();
  }
  __device__ void settle() {
    if (threadIdx.x == 0)
      team_.wait();
    __syncthreads();
  }
  __device__ NarrowPart found(unsigned which, unsigned block) const { return view_.inbox[which * most_blocks + block]; }
  __device__ void sync() { team_.sync(); }

private:
  __device__ NarrowItem<V> *part(unsigned which, unsigned block) const {
    return view_.items + std::size_t(which * most_blocks + block) * narrow_capacity;
  }

  const View view_;
  Team team_;
};

/// A push that says what it is going to read of a vertex: expect(v) asks for it.
template <class F, class V, class = void> struct Expects { static constexpr bool value = false; };
template <class F, class V>
struct Expects<F, V, std::void_t<decltype(std::declval<const F &>().expect(std::declval<V>()))>> {
  static constexpr bool value = true;
};

/// Collects the next list.
template <class V> class NarrowNext {
public:
  __device__ NarrowNext(const gc::Graph<V> &graph, NarrowItem<V> *items, NarrowPart &found, const Queue<V> &outside,
                        std::uint32_t *queued)
      : graph_(graph), items_(items), found_(found), outside_(outside), queued_(queued) {}
  /// As gc::claim. The vertex is likely to be won: a look before only takes time.
  template <class T>
  __device__ bool claim(T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) const {
    if constexpr (gc::detail::is_word<T>)
      return gc::detail::exchange_word(target, expected, desired, false);
    else
      return gc::claim(target, expected, desired);
  }
  template <class T>
  __device__ bool claim(V, T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) const {
    return claim(target, expected, desired);
  }
  /// Where several may win, one may.
  template <class... Arguments> __device__ bool claim_shared(Arguments &&...arguments) const {
    return claim(std::forward<Arguments>(arguments)...);
  }
  /// For one thread; cheapest if it is called once in each step.
  __device__ void push(V v) {
    if (has_) {
      const Arcs arcs = arcs_of(v);
      put(v, arcs, reserve(arcs.weight));
    } else {
      vertex_ = v;
    }
    has_ = true;
  }
  __device__ void push_once(V v) {
    std::uint32_t *const word = &queued_[v / 32];
    const std::uint32_t bit = 1u << (v % 32);
    if (!(gc::load(*word) & bit) && !(atomicOr(word, bit) & bit))
      push(v);
  }
  /// After each step of a warp, all of whose lanes call.
  __device__ void collect() {
    if (!__any_sync(full_warp, has_))
      return;
    Arcs arcs = {0, 0};
    if (has_)
      arcs = arcs_of(vertex_);
    const std::uint32_t sum = warp_prefix_sum(arcs.weight);
    std::uint32_t at = 0;
    if (lane_of_warp() == 31)
      at = reserve(sum);
    at = __shfl_sync(full_warp, at, 31) + sum - arcs.weight;
    if (has_)
      put(vertex_, arcs, at);
    has_ = false;
  }

  /// Asks for what the next round reads at the first neighbours of the vertex that this thread has added last: memory
  /// works while the blocks wait for each other.
  template <class Push> __device__ void look_ahead([[maybe_unused]] const Push &push) const {
    if constexpr (Expects<Push, V>::value) {
      V ahead[4];
      for (unsigned k = 0; k < 4; ++k)
        if (k < added_arcs_)
          ahead[k] = graph_.target(added_ + k);
      for (unsigned k = 0; k < 4; ++k)
        if (k < added_arcs_)
          push.expect(ahead[k]);
    }
  }

private:
  /// The first arc of a vertex and what it adds to the tally: 0 if it cannot stay here.
  struct Arcs {
    EdgeId first;
    std::uint32_t weight;
  };
  __device__ Arcs arcs_of(V v) const {
    const EdgeId first = graph_.out_begin(v), count = graph_.out_end(v) - first;
    return {first, count <= short_list ? NarrowTally::of(count) : 0};
  }
  /// Where there is room; the tally of a full list if there is none. A tally never overflows: after it is full, each
  /// warp adds what it has in hand at most.
  __device__ std::uint32_t reserve(std::uint32_t sum) const {
    const std::uint32_t old = gc::load(found_.tally);
    if (NarrowTally::length(old) >= narrow_capacity || NarrowTally::arcs(old) > NarrowTally::most_arcs)
      return narrow_capacity;
    return sum != 0 ? atomicAdd(&found_.tally, sum) : 0;
  }
  __device__ void put(V v, const Arcs &arcs, std::uint32_t at) {
    const std::uint32_t place = NarrowTally::length(at);
    if (arcs.weight == 0 || place >= narrow_capacity) {
      outside_.append(graph_, v);
      atomicOr(&found_.grown, arcs.weight == 0 ? 3u : 1u);
      return;
    }
    items_[place] = NarrowItem<V>::of(v, arcs.first, NarrowTally::arcs(at), NarrowTally::arcs(arcs.weight));
    added_ = arcs.first;
    added_arcs_ = NarrowTally::arcs(arcs.weight);
  }

  const gc::Graph<V> &graph_;
  NarrowItem<V> *const items_;
  NarrowPart &found_; // shared by the block
  const Queue<V> outside_;
  std::uint32_t *const queued_;
  V vertex_ = 0;
  bool has_ = false;
  EdgeId added_ = 0; // the first arc of the vertex added last
  std::uint32_t added_arcs_ = 0;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
