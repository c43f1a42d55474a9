// How far apart neighbours are: whether caches hold what a loop over lists of neighbours reads.
#ifndef GCOMPILE_CORE_LOCALITY_H
#define GCOMPILE_CORE_LOCALITY_H

#include <gcompile/core/graph.h>
#include <gcompile/core/numeric.h>

#include <cstddef>
#include <cstdint>

#include <unistd.h>

namespace gc {

namespace detail {

/// Bytes of a processor's second-level cache.
inline std::size_t second_level_cache() {
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : std::size_t(1) << 20;
}

/// Whether most neighbours, in a sample of the n lists that list(v) gives, have ids further than `near` from that of
/// the vertex.
template <class V, class List> bool are_scattered(V n, std::size_t near, const List &list) {
  constexpr std::uint64_t samples = 1024;
  std::size_t far = 0, all = 0;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const V v = static_cast<V>(mix(i) % n);
    const auto neighbors = list(v);
    if (neighbors.empty())
      continue;
    const V u = neighbors[mix(i + samples) % neighbors.size()];
    far += (u < v ? v - u : u - v) > near;
    ++all;
  }
  return 2 * far > all;
}

} // namespace detail

} // namespace gc

#endif
