// A small frontier in parts: each block has one, in its shared memory.
#ifndef GCOMPILE_CUDA_SMALL_FRONTIER_LIST_H
#define GCOMPILE_CUDA_SMALL_FRONTIER_LIST_H

#include <gcompile/cuda/device/cluster.h>
#include <gcompile/cuda/frontier/propagate.h>

#include <utility>

namespace gc {
namespace cuda {
namespace detail {

/// Vertices of a block's part.
constexpr unsigned small_capacity = 4 * block_threads;

/// What a block has found, counted in one word: how many vertices, and the arcs out of them.
struct SmallTally {
  static constexpr unsigned length_bits = 13;
  /// Arcs of one block that the sum over all blocks has room for.
  static constexpr std::uint32_t most_arcs = (1u << 13) - 1;
  __device__ static std::uint32_t of(ArcId arcs) { return static_cast<std::uint32_t>(arcs) << length_bits | 1; }
  __device__ static std::uint32_t length(std::uint32_t tally) { return tally & ((1u << length_bits) - 1); }
  __device__ static std::uint32_t arcs(std::uint32_t tally) { return tally >> length_bits; }
};

/// A vertex of the frontier with its first arc (35 bits), the arcs before it in its block's part (17) and its own (7).
template <class V> struct alignas(16) SmallItem {
  std::uint64_t packed;
  V v;
  __device__ static SmallItem of(V v, ArcId first, std::uint32_t before, std::uint32_t own) {
    return {first << 24 | before << 7 | own, v};
  }
  __device__ ArcId first() const { return packed >> 24; }
  __device__ std::uint32_t before() const { return packed >> 7 & 0x1ffff; }
  __device__ std::uint32_t own() const { return packed & 0x7f; }
};

/// The first targets of a vertex of the frontier, read while the blocks wait for each other.
template <class V> struct FirstTargets {
  static constexpr unsigned count = 4;
  V v[count];
};

/// What a block has found in a round.
struct alignas(8) SmallPart {
  std::uint32_t tally;
  std::uint32_t grown; ///< whether something went to the list in memory; 3: with a long list of arcs

  /// Vertices in the block's list.
  __device__ std::uint32_t size() const {
    const std::uint32_t length = SmallTally::length(tally);
    return length < small_capacity ? length : small_capacity;
  }
  /// What the block's threads need to walk it.
  __device__ std::uint32_t steps(unsigned threads) const {
    const std::uint32_t arcs = SmallTally::arcs(tally);
    return ((arcs > size() ? arcs : size()) + threads - 1) / threads;
  }
};

/// A block's own: of this round, of the last, and one being cleared.
struct SmallParts {
  SmallPart of_turn[3];
};

/// What all blocks have found in a round.
struct SmallSum {
  std::uint32_t size, arcs;
  bool grown;  ///< something went to the list in memory
  bool uneven; ///< one has more than its threads should walk alone
};

/// What a block keeps in its shared memory: its part of the frontier, and of the next. Other blocks may read the items,
/// what is noted is for the block's own threads.
template <class V> struct SmallLists {
  static constexpr unsigned notes = 8192 / sizeof(FirstTargets<V>); ///< vertices whose first targets have a place
  SmallItem<V> items[2][small_capacity];
  FirstTargets<V> targets[notes];
  bool noted[2][notes]; ///< of each part, whose first targets are there

  /// The first targets of the i-th vertex of a part; nullptr: they are not noted.
  __device__ const V *targets_of(unsigned which, std::uint32_t i) const {
    return i < notes && noted[which][i] ? targets[i].v : nullptr;
  }
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
