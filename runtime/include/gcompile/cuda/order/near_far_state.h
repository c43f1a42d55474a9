// The near-far lists of an ordered propagate: their state, which one round hands to the next, and how threads collect.
#ifndef GCOMPILE_CUDA_ORDER_NEAR_FAR_STATE_H
#define GCOMPILE_CUDA_ORDER_NEAR_FAR_STATE_H

#include <gcompile/core/numeric.h>
#include <gcompile/core/priority_levels.h>
#include <gcompile/cuda/sets/queue.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gc {
namespace cuda {

namespace detail {

/// Priorities are compared by their keys, with a limit that may lie beyond all of them.
template <class P> using Limit = typename Precedence<P>::Key;
template <class P> using Priority = typename Precedence<P>::Value;

/// What the near-far loop carries on. Each block has the same copy.
template <class P> struct NearFarState {
  std::uint64_t size;
  ArcId arcs;
  Limit<P> limit; ///< near: below
  std::uint64_t current, far, turn, split;
  std::uint64_t has_long; ///< a list of the near vertices may be long
  std::uint64_t far_size; ///< while the near list is empty

  /// All vertices to start from are far.
  __device__ static NearFarState of(std::uint64_t starts) {
    NearFarState state = {};
    state.has_long = 1;
    state.limit = lowest<Limit<P>>();
    state.far_size = starts;
    return state;
  }
};

/// The vertices with whose final priority it ends.
template <class V> struct EndsView {
  const V *vertices = nullptr;
  unsigned size = 0;
  bool first = false; ///< of them, or with that of all
};

template <class V, class P> struct NearFarView {
  gc::Graph<V> graph;
  Priority<P> *priority;
  Limit<P> delta;
  Queue<V> lists[2];
  V *far[2];
  std::uint32_t *queued[2];
  std::uint32_t *waiting;                               // the members of the far list
  unsigned long long *tallies, *long_flags, *far_sizes; // 3, 3 and 2, taken in turn
  Limit<P> *least;                                      // 2, taken in turn
  unsigned *arrived;
  NearFarState<P> *state; // what few blocks leave to the others
};

template <class T> __device__ T limit_after(T least, T delta) {
  if constexpr (std::is_floating_point<T>::value)
    return least + delta;
  else
    return least > std::numeric_limits<T>::max() - delta ? std::numeric_limits<T>::max() : least + delta;
}

/// Sets a bit; whether it was not set.
template <class V> __device__ bool set_bit(std::uint32_t *words, V v) {
  const std::uint32_t bit = 1u << (v % 32);
  return !(gc::load(words[v / 32]) & bit) && !(atomicOr(&words[v / 32], bit) & bit);
}
template <class V> __device__ void reset_bit(std::uint32_t *words, V v) {
  atomicAnd(&words[v / 32], ~(1u << (v % 32)));
}

/// What a block collects for the two lists, and the block's copy of what the loop carries on.
template <class V, class P> struct NearFarMemory {
  OutboxMemory<V> &near, &far;
  NearFarState<P> &state;
};

/// Takes the vertices whose priority has improved.
template <class V, class P> class NearFarNext {
public:
  __device__ NearFarNext(const NearFarView<V, P> &view, const NearFarState<P> &state, unsigned slot,
                         const NearFarMemory<V, P> &memory, bool small)
      : f_(view), limit_(state.limit), queued_(view.queued[1 - state.current]),
        near_(view.graph,
              {view.lists[1 - state.current].items, view.lists[1 - state.current].before, &view.tallies[slot]},
              memory.near, small),
        far_(view.graph, {view.far[state.far], nullptr, &view.far_sizes[state.far]}, memory.far) {}
  __device__ void push(V v) { push(v, gc::load(f_.priority[v])); }
  /// Its priority is this or has improved further.
  __device__ void push(V v, Priority<P> priority) {
    if (Precedence<P>::key(priority) < limit_) {
      if (set_bit(queued_, v))
        near_.push(v);
    } else if (set_bit(f_.waiting, v)) {
      far_.push(v);
    }
  }
  __device__ void collect() {
    near_.collect();
    far_.collect();
  }
  /// Every thread of the block calls.
  __device__ void finish(unsigned slot) {
    near_.finish();
    far_.finish();
    if (__any_sync(full_warp, near_.has_long()) && lane_of_warp() == 0)
      gc::store(f_.long_flags[slot], 1ull);
  }

private:
  const NearFarView<V, P> &f_;
  Limit<P> limit_;
  std::uint32_t *queued_;
  Outbox<V> near_, far_;
};

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
