// The rounds of a propagate that the host has begun go on on the device (S1).
#ifndef GCOMPILE_CUDA_FRONTIER_TAKE_OVER_H
#define GCOMPILE_CUDA_FRONTIER_TAKE_OVER_H

#include <gcompile/core/hand_over.h>
#include <gcompile/cuda/device/link.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/frontier/frontier.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/program/parts.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace gc {
namespace cuda {

namespace detail {

template <class V, class T>
__global__ void scatter_kernel(T *values, const V *vertices, const T *given, std::uint64_t count) {
  const std::uint64_t stride = std::uint64_t(gridDim.x) * blockDim.x;
  for (std::uint64_t i = std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    values[vertices[i]] = given[i];
}

/// Gives the vertices on the device the values that they have on the host. Returns the bytes that were moved.
template <class V, class T>
std::uint64_t move_values(const std::vector<V> &vertices, const Buffer<V> &items, const Array<T> &from,
                          Property<T> &to) {
  const std::size_t count = vertices.size();
  Array<T> packed(count);
  gc::detail::for_parts(count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      packed[i] = from[vertices[i]];
  });
  Buffer<T> given(count);
  Link &link = Link::get();
  link.follow();
  link.upload(given.data(), packed.data(), count * sizeof(T));
  link.order();
  // A vertex that comes twice has one value.
  GCOMPILE_CUDA_LAUNCH((scatter_kernel<V, T>), blocks_for(count), block_threads, to.data(), items.data(), given.data(),
                       std::uint64_t(count));
  synchronize();
  return count * sizeof(T);
}

template <class V, class Host, class Own, std::size_t... i>
void move_all(const std::vector<V> &vertices, const Buffer<V> &items, const Host &from, const Own &to,
              std::uint64_t &moved, std::index_sequence<i...>) {
  ((moved += move_values(vertices, items, std::get<i>(from), std::get<i>(to))), ...);
}

} // namespace detail

/// What stands before the propagate has run on the device. Adds what the host has changed since, starts the frontier
/// with the host's, and returns the number of the round.
template <class V, class... Host, class... Own>
std::int32_t take_over(const Graph<V> &graph, Frontier<V> &frontier, HandOver<V> &begun, std::tuple<Host...> from,
                       std::tuple<Own...> to) {
  if constexpr (sizeof...(Host) == sizeof...(Own)) {
    const std::vector<V> &seen = begun.seen();
    Buffer<V> items(seen.size());
    Link &link = Link::get();
    link.follow();
    link.upload(items.data(), seen.data(), seen.size() * sizeof(V));
    link.order();
    std::uint64_t moved = seen.size() * sizeof(V);
    detail::move_all(seen, items, from, to, moved, std::index_sequence_for<Host...>());
    frontier.start(VertexSet<V>::of_items(graph, items.data() + begun.first(), seen.size() - begun.first()));
    begun.note_moved(moved);
  }
  return begun.round();
}

} // namespace cuda
} // namespace gc

#endif
