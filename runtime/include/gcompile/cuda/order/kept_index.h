// The vertex with the best key, kept while kernels change keys: a tree of minima or maxima, 32 below each.
#ifndef GCOMPILE_CUDA_ORDER_KEPT_INDEX_H
#define GCOMPILE_CUDA_ORDER_KEPT_INDEX_H

#include <gcompile/core/operators/witness.h>
#include <gcompile/cuda/device/lanes.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/graph.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gc {
namespace cuda {

/// The vertices whose keys kernels have changed, some of them several times; the first ones may be in a block's shared
/// memory.
template <class V> struct IndexNotes {
  V *vertices;
  unsigned *count; ///< more than `room`: not all are noted
  unsigned room;
  V *near = nullptr;
  unsigned near_room = 0; ///< at most `room`

  __device__ V &at(unsigned i) const { return i < near_room ? near[i] : vertices[i]; }
  /// The key of v may be another.
  __device__ void add(V v) const {
    if (gc::load(*count) > room)
      return;
    const unsigned place = atomicAdd(count, 1u);
    if (place < room)
      at(place) = v;
  }
};

namespace detail {

constexpr unsigned index_fan = 32;
/// For the entries of an index that are in a block's shared memory.
constexpr std::size_t near_index_bytes = 8192;

/// Entries of a level, whose first one has this number: a multiple of 32, but one at the root.
struct IndexLevel {
  std::uint64_t first, size;
  /// That of the entries which are each the best of 32 vertices.
  GCOMPILE_HD static IndexLevel lowest(std::uint64_t n) { return above(0, n > 0 ? n : 1); }
  GCOMPILE_HD bool is_root() const { return size == 1; }
  GCOMPILE_HD IndexLevel next() const { return above(first + size, size); }

private:
  GCOMPILE_HD static IndexLevel above(std::uint64_t first, std::uint64_t below) {
    const std::uint64_t size = (below + index_fan - 1) / index_fan;
    return {first, size == 1 ? 1 : (size + index_fan - 1) / index_fan * index_fan};
  }
};

/// A tree as kernels see it: an entry of the lowest level is the best of 32 vertices, one of another level the best of
/// 32 entries.
template <class V, class Entry> struct IndexTree {
  Entry *entries;
  std::uint64_t n, root;
  std::uint64_t near_first; ///< entries from here on are in a block's shared memory, if `near` is
  Entry *near;

  /// The entries from this one on, of one level.
  __device__ Entry *from(std::uint64_t i) const {
    return near && i >= near_first ? near + (i - near_first) : entries + i;
  }
  __device__ const Entry &best() const { return *from(root); }
};

/// What an entry of the lowest level has to be, and one above 32 others. A warp calls.
template <class V, class Entry, class Keys>
__device__ Entry best_of_keys(const IndexTree<V, Entry> &tree, const Keys &keys, V i) {
  const std::uint64_t v = std::uint64_t(i) * index_fan + lane_of_warp();
  const Entry mine = v < tree.n ? keys(static_cast<V>(v)) : Entry();
  return found(WarpLanes<index_fan>(), mine);
}
template <class V, class Entry> __device__ Entry best_below(const Entry *below, V i) {
  const Entry mine = below[i * index_fan + lane_of_warp()];
  return found(WarpLanes<index_fan>(), mine);
}

/// Computes all entries. The team meets after each level but the last.
template <class Team, class V, class Entry, class Keys>
__device__ void fill(Team &team, const IndexTree<V, Entry> &tree, const Keys &keys) {
  const auto each = [&](const IndexLevel &level, std::uint64_t below, const auto &best) {
    Entry *const entries = tree.from(level.first);
    for (std::uint64_t i = team.rank() / 32; i < level.size; i += team.size() / 32) {
      const Entry found = i * index_fan < below ? best(static_cast<V>(i)) : Entry();
      if (lane_of_warp() == 0)
        entries[i] = found;
    }
  };
  IndexLevel level = IndexLevel::lowest(tree.n);
  each(level, tree.n, [&](V i) { return best_of_keys(tree, keys, i); });
  while (!level.is_root()) {
    team.sync();
    const IndexLevel below = level;
    level = below.next();
    const Entry *const entries = tree.from(below.first);
    each(level, below.size, [&](V i) { return best_below(entries, i); });
  }
}

/// Computes the entries above so many noted vertices anew, level by level, by thread `rank` of so many, who meet in
/// sync(). A note is followed as far up as an entry changes; of two that meet there, one goes on.
template <class V, class Entry, class Keys, class Sync>
__device__ void follow(const IndexTree<V, Entry> &tree, const IndexNotes<V> &notes, unsigned count, const Keys &keys,
                       unsigned rank, unsigned threads, const Sync &sync) {
  const auto each = [&](const IndexLevel &level, unsigned shift, const auto &best) {
    Entry *const entries = tree.from(level.first);
    for (unsigned i = rank / 32; i < count; i += threads / 32) {
      V &note = notes.at(i);
      const V v = note;
      if (v == none<V>())
        continue;
      const V node = level.is_root() ? V(0) : static_cast<V>(v >> shift);
      Entry &entry = entries[node];
      const Entry before = entry, now = best(node);
      if (lane_of_warp() > 0)
        continue;
      if (before.witness() == now.witness() && before.key() == now.key())
        note = none<V>();
      else
        entry = now;
    }
  };
  unsigned shift = 5;
  IndexLevel level = IndexLevel::lowest(tree.n);
  each(level, shift, [&](V i) { return best_of_keys(tree, keys, i); });
  while (!level.is_root()) {
    sync();
    const IndexLevel below = level;
    level = below.next();
    shift += 5;
    const Entry *const entries = tree.from(below.first);
    each(level, shift, [&](V i) { return best_below(entries, i); });
  }
}

/// So many notes one block follows while blocks would meet.
constexpr unsigned notes_of_one_block = 64;

/// Has a tree follow what is noted. The team has met since.
template <class Team, class V, class Entry, class Keys>
__device__ void reindex(Team &team, const IndexTree<V, Entry> &tree, const IndexNotes<V> &notes, const Keys &keys) {
  const unsigned count = gc::load(*notes.count);
  team.sync(); // before anyone notes more, or forgets what is noted
  if (count == 0)
    return;
  if (count > notes.room)
    fill(team, tree, keys);
  else if (team.blocks() == 1 || count > notes_of_one_block)
    follow(tree, notes, count, keys, team.rank(), team.size(), [&] { team.sync(); });
  else if (blockIdx.x == 0)
    follow(tree, notes, count, keys, threadIdx.x, blockDim.x, [] { __syncthreads(); });
  if (team.rank() == 0)
    *notes.count = 0;
  team.sync();
}

template <class V, class Entry, class Keys>
__global__ void __launch_bounds__(block_threads)
    reindex_kernel(IndexTree<V, Entry> tree, IndexNotes<V> notes, Keys keys, unsigned *arrived) {
  Team team(gridDim.x, arrived);
  reindex(team, tree, notes, keys);
}

} // namespace detail

/// The vertex whose key is the least, or else the greatest, of those that have one; of several that with the smallest
/// id. `keys(v)` gives what v contributes, as gc::ArgMin or gc::ArgMax. Kernels note what they change, and nobody asks
/// before reindex. Source of the use: S6.
template <class V, class K, bool least> class KeptIndex {
public:
  using Entry = std::conditional_t<least, gc::ArgMin<K, V>, gc::ArgMax<K, V>>;
  using Tree = detail::IndexTree<V, Entry>;

  explicit KeptIndex(const Graph<V> &graph) {
    tree_.n = graph.num_vertices();
    detail::IndexLevel level = detail::IndexLevel::lowest(tree_.n);
    while (!level.is_root())
      level = level.next();
    tree_.root = level.first;
    entries_ = Buffer<Entry>(tree_.root + 1);
    tree_.entries = entries_.data();
    // Those of so many cost no more than a new tree.
    vertices_ = Buffer<V>(tree_.n / detail::index_fan + 1);
    counts_ = Buffer<unsigned>(2);
  }

  template <class Keys> void start(const Keys &keys) {
    // More notes than there is room for.
    check(cudaMemsetAsync(counts_.data(), 0xff, sizeof(unsigned), 0), "clear");
    reindex(keys);
  }
  /// Follows the notes, or computes all keys anew where they are many.
  template <class Keys> void reindex(const Keys &keys) {
    const auto kernel = detail::reindex_kernel<V, Entry, Keys>;
    static const unsigned resident = resident_blocks(kernel, block_threads);
    unsigned *const arrived = counts_.data() + 1;
    check(cudaMemsetAsync(arrived, 0, sizeof(unsigned), 0), "clear");
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE(kernel, std::min(resident, blocks_for(tree_.n)), block_threads, tree_, notes(),
                                     keys, arrived);
    check(cudaGetLastError(), "cannot start a kernel");
  }
  /// The vertex and its key, or none.
  Entry best() const {
    Entry best;
    entries_.download(&best, 1, tree_.root);
    return best;
  }

  const Tree &tree() const { return tree_; }
  IndexNotes<V> notes() const {
    return {vertices_.data(), counts_.data(), static_cast<unsigned>(std::min<std::size_t>(vertices_.size(), 1u << 30))};
  }

private:
  Tree tree_ = {};
  Buffer<Entry> entries_;
  Buffer<V> vertices_;
  Buffer<unsigned> counts_; // of notes, and for blocks that meet
};

/// The number of an index that a loop shares with the code around it.
constexpr unsigned no_number = ~0u;

/// A kept index as the host and as kernels of a loop see it. Those that start with the loop, and end with it, have
/// numbers from 0 on; the upper levels of these may be in a block's shared memory.
template <class V, class K, bool least> struct LoopIndex {
  using Entry = typename KeptIndex<V, K, least>::Entry;
  LoopIndex(KeptIndex<V, K, least> &index, unsigned number)
      : host(&index), tree(index.tree()), notes(index.notes()), number(number) {
    detail::IndexLevel level = detail::IndexLevel::lowest(tree.n);
    while ((tree.root + 1 - level.first) * sizeof(Entry) > detail::near_index_bytes)
      level = level.next();
    tree.near_first = level.first;
  }
  KeptIndex<V, K, least> *host;
  detail::IndexTree<V, Entry> tree;
  IndexNotes<V> notes;
  unsigned number;
};

} // namespace cuda
} // namespace gc

#endif
