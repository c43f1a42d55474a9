// Atomics and bit intrinsics, with exactly the types that CUDA has them for, so that what compiles here compiles there.
#pragma once

#include "simt.h"
#include "types.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace emulation {

/// A parameter that takes no part in the deduction of T.
template <typename T> using Same = std::common_type_t<T>;

/// Replaces *address by change(*address) and returns the old value. Bytes are copied: callers cast between integer
/// types of one size, as CUDA needs it.
template <typename T, typename Change> T update(T *address, Change change) {
  memory_point();
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(T) != 0)
    fail("an atomic operation on %zu bytes at the misaligned address %p", sizeof(T), static_cast<void *>(address));
  T old;
  std::memcpy(&old, address, sizeof(T));
  const T value = change(old);
  if (std::memcmp(&old, &value, sizeof(T)) != 0) {
    std::memcpy(address, &value, sizeof(T));
    progress();
  }
  return old;
}

} // namespace emulation

#define GCOMPILE_ATOMIC(name, T, expression)                                                                           \
  inline T name(T *address, T operand) {                                                                               \
    return emulation::update(address, [&](T old) -> T { return expression; });                                         \
  }
// Sums wrap around as they do on the device.
GCOMPILE_ATOMIC(atomicAdd, int, static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(operand)))
GCOMPILE_ATOMIC(atomicAdd, unsigned, old + operand)
GCOMPILE_ATOMIC(atomicAdd, unsigned long long, old + operand)
GCOMPILE_ATOMIC(atomicAdd, float, old + operand)
GCOMPILE_ATOMIC(atomicAdd, double, old + operand)
GCOMPILE_ATOMIC(atomicSub, int, static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(operand)))
GCOMPILE_ATOMIC(atomicSub, unsigned, old - operand)
GCOMPILE_ATOMIC(atomicExch, int, (static_cast<void>(old), operand))
GCOMPILE_ATOMIC(atomicExch, unsigned, (static_cast<void>(old), operand))
GCOMPILE_ATOMIC(atomicExch, unsigned long long, (static_cast<void>(old), operand))
GCOMPILE_ATOMIC(atomicExch, float, (static_cast<void>(old), operand))
#define GCOMPILE_ATOMIC_MIN_MAX(T)                                                                                     \
  GCOMPILE_ATOMIC(atomicMin, T, operand < old ? operand : old)                                                         \
  GCOMPILE_ATOMIC(atomicMax, T, old < operand ? operand : old)
GCOMPILE_ATOMIC_MIN_MAX(int)
GCOMPILE_ATOMIC_MIN_MAX(unsigned)
GCOMPILE_ATOMIC_MIN_MAX(long long)
GCOMPILE_ATOMIC_MIN_MAX(unsigned long long)
#undef GCOMPILE_ATOMIC_MIN_MAX
#define GCOMPILE_ATOMIC_BITS(T)                                                                                        \
  GCOMPILE_ATOMIC(atomicAnd, T, old &operand)                                                                          \
  GCOMPILE_ATOMIC(atomicOr, T, old | operand)                                                                          \
  GCOMPILE_ATOMIC(atomicXor, T, old ^ operand)
GCOMPILE_ATOMIC_BITS(int)
GCOMPILE_ATOMIC_BITS(unsigned)
GCOMPILE_ATOMIC_BITS(unsigned long long)
#undef GCOMPILE_ATOMIC_BITS
#undef GCOMPILE_ATOMIC
#define GCOMPILE_ATOMIC_CAS(T)                                                                                         \
  inline T atomicCAS(T *address, T compare, T value) {                                                                 \
    return emulation::update(address, [&](T old) -> T { return old == compare ? value : old; });                       \
  }                                                                                                                    \
  inline T atomicCAS_system(T *address, T compare, T value) { return atomicCAS(address, compare, value); }
GCOMPILE_ATOMIC_CAS(int)
GCOMPILE_ATOMIC_CAS(unsigned)
GCOMPILE_ATOMIC_CAS(unsigned long long)
#undef GCOMPILE_ATOMIC_CAS

inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __ffsll(long long value) { return __builtin_ffsll(value); }
inline int __clz(int value) { return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value)); }
inline int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}
inline unsigned __brev(unsigned value) {
  unsigned result = 0;
  for (int bit = 0; bit < 32; ++bit)
    result |= (value >> bit & 1u) << (31 - bit);
  return result;
}
inline unsigned long long __brevll(unsigned long long value) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(value))) << 32 |
         __brev(static_cast<unsigned>(value >> 32));
}
/// The low word of high:low, shifted to the right by shift % 32.
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift % 32));
}
/// The least or the greatest of three.
inline unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) { return std::min({a, b, c}); }
inline int __vimax3_s32(int a, int b, int c) { return std::max({a, b, c}); }
/// The lesser one of a sum and a number, in each half of a word.
inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
  const unsigned low = std::min((a + b) & 0xffff, c & 0xffff),
                 high = std::min(((a >> 16) + (b >> 16)) & 0xffff, c >> 16);
  return low | high << 16;
}
/// Four of the bytes of two words, by the digits of a selector. (A digit's highest bit, which asks for a sign, is not
/// known here.)
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t(b) << 32 | a;
  unsigned result = 0;
  for (unsigned at = 0; at < 4; ++at)
    result |= unsigned(bytes >> 8 * (selector >> 4 * at & 7) & 0xff) << 8 * at;
  return result;
}

#define GCOMPILE_BITS_AS(name, From, To)                                                                               \
  inline To name(From value) { return emulation::from_bits<To>(emulation::to_bits(value)); }
GCOMPILE_BITS_AS(__float_as_int, float, int)
GCOMPILE_BITS_AS(__int_as_float, int, float)
GCOMPILE_BITS_AS(__float_as_uint, float, unsigned)
GCOMPILE_BITS_AS(__uint_as_float, unsigned, float)
GCOMPILE_BITS_AS(__double_as_longlong, double, long long)
GCOMPILE_BITS_AS(__longlong_as_double, long long, double)
#undef GCOMPILE_BITS_AS

/// Loads through the read-only cache. What other threads write may be missed, which the emulation does not show.
template <typename T> T __ldg(const T *address) { return *address; }
/// Loads and stores that other blocks see: they may spin on them.
template <typename T> T __ldcg(const T *address) {
  emulation::memory_point();
  return *address;
}
template <typename T> void __stcg(T *address, emulation::Same<T> value) {
  emulation::memory_point();
  *address = value;
  emulation::progress();
}
/// Loads and stores of data that is used once.
template <typename T> T __ldcs(const T *address) { return *address; }
template <typename T> void __stcs(T *address, emulation::Same<T> value) { *address = value; }
