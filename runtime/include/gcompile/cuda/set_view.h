// A stored set of vertices as kernels see it; the adjacency algebra of <gcompile/sorted_sets.h> takes it.
#ifndef GCOMPILE_CUDA_SET_VIEW_H
#define GCOMPILE_CUDA_SET_VIEW_H

#include <gcompile/types.h>

#include <cstdint>

namespace gc {
namespace cuda {

/// A bitmap of the vertices 0..n-1.
template <class V> struct SetView {
  const std::uint32_t *words;
  V n;
  std::int64_t count;

  GCOMPILE_HD std::int64_t size() const { return count; }
  GCOMPILE_HD bool contains(V v) const { return v < n && (words[v / 32] >> (v % 32) & 1u) != 0; }

  /// The members in ascending order.
  struct Cursor {
    using Vertex = V;
    const std::uint32_t *words;
    V n, at;
    GCOMPILE_HD bool done() const { return at >= n; }
    GCOMPILE_HD V value() const { return at; }
    GCOMPILE_HD void next() {
      ++at;
      settle();
    }
    GCOMPILE_HD void seek(V v) {
      if (at < v) {
        at = v;
        settle();
      }
    }
    GCOMPILE_HD bool contains(V v) const { return v < n && (words[v / 32] >> (v % 32) & 1u) != 0; }
    GCOMPILE_HD void settle() {
      while (at < n && !(words[at / 32] >> (at % 32) & 1u)) {
        if (words[at / 32] >> (at % 32) == 0 && n - at > 32)
          at = (at / 32 + 1) * 32;
        else
          ++at;
      }
    }
  };
  struct End {};
  struct Iterator {
    Cursor cursor;
    GCOMPILE_HD V operator*() const { return cursor.value(); }
    GCOMPILE_HD Iterator &operator++() {
      cursor.next();
      return *this;
    }
    GCOMPILE_HD bool operator!=(End) const { return !cursor.done(); }
  };
  GCOMPILE_HD Cursor cursor() const {
    Cursor cursor = {words, n, 0};
    cursor.settle();
    return cursor;
  }
  GCOMPILE_HD Iterator begin() const { return {cursor()}; }
  GCOMPILE_HD End end() const { return {}; }
};

} // namespace cuda

namespace detail {
template <class V> GCOMPILE_HD typename cuda::SetView<V>::Cursor cursor_of(const cuda::SetView<V> &set) {
  return set.cursor();
}
} // namespace detail

} // namespace gc

#endif
