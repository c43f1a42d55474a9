// Keywords and vector types of CUDA.
#pragma once

#include <cstddef>
#include <cstdint>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) alignas(bytes)

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

#define GCOMPILE_VECTOR_TYPES(Scalar, Name)                                                                            \
  struct alignas(2 * sizeof(Scalar)) Name##2 {                                                                         \
    Scalar x, y;                                                                                                       \
  };                                                                                                                   \
  struct alignas(16) Name##4 {                                                                                         \
    Scalar x, y, z, w;                                                                                                 \
  };                                                                                                                   \
  inline Name##2 make_##Name##2(Scalar x, Scalar y) { return {x, y}; }                                                 \
  inline Name##4 make_##Name##4(Scalar x, Scalar y, Scalar z, Scalar w) { return {x, y, z, w}; }

GCOMPILE_VECTOR_TYPES(int, int)
GCOMPILE_VECTOR_TYPES(unsigned, uint)
GCOMPILE_VECTOR_TYPES(long long, longlong)
GCOMPILE_VECTOR_TYPES(unsigned long long, ulonglong)
GCOMPILE_VECTOR_TYPES(float, float)
GCOMPILE_VECTOR_TYPES(double, double)
#undef GCOMPILE_VECTOR_TYPES

/// The indices of the running thread; meaningful inside kernels only.
inline uint3 threadIdx{};
inline uint3 blockIdx{};
inline dim3 blockDim;
inline dim3 gridDim;
inline constexpr int warpSize = 32;
