// The kept frontiers of a propagate on the device.
#ifndef GCOMPILE_CUDA_FRONTIER_LEVELS_H
#define GCOMPILE_CUDA_FRONTIER_LEVELS_H

#include <gcompile/core/levels.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/frontier/propagate.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/kernels/share_out.h>
#include <gcompile/cuda/sets/vertex_set.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace gc {
namespace cuda {

/// One kept frontier: a list that loops run over. A set is made of it where more is asked.
template <class V> class Level {
public:
  Level(const Graph<V> &graph, const V *items, const ArcId *before, std::uint64_t size, ArcId arcs)
      : graph_(&graph), items_(items), before_(before), size_(size), arcs_(arcs) {}
  bool is_all() const { return false; }
  std::int64_t size() const { return static_cast<std::int64_t>(size_); }
  const V *items() const { return items_; }
  const ArcId *before() const { return before_; }
  ArcId arcs() const { return arcs_; }
  /// Whether its list counts the arcs of this graph.
  bool lists(const Graph<V> &graph) const { return graph_->has_lists_of(graph); }
  /// The members on the host, ascending.
  std::vector<V> members() const {
    std::vector<V> result(size_);
    copy_to_host(result.data(), items_, size_ * sizeof(V));
    std::sort(result.begin(), result.end());
    return result;
  }

  operator const VertexSet<V> &() const { return set(); }
  SetView<V> view() const { return set().view(); }
  bool contains(V v) const { return set().contains(v); }
  VertexSet<V> united(const VertexSet<V> &other) const { return set().united(other); }
  VertexSet<V> subtracted(const VertexSet<V> &other) const { return set().subtracted(other); }
  VertexSet<V> intersected(const VertexSet<V> &other) const { return set().intersected(other); }

private:
  const VertexSet<V> &set() const {
    if (!set_)
      set_ = VertexSet<V>::of_items(*graph_, items_, size_);
    return *set_;
  }

  const Graph<V> *graph_;
  const V *items_;
  const ArcId *before_;
  std::uint64_t size_;
  ArcId arcs_;
  mutable std::optional<VertexSet<V>> set_; // once it is asked for
};

/// The kept frontiers of a propagate, in order. They stay on the device, one list after another.
template <class V> class Levels {
public:
  explicit Levels(const Graph<V> &graph) : graph_(&graph) {}

  /// The lists count the arcs of this graph, of as many vertices, from the next clear() on.
  void follow(const Graph<V> &graph) { graph_ = &graph; }

  void clear() { count_ = used_ = 0; }

  std::size_t size() const { return count_; }
  Level<V> operator[](std::size_t i) const {
    if (host_.size() != count_) {
      host_.resize(count_);
      table_.download(host_.data(), count_);
    }
    const detail::KeptLevel &kept = host_[i];
    return {*graph_, items_.data() + kept.first, before_.data() + kept.first, kept.size, kept.arcs};
  }
  typename LevelRange<Levels>::Iterator begin() const { return LevelRange<Levels>{*this, false}.begin(); }
  typename LevelRange<Levels>::Iterator end() const { return LevelRange<Levels>{*this, false}.end(); }
  /// The levels, last first.
  LevelRange<Levels> reversed() const { return {*this, true}; }

  // ---- For the kernels of the runtime -------------------------------------------------------------------------------

  /// Makes room for one more list of any length, and for one more level; keeps what is there.
  void make_room() {
    const std::size_t n = graph_->num_vertices();
    if (items_.size() < used_ + n || before_.size() < used_ + n) {
      const std::size_t room = std::max<std::size_t>(2 * n, 2 * used_ + n);
      grow(items_, room, used_);
      grow(before_, room, used_);
    }
    if (table_.size() <= count_)
      grow(table_, std::max<std::size_t>(4096, 4 * count_), count_);
  }
  /// After a kernel: there are so many levels, and their lists end there.
  void set_size(std::size_t count, std::size_t used) {
    count_ = count;
    used_ = used;
    host_.clear();
  }
  V *items() const { return items_.data(); }
  ArcId *before() const { return before_.data(); }
  std::size_t room() const { return items_.size(); }
  detail::KeptLevel *table() const { return table_.data(); }
  std::size_t table_room() const { return table_.size(); }

private:
  template <class T> static void grow(Buffer<T> &buffer, std::size_t room, std::size_t used) {
    Buffer<T> more(room);
    if (used > 0)
      more.copy_from(buffer, used);
    buffer = std::move(more);
  }

  const Graph<V> *graph_;
  Buffer<V> items_;
  Buffer<ArcId> before_;
  Buffer<detail::KeptLevel> table_;
  mutable std::vector<detail::KeptLevel> host_;
  std::size_t count_ = 0, used_ = 0;
};

/// A bitmap of one level, for the steps that have one: caches hold it where they do not hold what it stands for.
template <class V> struct LevelBits {
  const std::uint32_t *words; ///< nullptr: there is none
  __device__ bool known() const { return words != nullptr; }
  __device__ bool contains(V v) const { return (words[v / 32] >> (v % 32) & 1u) != 0; }
};

/// As without a bitmap, which is asked instead where there is one.
template <class Sum, class V, unsigned step, class Asks, class Get>
__device__ inline Sum sum_where(const Share<V, step> &share, const LevelBits<V> &other, const Asks &asks,
                                const Get &get) {
  const auto in_level = [&](V v) { return other.contains(v); };
  if (other.known())
    return sum_where<Sum>(share, in_level, get);
  return sum_where<Sum>(share, asks, get);
}
template <class V, unsigned step, class Asks, class Take>
__device__ inline void each_where(const Share<V, step> &share, const LevelBits<V> &other, const Asks &asks,
                                  const Take &take) {
  const auto in_level = [&](V v) { return other.contains(v); };
  if (other.known())
    each_where(share, in_level, take);
  else
    each_where(share, asks, take);
}

} // namespace cuda
} // namespace gc

#endif
