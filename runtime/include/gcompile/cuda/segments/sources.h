// The vertices that segments have (cuda/segments.h): all, or those that arcs leave, with numbers of their own.
#ifndef GCOMPILE_CUDA_SEGMENTS_SOURCES_H
#define GCOMPILE_CUDA_SEGMENTS_SOURCES_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/scan.h>
#include <gcompile/cuda/kernels/kernels.h>

namespace gc {
namespace cuda {
namespace detail {

/// The number of a source, in the device's memory: the number of those before it.
template <class V> struct SourceNumbers {
  const std::uint32_t *bits;   ///< a bit for each vertex: whether it is one; or null: all are
  const std::uint32_t *before; ///< for each word of the bits: how many the words before it have
  __device__ unsigned of(V u) const {
    if (!bits)
      return static_cast<unsigned>(u);
    const auto bit = static_cast<unsigned>(u % 32);
    return before[u / 32] + static_cast<unsigned>(__popc(bits[u / 32] & ((1u << bit) - 1)));
  }
};

template <class V>
__global__ void __launch_bounds__(block_threads)
    mark_sources_kernel(const V *in_sources, ArcId begin, ArcId end, std::uint32_t *bits) {
  for (ArcId k = begin + blockIdx.x * ArcId(block_threads) + threadIdx.x; k < end;
       k += ArcId(gridDim.x) * block_threads) {
    const V u = in_sources[k];
    const std::uint32_t bit = 1u << static_cast<unsigned>(u % 32);
    if (!(load(bits[u / 32]) & bit))
      atomicOr(&bits[u / 32], bit);
  }
}

template <class V>
__global__ void __launch_bounds__(block_threads)
    count_sources_kernel(const std::uint32_t *bits, V words, std::uint32_t *counts) {
  for (V w = blockIdx.x * block_threads + threadIdx.x; w <= words; w += gridDim.x * block_threads)
    counts[w] = w < words ? static_cast<std::uint32_t>(__popc(bits[w])) : 0;
}

template <class V>
__global__ void __launch_bounds__(block_threads) list_sources_kernel(SourceNumbers<V> numbers, V n, V *list) {
  for (V u = blockIdx.x * block_threads + threadIdx.x; u < n; u += gridDim.x * block_threads)
    if (numbers.bits[u / 32] >> static_cast<unsigned>(u % 32) & 1)
      list[numbers.of(u)] = u;
}

/// The sources of a graph's in-arcs with the numbers from `begin` up to `end`. Where most vertices have arcs, segments
/// have all vertices: a list of them would be read for nothing.
template <class V> class Sources {
public:
  Sources(const Graph<V> &graph, ArcId begin, ArcId end) : count_(graph.num_vertices()) {
    const V n = graph.num_vertices(), words = n / 32 + 1;
    if (!graph.take_spare(8. * static_cast<double>(words)))
      return;
    bits_ = Buffer<std::uint32_t>(words);
    before_ = Buffer<std::uint32_t>(words + 1);
    bits_.clear_bytes();
    GCOMPILE_CUDA_LAUNCH((mark_sources_kernel<V>), multiprocessors() * 8, block_threads, graph.view().in_sources, begin,
                         end, bits_.data());
    GCOMPILE_CUDA_LAUNCH((count_sources_kernel<V>), blocks_for(words + 1), block_threads, bits_.data(), words,
                         before_.data());
    check(cudaGetLastError(), "cannot start a kernel");
    exclusive_scan(before_);
    std::uint32_t found = 0;
    before_.download(&found, 1, words);
    const bool few = found <= n / 8 * 7 && graph.take_spare(static_cast<double>(found) * sizeof(V));
    if (few) {
      count_ = found;
      list_ = Buffer<V>(found);
      GCOMPILE_CUDA_LAUNCH((list_sources_kernel<V>), blocks_for(n), block_threads, numbers(), n, list_.data());
      check(cudaGetLastError(), "cannot start a kernel");
    } else {
      forget_numbers();
    }
  }

  V count() const { return count_; }
  /// Of each number the vertex; or null: they are the same.
  const V *list() const { return list_.data(); }
  SourceNumbers<V> numbers() const { return {bits_.data(), before_.data()}; }
  /// Once all arcs have their places, the list is enough.
  void forget_numbers() {
    synchronize();
    bits_ = Buffer<std::uint32_t>();
    before_ = Buffer<std::uint32_t>();
  }

private:
  V count_;
  Buffer<std::uint32_t> bits_, before_;
  Buffer<V> list_;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
