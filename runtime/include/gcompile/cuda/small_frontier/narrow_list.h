// The frontier of narrow rounds: of each block a part, in its shared memory.
#ifndef GCOMPILE_CUDA_SMALL_FRONTIER_NARROW_LIST_H
#define GCOMPILE_CUDA_SMALL_FRONTIER_NARROW_LIST_H

#include <gcompile/cuda/device/cluster.h>
#include <gcompile/cuda/frontier/propagate.h>

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

/// The first targets of a vertex of the frontier, read while the blocks wait for each other.
template <class V> struct FirstTargets {
  static constexpr unsigned count = 4;
  V v[count];
};

/// What a block has found in a round.
struct alignas(8) NarrowPart {
  std::uint32_t tally;
  std::uint32_t grown; ///< whether something went to the list in memory; 3: with a long list of arcs

  /// Vertices in the block's list.
  __device__ std::uint32_t size() const {
    const std::uint32_t length = NarrowTally::length(tally);
    return length < narrow_capacity ? length : narrow_capacity;
  }
  /// What the block's threads need to walk it.
  __device__ std::uint32_t steps(unsigned threads) const {
    const std::uint32_t arcs = NarrowTally::arcs(tally);
    return ((arcs > size() ? arcs : size()) + threads - 1) / threads;
  }
};

/// A block's own: of this round, of the last, and one being cleared.
struct NarrowParts {
  NarrowPart of_turn[3];
};

/// What all blocks have found in a round.
struct NarrowSum {
  std::uint32_t size, arcs;
  bool grown;  ///< something went to the list in memory
  bool uneven; ///< one has more than its threads should walk alone
};

/// What a block keeps in its shared memory: its part of the frontier, and of the next. Other blocks may read the items,
/// what is noted is for the block's own threads.
template <class V> struct NarrowLists {
  static constexpr unsigned notes = 8192 / sizeof(FirstTargets<V>); ///< vertices whose first targets have a place
  NarrowItem<V> items[2][narrow_capacity];
  FirstTargets<V> targets[notes];
  bool noted[2][notes]; ///< of each part, whose first targets are there

  /// The first targets of the i-th vertex of a part; nullptr: they are not noted.
  __device__ const V *targets_of(unsigned which, std::uint32_t i) const {
    return i < notes && noted[which][i] ? targets[i].v : nullptr;
  }
};

/// The blocks of one cluster, which see each other's shared memory and meet at a barrier in hardware. Best for few
/// vertices: more would wait for the few multiprocessors.
template <class V> class InCluster {
public:
  static constexpr unsigned threads = block_threads, most_blocks = 16;
  static constexpr std::uint32_t most_steps = 1; ///< of a block that walks its own part
  /// Arcs of a frontier that this is best for.
  GCOMPILE_HD static constexpr EdgeId most_arcs(unsigned blocks) { return EdgeId(blocks) * threads / 2; }
  struct Memory {
    NarrowLists<V> lists;
    NarrowPart inbox[2][most_blocks]; // what each block has found, in this round and in the last
  };
  /// What the host provides.
  struct View {};

  __device__ InCluster(const View &, Memory &memory) : memory_(memory) {
    cluster_.sync(); // a block's shared memory is there once it has begun
  }
  __device__ unsigned blocks() const { return cluster_.blocks(); }
  __device__ unsigned rank() const { return cluster_.rank(); }
  __device__ unsigned size() const { return cluster_.size(); }
  __device__ NarrowLists<V> &lists() const { return memory_.lists; }
  /// Lets other blocks read this one's list and what it has found. Every thread calls.
  __device__ void share(unsigned, const NarrowPart &) const {}
  /// A vertex of any block's list that is shared.
  __device__ NarrowItem<V> item(unsigned which, unsigned block, unsigned place) const {
    return cluster_.at(block, memory_.lists.items[which][place]);
  }
  /// Tells all blocks what this one has found; its threads have met. Every thread calls, and then settle().
  __device__ void post(const NarrowPart &found, Order) {
    slot_ = 1 - slot_;
    if (threadIdx.x < blocks())
      cluster_.at(threadIdx.x, memory_.inbox[slot_][blockIdx.x]) = found;
    cluster_.arrive(); // in any case with order: what is found is in the shared memory of others
  }
  __device__ NarrowSum settle(Order) {
    cluster_.wait();
    __syncthreads(); // what was done meanwhile was done after the arrival
    const NarrowPart part = lane_of_warp() < blocks() ? found(lane_of_warp()) : NarrowPart{0, 0};
    const std::uint32_t arcs = NarrowTally::arcs(part.tally), size = part.size();
    return {warp_sum(size), warp_sum(arcs), __any_sync(full_warp, part.grown != 0) != 0,
            __any_sync(full_warp, part.steps(threads) > most_steps) != 0};
  }
  /// What a block has posted in the last meeting with order, or shared since.
  __device__ NarrowPart found(unsigned block) const { return memory_.inbox[slot_][block]; }
  __device__ void sync() { cluster_.sync(); }

private:
  Memory &memory_;
  Cluster cluster_;
  unsigned slot_ = 0; // of the inbox
};

/// Blocks on many multiprocessors. They meet at words in memory that add up what they have found.
template <class V> class Scattered {
public:
  static constexpr unsigned threads = 2 * block_threads, most_blocks = 64;
  static constexpr std::uint32_t most_steps = 1;
  GCOMPILE_HD static constexpr EdgeId most_arcs(unsigned blocks) { return EdgeId(blocks) * threads; }
  struct Memory {
    NarrowLists<V> lists;
    NarrowSum sum;
    unsigned long long seen[3]; // of each word, when all blocks had added to it
  };
  struct View {
    NarrowItem<V> *items; ///< 2 * most_blocks * narrow_capacity
    NarrowPart *inbox;    ///< 2 * most_blocks
    MeetingPoints *meeting;
  };

  __device__ Scattered(const View &view, Memory &memory)
      : view_(view), memory_(memory), team_(gridDim.x, &view.meeting->narrow) {
    if (threadIdx.x == 0)
      memory_.seen[0] = memory_.seen[1] = memory_.seen[2] = 0;
  }
  __device__ unsigned blocks() const { return gridDim.x; }
  __device__ unsigned rank() const { return team_.rank(); }
  __device__ unsigned size() const { return team_.size(); }
  __device__ NarrowLists<V> &lists() const { return memory_.lists; }
  __device__ void share(unsigned which, const NarrowPart &part) {
    publish(part);
    for (std::uint32_t i = threadIdx.x; i < part.size(); i += blockDim.x)
      shared(blockIdx.x)[i] = memory_.lists.items[which][i];
    team_.sync();
  }
  __device__ NarrowItem<V> item(unsigned, unsigned block, unsigned place) const { return shared(block)[place]; }
  __device__ void post(const NarrowPart &found, Order order) {
    turn_ = turn_ == 2 ? 0 : turn_ + 1;
    if (order == Order::release_acquire)
      publish(found);
    if (threadIdx.x == 0)
      arrive(&view_.meeting->narrow_rounds[turn_], Meeting::of(found), order);
  }
  /// A word is never reset, which would have to be ordered: what it has grown by since its last turn, mod 2^64, is the
  /// sum of this one, whose fields have room for all blocks. Nobody adds to it for its next turn before all have seen
  /// this one's sum, since all have come to two meetings in between, and to the first of them after they had seen it.
  __device__ NarrowSum settle(Order order) {
    if (threadIdx.x == 0) {
      const unsigned long long *const word = &view_.meeting->narrow_rounds[turn_];
      const unsigned long long seen = memory_.seen[turn_];
      unsigned long long grown = arrivals(word, order) - seen;
      for (; Meeting::blocks(grown) < gridDim.x; grown = arrivals(word, order) - seen)
        pause();
      memory_.seen[turn_] = seen + grown;
      memory_.sum = Meeting::sum(grown);
    }
    __syncthreads();
    return memory_.sum;
  }
  __device__ NarrowPart found(unsigned block) const { return view_.inbox[slot_ * most_blocks + block]; }
  __device__ void sync() { team_.sync(); }

private:
  /// From the lowest bit: the blocks that have come (7), how many of them have grown (7) and have too much (7), the
  /// vertices (17), the arcs (26).
  struct Meeting {
    __device__ static unsigned long long of(const NarrowPart &found) {
      return 1ull | (found.grown != 0 ? 1ull << 7 : 0) | (found.steps(threads) > most_steps ? 1ull << 14 : 0) |
             static_cast<unsigned long long>(found.size()) << 21 |
             static_cast<unsigned long long>(NarrowTally::arcs(found.tally)) << 38;
    }
    __device__ static unsigned blocks(unsigned long long grown) { return grown & 127; }
    __device__ static NarrowSum sum(unsigned long long grown) {
      return {static_cast<std::uint32_t>(grown >> 21 & 0x1ffff), static_cast<std::uint32_t>(grown >> 38),
              (grown >> 7 & 127) != 0, (grown >> 14 & 127) != 0};
    }
  };
  /// For others to read after the meeting, or sync(), with order that follows. Before they came to the one that
  /// followed the last publish(), they had read what stood in this slot.
  __device__ void publish(const NarrowPart &found) {
    slot_ = 1 - slot_;
    if (threadIdx.x == 0)
      view_.inbox[slot_ * most_blocks + blockIdx.x] = found;
  }
  __device__ NarrowItem<V> *shared(unsigned block) const {
    return view_.items + std::size_t(slot_ * most_blocks + block) * narrow_capacity;
  }

  const View view_;
  Memory &memory_;
  Team team_;
  unsigned turn_ = 0; // of the words
  unsigned slot_ = 0; // of what others read
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
  __device__ NarrowNext(const gc::Graph<V> &graph, NarrowLists<V> &lists, unsigned which, NarrowPart &found,
                        const Queue<V> &outside, std::uint32_t *queued)
      : graph_(graph), lists_(lists), which_(which), found_(found), outside_(outside), queued_(queued) {}
  /// v may be pushed in this step: where its list is, is read beside what the claim reads.
  __device__ void expect(V v) {
    expected_ = v;
    first_ = graph_.out_begin(v);
    end_ = graph_.out_end(v);
  }
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
      arcs = vertex_ == expected_ ? arcs_of(first_, end_) : arcs_of(vertex_);
    const std::uint32_t sum = warp_prefix_sum(arcs.weight);
    std::uint32_t at = 0;
    if (lane_of_warp() == 31)
      at = reserve(sum);
    at = __shfl_sync(full_warp, at, 31) + sum - arcs.weight;
    if (has_)
      put(vertex_, arcs, at);
    has_ = false;
  }

  /// Notes the first neighbours of the vertex that this thread has added last, and asks for what the next round reads
  /// there: memory works while the blocks wait for each other. The block's threads have met.
  template <class Push> __device__ void look_ahead([[maybe_unused]] const Push &push) const {
    FirstTargets<V> targets;
    for (unsigned k = 0; k < targets.count; ++k)
      targets.v[k] = k < added_arcs_ ? graph_.target(added_ + k) : V(0);
    if constexpr (Expects<Push, V>::value) {
      for (unsigned k = 0; k < targets.count; ++k)
        if (k < added_arcs_)
          push.expect(targets.v[k]);
    }
    if (added_arcs_ > 0 && place_ < NarrowLists<V>::notes) {
      lists_.targets[place_] = targets;
      lists_.noted[which_][place_] = true;
    }
  }

private:
  /// The first arc of a vertex and what it adds to the tally: 0 if it cannot stay here.
  struct Arcs {
    EdgeId first;
    std::uint32_t weight;
  };
  __device__ static Arcs arcs_of(EdgeId first, EdgeId end) {
    return {first, end - first <= short_list ? NarrowTally::of(end - first) : 0};
  }
  __device__ Arcs arcs_of(V v) const { return arcs_of(graph_.out_begin(v), graph_.out_end(v)); }
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
    lists_.items[which_][place] =
        NarrowItem<V>::of(v, arcs.first, NarrowTally::arcs(at), NarrowTally::arcs(arcs.weight));
    if (place < NarrowLists<V>::notes)
      lists_.noted[which_][place] = false;
    place_ = place;
    added_ = arcs.first;
    added_arcs_ = NarrowTally::arcs(arcs.weight);
  }

  const gc::Graph<V> &graph_;
  NarrowLists<V> &lists_;
  const unsigned which_;
  NarrowPart &found_; // shared by the block
  const Queue<V> outside_;
  std::uint32_t *const queued_;
  V vertex_ = 0;
  bool has_ = false;
  V expected_ = none<V>();
  EdgeId first_ = 0, end_ = 0; // arcs of the expected vertex
  EdgeId added_ = 0;           // the first arc of the vertex added last
  std::uint32_t added_arcs_ = 0, place_ = 0;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
