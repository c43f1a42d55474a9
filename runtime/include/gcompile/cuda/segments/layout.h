// How arcs are laid out in segments and tiles (cuda/segments.h), and the kernels that do it.
#ifndef GCOMPILE_CUDA_SEGMENTS_LAYOUT_H
#define GCOMPILE_CUDA_SEGMENTS_LAYOUT_H

#include <gcompile/core/partition.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/cuda/segments/sources.h>

// Shared memory beyond what a kernel may declare; an emulation defines these its own way.
#ifndef GCOMPILE_CUDA_LAUNCH_SHARED
#define GCOMPILE_CUDA_LAUNCH_SHARED(kernel, grid, block, bytes, ...)                                                   \
  (gc::cuda::detail::allow_shared(kernel, bytes), kernel<<<(grid), (block), (bytes)>>>(__VA_ARGS__))
#define GCOMPILE_CUDA_LARGE_SHARED(Type, name)                                                                         \
  extern __shared__ double2 gcompile_large_shared[];                                                                   \
  Type &name = *reinterpret_cast<Type *>(gcompile_large_shared)
#endif

namespace gc {
namespace cuda {
namespace detail {

/// Lets a kernel have more shared memory than it may declare.
template <class Kernel> void allow_shared(Kernel kernel, unsigned bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "not enough shared memory");
}

/// Shared memory that a block can have at most, in bytes.
inline unsigned largest_shared() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "no device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "no device");
  return static_cast<unsigned>(bytes);
}

/// Bytes of a segment's values at most; of the values and places of a tile at most, by half of a multiprocessor's
/// threads, and where a third of them do.
constexpr unsigned most_segment_bytes = 768 * block_threads, tile_bytes = 432 * block_threads,
                   small_tile_bytes = 288 * block_threads;
/// Threads that take a tile.
constexpr unsigned tile_threads = 2 * block_threads;
/// Segments of a graph at most, and pairs of a segment and a tile: their numbers are added up in one scan.
constexpr unsigned most_segments = 4096;
constexpr std::uint64_t most_pairs = std::uint64_t(1) << 30;

template <class T> struct SegmentValues { alignas(16) T of[most_segment_bytes / sizeof(T)]; };
template <class T> struct TileValues { alignas(16) T of[tile_bytes / sizeof(T)]; };

/// How in-arcs of a graph are laid out, in the device's memory: those into some of its vertices in a row, so that their
/// numbers are in a row, too. Places for values come in packs of 16 bytes, all of one segment and one tile; those that
/// no arc asks for have any value.
template <class V> struct SegmentsView {
  ArcId begin, end;              ///< the number of the first arc, and behind the last
  V n;                           ///< sources
  const V *list;                 ///< of each number of a source the vertex; or null: they are the same
  unsigned shift;                ///< the logarithm of a pack's places: 1 or 2
  unsigned width, segments;      ///< sources of a segment; segments
  unsigned tile_arcs, tiles;     ///< arcs of a tile, a multiple of 8; tiles
  unsigned room;                 ///< places of a tile at most: a multiple of 8, less than 2^16
  const V *first;                ///< tiles + 1: the first of the vertices whose list begins in the tile or behind it
  const std::uint32_t *starts;   ///< segments * tiles + 1: the first pack of segment s and tile t, at s * tiles + t
  const unsigned short *sources; ///< for each place of the packs: a source, counted from the segment's first
  const std::uint32_t *packs;    ///< most_packs() for each tile: those that it takes
  const std::uint32_t *counts;   ///< tiles: how many these are
  const unsigned short *places;  ///< for each number of an arc: where in its tile the value is
  unsigned *taken;               ///< tiles that blocks took after their first two; 0 when a gather begins

  /// The number of a tile's first arc.
  GCOMPILE_HD ArcId begin_of(unsigned tile) const { return begin + ArcId(tile) * tile_arcs; }
  GCOMPILE_HD unsigned most_packs() const { return room >> shift; }
  /// Packs that so many places take.
  GCOMPILE_HD unsigned packs_of(unsigned places) const { return (places + (1u << shift) - 1) >> shift; }
};

// ---- The layout -----------------------------------------------------------------------------------------------------

template <class V>
__global__ void __launch_bounds__(block_threads)
    first_of_tiles_kernel(const ArcId *offsets, SegmentsView<V> s, Rows<V> rows, V *first) {
  for (std::uint64_t t = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; t <= s.tiles;
       t += std::uint64_t(gridDim.x) * block_threads) {
    // The first vertex behind those whose lists begin before the tile.
    V low = rows.first, high = t == s.tiles ? low : rows.last;
    while (low < high) {
      const V middle = low + (high - low) / 2;
      if (offsets[middle] < s.begin_of(static_cast<unsigned>(t)))
        low = middle + 1;
      else
        high = middle;
    }
    first[t] = t == s.tiles ? rows.last : low;
  }
}

/// Shared memory for sums over a block.
struct BlockSums {
  unsigned of[32];
  /// The sum of the values of the threads before this one; `total`: of all. Every thread of the block calls.
  __device__ unsigned before(unsigned value, unsigned &total) {
    const unsigned upto = warp_prefix_sum(value), warp = threadIdx.x / 32;
    __syncthreads();
    if (lane_of_warp() == 31)
      of[warp] = upto;
    __syncthreads();
    unsigned before = 0;
    total = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) {
      before += w < warp ? of[w] : 0;
      total += of[w];
    }
    return before + upto - value;
  }
};

/// How many arcs of a tile have their sources in each segment.
struct SegmentCounts {
  unsigned of[most_segments];
  template <class V>
  __device__ void count(const SegmentsView<V> &s, const V *in_sources, SourceNumbers<V> numbers, unsigned t) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < s.segments; i += blockDim.x)
      of[i] = 0;
    __syncthreads();
    each(s, t, [&](ArcId k) { atomicAdd(&of[numbers.of(in_sources[k]) / s.width], 1u); });
    __syncthreads();
  }
  /// Calls f(k) for each arc of the tile.
  template <class V, class F> static __device__ void each(const SegmentsView<V> &s, unsigned t, const F &f) {
    const ArcId begin = s.begin_of(t), end = begin + s.tile_arcs < s.end ? begin + s.tile_arcs : s.end;
    for (ArcId k = begin + threadIdx.x; k < end; k += blockDim.x)
      f(k);
  }
};

/// Counts the packs of each segment and each tile.
template <class V>
__global__ void __launch_bounds__(tile_threads)
    count_packs_kernel(const V *in_sources, SourceNumbers<V> numbers, SegmentsView<V> s, std::uint32_t *packs) {
  GCOMPILE_CUDA_SHARED(SegmentCounts, counts);
  for (unsigned t = blockIdx.x; t < s.tiles; t += gridDim.x) {
    counts.count(s, in_sources, numbers, t);
    for (unsigned i = threadIdx.x; i < s.segments; i += blockDim.x)
      packs[std::uint64_t(i) * s.tiles + t] = s.packs_of(counts.of[i]);
  }
}

/// Gives each arc a place in its tile, in any order within a segment: lists are put together in their own order.
template <class V>
__global__ void __launch_bounds__(tile_threads)
    place_arcs_kernel(const V *in_sources, SourceNumbers<V> numbers, SegmentsView<V> s, unsigned short *sources,
                      std::uint32_t *packs, std::uint32_t *counts, unsigned short *places) {
  GCOMPILE_CUDA_SHARED(SegmentCounts, next);
  GCOMPILE_CUDA_SHARED(BlockSums, sums);
  for (unsigned t = blockIdx.x; t < s.tiles; t += gridDim.x) {
    next.count(s, in_sources, numbers, t);
    // Of each segment: its next place.
    unsigned done = 0;
    for (unsigned from = 0; from < s.segments; from += blockDim.x) {
      const unsigned i = from + threadIdx.x, its = i < s.segments ? s.packs_of(next.of[i]) : 0;
      unsigned total = 0;
      const unsigned first = done + sums.before(its, total);
      const std::uint32_t start = i < s.segments ? s.starts[std::uint64_t(i) * s.tiles + t] : 0;
      for (unsigned c = 0; c < its; ++c)
        packs[std::uint64_t(t) * s.most_packs() + first + c] = start + c;
      if (i < s.segments)
        next.of[i] = first << s.shift;
      done += total;
    }
    if (threadIdx.x == 0)
      counts[t] = done;
    __syncthreads();
    SegmentCounts::each(s, t, [&](ArcId k) {
      const unsigned source = numbers.of(in_sources[k]), segment = source / s.width;
      const unsigned place = atomicAdd(&next.of[segment], 1u);
      places[k] = static_cast<unsigned short>(place);
      const std::uint32_t pack = packs[std::uint64_t(t) * s.most_packs() + (place >> s.shift)];
      sources[(std::uint64_t(pack) << s.shift) + (place & ((1u << s.shift) - 1))] =
          static_cast<unsigned short>(source - segment * s.width);
    });
  }
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
