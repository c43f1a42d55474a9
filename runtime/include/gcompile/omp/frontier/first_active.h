// What a pull looks for: the first neighbour of a vertex that is in the frontier.
#ifndef GCOMPILE_OMP_FRONTIER_FIRST_ACTIVE_H
#define GCOMPILE_OMP_FRONTIER_FIRST_ACTIVE_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/frontier/sixteen_lists.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/sets/bitmap.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gc::detail {

/// Writes the numbers of the bits of some words, counted from `first`. Gives how many.
template <class V> std::size_t write_bits(V first, const std::uint64_t *words, std::size_t count, V *to) {
  std::size_t written = 0;
  for (std::size_t w = 0; w < count; ++w, first += 64) {
    std::uint64_t bits = words[w];
    if (bits == ~std::uint64_t(0)) { // a compiler that knows their number writes several at a time
      for (unsigned k = 0; k < 64; ++k)
        to[written + k] = static_cast<V>(first + k);
      written += 64;
      continue;
    }
    for (; bits; bits &= bits - 1)
      to[written++] = static_cast<V>(first + static_cast<unsigned>(__builtin_ctzll(bits)));
  }
  return written;
}

/// One thread's search in a round. No processor foresees which neighbours are in the frontier, so those of many
/// vertices are tested together, without a branch: the first ones, then the second ones of the vertices that are left,
/// and so on as long as that finds enough. What is left then goes through its list by itself.
///
/// Functions call f(vertex, neighbour) for each vertex that has such a neighbour, in any order, and give the number of
/// arcs that they look at.
template <class V, class A> class FirstActive {
  static constexpr std::size_t batch = 64; // vertices that are tested together, a bit each
  static constexpr std::size_t ahead = 24; // vertices whose lists are fetched
  static constexpr std::size_t deepest = 6, few = 8;

public:
  /// Of so many vertices, whole words of a bitmap.
  static constexpr std::size_t most = 1024;

  explicit FirstActive(const Graph<V, A> &graph) : graph_(graph) {}

  /// For the vertices from `first` on, that `waiting` has a bit for, in `words` words. Arcs lead to them. `first`
  /// begins a word, and as many vertices as there are bits exist, but for the last word.
  template <class F>
  std::uint64_t each(V first, const std::uint64_t *waiting, std::size_t words, BitView frontier, const F &f) {
    V list[most];
#ifdef GCOMPILE_TESTS_SIXTEEN
    if constexpr (sizeof(V) == 4) {
      if (levels_ == 0)
        return by_themselves(list, write_bits(first, waiting, words, list), frontier, f);
      std::uint64_t looks = 0;
      std::size_t listed = 0; // vertices of parts where few wait
      for (std::size_t w = 0; w < words; w += part / 64) {
        const std::size_t some = std::min(part / 64, words - w);
        std::size_t count = 0;
        for (std::size_t k = w; k < w + some; ++k)
          count += static_cast<std::size_t>(__builtin_popcountll(waiting[k]));
        const V begin = static_cast<V>(first + 64 * w);
        if (count >= part / 4 && graph_.num_vertices() - begin >= part && SixteenLists<V, A>(graph_).suit(begin))
          looks += in_lanes(begin, waiting + w, words - w, frontier, f);
        else
          listed += write_bits(begin, waiting + w, some, list + listed);
      }
      looks += in_batches(list, listed, frontier, f);
      return looks;
    }
#endif
    return in_batches(list, write_bits(first, waiting, words, list), frontier, f);
  }

  /// Has the list of a vertex some way behind the k-th of `count` fetched.
  GCOMPILE_FETCHES void prefetch(const V *vertices, std::size_t k, std::size_t count) const {
    if (k + ahead < count)
      __builtin_prefetch(graph_.in_list(vertices[k + ahead]));
  }

private:
  static bool pays(std::size_t hits, std::size_t looks) { return 5 * hits >= looks; }

  template <class F>
  std::uint64_t in_batches(const V *vertices, std::size_t count, BitView frontier, const F &f) const {
    std::uint64_t looks = count;
    for (std::size_t begin = 0; begin < count; begin += batch) {
      const std::size_t many = std::min(batch, count - begin);
      const V *const some = vertices + begin;
      V tested[batch], left[batch];
      std::uint64_t hits = 0;
      for (std::size_t k = 0; k < many; ++k) {
        prefetch(vertices, begin + k, count);
        tested[k] = graph_.in_neighbors(some[k])[0];
        hits |= std::uint64_t(frontier.contains(tested[k])) << k;
      }
      const std::uint64_t misses = ~hits & (~std::uint64_t(0) >> (batch - many));
      const std::size_t rest = settle(some, tested, hits, misses, left, f);
      looks += deeper(left, rest, 1, pays(many - rest, many), frontier, f);
    }
    return looks;
  }

  /// For `rest` vertices of a batch, from neighbour number `depth` on. `found`: enough, at the one before.
  template <class F>
  std::uint64_t deeper(V *left, std::size_t rest, std::size_t depth, bool found, BitView frontier, const F &f) const {
    std::uint64_t looks = 0;
    for (; depth < deepest && rest > few && found; ++depth) {
      V tested[batch];
      std::uint64_t hits = 0, misses = 0;
      const std::size_t many = rest;
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
      found = pays(static_cast<std::size_t>(__builtin_popcountll(hits)), many);
    }
    for (std::size_t k = 0; k < rest; ++k)
      looks += by_itself(left[k], depth, frontier, f);
    return looks;
  }

  /// For one vertex, from neighbour number `depth` on.
  template <class F> std::uint64_t by_itself(V v, std::size_t depth, BitView frontier, const F &f) const {
    std::uint64_t looks = 0;
#ifdef GCOMPILE_TESTS_SIXTEEN
    if constexpr (sizeof(V) == 4) {
      SixteenLists<V, A>(graph_).each_sixteen(v, depth, [&](Sixteen neighbors, unsigned lanes) {
        const unsigned hits = lanes_in(frontier.words, neighbors, lanes);
        if (hits == 0) {
          looks += static_cast<std::uint64_t>(__builtin_popcount(lanes));
          return false;
        }
        const auto k = static_cast<unsigned>(__builtin_ctz(hits));
        looks += k + 1;
        f(v, value_of(neighbors, k));
        return true;
      });
      return looks;
    }
#endif
    const auto neighbors = graph_.in_neighbors(v);
    for (auto at = neighbors.begin() + depth; at < neighbors.end(); ++at) {
      ++looks;
      if (const V u = *at; frontier.contains(u)) {
        f(v, u);
        break;
      }
    }
    return looks;
  }

#ifdef GCOMPILE_TESTS_SIXTEEN
  static constexpr std::size_t part = 256; // vertices whose hits are written together, whole words
  static constexpr unsigned most_levels = 2;

  /// For a part, from `first` on: 16 vertices at a time, one in each lane. `words`: of the part and of what is behind
  /// it.
  template <class F>
  std::uint64_t in_lanes(V first, const std::uint64_t *waiting, std::size_t words, BitView frontier, const F &f) {
    constexpr std::size_t lanes_ahead = 128; // vertices
    const SixteenLists<V, A> lists(graph_);
    const auto live_at = [waiting](std::size_t k) { return static_cast<unsigned>(waiting[k / 64] >> k % 64 & 0xffff); };
    V hit[part + 16], by[part + 16], left[part + 16];
    std::size_t hits = 0, rest = 0, looked[most_levels] = {}, found[most_levels] = {};
    const unsigned levels = std::max(levels_, 1U);
    const std::size_t exist = std::min<std::size_t>(64 * words, graph_.num_vertices() - first);
    for (std::size_t k = 0; k < part; k += 16) {
      if (k + lanes_ahead + 16 <= exist)
        if (const unsigned next = live_at(k + lanes_ahead))
          lists.prefetch(static_cast<V>(first + k + lanes_ahead), next);
      const V begin = static_cast<V>(first + k);
      const Sixteen vertices = lane_numbers + begin;
      unsigned live = live_at(k);
      if (live == 0)
        continue;
      for (unsigned depth = 0; depth < levels; ++depth) {
        const Sixteen neighbors = lists.neighbors(begin, depth, live);
        const unsigned in = lanes_in(frontier.words, neighbors, live);
        looked[depth] += static_cast<std::size_t>(__builtin_popcount(live));
        write_lanes(vertices, in, hit + hits);
        const std::size_t some = write_lanes(neighbors, in, by + hits);
        found[depth] += some;
        hits += some;
        live &= ~in;
      }
      rest += write_lanes(vertices, live, left + rest);
    }
    for (std::size_t k = 0; k < hits; ++k)
      f(hit[k], by[k]);
    std::uint64_t looks = looked[0] + looked[1];
    for (std::size_t begin = 0; begin < rest; begin += batch)
      looks += deeper(left + begin, std::min(batch, rest - begin), levels, pays(found[levels - 1], looked[levels - 1]),
                      frontier, f);
    // The second neighbours pay in lanes where many are left.
    levels_ = !pays(found[0], looked[0]) ? 0 : looked[0] - found[0] >= part / 4 ? 2 : 1;
    return looks;
  }

  /// For some vertices one after the other. Where few find one soon, sixteen of a list are tested together.
  template <class F> std::uint64_t by_themselves(const V *vertices, std::size_t count, BitView frontier, const F &f) {
    std::uint64_t looks = 0;
    std::size_t at_first = 0;
    for (std::size_t k = 0; k < count; ++k) {
      prefetch(vertices, k, count);
      bool hit = false;
      const std::uint64_t own = by_itself(vertices[k], 0, frontier, [&](V v, V u) {
        hit = true;
        f(v, u);
      });
      at_first += hit && own == 1;
      looks += own;
    }
    levels_ = count > 0 && pays(at_first, count) ? 1 : 0;
    return looks;
  }

#endif

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

  const Graph<V, A> graph_;
  [[maybe_unused]] unsigned levels_ = 1; // neighbours of each that pay in lanes, as the vertices before have shown
};

} // namespace gc::detail

#endif
