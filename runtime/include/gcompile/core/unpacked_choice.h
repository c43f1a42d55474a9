// Packed lists of some vertices, taken out of their fields.
#ifndef GCOMPILE_CORE_UNPACKED_CHOICE_H
#define GCOMPILE_CORE_UNPACKED_CHOICE_H

#include <gcompile/core/packed_lists.h>
#include <gcompile/core/unpack.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gc::detail {

/// The lists of a few vertices in any order, one behind the other. Long ones are left, and taken out one by one.
template <class V> class UnpackedChoice {
  static constexpr std::size_t most = FieldReader<V>::few, spare = FieldReader<V>::spare,
                               most_of_all = 2048; // neighbours that are taken out at a time: of a list, of all

public:
  static constexpr std::size_t most_vertices = 64;

  /// Takes the lists of the first of `count` vertices, of which there is one at least: as many as there is room for.
  /// Those longer than `longest` are left, and so are other long ones. Gives the number of the vertices.
  std::size_t take(const PackedLists<V> &lists, const V *vertices, std::size_t count, ArcId longest) {
    return take<false>(lists, vertices, count, longest);
  }
  /// The same, and notes the vertex of each neighbour.
  std::size_t take_with_sources(const PackedLists<V> &lists, const V *vertices, std::size_t count, ArcId longest) {
    return take<true>(lists, vertices, count, longest);
  }

  /// Whether the k-th list was taken, and the list.
  bool has(std::size_t k) const { return (left_ >> k & 1) == 0; }
  Span<V> list(std::size_t k) const { return {at_[k], at_[k + 1]}; }
  /// A bit for each list that was left.
  std::uint64_t left() const { return left_; }

  /// The neighbours in all lists that were taken, and their vertices.
  std::size_t arcs() const { return static_cast<std::size_t>(at_[taken_] - ends_); }
  const V *targets() const { return ends_; }
  const V *sources() const { return sources_; }

  /// The first most_near neighbours of the k-th and the following lists, of vertices that there are or behind them.
  static constexpr std::size_t most_near = 8;
  const V *near(std::size_t k) const { return at_[std::min(k, taken_)]; }
  /// From each of targets() on there are so many, be they neighbours or not.
  static constexpr std::size_t most_ahead = 64;

  /// The neighbours at some arcs of a vertex, which stay until it is called again.
  [[gnu::noinline]] Span<V> take_arcs(const PackedLists<V> &lists, V v, ArcId begin, ArcId end) {
    if (begin == end)
      return {nullptr, nullptr};
    const PackedGroup &group = lists.group(v);
    const std::size_t size = end - begin;
    if (size + spare > long_size_) {
      long_size_ = std::max<std::size_t>(size, 4096) + spare;
      long_.reset(new V[long_size_]);
    }
    FieldReader<V>(lists).take(group, begin - group.first_arc, end - group.first_arc, long_.get());
    return {long_.get(), long_.get() + size};
  }

private:
  // Not inlined: the loop over the neighbours needs the registers.
  template <bool with_sources>
  [[gnu::noinline]] std::size_t take(const PackedLists<V> &lists, const V *vertices, std::size_t count, ArcId longest) {
    const std::size_t shorter = std::min<ArcId>(longest, most);
    const FieldReader<V> reader(lists);
    V *to = ends_;
    const V *const full = ends_ + most_of_all;
    count = std::min(count, most_vertices);
    std::uint64_t left = 0;
    std::size_t k = 0;
    for (; k < count && to < full; ++k) {
      at_[k] = to;
      const V v = vertices[k];
      const auto places = lists.places_of(v);
      const std::size_t size = places.end - places.begin;
      if (__builtin_expect(size > shorter, 0)) {
        left |= std::uint64_t(1) << k;
        continue;
      }
      reader.take_few(lists.group(v), places.begin, places.end, to);
      if constexpr (with_sources)
        note(v, size, sources_ + (to - ends_));
      to += size;
    }
    std::fill_n(to, most_ahead, V(0)); // what is read behind the last one
    at_[k] = to;
    left_ = left;
    return taken_ = k;
  }
  /// Of a known number, as few lists have more: then a compiler takes several at a time.
  static void note(V source, std::size_t count, V *to) {
    constexpr std::size_t known = spare + 1;
    for (std::size_t k = 0; k < known; ++k)
      to[k] = source;
    for (std::size_t k = known; k < count; ++k)
      to[k] = source;
  }

  std::size_t taken_ = 0;
  std::uint64_t left_ = 0;
  V *at_[most_vertices + 1];
  V ends_[most_of_all + most + spare + most_ahead], sources_[most_of_all + most + spare + 1];
  std::unique_ptr<V[]> long_;
  std::size_t long_size_ = 0;
};

} // namespace gc::detail

#endif
