// What the one kernel of a loop has: its view of the host's memory, and what a block shares.
#ifndef GCOMPILE_CUDA_LOOP_MEMORY_H
#define GCOMPILE_CUDA_LOOP_MEMORY_H

#include <gcompile/cuda/kernels/share_out.h>
#include <gcompile/cuda/loop/frontier.h>
#include <gcompile/cuda/loop/host.h>
#include <gcompile/cuda/loop/sets.h>
#include <gcompile/cuda/order/kept_index.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gc {
namespace cuda {

/// The kernels that a loop calls.
template <class... Fs> struct Kernels {
  static constexpr bool by_lanes = (... || detail::ByLanes<Fs>::value);
  static constexpr bool walks_lists = (... || detail::WalksLists<Fs>::value);
  /// Of what a kernel counts; a place for anything.
  static constexpr std::size_t most_bytes =
      (std::max({std::size_t(1), sizeof(typename detail::PartsOf<Fs>::type)...}) + 15) / 16 * 16;
  /// Of pushes.
  static constexpr bool marks_claims = (... || detail::MarksClaims<Fs>::value);
  static constexpr bool culls = (... || detail::Culls<Fs>::value);
  template <class V>
  static constexpr std::size_t cull_bytes = std::max({std::size_t(1), sizeof(detail::CullMemory<V, Fs>)...});
};

namespace detail {

template <class Loop, class = void> struct NumSets { static constexpr unsigned value = 0; };
template <class Loop> struct NumSets<Loop, std::void_t<decltype(Loop::num_sets)>> {
  static constexpr unsigned value = Loop::num_sets;
};

/// Whether it runs propagates.
template <class Loop, class = void> struct Propagates { static constexpr bool value = false; };
template <class Loop> struct Propagates<Loop, std::void_t<decltype(Loop::propagates)>> {
  static constexpr bool value = Loop::propagates;
};
/// Whether it runs ordered propagates.
template <class Loop, class = void> struct Orders { static constexpr bool value = false; };
template <class Loop> struct Orders<Loop, std::void_t<decltype(Loop::orders)>> {
  static constexpr bool value = Loop::orders;
};
/// How many kept indices are its own: nobody else notes anything for them while they live.
template <class Loop, class = void> struct NumIndices { static constexpr unsigned value = 0; };
template <class Loop> struct NumIndices<Loop, std::void_t<decltype(Loop::num_indices)>> {
  static constexpr unsigned value = Loop::num_indices;
};
/// Whether its kernels go along the lists of single vertices, or are one thread's.
template <class Loop, class = void> struct ByOneList { static constexpr bool value = false; };
template <class Loop> struct ByOneList<Loop, std::void_t<decltype(Loop::by_one_list)>> {
  static constexpr bool value = Loop::by_one_list;
};
/// Whether a block may have parts of indices in its shared memory.
template <class Loop> struct HasIndices {
  static constexpr bool value = ByOneList<Loop>::value && NumIndices<Loop>::value > 0;
  static constexpr unsigned count = value ? NumIndices<Loop>::value : 1;
};
template <class V, class Loop> using FrontierOf = LoopFrontier<V, Loop::Kernels::template cull_bytes<V>>;

/// What the host provides for a loop.
template <class V, class Loop> struct LoopView {
  gc::Graph<V> graph;
  ArcId arcs;
  Members<V> hubs;
  unsigned hub_shares;         ///< of those for whole blocks
  unsigned most_shares;        ///< of all other vertices
  unsigned *arrived;           ///< at two kinds of barrier, and how often the second was passed
  unsigned *next_share;        ///< two that take turns
  void *parts;                 ///< one for each share
  void *merged;                ///< two that take turns: what they come to
  unsigned long long *tallies; ///< of DeviceSets
  LoopSet<V> sets[NumSets<Loop>::value > 0 ? NumSets<Loop>::value : 1];
  std::conditional_t<Propagates<Loop>::value, FrontierView<V>, NoKernel> frontier;
};

/// What a loop leaves.
template <class V, class Loop> struct LoopResult {
  typename Loop::Scalars scalars;
  LoopSet<V> sets[NumSets<Loop>::value > 0 ? NumSets<Loop>::value : 1];
};

/// What a block shares for ordered propagates besides an outbox of the sets; the state has one size for all types.
template <class V> struct LoopOrderMemory {
  OutboxMemory<V> far;
  alignas(8) unsigned char state[sizeof(NearFarState<std::int64_t>)];
};
/// What a block shares while a propagate runs.
template <class V, class Loop> union LoopRunMemory {
  std::conditional_t<Propagates<Loop>::value, LoopRoundsMemory<Loop::Kernels::template cull_bytes<V>>, NoKernel> rounds;
  std::conditional_t<Orders<Loop>::value, LoopOrderMemory<V>, NoKernel> order;
};

/// Of a loop's own index, where one block runs it: the upper levels of its tree, how many notes there are, and the
/// first of them.
template <class V> struct LoopIndexMemory {
  alignas(16) unsigned char entries[near_index_bytes];
  V vertices[256];
  unsigned count;
};

/// What a block shares.
template <class V, class Loop> struct LoopMemory {
  alignas(16) unsigned char parts[block_threads * Loop::Kernels::most_bytes];
  LoopSetMemory<V, NumSets<Loop>::value> sets;
  std::conditional_t<Propagates<Loop>::value, LoopFrontierMemory<V>, NoKernel> frontier;
  LoopRunMemory<V, Loop> run;
  Hubs<block_threads> hubs;
  std::conditional_t<HasIndices<Loop>::value, LoopIndexMemory<V>[HasIndices<Loop>::count], NoKernel> indices;
  unsigned share;
  bool last;
};

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
