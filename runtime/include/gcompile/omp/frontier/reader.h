// How a thread reads its part of the current frontier in a push.
#ifndef GCOMPILE_OMP_FRONTIER_READER_H
#define GCOMPILE_OMP_FRONTIER_READER_H

#include <gcompile/omp/frontier/frontier.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gc {

/// Some of the current vertices.
template <class V> struct Frontier<V>::Active {
  const V *first;
  std::size_t count;
  std::size_t known; ///< vertices from `first` on that are known to follow
  Reader &reader;
  ArcId longest; ///< list that is not left to the reader

  std::size_t size() const { return count; }
  V operator[](std::size_t i) const { return first[i]; }
  /// Has what pushes from later vertices need fetched, while the i-th is at work: prefetch_push.
  template <class T, class... Columns>
  GCOMPILE_FETCHES void prefetch(std::size_t i, const Graph<V> &graph, const T *values,
                                 const Columns *...columns) const {
    prefetch_to_write(i, graph, values, columns...);
  }
  template <class T, class... Columns>
  GCOMPILE_FETCHES void prefetch_to_write(std::size_t i, const Graph<V> &graph, T *values,
                                          const Columns *...columns) const {
    prefetch_push<fetched_ahead>(
        known - i, [&](std::size_t k) { return first[i + k]; }, graph, values, columns...);
  }
  /// Has further values fetched that the pushes write at the neighbours.
  template <class T> GCOMPILE_FETCHES void prefetch_writes(std::size_t i, const Graph<V> &graph, T *values) const {
    prefetch_neighbors<fetched_ahead>(
        known - i, [&](std::size_t k) { return first[i + k]; }, graph, values);
  }
  /// The arcs out of the i-th vertex that this thread is to walk.
  Arcs out_arcs(std::size_t i, const Graph<V> &graph) const {
    const Arcs arcs{graph.out_begin(first[i]), graph.out_end(first[i])};
    return arcs.end - arcs.begin > longest ? reader.long_list(first[i]) : arcs;
  }
  /// Their targets.
  Span<V> out_neighbors(std::size_t i, const Graph<V> &graph) const {
    const Arcs arcs = out_arcs(i, graph);
    return {graph.out_targets + arcs.begin, graph.out_targets + arcs.end};
  }
};

/// One thread's way through its part of the current vertices in a push: `while (next())`, active(). One thread has
/// each vertex; but a long list may be cut, and its parts be walked by several.
template <class V> class Frontier<V>::Reader {
public:
  explicit Reader(Frontier &frontier)
      : frontier_(frontier), block_size_(frontier.block_size()), way_(frontier.way(frontier.blocks())) {}

  bool next() {
    whole_ = way_.take(block_);
    return whole_ || (frontier_.cutting_ && frontier_.cut_lists_.take(part_));
  }
  /// Valid until next is called.
  Active active() {
    Frontier &f = frontier_;
    if (!whole_)
      return {&part_.vertex, 1, 1, *this, 0};
    const ArcId longest = f.cutting_ ? CutLists<V>::longest : ~ArcId(0);
    const std::size_t begin = block_ * block_size_;
    if (f.form_ == Form::list)
      return {f.list_.data() + begin, std::min(block_size_, f.size_ - begin), f.size_ - begin, *this, longest};
    const std::size_t end = std::min<std::size_t>(begin + block_size_, f.graph_.num_vertices());
    std::size_t count = 0;
    if (f.form_ == Form::all) {
      for (std::size_t v = begin; v < end; ++v)
        found_[count++] = static_cast<V>(v);
    } else if (f.form_ == Form::bits) {
      for (std::size_t w = begin / 64; w * 64 < end; ++w)
        for (std::uint64_t word = f.bits_.data()[w]; word; word &= word - 1)
          found_[count++] = static_cast<V>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(word)));
    } else {
      count = f.bytes_.take(begin, end, found_);
    }
    return {found_, count, count, *this, longest};
  }
  /// This thread's part of a list that may be cut.
  [[gnu::noinline]] Arcs long_list(V v) {
    if (!whole_)
      return part_.arcs;
    if (!frontier_.cut_early_)
      frontier_.cut_lists_.cut(frontier_.graph_, v);
    return {0, 0};
  }

private:
  Frontier &frontier_;
  const std::size_t block_size_;
  Chunks::Way way_;
  std::size_t block_ = 0;
  bool whole_ = false; // or a part of a list
  typename CutLists<V>::Part part_;
  V found_[sparse_block];
};

} // namespace gc

#endif
