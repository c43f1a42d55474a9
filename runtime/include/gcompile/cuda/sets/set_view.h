// A stored set of vertices as kernels see it; core/adjacency combines it with others.
#ifndef GCOMPILE_CUDA_SETS_SET_VIEW_H
#define GCOMPILE_CUDA_SETS_SET_VIEW_H

#include <gcompile/core/adjacency/sets.h>

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

template <class V> GCOMPILE_HD typename SetView<V>::Cursor cursor_of(const SetView<V> &set) { return set.cursor(); }

} // namespace cuda

namespace detail {
/// Whether a vertex is in a set, or is not.
template <class V> struct Membership {
  cuda::SetView<V> set;
  bool wanted;
  GCOMPILE_HD bool operator()(V v) const { return set.contains(v) == wanted; }
};
} // namespace detail

// Bits are asked, not searched.
template <class A, class V> GCOMPILE_HD auto intersected(const A &a, const cuda::SetView<V> &b) {
  return filtered(a, detail::Membership<V>{b, true});
}
template <class V, class B> GCOMPILE_HD auto intersected(const cuda::SetView<V> &a, const B &b) {
  return filtered(b, detail::Membership<V>{a, true});
}
template <class V> GCOMPILE_HD auto intersected(const cuda::SetView<V> &a, const cuda::SetView<V> &b) {
  return filtered(a, detail::Membership<V>{b, true});
}
template <class A, class V> GCOMPILE_HD auto subtracted(const A &a, const cuda::SetView<V> &b) {
  return filtered(a, detail::Membership<V>{b, false});
}

} // namespace gc

#endif
