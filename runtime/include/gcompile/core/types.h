// Basic types of the generated programs: arc ids, and the typed values `none` and `inf`.
#ifndef GCOMPILE_CORE_TYPES_H
#define GCOMPILE_CORE_TYPES_H

#include <cstdint>
#include <limits>
#include <type_traits>

/// Functions that kernels call on either side.
#ifdef __CUDACC__
#define GCOMPILE_HD __host__ __device__
#else
#define GCOMPILE_HD
#endif

// In front of a function that calls only what the host has, or only what the device has, as its arguments say.
#ifdef __NVCC__
#define GCOMPILE_CUDA_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define GCOMPILE_CUDA_EITHER_SIDE
#endif

namespace gc {

/// Index of an arc in the out-arrays of a graph, and a number of arcs. An `edge` of the language is one. Always 64 bits
/// wide; vertex ids are a template parameter `V`, which is std::uint32_t or std::uint64_t.
using ArcId = std::uint64_t;

/// The vertex (or edge) that does not exist: all bits one.
template <class V> GCOMPILE_HD constexpr V none() {
  static_assert(std::is_unsigned<V>::value, "vertex and edge ids are unsigned");
  return static_cast<V>(~V(0));
}

/// Infinity: the largest value of an integer type, the IEEE infinity of a floating-point type.
template <class T> GCOMPILE_HD constexpr T inf() {
  if constexpr (std::is_floating_point<T>::value)
    return std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::max();
}

} // namespace gc

#endif
