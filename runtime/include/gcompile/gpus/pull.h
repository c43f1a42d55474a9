// Pulling on one of several devices: every own vertex that may still change looks for active neighbours, among own
// vertices and copies. cuda/pull/pull.h says what a kernel offers that is taken apart; here such a one is done with its
// first success.
#ifndef GCOMPILE_GPUS_PULL_H
#define GCOMPILE_GPUS_PULL_H

#include <gcompile/cuda/pull/pull.h>
#include <gcompile/gpus/marks.h>

#include <cstdint>

namespace gc {
namespace gpus {
namespace detail {

template <class V> using Current = cuda::detail::CurrentBits<V>;

/// The arcs from `at` to `end` by all lanes of a warp, for the vertex v of one lane, `owner`, which alone makes calls;
/// whether v is done.
template <class V, class F>
__device__ bool pull_together(const F &f, const gc::Graph<V> &graph, const Current<V> &current, V v, unsigned owner,
                              ArcId at, ArcId end, std::int32_t round, cuda::detail::OwnBit &next) {
  const unsigned lane = cuda::lane_of_warp();
  for (; at < end; at += 32) {
    const V u = at + lane < end ? graph.in_source(at + lane) : V(0);
    for (unsigned hits = __ballot_sync(cuda::full_warp, at + lane < end && current.contains(u)); hits;
         hits &= hits - 1) {
      const V source = __shfl_sync(cuda::full_warp, u, __ffs(static_cast<int>(hits)) - 1);
      const bool done = lane == owner && f(source, v, round, next);
      if (__any_sync(cuda::full_warp, done))
        return true;
    }
  }
  return false;
}

/// A lane for each of 32 vertices; where its list is long, and it is not done soon, the whole warp goes on.
template <class V, class F>
__device__ cuda::detail::OwnBit pull_first(const F &f, const gc::Graph<V> &graph, const Current<V> &current, V v,
                                           bool looks, std::int32_t round) {
  cuda::detail::OwnBit next;
  ArcId at = looks ? graph.in_begin(v) : 0;
  const ArcId end = looks ? graph.in_end(v) : 0;
  bool done = !looks;
  for (const ArcId few = end - at > cuda::detail::few_arcs ? at + cuda::detail::few_arcs : end; !done && at < few;
       ++at) {
    const V u = graph.in_source(at);
    done = current.contains(u) && f(u, v, round, next);
  }
  for (unsigned rest = __ballot_sync(cuda::full_warp, !done && at < end); rest; rest &= rest - 1) {
    const auto owner = static_cast<unsigned>(__ffs(static_cast<int>(rest)) - 1);
    const V of = __shfl_sync(cuda::full_warp, v, owner);
    const auto from = static_cast<ArcId>(__shfl_sync(cuda::full_warp, static_cast<unsigned long long>(at), owner)),
               to = static_cast<ArcId>(__shfl_sync(cuda::full_warp, static_cast<unsigned long long>(end), owner));
    pull_together(f, graph, current, of, owner, from, to, round, next);
  }
  if constexpr (cuda::detail::WritesFound<F, V>::value)
    if (next.value)
      f.found(v, round);
  return next;
}

template <class V, class F>
__global__ void __launch_bounds__(cuda::block_threads)
    pull_kernel(F f, gc::Graph<V> graph, Range<V> own, Current<V> current, std::int32_t round, Next<V> active) {
  // The lanes of a warp stay together.
  for (std::uint64_t base = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x / 32 * 32; base < own.size();
       base += std::uint64_t(gridDim.x) * cuda::block_threads) {
    const std::uint64_t i = base + cuda::lane_of_warp();
    const V v = static_cast<V>(own.first + (i < own.size() ? i : 0));
    cuda::detail::OwnBit next;
    if constexpr (cuda::detail::ByArcs<F>::value)
      next = pull_first(f, graph, current, v, i < own.size() && f.wants(v), round);
    else if (i < own.size())
      f(v, round, current, next);
    if (next.value)
      active.push(v);
  }
}

} // namespace detail
} // namespace gpus
} // namespace gc

#endif
