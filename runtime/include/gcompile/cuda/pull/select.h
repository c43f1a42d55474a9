// A pull selects the vertices that look for active neighbours, from words of the bitmaps or from a list.
#ifndef GCOMPILE_CUDA_PULL_SELECT_H
#define GCOMPILE_CUDA_PULL_SELECT_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/pull/by_arcs.h>

namespace gc {
namespace cuda {

namespace detail {

/// Words that are selected from at a time: the reads of their vertices do not wait for each other.
template <class V> constexpr unsigned words_at_once = sizeof(V) == 4 ? 4 : 2;

/// Gives all lanes the words of lanes from, from + 1 and so on; whether any of them has a bit.
template <unsigned step>
__device__ inline bool share_words(std::uint32_t mine, unsigned from, std::uint32_t (&word)[step]) {
  std::uint32_t any = 0;
  for (unsigned k = 0; k < step; ++k) {
    word[k] = __shfl_sync(full_warp, mine, static_cast<int>(from + k));
    any |= word[k];
  }
  return any != 0;
}

template <unsigned threads, class V, class Pull>
__device__ inline void PullByArcs<threads, V, Pull>::list_unvisited(SharedTeam &team) {
  PhaseCounts &counts = p_.begin_phase(team);
  // Each thread has words in a row, and each block reserves its room once.
  const std::uint64_t count = p_.count_words(), each = (count + team.size() - 1) / team.size();
  const std::uint64_t first = team.rank() * each, end = first + each < count ? first + each : count;
  unsigned mine = 0;
  for (std::uint64_t word = first; word < end; ++word)
    mine += static_cast<unsigned>(__popc(p_.f.unvisited[word]));
  if (threadIdx.x == 0)
    memory_.count_unvisited = 0;
  __syncthreads();
  const unsigned sum = warp_prefix_sum(mine);
  unsigned before = 0;
  if (lane_of_warp() == 31)
    before = atomicAdd(&memory_.count_unvisited, sum);
  before = __shfl_sync(full_warp, before, 31) + sum - mine;
  __syncthreads();
  if (threadIdx.x == 0)
    memory_.first = atomicAdd(&counts.unvisited, static_cast<unsigned long long>(memory_.count_unvisited));
  __syncthreads();
  V *to = p_.f.unvisited_list + memory_.first + before;
  for (std::uint64_t word = first; word < end && mine > 0; ++word)
    for (std::uint32_t rest = p_.f.unvisited[word]; rest != 0; rest &= rest - 1, --mine)
      *to++ = static_cast<V>(word * 32 + static_cast<unsigned>(__ffs(static_cast<int>(rest)) - 1));
  team.sync([&] {
    p_.end_phase();
    p_.s.unvisited_size = static_cast<std::uint32_t>(gc::load(counts.unvisited));
    p_.s.unvisited_listed = 1;
  });
}

template <unsigned threads, class V, class Pull>
__device__ inline void PullByArcs<threads, V, Pull>::take_words(std::uint32_t first, std::uint32_t unvisited) {
  const unsigned warp = threadIdx.x / 32, lane = lane_of_warp();
  const bool owner = lane < words && first + lane < p_.count_words();
  const std::uint32_t apart = owner ? unvisited & in_groups(first + lane) : 0, here = unvisited & ~apart;
  std::uint32_t wanted = 0, found = 0;
  const PlacesInWords<V> places = {V(first) * 32, memory_.found[warp]};
  const unsigned looking = __any_sync(full_warp, here != 0) ? select(first, here, wanted, found) : 0;
  if (looking > 0) {
    if (lane < words)
      memory_.found[warp][lane] = 0;
    look(places, looking);
    __syncwarp();
    found |= lane < words ? memory_.found[warp][lane] : 0;
    __syncwarp();
  }
  // Neighbouring vertices together: what they have is in the same sectors.
  if constexpr (WritesFound<Pull, V>::value)
    for (unsigned k = 0; k < words; ++k)
      if ((__shfl_sync(full_warp, found, static_cast<int>(k)) >> lane & 1u) != 0)
        write_found(places.vertex(k * 32 + lane));
  if (!owner)
    return;
  next_words()[first + lane] = found;
  p_.f.unvisited[first + lane] = (first_only ? wanted & ~found : wanted) | apart;
  if (found != 0)
    atomicAdd(&memory_.count_found, static_cast<unsigned>(__popc(found)));
  if (wanted & ~found)
    atomicAdd(&memory_.count_unvisited, static_cast<unsigned>(__popc(wanted & ~found)));
}

template <unsigned threads, class V, class Pull>
__device__ inline unsigned PullByArcs<threads, V, Pull>::select(std::uint32_t first, std::uint32_t unvisited,
                                                                std::uint32_t &wanted, std::uint32_t &found) {
  const unsigned lane = lane_of_warp();
  if constexpr (first_takes)
    if (asks_best()) {
      const std::uint32_t more = unvisited != 0 ? p_.f.candidates.more[first + lane] : 0;
      return p_.s.unvisited ? select_by_best<true>(first, unvisited, more, wanted, found)
                            : select_by_best<false>(first, unvisited, more, wanted, found);
    }
  unsigned count = 0;
  constexpr unsigned step = words_at_once<V>;
  for (unsigned from = 0; from < words; from += step) {
    bool wants[step], active[step];
    V best[step];
    std::uint32_t word[step];
    if (!share_words(unvisited, from, word))
      continue;
    const auto vertex = [&](unsigned k) { return V(first + from + k) * 32 + lane; };
    if (asks_best())
      for (unsigned k = 0; k < step; ++k)
        best[k] = (word[k] >> lane & 1u) != 0 ? p_.f.candidates.best[vertex(k)] : none<V>();
    for (unsigned k = 0; k < step; ++k)
      wants[k] = (word[k] >> lane & 1u) != 0 && pull_.wants(vertex(k));
    if (asks_best())
      ask(best, active);
    for (unsigned k = 0; k < step; ++k) {
      const V v = vertex(k);
      if (!asks_candidates() && wants[k])
        wants[k] = graph_.in_begin(v) < graph_.in_end(v);
      const unsigned all = __ballot_sync(full_warp, wants[k]);
      if (lane == from + k)
        wanted = all;
      if (asks_best()) {
        OwnBit own;
        Sum sum;
        if (wants[k] && active[k] && visit(best[k], v, own, sum))
          wants[k] = false;
        const unsigned now = __ballot_sync(full_warp, own.value);
        if (lane == from + k)
          found = now;
      }
      count = note(count, wants[k], v, (from + k) * 32 + lane);
    }
  }
  return count;
}

template <unsigned threads, class V, class Pull>
template <bool known>
__device__ inline unsigned PullByArcs<threads, V, Pull>::select_by_best(std::uint32_t first, std::uint32_t unvisited,
                                                                        std::uint32_t more, std::uint32_t &wanted,
                                                                        std::uint32_t &found) {
  const unsigned lane = lane_of_warp(), bit = 1u << lane;
  unsigned count = 0;
  if (known)
    wanted = unvisited;
  constexpr unsigned step = words_at_once<V>;
  for (unsigned from = 0; from < words; from += step) {
    bool looks[step];
    V best[step];
    std::uint32_t word[step];
    if (!share_words(unvisited, from, word))
      continue;
    const std::uint64_t v = (std::uint64_t(first) + from) * 32 + lane;
    const V *const best_of = p_.f.candidates.best + v;
    for (unsigned k = 0; k < step; ++k) {
      looks[k] = (word[k] & bit) != 0;
      best[k] = looks[k] ? best_of[k * 32] : V(0);
    }
    if (!known)
      for (unsigned k = 0; k < step; ++k)
        looks[k] = looks[k] && pull_.wants(static_cast<V>(v + k * 32));
    for (unsigned k = 0; k < step; ++k)
      word[k] = current_.words[best[k] / 32];
    for (unsigned k = 0; k < step; ++k) {
      const bool hit = looks[k] && (word[k] >> (best[k] % 32) & 1u) != 0;
      OwnBit own;
      Sum sum;
      if (hit)
        visit(best[k], static_cast<V>(v + k * 32), own, sum);
      const unsigned hits = __ballot_sync(full_warp, hit);
      const unsigned left = __ballot_sync(full_warp, looks[k] && !hit);
      if (lane == from + k) {
        found = hits;
        if (!known)
          wanted = hits | left;
      }
      if (left != 0)
        count = note(count, (left & __shfl_sync(full_warp, more, static_cast<int>(from + k)) & bit) != 0,
                     static_cast<V>(v + k * 32), (from + k) * 32 + lane);
    }
  }
  return count;
}

template <unsigned threads, class V, class Pull>
__device__ inline unsigned PullByArcs<threads, V, Pull>::select_listed(const PlacesInList<V> &places,
                                                                       std::uint64_t size) {
  const unsigned lane = lane_of_warp();
  const V v = places.vertex(lane < size ? lane : 0);
  const bool looks = lane < size && pull_.wants(v) && (asks_candidates() || graph_.in_begin(v) < graph_.in_end(v));
  const unsigned wanted = __ballot_sync(full_warp, looks);
  if (lane == 0 && wanted != 0)
    atomicAdd(&memory_.count_unvisited, static_cast<unsigned>(__popc(wanted)));
  return note(0, looks, v, lane);
}

template <unsigned threads, class V, class Pull>
__device__ inline unsigned PullByArcs<threads, V, Pull>::note(unsigned count, bool looks, V v, unsigned slot) {
  if (asks_candidates() && looks)
    prefetch(p_.f.candidates.lists + v);
  const unsigned lanes = __ballot_sync(full_warp, looks), before = (1u << lane_of_warp()) - 1;
  if (looks)
    memory_.slots[threadIdx.x / 32][count + static_cast<unsigned>(__popc(lanes & before))] =
        static_cast<unsigned char>(slot);
  return count + static_cast<unsigned>(__popc(lanes));
}

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
