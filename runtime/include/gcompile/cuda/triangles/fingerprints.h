// Fingerprints of successors, for graphs whose vertices have about as many neighbours. A line of memory for each vertex
// holds 16 bits of each of its successors: one look, which needs no offsets, says that two vertices have no common one.
#ifndef GCOMPILE_CUDA_TRIANGLES_FINGERPRINTS_H
#define GCOMPILE_CUDA_TRIANGLES_FINGERPRINTS_H

#include <gcompile/cuda/kernels/kernels.h>

namespace gc {
namespace cuda {
namespace detail {

/// The successors of a vertex are its neighbours with greater ids: the end of its sorted list, where repeated edges
/// give repeated ones. Behind the lines of all vertices is an empty one.
template <class V> struct FingerprintLines {
  /// The fingerprints of a line, which is four lanes' 16 bytes.
  static constexpr unsigned capacity = 32, lanes = 4;
  /// The last bits of a fingerprint, by which it is looked up.
  static constexpr unsigned looked_up = 14;
  /// In a line, 0 stands for nothing, and one that starts with 1 has no room for all successors. Fingerprint j is the
  /// (j / 4)-th of lane j % 4, so that lanes have as many.
  static constexpr unsigned overflow = 1;

  gc::Graph<V> graph;
  uint4 *lines;
  unsigned *before; // neighbours that are no successors

  /// More than `overflow` in the bits by which it is looked up.
  __device__ static unsigned fingerprint(V v) {
    const unsigned s = static_cast<unsigned>(v * 0x9e3779b1u) >> 16;
    return (s & ((1u << looked_up) - 2)) != 0 ? s : s | 2;
  }
  /// The part of a line that one of four lanes looks at.
  __device__ uint4 part(V v, unsigned lane) const {
    return __ldg(lines + static_cast<std::uint64_t>(v) * lanes + lane);
  }
};

/// Writes the lines; 16 lanes for a vertex.
template <class V>
__global__ void __launch_bounds__(block_threads) fingerprint_kernel(FingerprintLines<V> s, std::uint64_t n) {
  using Lists = FingerprintLines<V>;
  // Arcs whose reads do not wait for each other: a list of 48, longer than most.
  constexpr unsigned count = 16, steps = 3, groups = block_threads / count;
  struct Staged {
    alignas(16) unsigned short fingerprints[groups][Lists::capacity];
  };
  GCOMPILE_CUDA_SHARED(Staged, staged);
  const unsigned lane = threadIdx.x % count, shift = lane_of_warp() / count * count;
  const unsigned group = ((1u << count) - 1) << shift;
  unsigned short *const fingerprints = staged.fingerprints[threadIdx.x / count];
  uint4 *const line = reinterpret_cast<uint4 *>(fingerprints);
  const std::uint64_t stride = std::uint64_t(gridDim.x) * groups;
  std::uint64_t i = (blockIdx.x * std::uint64_t(block_threads) + threadIdx.x) / count;
  ArcId next = i < n ? s.graph.out_begin(static_cast<V>(i)) : 0;
  ArcId next_end = i < n ? s.graph.out_end(static_cast<V>(i)) : 0;
  for (; i <= n; i += stride) { // the line of n is empty
    const V u = static_cast<V>(i);
    const ArcId begin = next, end = next_end;
    const bool more = i + stride < n;
    next = more ? s.graph.out_begin(static_cast<V>(i + stride)) : 0;
    next_end = more ? s.graph.out_end(static_cast<V>(i + stride)) : 0;
    if (lane < Lists::lanes)
      line[lane] = make_uint4(0, 0, 0, 0);
    __syncwarp(group);
    unsigned at = 0, before = 0;
    for (ArcId start = begin; start < end; start += steps * count) {
      V v[steps];
      for (unsigned k = 0; k < steps; ++k)
        v[k] = start + k * count + lane < end ? s.graph.target(start + k * count + lane) : u;
      for (unsigned k = 0; k < steps; ++k) {
        const bool there = start + k * count + lane < end;
        const bool kept = v[k] > u;
        const unsigned keepers = (__ballot_sync(group, kept) & group) >> shift;
        before += static_cast<unsigned>(__popc(__ballot_sync(group, there && v[k] <= u) & group));
        const unsigned place = at + static_cast<unsigned>(__popc(keepers & ((1u << lane) - 1)));
        if (kept && place < Lists::capacity)
          fingerprints[place % Lists::lanes * (Lists::capacity / Lists::lanes) + place / Lists::lanes] =
              static_cast<unsigned short>(Lists::fingerprint(v[k]));
        at += static_cast<unsigned>(__popc(keepers));
      }
    }
    __syncwarp(group);
    if (lane < Lists::lanes)
      s.lines[i * Lists::lanes + lane] =
          at <= Lists::capacity ? line[lane] : make_uint4(lane == 0 ? Lists::overflow : 0, 0, 0, 0);
    if (lane == 0)
      s.before[i] = before;
    __syncwarp(group);
  }
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
