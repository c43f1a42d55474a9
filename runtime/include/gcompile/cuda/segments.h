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

#include <gcompile/core/locality.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/scan.h>
#include <gcompile/cuda/segments/gather.h>

#include <memory>
#include <vector>

namespace gc {
namespace cuda {
namespace detail {

/// The layout of a graph for values of `bytes` bytes, and room for them.
template <class V> class SegmentedArcs {
public:
  /// `width` sources to a segment, or as many as the shared memory holds, if that is less; or more, so that there are
  /// not too many segments.
  SegmentedArcs(const Graph<V> &graph, std::uint64_t width, unsigned bytes)
      : arcs_(graph.num_arcs()), sources_of_arcs_(graph) {
    const std::uint64_t n = sources_of_arcs_.count(), largest = largest_shared();
    const std::uint64_t most = std::min<std::uint64_t>(most_segment_bytes, largest / 8 * 7) / bytes;
    width = std::min(std::max(width, n / most_segments + 1), std::min<std::uint64_t>(most, 1 << 16));
    const std::uint64_t segments = (n + width - 1) / width;
    if (segments > most_segments || n == 0 || arcs_ == 0)
      return;
    view_.arcs = arcs_;
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
    const std::uint64_t tiles = (arcs_ + view_.tile_arcs - 1) / view_.tile_arcs;
    if (tiles * view_.most_packs() >= ~std::uint32_t(0) || segments * tiles >= most_pairs)
      return;
    view_.tiles = static_cast<unsigned>(tiles);
    const double pairs = static_cast<double>(segments) * static_cast<double>(tiles);
    const double places = std::min(static_cast<double>(tiles * view_.room), static_cast<double>(arcs_) + empty * pairs);
    if (!has_even_tiles(graph))
      return;
    fits_ = graph.take_spare(4 * pairs + places * (2 + bytes) + 4. * static_cast<double>(tiles * view_.most_packs()) +
                             2. * static_cast<double>(arcs_) + static_cast<double>(tiles) * (sizeof(V) + 4 + bytes));
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

  /// Notes the first vertex of each tile. Whether no tile has many more vertices than arcs, as one would where most
  /// vertices without arcs follow each other: a block would take them all.
  bool has_even_tiles(const Graph<V> &graph) {
    first_ = Buffer<V>(view_.tiles + 1);
    GCOMPILE_CUDA_LAUNCH((first_of_tiles_kernel<V>), blocks_for(view_.tiles + 1), block_threads,
                         graph.view().in_offsets, view_, graph.num_vertices(), first_.data());
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
    places_ = Buffer<unsigned short>(arcs_ + 8); // 16 bytes are read at a time
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
    view_.places = places_.data();
    view_.taken = taken_.data();
    GCOMPILE_CUDA_LAUNCH((place_arcs_kernel<V>), blocks, tile_threads, g.in_sources, sources_of_arcs_.numbers(), view_,
                         sources_.data(), packs_.data(), counts_.data(), places_.data());
    sources_of_arcs_.forget_numbers();
  }

  SegmentsView<V> view_ = {};
  ArcId arcs_;
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
  Segments(const Graph<V> &graph, std::size_t width) : graph_(graph), width_(width) {}

  /// results[v] = what the arcs into v bring, for every vertex v.
  template <class F> void gather(const F &f, typename F::Value *results) {
    detail::SegmentedArcs<V> &arcs = layout(sizeof(typename F::Value));
    if (arcs.fits())
      arcs.gather(graph_, f, results);
    else
      for_vertices(graph_, detail::GatherPlainly<V, F>{f, graph_.view(), results});
  }

protected:
  detail::SegmentedArcs<V> &layout(unsigned bytes) {
    std::unique_ptr<detail::SegmentedArcs<V>> &made = layouts_[bytes / 8];
    if (!made)
      made = std::make_unique<detail::SegmentedArcs<V>>(graph_, width_, bytes);
    return *made;
  }

  const Graph<V> &graph_;

private:
  std::uint64_t width_;
  std::unique_ptr<detail::SegmentedArcs<V>> layouts_[2]; // for values of 4 bytes, and of 8
};

/// Segments of a program that asks in each of its rounds whether to go by them: from the third round on, where the
/// values of the sources take much of the second-level cache and most are read far away from the last.
template <class V> class ChosenSegments : public Segments<V> {
public:
  /// `bytes` are read of each source.
  ChosenSegments(const Graph<V> &graph, std::size_t bytes)
      : Segments<V>(graph, ~std::uint32_t(0)), bytes_(std::max<std::size_t>(bytes, 4)) {}

  /// Whether to go by segments in this round, for values of 4 or 8 bytes.
  bool pay(unsigned value_bytes) {
    constexpr int patience = 3; // rounds: a layout takes as long as it saves in five to ten
    if (rounds_ < patience && ++rounds_ == patience)
      pays_ = are_many() && are_scattered() && this->layout(value_bytes).fits() &&
              this->layout(value_bytes).arcs_of_pair() >= 4;
    return pays_;
  }

private:
  /// A layout moves 13 or 21 bytes for each arc, in long rows, and a gather by single reads 32 from the second-level
  /// cache, or from memory; but where degrees are uneven, the first-level caches have those of the highest.
  bool are_many() const {
    int device = 0, cache = 0;
    check(cudaGetDevice(&device), "no device");
    check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device), "no device");
    const double bytes = static_cast<double>(this->graph_.num_vertices()) * static_cast<double>(bytes_);
    return this->graph_.is_dense() && bytes >= (bytes_ <= 4 ? cache / 16. : cache / 4.);
  }
  bool are_scattered() const {
    const gc::Graph<V> &host = this->graph_.host();
    return gc::detail::are_scattered(V(0), host.num_vertices(), detail::most_segment_bytes / bytes_,
                                     [&](V v) { return host.in_neighbors(v); });
  }

  const std::size_t bytes_;
  int rounds_ = 0;
  bool pays_ = false;
};

} // namespace cuda
} // namespace gc

#endif
