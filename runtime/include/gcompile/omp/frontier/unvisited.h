// The unvisited vertices: those that a round visits when it pulls.
#ifndef GCOMPILE_OMP_FRONTIER_UNVISITED_H
#define GCOMPILE_OMP_FRONTIER_UNVISITED_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/frontier/first_active.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/sets/bitmap.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gc {

/// One thread's way through the vertices that a pull is to visit, a block of vertex numbers at a time. They are marked
/// or gathered without a branch that the processor could not predict, and before the first is visited: the in-arcs of
/// each, often a cache miss, can be fetched while earlier ones are at work.
template <class V, class A = Plain> class UnvisitedVertices {
  static constexpr std::size_t block_size = detail::FirstActive<V, A>::most; // whole words of a bitmap

public:
  /// Of those that have a bit in `receiving`: Receivers.
  UnvisitedVertices(const Graph<V, A> &graph, BitView receiving)
      : graph_(graph), receiving_(receiving), search_(graph) {}

  /// Number of blocks of all vertices.
  std::size_t blocks() const { return (graph_.num_vertices() + block_size - 1) / block_size; }
  /// Marks the vertices of a block that arcs lead to and for which `unvisited(v)` holds.
  template <class Unvisited> void mark(std::size_t block, const Unvisited &unvisited) {
    const std::size_t begin = block * block_size,
                      end = std::min<std::size_t>(begin + block_size, graph_.num_vertices());
    first_ = static_cast<V>(begin);
    words_ = 0;
    std::size_t first = begin;
    for (; first + 64 <= end; first += 64)
      marked_[words_++] = receiving_.words[first / 64] & bits_of_64(static_cast<V>(first), unvisited);
    if (first == end)
      return;
    std::uint64_t rest = 0;
    for (std::size_t v = first; v < end; ++v)
      rest |= std::uint64_t(unvisited(static_cast<V>(v)) ? 1 : 0) << (v - first);
    marked_[words_++] = receiving_.words[first / 64] & rest;
  }
  /// Calls f(vertex, neighbour) for each marked vertex that an arc leads to from `frontier`, in any order, with the
  /// first such neighbour. `looks` grows by the number of arcs that are looked at.
  template <class F> void each_first(BitView frontier, std::uint64_t &looks, const F &f) {
    looks += search_.each(first_, marked_, words_, frontier, f);
  }
  template <class F> void each_first(BitView frontier, const F &f) {
    std::uint64_t looks = 0;
    each_first(frontier, looks, f);
  }

  /// Gathers those that mark() would mark, in ascending order.
  template <class Unvisited> void select(std::size_t block, const Unvisited &unvisited) {
    mark(block, unvisited);
    count_ = detail::write_bits(first_, marked_, words_, found_);
  }
  /// The vertices that the last call of select has gathered.
  std::size_t size() const { return count_; }
  V operator[](std::size_t i) const { return found_[i]; }
  /// Has the first in-arcs of a vertex some way after the i-th fetched.
  GCOMPILE_FETCHES void prefetch(std::size_t i) const { search_.prefetch(found_, i, count_); }

private:
  /// A bit for each of 64 vertices from `first` on. A compiler that knows their number, and that theirs do not wrap
  /// around, tests several at a time.
  template <class Unvisited> static std::uint64_t bits_of_64(V first, const Unvisited &unvisited) {
    if (first > none<V>() - 64)
      __builtin_unreachable();
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < 64; ++k)
      bits |= std::uint64_t(unvisited(first + static_cast<V>(k)) ? 1 : 0) << k;
    return bits;
  }

  const Graph<V, A> graph_;
  const BitView receiving_;
  detail::FirstActive<V, A> search_;
  V first_ = 0; // of the block
  std::size_t words_ = 0, count_ = 0;
  std::uint64_t marked_[block_size / 64];
  V found_[block_size];
};

} // namespace gc

#endif
