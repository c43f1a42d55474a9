// A set of fingerprints, a bitmap in shared memory.
#ifndef GCOMPILE_CUDA_TRIANGLES_FINGERPRINT_SET_H
#define GCOMPILE_CUDA_TRIANGLES_FINGERPRINT_SET_H

#include <gcompile/cuda/triangles/fingerprints.h>

namespace gc {
namespace cuda {
namespace detail {

/// The fingerprints of a vertex's successors by some of their bits; `overflow` is always there, 0 never.
template <class V> struct FingerprintSet {
  static constexpr unsigned words = 1u << (FingerprintLines<V>::looked_up - 5);
  static constexpr unsigned always = 1u << FingerprintLines<V>::overflow; // in the first word
  unsigned *word;

  /// The warp whose set it is calls.
  __device__ void clear() const {
    for (unsigned i = lane_of_warp(); i < words; i += 32)
      word[i] = i == 0 ? always : 0;
    __syncwarp();
  }
  __device__ unsigned &of(unsigned fingerprint) const { return word[fingerprint / 32 % words]; }
  __device__ bool contains(unsigned fingerprint) const { return (of(fingerprint) >> (fingerprint % 32) & 1u) != 0; }
  __device__ void insert(unsigned fingerprint) const { atomicOr(&of(fingerprint), 1u << (fingerprint % 32)); }
  /// Takes out all of its word.
  __device__ void erase(unsigned fingerprint) const {
    unsigned &place = of(fingerprint);
    place = &place == word ? always : 0;
  }
  /// Whether one of eight fingerprints may be there; the whole warp calls.
  __device__ bool has_any(const uint4 &fingerprints) const {
    unsigned found = either(fingerprints.x) | either(fingerprints.y);
    if (__ballot_sync(full_warp, (fingerprints.z | fingerprints.w) != 0) != 0)
      found |= either(fingerprints.z) | either(fingerprints.w);
    return (found & 1u) != 0;
  }

private:
  /// In bit 0, whether one of two fingerprints may be there.
  __device__ unsigned either(unsigned two) const {
    const char *const bytes = reinterpret_cast<const char *>(word);
    constexpr unsigned mask = (words - 1) * 4;
    const unsigned low = *reinterpret_cast<const unsigned *>(bytes + (two >> 3 & mask));
    const unsigned high = *reinterpret_cast<const unsigned *>(bytes + (two >> 19 & mask));
    return __funnelshift_r(low, 0u, two) | __funnelshift_r(high, 0u, two >> 16);
  }
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
