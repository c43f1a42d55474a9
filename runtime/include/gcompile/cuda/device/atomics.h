// Atomic words and locks on the device, which core/operators builds on there.
#ifndef GCOMPILE_CUDA_DEVICE_ATOMICS_H
#define GCOMPILE_CUDA_DEVICE_ATOMICS_H

#include <cuda_runtime.h>

#include <gcompile/core/device.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gc {
namespace detail {
namespace device {

/// The bits of a value of 4 or 8 bytes.
template <class T> using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

template <class To, class From> __device__ inline To same_bits(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "a value of the same size");
  To to;
  memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof to);
  return to;
}

template <class T> __device__ inline T load(const T &target) {
  if constexpr (sizeof(T) == 1)
    return static_cast<T>(*reinterpret_cast<const volatile unsigned char *>(&target));
  else
    return same_bits<T>(static_cast<Bits<T>>(*reinterpret_cast<const volatile Bits<T> *>(&target)));
}

template <class T> __device__ inline void store(T &target, const T &value) {
  if constexpr (sizeof(T) == 1)
    *reinterpret_cast<volatile unsigned char *>(&target) = static_cast<unsigned char>(value);
  else
    *reinterpret_cast<volatile Bits<T> *>(&target) = same_bits<Bits<T>>(value);
}

template <class T> __device__ inline bool compare_exchange(T &target, T &expected, const T &desired) {
  if constexpr (sizeof(T) == 1) {
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(&target);
    unsigned *const word = reinterpret_cast<unsigned *>(address & ~std::uintptr_t(3));
    const unsigned shift = static_cast<unsigned>(address & 3) * 8;
    unsigned old = *reinterpret_cast<volatile unsigned *>(word);
    while (static_cast<T>((old >> shift) & 255) == expected) {
      const unsigned wanted = (old & ~(255u << shift)) | (static_cast<unsigned>(desired) & 255) << shift;
      const unsigned seen = atomicCAS(word, old, wanted);
      if (seen == old)
        return true;
      old = seen;
    }
    expected = static_cast<T>((old >> shift) & 255);
    return false;
  } else {
    const Bits<T> old = same_bits<Bits<T>>(expected);
    const Bits<T> seen = atomicCAS(reinterpret_cast<Bits<T> *>(&target), old, same_bits<Bits<T>>(desired));
    if (seen == old)
      return true;
    expected = same_bits<T>(seen);
    return false;
  }
}

template <class T> __device__ inline bool add(T &target, T value) {
  if constexpr (std::is_floating_point<T>::value) {
    const T old = atomicAdd(&target, value);
    return old == old && old + value != old; // NaN stays NaN
  } else {
    atomicAdd(reinterpret_cast<Bits<T> *>(&target), static_cast<Bits<T>>(value));
    return true;
  }
}

/// The type of CUDA's own minimum and maximum of integers.
template <class T>
using Ordered = std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed<T>::value, int, unsigned>,
                                   std::conditional_t<std::is_signed<T>::value, long long, unsigned long long>>;

template <class T> __device__ inline bool min(T &target, T value) {
  return value < static_cast<T>(atomicMin(reinterpret_cast<Ordered<T> *>(&target), static_cast<Ordered<T>>(value)));
}
template <class T> __device__ inline bool max(T &target, T value) {
  return static_cast<T>(atomicMax(reinterpret_cast<Ordered<T> *>(&target), static_cast<Ordered<T>>(value))) < value;
}

/// About as many as the largest devices have threads at work, each of which may hold one.
constexpr unsigned num_locks = 1u << 18;
static __device__ unsigned lock_words[num_locks];

__device__ inline unsigned *lock_of(const void *address) {
  std::uint64_t x = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)) / 4;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  return &lock_words[(x ^ x >> 27) % num_locks];
}
/// A fence of its own would order what both sides do, which takes much longer. Where one block runs alone, no other
/// sees what a lock protects.
__device__ inline bool try_lock(unsigned *word) {
#ifdef GCOMPILE_CUDA_EMULATION
  const unsigned before = atomicCAS(word, 0u, 1u);
  __threadfence();
#else
  unsigned before;
  if (gridDim.x == 1)
    asm volatile("atom.acquire.cta.cas.b32 %0, [%1], 0, 1;" : "=r"(before) : "l"(word) : "memory");
  else
    asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], 0, 1;" : "=r"(before) : "l"(word) : "memory");
#endif
  return before == 0;
}
__device__ inline void lock(unsigned *word) {
  while (!try_lock(word))
    __nanosleep(20);
}
__device__ inline void unlock(unsigned *word) {
#ifdef GCOMPILE_CUDA_EMULATION
  __threadfence();
  atomicExch(word, 0u);
#else
  if (gridDim.x == 1)
    asm volatile("st.release.cta.u32 [%0], %1;" ::"l"(word), "r"(0) : "memory");
  else
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(word), "r"(0) : "memory");
#endif
}

} // namespace device
} // namespace detail
} // namespace gc

#endif
