// A pull walks aligned lists: a warp has a group, and each lane the list of one of its vertices.
#ifndef GCOMPILE_CUDA_ALIGNED_PULL_H
#define GCOMPILE_CUDA_ALIGNED_PULL_H

#include <gcompile/cuda/aligned/rows.h>
#include <gcompile/cuda/pull/by_arcs.h>

namespace gc {
namespace cuda {

namespace detail {

template <unsigned threads, class V, class Pull>
__device__ inline void PullByArcs<threads, V, Pull>::walk_groups(const SharedTeam &team) {
  for (std::uint32_t group = team.rank() / 32; group < pull_.lists.groups; group += team.size() / 32) {
    const AlignedRow<V> row = pull_.lists.row(group);
    const std::uint32_t bit = 1u << (row.vertex % 32);
    std::uint32_t *const unvisited = p_.f.unvisited + row.vertex / 32;
    const bool left = row.length > 0 && (*unvisited & bit) != 0;
    const bool wants = left && pull_.wants(row.vertex);
    OwnBit next;
    Sum sum;
    [[maybe_unused]] const bool seen = __any_sync(full_warp, wants) && look_in_row(row, wants, next, sum);
    if constexpr (!first_only)
      if (seen)
        pull_.finish(row.vertex, p_.s.round, next, sum);
    // The vertices of a group are anywhere: other warps have others of their words.
    if (next.value) {
      atomicOr(next_words() + row.vertex / 32, bit);
      write_found(row.vertex);
    }
    const bool stays = wants && !(first_only && next.value);
    if (left && !stays)
      atomicAnd(unvisited, ~bit);
    const unsigned found = __ballot_sync(full_warp, next.value), remain = __ballot_sync(full_warp, stays);
    if (lane_of_warp() == 0) {
      if (found != 0)
        atomicAdd(&memory_.count_found, static_cast<unsigned>(__popc(found)));
      if (remain != 0)
        atomicAdd(&memory_.count_unvisited, static_cast<unsigned>(__popc(remain)));
    }
  }
}

template <unsigned threads, class V, class Pull>
template <class Row>
__device__ inline bool PullByArcs<threads, V, Pull>::look_in_row(const Row &row, bool looks, OwnBit &next, Sum &sum) {
  bool seen = false;
  [[maybe_unused]] V first = none<V>();
  constexpr unsigned step = 4;
  for (unsigned k = 0; __any_sync(full_warp, looks); k += step) {
    V u[step];
    bool active[step];
    for (unsigned i = 0; i < step; ++i)
      u[i] = looks && k + i < row.length ? row.first[(k + i) * 32] : none<V>();
    ask(u, active);
    for (unsigned i = 0; i < step; ++i) {
      if (!looks || !active[i])
        continue;
      seen = true;
      if constexpr (first_takes) {
        first = u[i];
        looks = false;
      } else {
        looks = !visit(u[i], row.vertex, next, sum);
      }
    }
    looks = looks && k + step < row.length;
  }
  // All lanes that have found one write together.
  if constexpr (first_takes)
    if (seen)
      visit(first, row.vertex, next, sum);
  return seen;
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
