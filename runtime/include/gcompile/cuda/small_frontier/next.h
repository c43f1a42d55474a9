// How a block collects its part of the next small frontier.
#ifndef GCOMPILE_CUDA_SMALL_FRONTIER_NEXT_H
#define GCOMPILE_CUDA_SMALL_FRONTIER_NEXT_H

#include <gcompile/cuda/frontier/propagate.h>
#include <gcompile/cuda/small_frontier/list.h>

#include <utility>

namespace gc {
namespace cuda {
namespace detail {

/// A push that says what it is going to read of a vertex: expect(v) asks for it.
template <class F, class V, class = void> struct Expects { static constexpr bool value = false; };
template <class F, class V>
struct Expects<F, V, std::void_t<decltype(std::declval<const F &>().expect(std::declval<V>()))>> {
  static constexpr bool value = true;
};

/// Collects the next list.
template <class V> class SmallNext {
public:
  __device__ SmallNext(const gc::Graph<V> &graph, SmallLists<V> &lists, unsigned which, SmallPart &found,
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
    if (added_arcs_ > 0 && place_ < SmallLists<V>::notes) {
      lists_.targets[place_] = targets;
      lists_.noted[which_][place_] = true;
    }
  }

private:
  /// The first arc of a vertex and what it adds to the tally: 0 if it cannot stay here.
  struct Arcs {
    ArcId first;
    std::uint32_t weight;
  };
  __device__ static Arcs arcs_of(ArcId first, ArcId end) {
    return {first, end - first <= short_list ? SmallTally::of(end - first) : 0};
  }
  __device__ Arcs arcs_of(V v) const { return arcs_of(graph_.out_begin(v), graph_.out_end(v)); }
  /// Where there is room; the tally of a full list if there is none. A tally never overflows: after it is full, each
  /// warp adds what it has in hand at most.
  __device__ std::uint32_t reserve(std::uint32_t sum) const {
    const std::uint32_t old = gc::load(found_.tally);
    if (SmallTally::length(old) >= small_capacity || SmallTally::arcs(old) > SmallTally::most_arcs)
      return small_capacity;
    return sum != 0 ? atomicAdd(&found_.tally, sum) : 0;
  }
  __device__ void put(V v, const Arcs &arcs, std::uint32_t at) {
    const std::uint32_t place = SmallTally::length(at);
    if (arcs.weight == 0 || place >= small_capacity) {
      outside_.append(graph_, v);
      atomicOr(&found_.grown, arcs.weight == 0 ? 3u : 1u);
      return;
    }
    lists_.items[which_][place] = SmallItem<V>::of(v, arcs.first, SmallTally::arcs(at), SmallTally::arcs(arcs.weight));
    if (place < SmallLists<V>::notes)
      lists_.noted[which_][place] = false;
    place_ = place;
    added_ = arcs.first;
    added_arcs_ = SmallTally::arcs(arcs.weight);
  }

  const gc::Graph<V> &graph_;
  SmallLists<V> &lists_;
  const unsigned which_;
  SmallPart &found_; // shared by the block
  const Queue<V> outside_;
  std::uint32_t *const queued_;
  V vertex_ = 0;
  bool has_ = false;
  V expected_ = none<V>();
  ArcId first_ = 0, end_ = 0; // arcs of the expected vertex
  ArcId added_ = 0;           // the first arc of the vertex added last
  std::uint32_t added_arcs_ = 0, place_ = 0;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
