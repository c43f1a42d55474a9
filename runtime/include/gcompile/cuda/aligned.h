// Aligned lists of neighbours, for programs whose schedule says `adjacency aligned` (S5): groups of 32 vertices with
// lists of like length have the k-th neighbours of all 32 side by side.
//
// The arcs into a vertex are copied: the graph stays as it is, and so do the numbers of its vertices.
#ifndef GCOMPILE_CUDA_ALIGNED_H
#define GCOMPILE_CUDA_ALIGNED_H

#include <gcompile/cuda/aligned/gather.h>
#include <gcompile/cuda/aligned/pull.h>
#include <gcompile/cuda/aligned/rows.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/pull/candidates.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace gc {
namespace cuda {

namespace detail {

/// Longer lists stay as they are: several lanes share them, and read whole lines there.
constexpr unsigned longest_row = 512;

/// The lengths of the lists of arcs into vertices; one more than the longest row if they are not to be aligned: where
/// they are longer, or a block takes all arcs of the vertex.
template <class V>
__global__ void __launch_bounds__(block_threads) row_lengths_kernel(gc::Graph<V> graph, std::uint16_t *lengths) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i < graph.num_vertices();
       i += std::uint64_t(gridDim.x) * block_threads) {
    const V v = static_cast<V>(i);
    const ArcId length = graph.in_end(v) - graph.in_begin(v);
    const bool fits = length <= longest_row && list_length(graph, v) <= hub_degree;
    lengths[i] = static_cast<std::uint16_t>(fits ? length : longest_row + 1);
  }
}

/// Copies the lists into `sources`, in their order; with `by_degree`, four of the first 64 sources come first, those
/// with the most arcs out of them, which are active soonest.
template <class V>
__global__ void __launch_bounds__(block_threads)
    fill_rows_kernel(gc::Graph<V> graph, AlignedView<V> lists, V *sources, bool by_degree) {
  constexpr unsigned few = 4, asked = 64;
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i / 32 < lists.groups;
       i += std::uint64_t(gridDim.x) * block_threads) {
    const AlignedRow<V> row = lists.row(static_cast<std::uint32_t>(i / 32));
    V *to = sources + (row.first - lists.sources);
    const ArcId begin = graph.in_begin(row.vertex);
    unsigned best[few] = {row.length, row.length, row.length, row.length};
    ArcId degrees[few] = {0, 0, 0, 0};
    for (unsigned k = 0; by_degree && k < row.length && k < asked; ++k) {
      const V u = graph.in_source(begin + k);
      keep_greatest(degrees, best, graph.out_end(u) - graph.out_begin(u), k);
    }
    for (unsigned j = 0; j < few; ++j)
      if (best[j] < row.length) {
        *to = graph.in_source(begin + best[j]);
        to += 32;
      }
    for (unsigned k = 0; k < row.length; ++k) {
      if (k == best[0] || k == best[1] || k == best[2] || k == best[3])
        continue;
      *to = graph.in_source(begin + k);
      to += 32;
    }
  }
}

} // namespace detail

/// The aligned lists of a graph, which must outlive them.
template <class V> class AlignedLists {
public:
  /// Of so large a share of the vertices, those with the longest lists of arcs into them first; without those whose
  /// lists are so long that several lanes share them. None where memory is short: it is taken from what `whose`, the
  /// graph that the program was given, has left.
  AlignedLists(const Graph<V> &graph, double part, const Graph<V> &whose) {
    const auto start = std::chrono::steady_clock::now();
    if (graph.num_vertices() > 0 && graph.num_arcs() > 0 && graph.view().in_offsets)
      make(graph, part, whose);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  AlignedLists(const Graph<V> &graph, double part) : AlignedLists(graph, part, graph) {}

  const AlignedView<V> &view() const { return view_; }
  /// The time that making them took, in seconds.
  double seconds() const { return seconds_; }

private:
  void make(const Graph<V> &graph, double part, const Graph<V> &whose) {
    const std::size_t n = graph.num_vertices();
    std::vector<std::uint16_t> lengths(n);
    {
      Buffer<std::uint16_t> measured(n);
      GCOMPILE_CUDA_LAUNCH((detail::row_lengths_kernel<V>), blocks_for(n), block_threads, graph.view(),
                           measured.data());
      check(cudaGetLastError(), "cannot start a kernel");
      measured.download(lengths.data(), n);
    }
    // Counting by length, the longest first; vertices with lists of one length in the order of their numbers.
    std::vector<std::size_t> places(detail::longest_row + 2, 0);
    for (const std::uint16_t length : lengths)
      ++places[length];
    std::size_t most = static_cast<std::size_t>(part * static_cast<double>(n) + 0.5); // with those that are too long
    const std::size_t too_long = places[detail::longest_row + 1], some = n - too_long - places[0];
    most = most > too_long ? std::min(most - too_long, some) : 0;
    if (most == 0)
      return;
    std::size_t before = 0;
    for (unsigned length = detail::longest_row; length > 0; --length)
      before += std::exchange(places[length], before);
    const std::size_t groups = (most + 31) / 32;
    std::vector<V> vertices(groups * 32, V(0)), others;
    std::vector<std::uint16_t> rows(groups * 32, 0);
    std::vector<std::uint32_t> members((n + 31) / 32, 0);
    others.reserve(n - most);
    for (std::size_t v = 0; v < n; ++v) {
      const unsigned length = lengths[v];
      const std::size_t place = length == 0 || length > detail::longest_row ? most : places[length]++;
      if (place >= most) {
        others.push_back(static_cast<V>(v));
        continue;
      }
      vertices[place] = static_cast<V>(v);
      rows[place] = lengths[v];
      members[v / 32] |= std::uint32_t(1) << (v % 32);
    }
    std::vector<ArcId> begins(groups);
    ArcId end = 0;
    for (std::size_t group = 0; group < groups; ++group) {
      begins[group] = end;
      end += ArcId(32) * rows[group * 32];
    }
    const double bytes = static_cast<double>(end + vertices.size() + others.size()) * sizeof(V) +
                         static_cast<double>(rows.size()) * 2 + static_cast<double>(groups) * sizeof(ArcId) +
                         static_cast<double>(members.size()) * 4;
    if (!whose.take_spare(bytes))
      return;
    put(vertices_, vertices);
    put(lengths_, rows);
    put(begins_, begins);
    put(members_, members);
    put(others_, others);
    sources_ = Buffer<V>(end);
    view_ = {vertices_.data(), lengths_.data(), begins_.data(), sources_.data(),
             members_.data(),  others_.data(),  others.size(),  static_cast<std::uint32_t>(groups)};
    GCOMPILE_CUDA_LAUNCH((detail::fill_rows_kernel<V>), blocks_for(groups * 32), block_threads, graph.view(), view_,
                         sources_.data(), !detail::has_even_degrees(graph));
    synchronize();
  }
  template <class T> static void put(Buffer<T> &to, const std::vector<T> &from) {
    to = Buffer<T>(from.size());
    to.upload(from.data(), from.size());
  }

  AlignedView<V> view_ = {};
  double seconds_ = 0;
  Buffer<V> vertices_, others_, sources_;
  Buffer<std::uint16_t> lengths_;
  Buffer<ArcId> begins_;
  Buffer<std::uint32_t> members_;
};

} // namespace cuda
} // namespace gc

#endif
