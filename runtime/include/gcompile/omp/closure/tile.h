// The inner part of a closure: a tile of elements that stay in registers while it passes over a strip of steps.
#ifndef GCOMPILE_OMP_CLOSURE_TILE_H
#define GCOMPILE_OMP_CLOSURE_TILE_H

#include <cstddef>

// The library compiles closures for several sets of instructions, each in a namespace of its own.
#ifndef GCOMPILE_CLOSURES
#define GCOMPILE_CLOSURES of_program
#endif

namespace gc::detail {
inline namespace GCOMPILE_CLOSURES {

// A tile is worth the widest registers that there are, also where the compiler is otherwise careful with them.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#define GCOMPILE_WIDEST [[gnu::noinline, gnu::target("prefer-vector-width=512")]]
#else
#define GCOMPILE_WIDEST [[gnu::noinline]]
#endif

/// The shape of a tile of elements of type T: three vectors in each row, and as many rows as leave room for operands.
template <class T> struct ClosureTile {
#if defined(__AVX512F__)
  static constexpr std::size_t vector = 64, rows = 8;
#elif defined(__AVX2__)
  static constexpr std::size_t vector = 32, rows = 4;
#else
  static constexpr std::size_t vector = 16, rows = 4;
#endif
  static constexpr std::size_t columns = sizeof(T) >= vector ? 3 : 3 * vector / sizeof(T);
};

/// Where a tile stands among the pairs, and its first step.
struct ClosurePlace {
  std::size_t i, j, k;
};

/// Makes `steps` steps on a tile of `own`, whose rows are `stride` apart. Step k takes for the element in row r and
/// column c the operands column[r * column_stride + k] and row[k * row_stride + c].
template <class T, class Form>
GCOMPILE_WIDEST void close_tile(T *own, std::size_t stride, const T *column, std::size_t column_stride, const T *row,
                                std::size_t row_stride, std::size_t steps, ClosurePlace at, const Form &form) {
  constexpr std::size_t rows = ClosureTile<T>::rows, columns = ClosureTile<T>::columns;
  T now[rows][columns];
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      now[r][c] = own[r * stride + c];
  for (std::size_t k = 0; k < steps; ++k) {
    const T *const b = row + k * row_stride;
    if (k < 4 * rows) // the tile below is most likely the next
      __builtin_prefetch(own + (rows + k / 4) * stride + k % 4 * (columns / 4 + 1), 1);
#ifndef __NVCC__ // which does not know it
#pragma GCC unroll 8
#endif
    for (std::size_t r = 0; r < rows; ++r) {
      const T a = column[r * column_stride + k];
#pragma omp simd
      for (std::size_t c = 0; c < columns; ++c)
        now[r][c] = form.relax(now[r][c], a, b[c], at.i + r, at.j + c, at.k + k);
    }
  }
  form.template finish<rows, columns>(now, column, column_stride, row, row_stride, steps);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      own[r * stride + c] = now[r][c];
}

} // namespace GCOMPILE_CLOSURES
} // namespace gc::detail

#endif
