// Triangles counted by fingerprints, in graphs whose vertices have about as many neighbours. Few lists
// have to be looked at closely unless the graph has many triangles, which a sample tells.
#ifndef GCOMPILE_CUDA_TRIANGLES_COUNT_BY_FINGERPRINTS_H
#define GCOMPILE_CUDA_TRIANGLES_COUNT_BY_FINGERPRINTS_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/triangles/fingerprint_set.h>
#include <gcompile/cuda/triangles/fingerprints.h>

#include <algorithm>
#include <optional>

namespace gc {
namespace cuda {
namespace detail {

/// What count_by_fingerprints counts: the triangles; in the sample, the lists and those that are looked at closely.
struct FingerprintCounts {
  unsigned long long triangles, lists, close;

  /// Whether at most one list in `rarity` is looked at closely.
  GCOMPILE_HD bool is_rare(unsigned rarity) const { return close * rarity <= lists; }
};

/// The common successors of v and of the owner of `set`, whose successors `list` has; the whole warp calls, and all get
/// the number.
template <class V>
__device__ unsigned common_successors(const FingerprintLines<V> &s, const FingerprintSet<V> &set, V v, const V *list,
                                      unsigned length) {
  unsigned found = 0;
  const ArcId begin = s.graph.out_begin(v), end = s.graph.out_end(v);
  for (ArcId start = begin; start < end; start += 32) {
    const ArcId e = start + lane_of_warp();
    const V w = e < end ? s.graph.target(e) : v;
    const bool maybe =
        w > v && set.contains(FingerprintLines<V>::fingerprint(w)) && (e == begin || s.graph.target(e - 1) != w);
    for (unsigned rest = __ballot_sync(full_warp, maybe); rest != 0; rest &= rest - 1) {
      const V wanted = __shfl_sync(full_warp, w, __ffs(static_cast<int>(rest)) - 1);
      bool mine = false;
      for (unsigned k = lane_of_warp(); k < length; k += 32)
        mine = mine || list[k] == wanted;
      found += __ballot_sync(full_warp, mine) != 0;
    }
  }
  return found;
}

/// Whether one of eight fingerprints is `mine`.
__device__ inline bool has_fingerprint(const uint4 &fingerprints, unsigned mine) {
  const unsigned words[4] = {fingerprints.x, fingerprints.y, fingerprints.z, fingerprints.w};
  bool found = false;
  for (unsigned k = 0; k < 4; ++k)
    found = found || (words[k] & 0xffffu) == mine || words[k] >> 16 == mine;
  return found;
}

/// The lists that the owner of `set` has to look at closely, those of up to eight of its successors: bit i of `asked`
/// stands for a part of the line of the one that lane from + i / 4 has in `own`.
template <class V> struct CloseLook {
  FingerprintSet<V> set;
  unsigned asked, from;
  V own;
  const V *list; // all successors
  unsigned length;

  __device__ unsigned lists() const {
    static_assert(FingerprintLines<V>::lanes == 4);
    return static_cast<unsigned>(__popc((asked | asked >> 1 | asked >> 2 | asked >> 3) & 0x11111111u));
  }
  /// The common successors with them; the whole warp calls.
  __device__ unsigned common(const FingerprintLines<V> &s) const {
    using Lists = FingerprintLines<V>;
    unsigned found = 0;
    for (unsigned rest = asked; rest != 0;) {
      const unsigned at = static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1, leader = at / Lists::lanes;
      rest &= rest - 1;
      const V v = __shfl_sync(full_warp, own, static_cast<int>(from + leader));
      const uint4 theirs = s.part(v, at % Lists::lanes);
      // Most of those asked for share the bits by which fingerprints are looked up; all of their bits tell.
      bool hit = theirs.x == Lists::overflow;
      for (unsigned k = lane_of_warp(); k < length; k += 32)
        hit = hit || has_fingerprint(theirs, Lists::fingerprint(list[k]));
      if (__ballot_sync(full_warp, hit) == 0)
        continue;
      rest &= ~(((1u << Lists::lanes) - 1) << leader * Lists::lanes);
      found += common_successors(s, set, v, list, length);
    }
    return found;
  }
};

/// Goes to the successors of `count` vertices, up to 32, from `first` on, and calls look(close) where lists have to be
/// looked at closely; the whole warp calls. Returns the number of lists. `set` is clear before and afterwards.
template <class V, class Look>
__device__ unsigned visit_successors(const FingerprintLines<V> &s, const FingerprintSet<V> &set, V first,
                                     unsigned count, Look look) {
  using Lists = FingerprintLines<V>;
  // Successors of which four lanes each look at one; lines that a lane asks for at once.
  constexpr unsigned per_load = 32 / Lists::lanes, loads = 2;
  const unsigned lane = lane_of_warp();
  // Places in their lists, from where the first one's begins.
  const V *const targets = s.graph.out_targets + s.graph.out_begin(first);
  unsigned my_begin = 0, my_length = 0;
  if (lane < count) {
    const V mine = first + lane;
    my_begin = static_cast<unsigned>(s.graph.out_begin(mine) - s.graph.out_begin(first)) + s.before[mine];
    my_length = static_cast<unsigned>(s.graph.out_end(mine) - s.graph.out_begin(first)) - my_begin;
  }
  unsigned lists = 0, rest = __ballot_sync(full_warp, my_length >= 2);
  unsigned next_begin = 0, next_length = 0;
  V next = 0;
  const auto fetch = [&] {                               // what the next vertex needs, while this one's lines come
    const int owner = __ffs(static_cast<int>(rest)) - 1; // any if there is none
    next_begin = __shfl_sync(full_warp, my_begin, owner & 31);
    next_length = __shfl_sync(full_warp, my_length, owner & 31);
    next = lane < next_length ? targets[next_begin + lane] : 0;
  };
  fetch();
  while (rest != 0) {
    rest &= rest - 1;
    const unsigned length = next_length;
    const V *const list = targets + next_begin;
    V own = next;
    const unsigned head_fingerprint = Lists::fingerprint(own);
    if (lane < length)
      set.insert(head_fingerprint);
    for (unsigned k = 32 + lane; k < length; k += 32)
      set.insert(Lists::fingerprint(list[k]));
    __syncwarp();
    fetch();
    lists += length - 1;
    for (unsigned start = 0; start + 1 < length; start += 32) {
      if (start > 0)
        own = list[start + lane < length ? start + lane : 0];
      V before = __shfl_up_sync(full_warp, own, 1);
      if (start > 0 && lane == 0)
        before = list[start - 1];
      // The last successor has none in common, and repeated ones count once: the line behind all is empty.
      if (start + lane + 1 >= length || (own == before && start + lane > 0))
        own = s.graph.num_vertices();
      for (unsigned part = 0; part < 32 && start + part + 1 < length; part += loads * per_load) {
        uint4 fingerprints[loads];
        for (unsigned k = 0; k < loads; ++k)
          if (k == 0 || start + part + k * per_load + 1 < length) {
            const unsigned from = part + k * per_load + lane / Lists::lanes; // < 32
            fingerprints[k] = s.part(__shfl_sync(full_warp, own, static_cast<int>(from)), lane % Lists::lanes);
          }
        for (unsigned k = 0; k < loads; ++k)
          if (k == 0 || start + part + k * per_load + 1 < length)
            if (const unsigned asked = __ballot_sync(full_warp, set.has_any(fingerprints[k])); asked != 0)
              look(CloseLook<V>{set, asked, part + k * per_load, own, list, length});
      }
    }
    __syncwarp();
    if (lane < length)
      set.erase(head_fingerprint);
    for (unsigned k = 32 + lane; k < length; k += 32)
      set.erase(Lists::fingerprint(list[k]));
    __syncwarp();
  }
  return lists;
}

/// The sets of a block, one for each warp.
template <class V> struct FingerprintSets { unsigned words[block_threads / 32][FingerprintSet<V>::words]; };

/// Counts the lists of some vertices; each warp of `warps` takes a few, and these are spread evenly.
template <class V>
__global__ void __launch_bounds__(block_threads)
    sample_fingerprints_kernel(FingerprintLines<V> s, std::uint64_t n, unsigned warps, FingerprintCounts *counts) {
  GCOMPILE_CUDA_SHARED(FingerprintSets<V>, sets);
  constexpr unsigned few = 4;
  const FingerprintSet<V> set = {sets.words[threadIdx.x / 32]};
  const unsigned warp = (blockIdx.x * block_threads + threadIdx.x) / 32;
  if (warp >= warps)
    return;
  set.clear();
  const std::uint64_t first = n * warp / warps;
  unsigned close = 0;
  const unsigned lists =
      visit_successors(s, set, static_cast<V>(first), n - first < few ? static_cast<unsigned>(n - first) : few,
                       [&](const CloseLook<V> &look) { close += look.lists(); });
  if (lane_of_warp() == 0) {
    atomicAdd(&counts->lists, static_cast<unsigned long long>(lists));
    atomicAdd(&counts->close, static_cast<unsigned long long>(close));
  }
}

/// Threads of a multiprocessor that count: more would not have enough registers.
template <class V> constexpr unsigned fingerprint_threads = sizeof(V) == 8 ? 1024 : 1280;

/// A warp for a vertex; nothing where the sample has many lists to look at closely.
template <class V>
__global__ void __launch_bounds__(block_threads, fingerprint_threads<V> / block_threads)
    count_fingerprints_kernel(FingerprintLines<V> s, std::uint64_t n, unsigned rarity, FingerprintCounts *counts) {
  GCOMPILE_CUDA_SHARED(FingerprintSets<V>, sets);
  if (!counts->is_rare(rarity))
    return;
  const FingerprintSet<V> set = {sets.words[threadIdx.x / 32]};
  set.clear();
  for (unsigned first = (blockIdx.x * block_threads + threadIdx.x) / 32 * 32; first < n;
       first += gridDim.x * block_threads) {
    unsigned found = 0;
    visit_successors(s, set, static_cast<V>(first), n - first < 32 ? static_cast<unsigned>(n - first) : 32,
                     [&](const CloseLook<V> &look) { found += look.common(s); });
    if (lane_of_warp() == 0 && found > 0)
      atomicAdd(&counts->triangles, static_cast<unsigned long long>(found));
  }
}

/// The number of triangles of an undirected graph with vertices, none of which has many more neighbours than others;
/// repeated edges and self-loops do not count. Nothing if more than one list in `rarity` has to be looked at closely,
/// which takes some ten times as long as to see that there is no need.
template <class V> std::optional<std::int64_t> count_by_fingerprints(const Graph<V> &graph, unsigned rarity = 8) {
  using Lists = FingerprintLines<V>;
  const std::size_t n = graph.num_vertices();
  Buffer<uint4> lines((n + 1) * Lists::lanes);
  Buffer<unsigned> before(n + 1);
  Buffer<FingerprintCounts> counts(1);
  counts.clear_bytes();
  const Lists lists = {graph.view(), lines.data(), before.data()};
  GCOMPILE_CUDA_LAUNCH((fingerprint_kernel<V>), blocks_for(16 * n), block_threads, lists, std::uint64_t(n));
  const unsigned sample = static_cast<unsigned>(std::min<std::size_t>((n + 31) / 32, 4096)); // warps
  GCOMPILE_CUDA_LAUNCH((sample_fingerprints_kernel<V>), blocks_for(sample * 32), block_threads, lists, std::uint64_t(n),
                       sample, counts.data());
  static const unsigned resident = resident_blocks(count_fingerprints_kernel<V>, block_threads);
  GCOMPILE_CUDA_LAUNCH((count_fingerprints_kernel<V>), std::min(resident, blocks_for(n)), block_threads, lists,
                       std::uint64_t(n), rarity, counts.data());
  check(cudaGetLastError(), "cannot start a kernel");
  FingerprintCounts known;
  counts.download(&known, 1);
  return known.is_rare(rarity) ? std::optional<std::int64_t>(known.triangles) : std::nullopt;
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
