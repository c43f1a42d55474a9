// How far apart neighbours are: whether caches hold what a loop over lists of neighbours reads.
#ifndef GCOMPILE_CORE_LOCALITY_H
#define GCOMPILE_CORE_LOCALITY_H

#include <gcompile/core/graph.h>
#include <gcompile/core/numeric.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unistd.h>

namespace gc {

namespace detail {

/// Bytes of a processor's second-level cache.
inline std::size_t second_level_cache() {
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : std::size_t(1) << 20;
}

/// Whether most neighbours, in a sample of the lists that list(v) gives for the vertices from `first` up to `last`,
/// have ids further than `near` from that of the vertex.
template <class V, class List> bool are_scattered(V first, V last, std::size_t near, const List &list) {
  constexpr std::uint64_t samples = 1024;
  std::size_t far = 0, all = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const V v = static_cast<V>(first + mix(i) % (last - first));
    const auto neighbors = list(v);
    if (neighbors.empty())
      continue;
    const V u = neighbors[mix(i + samples) % neighbors.size()];
    far += (u < v ? v - u : u - v) > near;
    ++all;
  }
  return 2 * far > all;
}

/// The part of lists, out of those of the vertices from `first` up to `last`, whose ends a processor cannot foresee: a
/// table predicts a length, which length(v) gives, by the three before it, much as branch predictors do. Of windows all
/// over the vertices.
template <class V, class Length> double unforeseen_ends(V first, V last, const Length &length) {
  constexpr std::uint64_t windows = 16, window = 512, entries = 4096;
  std::vector<std::uint64_t> next(entries, ~std::uint64_t(0));
  std::uint64_t missed = 0, all = 0;
  const std::uint64_t n = last - first, step = n < windows * window ? window : n / windows;
  for (std::uint64_t begin = 0; begin + window <= n; begin += step) {
    std::uint64_t before = 0; // the last three lengths, 21 bits of each
    for (std::uint64_t v = first + begin; v < first + begin + window; ++v, ++all) {
      std::uint64_t &expected = next[mix(before) % entries];
      const std::uint64_t found = static_cast<std::uint64_t>(length(static_cast<V>(v)));
      missed += expected != found;
      expected = found;
      before = (before << 21 ^ found) & ((std::uint64_t(1) << 63) - 1);
    }
  }
  return all == 0 ? 0 : static_cast<double>(missed) / static_cast<double>(all);
}

} // namespace detail

} // namespace gc

#endif
