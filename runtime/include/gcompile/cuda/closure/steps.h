// Steps of a closure that the runtime knows, in the form that takes a GPU least instructions.
#ifndef GCOMPILE_CUDA_CLOSURE_STEPS_H
#define GCOMPILE_CUDA_CLOSURE_STEPS_H

#include <gcompile/cuda/device/device.h>

#include <type_traits>

namespace gc {
namespace cuda {
namespace detail {

/// A step with two(own, column, row, next_column, next_row), which makes a step and the next one at once.
struct StepInTwos {};
template <class Step> constexpr bool in_twos = std::is_base_of_v<StepInTwos, Step>;

/// A step with operands<true>(elements, block), what it takes of column k of a block, and operands<false>, of row k.
struct StepOfParts {};
template <class Step> constexpr bool takes_parts = std::is_base_of_v<StepOfParts, Step>;

/// `own min= column + row` of numbers that are not negative. No sum of two passes the unsigned numbers, and one with
/// infinity is never less than infinity: the unsigned minimum of the plain sum is that of the absorbing one.
struct UnsignedSum {
  template <class Number>
  __device__ Number operator()(Number own, Number column, Number row, unsigned, unsigned, unsigned) const {
    const Number sum = column + row;
    return sum < own ? sum : own;
  }
};

/// `own min= column + row` of floats from 0 to infinity, without -0: they are in the order of their bits.
struct FloatSum : StepInTwos {
  __device__ float operator()(float own, float column, float row, unsigned, unsigned, unsigned) const {
    const unsigned sum = __float_as_uint(column + row), bits = __float_as_uint(own);
    return __uint_as_float(sum < bits ? sum : bits);
  }
  __device__ float two(float own, float column, float row, float next_column, float next_row) const {
    return __uint_as_float(
        __vimin3_u32(__float_as_uint(own), __float_as_uint(column + row), __float_as_uint(next_column + next_row)));
  }
};

/// `own max= min(column, row)` of integers of 32 bits.
struct WidestStep : StepInTwos {
  __device__ int operator()(int own, int column, int row, unsigned, unsigned, unsigned) const {
    const int width = lesser(column, row);
    return own < width ? width : own;
  }
  __device__ int two(int own, int column, int row, int next_column, int next_row) const {
    return __vimax3_s32(own, lesser(column, row), lesser(next_column, next_row));
  }

private:
  static __device__ int lesser(int a, int b) { return b < a ? b : a; }
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
