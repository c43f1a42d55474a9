// Bitmaps with which kernels note vertices: those of other devices that have changed, and own ones that are active.
#ifndef GCOMPILE_GPUS_MARKS_H
#define GCOMPILE_GPUS_MARKS_H

#include <gcompile/core/operators.h>
#include <gcompile/cuda/device/lanes.h>
#include <gcompile/cuda/kernels/share_out.h>
#include <gcompile/cuda/sets/queue.h>

#include <cstdint>

namespace gc {
namespace gpus {

/// Consecutive vertices: those that a device owns.
template <class V> struct Range {
  V first, last;
  GCOMPILE_HD bool owns(V v) const { return v - first < last - first; }
  GCOMPILE_HD std::uint64_t size() const { return last - first; }
};

namespace detail {

__device__ inline void set_bit(std::uint32_t *words, std::uint64_t i) {
  std::uint32_t *const word = &words[i / 32];
  const std::uint32_t bit = std::uint32_t(1) << (i % 32);
  if (!(gc::load(*word) & bit))
    atomicOr(word, bit);
}

GCOMPILE_HD inline std::uint64_t words_for(std::uint64_t bits) { return (bits + 31) / 32; }

/// Calls visit(i, set) for the bits of a bitmap, where the lanes of a warp call together for 32 bits of which some are
/// set; then the bitmap is zero. The threads of all blocks call.
template <class Visit> __device__ void take_bits(std::uint32_t *words, std::uint64_t count, const Visit &visit) {
  const unsigned lane = cuda::lane_of_warp();
  const std::uint64_t step = std::uint64_t(gridDim.x) * cuda::block_threads;
  for (std::uint64_t base = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x / 32 * 32; base < count;
       base += step) {
    const std::uint32_t mine = base + lane < count ? words[base + lane] : 0;
    if (mine)
      words[base + lane] = 0;
    for (unsigned some = __ballot_sync(cuda::full_warp, mine != 0); some; some &= some - 1) {
      const int k = __ffs(static_cast<int>(some)) - 1;
      const std::uint32_t word = __shfl_sync(cuda::full_warp, mine, k);
      visit((base + static_cast<unsigned>(k)) * 32 + lane, (word >> lane & 1u) != 0);
    }
  }
}

template <class V>
__global__ void list_marked_kernel(gc::Graph<V> graph, std::uint32_t *words, std::uint64_t count, V first,
                                   cuda::Queue<V> queue) {
  GCOMPILE_CUDA_SHARED(cuda::OutboxMemory<V>, memory);
  cuda::Outbox<V> outbox(graph, queue, memory);
  take_bits(words, count, [&](std::uint64_t i, bool set) {
    if (set)
      outbox.push(static_cast<V>(first + i));
    outbox.collect();
  });
  outbox.finish();
}

template <class V>
__global__ void mark_members_kernel(std::uint32_t *words, Range<V> own, const V *items, std::uint64_t count) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * cuda::block_threads)
    if (const V v = items ? items[i] : static_cast<V>(own.first + i); own.owns(v))
      set_bit(words, v - own.first);
}

} // namespace detail

/// As a kernel sees it: notes that a copy of another device's vertex has changed.
template <class V> struct Touched {
  std::uint32_t *words;
  Range<V> own;
  __device__ void touch(V v) const {
    if (!own.owns(v))
      detail::set_bit(words, v);
  }
};

/// As a kernel sees it: activates own vertices, while a copy is not activated, but its owner's vertex.
template <class V> struct Next {
  std::uint32_t *words; ///< of the own vertices
  Range<V> own;
  template <class T>
  __device__ bool claim(T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) const {
    return gc::claim(target, expected, desired);
  }
  template <class T>
  __device__ bool claim(V, T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) const {
    return gc::claim(target, expected, desired);
  }
  __device__ void push(V v) const {
    if (own.owns(v))
      detail::set_bit(words, v - own.first);
  }
  __device__ void push_once(V v) const { push(v); }
};
/// Where nothing is activated.
struct NoNext {};

} // namespace gpus
} // namespace gc

#endif
