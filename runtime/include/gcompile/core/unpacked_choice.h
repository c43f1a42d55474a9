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

/// The lists of a few vertices in any order, one behind the other. Long ones are taken out one by one.
template <class V> class UnpackedChoice {
  static constexpr std::size_t most = 256,
                               most_of_all = 2048; // neighbours that are taken out at a time: of a list, of all
  static constexpr std::size_t before = FieldReader<V>::before, spare = FieldReader<V>::spare;

public:
  static constexpr std::size_t most_vertices = 64;

  /// Takes the lists of the first of `count` vertices, of which there is one at least: as many as there is room for.
  /// Those longer than `longest` are left, and so are other long ones. Gives the number of the vertices.
  std::size_t take(const PackedLists<V> &lists, const V *vertices, std::size_t count, ArcId longest) {
    const std::size_t shorter = std::min<ArcId>(longest, most);
    count = std::min(count, most_vertices);
    std::size_t used = 0, k = 0;
    for (; k < count && used < most_of_all; ++k) {
      const V v = vertices[k];
      const auto places = lists.places_of(v);
      const std::size_t size = places.end - places.begin;
      if (size > shorter) {
        at_[k] = {ends_ + used, nullptr};
        continue;
      }
      V *const first = FieldReader<V>::take(lists, lists.group(v), places.begin, places.end, ends_ + used);
      at_[k] = {first, first + size};
      used = static_cast<std::size_t>(first - ends_) + size;
    }
    // What near() reads behind the last one.
    std::fill_n(ends_ + used, most_near, V(0));
    at_[k] = {ends_ + used, nullptr};
    taken_ = k;
    return k;
  }

  /// Whether the k-th list was taken, and the list.
  bool has(std::size_t k) const { return at_[k].last != nullptr; }
  Span<V> list(std::size_t k) const { return {at_[k].first, at_[k].last}; }

  /// The first most_near neighbours of the k-th and the following lists, of vertices that there are or behind them.
  static constexpr std::size_t most_near = 8;
  const V *near(std::size_t k) const { return at_[std::min(k, taken_)].first; }

  /// The neighbours at some arcs of a vertex, which stay until it is called again.
  Span<V> take_arcs(const PackedLists<V> &lists, V v, ArcId begin, ArcId end) {
    if (begin == end)
      return {nullptr, nullptr};
    const PackedGroup &group = lists.group(v);
    const std::size_t size = end - begin;
    if (size + before + spare > long_size_) {
      long_size_ = std::max<std::size_t>(size, 4096) + before + spare;
      long_.reset(new V[long_size_]);
    }
    const V *const first =
        FieldReader<V>::take(lists, group, begin - group.first_arc, end - group.first_arc, long_.get());
    return {first, first + size};
  }

private:
  struct At {
    V *first, *last;
  };
  std::size_t taken_ = 0;
  At at_[most_vertices + 1];
  V ends_[most_of_all + most + before + spare + most_near];
  std::unique_ptr<V[]> long_;
  std::size_t long_size_ = 0;
};

} // namespace gc::detail

#endif
