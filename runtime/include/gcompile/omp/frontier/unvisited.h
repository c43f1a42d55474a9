// The unvisited vertices: those that a round visits when it pulls.
#ifndef GCOMPILE_OMP_FRONTIER_UNVISITED_H
#define GCOMPILE_OMP_FRONTIER_UNVISITED_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/sets/bitmap.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gc {

/// One thread's way through the vertices that a pull is to visit, a block of vertex numbers at a time. They are
/// gathered without a branch that the processor could not predict, and before the first is visited: the in-arcs of
/// each, often a cache miss, can be fetched while earlier ones are at work.
template <class V, class A = Plain> class UnvisitedVertices {
  static constexpr std::size_t block_size = 1024; // whole words of a bitmap
  static constexpr std::size_t ahead = 24;        // vertices
  static constexpr std::size_t batch = 64;        // vertices whose neighbours are tested together, a bit each

public:
  /// Of those that have a bit in `receiving`: Receivers.
  UnvisitedVertices(const Graph<V, A> &graph, BitView receiving) : graph_(graph), receiving_(receiving) {}

  /// Number of blocks of all vertices.
  std::size_t blocks() const { return (graph_.num_vertices() + block_size - 1) / block_size; }
  /// Gathers the vertices of a block that arcs lead to and for which `unvisited(v)` holds, in ascending order.
  template <class Unvisited> void select(std::size_t block, const Unvisited &unvisited) {
    const std::size_t begin = block * block_size,
                      end = std::min<std::size_t>(begin + block_size, graph_.num_vertices());
    count_ = 0;
    std::size_t first = begin;
    for (; first + 64 <= end; first += 64)
      append(first, receiving_.words[first / 64] & bits_of_64(static_cast<V>(first), unvisited));
    if (first == end)
      return;
    std::uint64_t rest = 0;
    for (std::size_t v = first; v < end; ++v)
      rest |= std::uint64_t(unvisited(static_cast<V>(v)) ? 1 : 0) << (v - first);
    append(first, receiving_.words[first / 64] & rest);
  }
  /// The vertices that the last call of select has gathered.
  std::size_t size() const { return count_; }
  V operator[](std::size_t i) const { return found_[i]; }
  /// Has the first in-arcs of a vertex some way after the i-th fetched.
  GCOMPILE_FETCHES void prefetch(std::size_t i) const {
    if (i + ahead < count_)
      __builtin_prefetch(graph_.in_list(found_[i + ahead]));
  }

  /// Calls f(vertex, neighbour) for each gathered vertex that an arc leads to from `frontier`, in any order, with the
  /// first such neighbour. `looks` grows by the number of arcs that are looked at.
  ///
  /// No processor foresees which neighbours are in the frontier. So the first ones of a batch are tested without a
  /// branch, then the second ones of those that are left, and so on as long as that finds enough. What is left then
  /// goes through its list one by one.
  template <class F> void each_first(BitView frontier, std::uint64_t &looks, const F &f) const {
    constexpr std::size_t deepest = 6, few = 8, enough = 5; // of five at least one
    for (std::size_t begin = 0; begin < count_; begin += batch) {
      std::size_t many = std::min(batch, count_ - begin);
      V tested[batch], left[batch];
      std::uint64_t hits = 0;
      for (std::size_t k = 0; k < many; ++k) {
        prefetch(begin + k);
        tested[k] = graph_.in_neighbors(found_[begin + k])[0]; // it has one: an arc leads to it
        hits |= std::uint64_t(frontier.contains(tested[k])) << k;
      }
      std::uint64_t misses = ~hits & (~std::uint64_t(0) >> (batch - many));
      looks += many;
      std::size_t rest = settle(found_ + begin, tested, hits, misses, left, f);
      std::size_t depth = 1;
      while (depth < deepest && rest > few && enough * static_cast<std::size_t>(__builtin_popcountll(hits)) >= many) {
        many = rest;
        hits = misses = 0;
        for (std::size_t k = 0; k < many; ++k) {
          const auto neighbors = graph_.in_neighbors(left[k]);
          const bool more = neighbors.size() > depth;
          tested[k] = neighbors[more ? depth : 0];
          const bool hit = frontier.contains(tested[k]);
          looks += more;
          hits |= std::uint64_t(more & hit) << k;
          misses |= std::uint64_t(more & !hit) << k;
        }
        rest = settle(left, tested, hits, misses, left, f);
        ++depth;
      }
      for (std::size_t k = 0; k < rest; ++k) {
        const V v = left[k];
        const auto neighbors = graph_.in_neighbors(v);
        for (auto at = neighbors.begin() + depth; at < neighbors.end(); ++at) {
          ++looks;
          if (const V u = *at; frontier.contains(u)) {
            f(v, u);
            break;
          }
        }
      }
    }
  }
  template <class F> void each_first(BitView frontier, const F &f) const {
    std::uint64_t looks = 0;
    each_first(frontier, looks, f);
  }

private:
  /// Calls f(vertices[k], neighbors[k]) for the bits k of `hits`, and moves the vertices of `misses` to `left`, which
  /// may be the same place. Gives how many they are.
  template <class F>
  static std::size_t settle(const V *vertices, const V *neighbors, std::uint64_t hits, std::uint64_t misses, V *left,
                            const F &f) {
    for (; hits; hits &= hits - 1) {
      const auto k = static_cast<std::size_t>(__builtin_ctzll(hits));
      f(vertices[k], neighbors[k]);
    }
    std::size_t count = 0;
    for (; misses; misses &= misses - 1)
      left[count++] = vertices[__builtin_ctzll(misses)];
    return count;
  }

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
  void append(std::size_t first, std::uint64_t bits) {
    if (bits == ~std::uint64_t(0)) { // of a known number, as above
      for (std::size_t k = 0; k < 64; ++k)
        found_[count_ + k] = static_cast<V>(first + k);
      count_ += 64;
      return;
    }
    for (; bits; bits &= bits - 1)
      found_[count_++] = static_cast<V>(first + static_cast<std::size_t>(__builtin_ctzll(bits)));
  }

  const Graph<V, A> graph_;
  const BitView receiving_;
  std::size_t count_ = 0;
  V found_[block_size];
};

} // namespace gc

#endif
