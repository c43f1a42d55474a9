// What a loop computes over the arcs into each vertex, by way of shared memory.
//
// A segment is some sources in a row whose values fit into a block's shared memory. A tile is some arcs in a row, in
// the order of the vertices that they go into, whose values fit there too. First, blocks take the values of a segment
// into shared memory and write, for each tile in turn, the one that each of its arcs asks for. Then a block takes what
// was written for a tile into shared memory and puts together the lists in it. So the device's memory is read and
// written in rows of 16 bytes or more, and no value is fetched from a place of its own: propagation blocking (Beamer et
// al., "Reducing PageRank communication via propagation blocking", 2017) without ids and without writes at random.
#ifndef GCOMPILE_CUDA_SEGMENTS_H
#define GCOMPILE_CUDA_SEGMENTS_H

#include <gcompile/core/device_memory.h>
#include <gcompile/core/locality.h>
#include <gcompile/core/partition.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/scan.h>
#include <gcompile/cuda/segments/gather.h>
#include <gcompile/cuda/streamed/loop.h>

#include <memory>
#include <vector>

namespace gc {
namespace cuda {
namespace detail {

/// The layout of the arcs into some vertices of a graph for values of `bytes` bytes, and room for them.
template <class V> class SegmentedArcs {
public:
  /// `width` sources to a segment, or as many as the shared memory holds, if that is less; or more, so that there are
  /// not too many segments.
  SegmentedArcs(const Graph<V> &graph, Rows<V> rows, std::uint64_t width, unsigned bytes)
      : view_(arcs_into(graph.host(), rows)), sources_of_arcs_(graph, view_.begin, view_.end) {
    const std::uint64_t n = sources_of_arcs_.count(), arcs = view_.end - view_.begin, largest = largest_shared();
    const std::uint64_t most = std::min<std::uint64_t>(most_segment_bytes, largest / 8 * 7) / bytes;
    width = std::min(std::max(width, n / most_segments + 1), std::min<std::uint64_t>(most, 1 << 16));
    const std::uint64_t segments = (n + width - 1) / width;
    if (segments > most_segments || n == 0 || arcs == 0)
      return;
    view_.n = sources_of_arcs_.count();
    view_.list = sources_of_arcs_.list();
    view_.shift = bytes == 4 ? 2 : 1;
    view_.width = static_cast<unsigned>(width);
    view_.segments = static_cast<unsigned>(segments);
    // A tile has its share of the shared memory as a segment has: a smaller one if enough of its arcs come from each.
    const double part = std::min(1.0, static_cast<double>(width) / static_cast<double>(most));
    const auto room = [&](std::uint64_t of) {
      return std::max(static_cast<unsigned>(part * static_cast<double>(of)) / (bytes + 2) / 8 * 8, 64u);
    };
    view_.room = room(std::min<std::uint64_t>(small_tile_bytes, largest / 3));
    if (view_.room < 16 * segments)
      view_.room = room(std::min<std::uint64_t>(tile_bytes, largest / 2));
    // A segment may leave all but one place of a pack empty.
    const unsigned empty = (1u << view_.shift) - 1, lost = empty * view_.segments;
    view_.tile_arcs = std::max(view_.room > lost ? view_.room - lost : 0, view_.room / 4) / 8 * 8;
    const std::uint64_t tiles = (arcs + view_.tile_arcs - 1) / view_.tile_arcs;
    if (tiles * view_.most_packs() >= ~std::uint32_t(0) || segments * tiles >= most_pairs)
      return;
    view_.tiles = static_cast<unsigned>(tiles);
    const double pairs = static_cast<double>(segments) * static_cast<double>(tiles);
    const double places = std::min(static_cast<double>(tiles * view_.room), static_cast<double>(arcs) + empty * pairs);
    if (!has_even_tiles(graph, rows))
      return;
    fits_ = graph.take_spare(4 * pairs + places * (2 + bytes) + 4. * static_cast<double>(tiles * view_.most_packs()) +
                             2. * static_cast<double>(arcs) + static_cast<double>(tiles) * (sizeof(V) + 4 + bytes));
    if (fits_)
      make(graph);
  }

  /// Whether there is a layout: segments are not too many, tiles are even, and memory is left.
  bool fits() const { return fits_; }
  /// Arcs of a tile for each segment.
  unsigned arcs_of_pair() const { return view_.segments ? view_.tile_arcs / view_.segments : 0; }

  template <class F> void gather(const Graph<V> &graph, const F &f, typename F::Value *results) {
    using T = typename F::Value;
    auto *const values = reinterpret_cast<Pack<T> *>(values_.data());
    auto *const carries = reinterpret_cast<T *>(carries_.data());
    const ArcId *const offsets = graph.view().in_offsets;
    const unsigned tile_size = view_.room * (sizeof(T) + 2);
    const unsigned blocks = std::min(view_.tiles, multiprocessors() * (tile_size <= small_tile_bytes ? 3 : 2));
    GCOMPILE_CUDA_LAUNCH_SHARED((spread_kernel<V, F>), multiprocessors(), team_threads,
                                static_cast<unsigned>(view_.width * sizeof(T)), f, view_, values);
    GCOMPILE_CUDA_LAUNCH_SHARED((collect_kernel<V, F>), blocks, tile_threads, tile_size, f, offsets, view_,
                                static_cast<const Pack<T> *>(values), results, carries);
    GCOMPILE_CUDA_LAUNCH((carry_kernel<V, F>), blocks_for(std::uint64_t(view_.tiles) * 32), block_threads, f, offsets,
                         view_, results, static_cast<const T *>(carries));
    check(cudaGetLastError(), "cannot start a kernel");
  }

private:
  struct alignas(16) Sixteen {
    unsigned char bytes[16];
  };

  static SegmentsView<V> arcs_into(const gc::Graph<V> &graph, Rows<V> rows) {
    SegmentsView<V> view = {};
    if (rows.size() > 0) {
      view.begin = graph.in_begin(rows.first);
      view.end = graph.in_end(rows.last - 1);
    }
    return view;
  }

  /// Notes the first vertex of each tile. Whether no tile has many more vertices than arcs, as one would where most
  /// vertices without arcs follow each other: a block would take them all.
  bool has_even_tiles(const Graph<V> &graph, Rows<V> rows) {
    first_ = Buffer<V>(view_.tiles + 1);
    GCOMPILE_CUDA_LAUNCH((first_of_tiles_kernel<V>), blocks_for(view_.tiles + 1), block_threads,
                         graph.view().in_offsets, view_, rows, first_.data());
    check(cudaGetLastError(), "cannot start a kernel");
    std::vector<V> first(view_.tiles + 1);
    first_.download(first.data(), first.size());
    const std::uint64_t most = std::max<std::uint64_t>(4 * view_.tile_arcs, 16 * tile_threads);
    for (unsigned t = 0; t < view_.tiles; ++t)
      if (first[t + 1] - first[t] > most)
        return false;
    return true;
  }

  void make(const Graph<V> &graph) {
    const gc::Graph<V> &g = graph.view();
    const std::uint64_t pairs = std::uint64_t(view_.segments) * view_.tiles;
    starts_ = Buffer<std::uint32_t>(pairs + 1);
    packs_ = Buffer<std::uint32_t>(std::uint64_t(view_.tiles) * view_.most_packs());
    counts_ = Buffer<std::uint32_t>(view_.tiles);
    places_ = Buffer<unsigned short>(view_.end - view_.begin + 8); // 16 bytes are read at a time
    taken_ = Buffer<unsigned>(1);
    taken_.clear_bytes();
    carries_ = Buffer<std::uint64_t>(view_.tiles);
    const unsigned blocks = std::min(view_.tiles, multiprocessors() * 4);
    starts_.clear_bytes();
    GCOMPILE_CUDA_LAUNCH((count_packs_kernel<V>), blocks, tile_threads, g.in_sources, sources_of_arcs_.numbers(), view_,
                         starts_.data());
    exclusive_scan(starts_);
    std::uint32_t packs = 0;
    starts_.download(&packs, 1, pairs);
    sources_ = Buffer<unsigned short>(std::uint64_t(packs) << view_.shift);
    sources_.clear_bytes();
    values_ = Buffer<Sixteen>(packs);
    view_.first = first_.data();
    view_.starts = starts_.data();
    view_.sources = sources_.data();
    view_.packs = packs_.data();
    view_.counts = counts_.data();
    unsigned short *const places = places_.data() - view_.begin; // an arc keeps its number
    view_.places = places;
    view_.taken = taken_.data();
    GCOMPILE_CUDA_LAUNCH((place_arcs_kernel<V>), blocks, tile_threads, g.in_sources, sources_of_arcs_.numbers(), view_,
                         sources_.data(), packs_.data(), counts_.data(), places);
    sources_of_arcs_.forget_numbers();
  }

  SegmentsView<V> view_;
  Sources<V> sources_of_arcs_;
  bool fits_ = false;
  Buffer<V> first_;
  Buffer<std::uint32_t> starts_, packs_, counts_;
  Buffer<unsigned short> sources_, places_;
  Buffer<unsigned> taken_;
  Buffer<std::uint64_t> carries_;
  Buffer<Sixteen> values_;
};

} // namespace detail

/// Gathers over the in-arcs of a graph that go by segments of so many vertices; without them where memory is short.
///
/// What is gathered is a function object F with a type Value of 4 or 8 bytes: `source(u)` is what an arc from u brings,
/// combine(a, b) puts two of these together in any order, and first() changes nothing. If F::may_fail, source() may end
/// the program, and F has the graph as its member `graph`.
template <class V> class Segments {
public:
  Segments(const Graph<V> &graph, std::size_t width) : Segments(graph, Rows<V>::all(graph.host()), width) {}
  /// Of the arcs into some vertices.
  Segments(const Graph<V> &graph, Rows<V> rows, std::size_t width) : graph_(graph), rows_(rows), width_(width) {}

  /// results[v] = what the arcs into v bring, for each of the vertices v.
  template <class F> void gather(const F &f, typename F::Value *results) {
    detail::SegmentedArcs<V> &arcs = layout(sizeof(typename F::Value));
    if (arcs.fits())
      arcs.gather(graph_, f, results);
    else
      detail::run_vertices<V>(graph_, detail::GatherPlainly<V, F>{f, graph_.view(), results},
                              detail::Members<V>{nullptr, rows_.size(), rows_.first});
  }

protected:
  bool has_arcs() const {
    return rows_.size() > 0 && graph_.host().in_begin(rows_.first) < graph_.host().in_end(rows_.last - 1);
  }
  void drop_layouts() {
    for (std::unique_ptr<detail::SegmentedArcs<V>> &made : layouts_)
      made.reset();
  }
  detail::SegmentedArcs<V> &layout(unsigned bytes) {
    std::unique_ptr<detail::SegmentedArcs<V>> &made = layouts_[bytes / 8];
    if (!made)
      made = std::make_unique<detail::SegmentedArcs<V>>(graph_, rows_, width_, bytes);
    return *made;
  }

  const Graph<V> &graph_;
  const Rows<V> rows_;

private:
  std::uint64_t width_;
  std::unique_ptr<detail::SegmentedArcs<V>> layouts_[2]; // for values of 4 bytes, and of 8
};

/// Segments of a program that asks in each of its rounds whether to go by them: from the third round on, where the
/// values of the sources take much of the second-level cache and most are read far away from the last.
template <class V> class ChosenSegments : public Segments<V> {
public:
  /// `bytes` are read of each source.
  ChosenSegments(const Graph<V> &graph, std::size_t bytes) : ChosenSegments(graph, Rows<V>::all(graph.host()), bytes) {}

  /// Whether to go by segments in this round, for values of 4 or 8 bytes.
  bool pay(unsigned value_bytes) {
    if (is_due())
      decide(wants_layout() && has_layout(value_bytes) && moves_whole_packs(value_bytes));
    return pays_;
  }

protected:
  /// Of a part of the vertices.
  ChosenSegments(const Graph<V> &graph, Rows<V> rows, std::size_t bytes)
      : Segments<V>(graph, rows, ~std::uint32_t(0)), bytes_(std::max<std::size_t>(bytes, 4)) {}

  /// Whether to look in this round. It counts the rounds.
  bool is_due() { return rounds_ < patience && ++rounds_ == patience; }
  /// Whether single reads take longer than a layout would, which is not made yet.
  bool wants_layout() const {
#ifdef GCOMPILE_CUDA_EMULATION
    if (device_memory.limit() == 0 && emulation::tosses()) // either is right
      return true;
#endif
    return this->has_arcs() && has_memory() && are_many() && are_scattered();
  }
  /// Whether there is a layout for values of so many bytes. It is made.
  bool has_layout(unsigned value_bytes) { return this->layout(value_bytes).fits(); }
  /// Whether the layout has enough arcs from each segment into each tile.
  bool moves_whole_packs(unsigned value_bytes) { return this->layout(value_bytes).arcs_of_pair() >= 4; }
  void decide(bool pays) {
    pays_ = pays;
    if (!pays)
      this->drop_layouts();
  }
  bool pays() const { return pays_; }

private:
  static constexpr int patience = 3; // rounds: a layout takes as long as it saves in five to ten

  /// A layout moves 13 or 21 bytes for each arc, in long rows, and a gather by single reads 32 from the second-level
  /// cache, or from memory; but where degrees are uneven, the first-level caches have those of the highest.
  bool are_many() const {
    const auto cache = static_cast<double>(second_level_cache());
    const double bytes = static_cast<double>(this->graph_.num_vertices()) * static_cast<double>(bytes_);
    return this->graph_.is_dense() && bytes >= (bytes_ <= 4 ? cache / 16 : cache / 4);
  }
  /// Whether the least layout fits: each arc has a source, a place and a value.
  bool has_memory() const {
    const gc::Graph<V> &host = this->graph_.host();
    return this->graph_.spare() >=
           8. * static_cast<double>(host.in_end(this->rows_.last - 1) - host.in_begin(this->rows_.first));
  }
  bool are_scattered() const {
    const gc::Graph<V> &host = this->graph_.host();
    return gc::detail::are_scattered(this->rows_.first, this->rows_.last, detail::most_segment_bytes / bytes_,
                                     [&](V v) { return host.in_neighbors(v); });
  }

  const std::size_t bytes_;
  int rounds_ = 0;
  bool pays_ = false;
};

} // namespace cuda
} // namespace gc

#endif
