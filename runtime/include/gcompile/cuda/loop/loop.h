// Loops of kernels: one cooperative kernel runs them, and what the host would do between them.
//
// The loop of a program is an object L: `loop(device, scalars)`. Where it runs in every thread of a kernel, all threads
// go the same way, since all have the same scalars, and make the calls of `device` together. Sets of vertices have
// numbers, less than L::num_sets; calls that make a set give its number.
#ifndef GCOMPILE_CUDA_LOOP_LOOP_H
#define GCOMPILE_CUDA_LOOP_LOOP_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/loop/device.h>
#include <gcompile/cuda/loop/host.h>
#include <gcompile/cuda/loop/walks.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {
namespace cuda {

/// Which side goes from one kernel of a loop to the next; `either`: the device in small graphs. L::by_sets says that
/// all kernels go by sets of vertices, L::propagates that there are propagates, L::orders that there are ordered ones.
enum class LoopOn { either, device, host };

namespace detail {

/// Up to so many vertices and arcs, or pairs, starting kernels takes longer than what a kernel of its own does better;
/// sets become small, and then that is so in larger graphs. The kernels of a propagate do much better where many of
/// its rounds have a small frontier, as on meshes.
constexpr std::uint64_t most_loop_work = std::uint64_t(1) << 22, most_loop_work_by_sets = std::uint64_t(1) << 26,
                        most_loop_work_of_propagates = std::uint64_t(1) << 16;

/// Where all kernels go along one list each, blocks that meet take longer than one block does with a list of so many
/// arcs.
constexpr std::uint64_t longest_list_of_one_block = 2048;

template <class Loop, class = void> struct BySets { static constexpr bool value = false; };
template <class Loop> struct BySets<Loop, std::void_t<decltype(Loop::by_sets)>> {
  static constexpr bool value = Loop::by_sets;
};

/// A kernel may declare 48 KiB of shared memory; what it calls declares some, a little for each type of value.
template <class V, class Loop> struct FitsShared {
  static constexpr bool value = sizeof(LoopMemory<V, Loop>) + sizeof(LongLists) <= 46 * 1024;
};

template <class L, class = void> struct OverPairs { static constexpr bool value = false; };
template <class L> struct OverPairs<L, std::void_t<decltype(L::over_pairs)>> {
  static constexpr bool value = L::over_pairs;
};

/// Whether it runs propagates of any kind.
template <class Loop> struct RunsPropagates {
  static constexpr bool value = Propagates<Loop>::value || Orders<Loop>::value;
};

/// At most 64 registers, with propagates 128: what several kernels need together fits, and the graphs are small.
template <unsigned count, class V, class Loop>
__global__ void __launch_bounds__(block_threads, RunsPropagates<Loop>::value ? 2 : 4)
    loop_kernel(const __grid_constant__ LoopView<V, Loop> view, const __grid_constant__ Loop loop,
                typename Loop::Scalars scalars, LoopResult<V, Loop> *result) {
  using Memory = LoopMemory<V, Loop>;
  GCOMPILE_CUDA_SHARED(Memory, memory);
  LoopDevice<V, count, Loop> device(view, memory);
  loop(device, scalars);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    result->scalars = scalars;
    device.leave(*result);
  }
}

/// The host's memory for what loops leave.
inline HostRoom &loop_results() {
  static HostRoom *memory = new HostRoom; // as long as the process
  return *memory;
}

/// What a kernel has left in the memory of some sets is theirs; it may have changed whose memory is which.
template <class V>
void take_back(const std::vector<VertexSet<V> *> &sets, const LoopSet<V> *lent, const LoopSet<V> *left) {
  std::vector<VertexSet<V>> memory;
  for (VertexSet<V> *set : sets)
    memory.push_back(std::move(*set));
  for (std::size_t i = 0; i < sets.size(); ++i) {
    std::size_t whose = 0;
    while (lent[whose].words != left[i].words)
      ++whose;
    *sets[i] = std::move(memory[whose]);
    sets[i]->take_back(left[i]);
  }
}

template <class V, class Loop>
typename Loop::Scalars run_on_device(const Graph<V> &graph, const Loop &loop, const typename Loop::Scalars &scalars,
                                     const std::vector<VertexSet<V> *> &sets, [[maybe_unused]] Frontier<V> *frontier) {
  using Kernels = typename Loop::Kernels;
  constexpr std::size_t bytes = Kernels::most_bytes;
  LoopView<V, Loop> view = {};
  view.graph = graph.view();
  view.arcs = graph.num_arcs();
  if (Kernels::by_lanes)
    view.hubs = hubs_of(graph, {nullptr, graph.num_vertices()});
  view.hub_shares = blocks_for_hubs(view.hubs);
  view.most_shares = multiprocessors() * 32;
  Buffer<unsigned> counters(5);
  counters.clear_bytes();
  view.arrived = counters.data();
  view.next_share = counters.data() + 3;
  Buffer<unsigned long long> tallies(3);
  tallies.clear_bytes();
  view.tallies = tallies.data();
  for (std::size_t i = 0; i < sets.size(); ++i)
    view.sets[i] = sets[i]->lend(graph);
  if constexpr (Propagates<Loop>::value)
    view.frontier = frontier->lend(Kernels::marks_claims, Kernels::culls);
  const std::uint64_t n = graph.num_vertices();
  const std::uint64_t threads =
      OverPairs<Loop>::value ? n * n : n * (graph.is_dense() ? 8 : 2) + view.hub_shares * block_threads;
  const auto launch = [&](auto kernel, unsigned resident) {
    const bool one_block = ByOneList<Loop>::value && graph.num_arcs() / longest_list_of_one_block <= n;
    const unsigned blocks = one_block ? 1 : std::min(resident, blocks_for(threads));
    Buffer<unsigned char> parts((std::max(view.hub_shares + view.most_shares, blocks) + 2) * bytes);
    view.merged = parts.data();
    view.parts = parts.data() + 2 * bytes;
    loop_results().reserve(sizeof(LoopResult<V, Loop>));
    auto *const result = static_cast<LoopResult<V, Loop> *>(loop_results().data());
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE(kernel, blocks, block_threads, view, loop, scalars, result);
    check(cudaGetLastError(), "cannot start a kernel");
    synchronize();
    take_back(sets, view.sets, result->sets);
    return result->scalars;
  };
  constexpr unsigned few = Kernels::by_lanes ? 2 : 8; // where no kernel goes by lanes, both are one
  const auto of_dense = loop_kernel<8, V, Loop>, of_sparse = loop_kernel<few, V, Loop>;
  static const unsigned dense = resident_blocks(of_dense, block_threads);
  static const unsigned sparse = resident_blocks(of_sparse, block_threads);
  return graph.is_dense() ? launch(of_dense, dense) : launch(of_sparse, sparse);
}

} // namespace detail

/// Runs a loop of kernels, of which the host has so many of the sets; gives the scalars as it leaves them. The host
/// runs it where kernels count so much for each thread that a block's shared memory does not hold it beside the rest.
/// `frontier` is for its propagates, which L::propagates says that it has.
template <class V, class Loop>
typename Loop::Scalars run_loop(const Graph<V> &graph, const Loop &loop, typename Loop::Scalars scalars,
                                LoopOn where = LoopOn::either, std::initializer_list<VertexSet<V> *> given = {},
                                Frontier<V> *frontier = nullptr) {
  std::vector<VertexSet<V> *> sets(given);
  std::vector<VertexSet<V>> own(detail::NumSets<Loop>::value - sets.size());
  for (VertexSet<V> &set : own)
    sets.push_back(&set);
  if constexpr (detail::FitsShared<V, Loop>::value) {
    const std::uint64_t n = graph.num_vertices(), work = detail::OverPairs<Loop>::value ? n * n : n + graph.num_arcs();
    const std::uint64_t most = detail::Propagates<Loop>::value ? detail::most_loop_work_of_propagates
                               : detail::BySets<Loop>::value   ? detail::most_loop_work_by_sets
                                                               : detail::most_loop_work;
    const bool streams = Loop::Kernels::walks_lists && graph.list_room(); // copies that the host begins
    const bool pays = work <= most && !streams;
    if (where == LoopOn::device || (where == LoopOn::either && pays))
      return detail::run_on_device(graph, loop, scalars, sets, frontier);
  }
  LoopHost<V> host(graph, sets.data(), frontier);
  loop(host, scalars);
  return scalars;
}

} // namespace cuda
} // namespace gc

#endif
