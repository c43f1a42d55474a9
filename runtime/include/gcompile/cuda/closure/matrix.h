// A closure on a GPU as the kernels that close a matrix.
#ifndef GCOMPILE_CUDA_CLOSURE_MATRIX_H
#define GCOMPILE_CUDA_CLOSURE_MATRIX_H

#include <gcompile/cuda/closure/blocks.h>
#include <gcompile/cuda/closure/kernels.h>
#include <gcompile/cuda/device/memory.h>

#include <cstddef>

namespace gc {
namespace cuda {
namespace detail {

template <class T, class Test>
__global__ void __launch_bounds__(block_threads)
    find_other_kernel(const T *elements, std::size_t count, Test test, unsigned *found) {
  bool other = false;
  for (std::size_t e = blockIdx.x * std::size_t(block_threads) + threadIdx.x; e < count;
       e += std::size_t(gridDim.x) * block_threads)
    other |= !test(elements[e]);
  if (other)
    atomicOr(found, 1u);
}

/// Whether test(element) holds for all elements.
template <class T, class Test> bool all_elements(const T *elements, std::size_t count, const Test &test) {
  Cell<unsigned> found(0);
  GCOMPILE_CUDA_LAUNCH((find_other_kernel<T, Test>), blocks_for(count), block_threads, elements, count, test,
                       found.data());
  return !found.read();
}

/// The steps are made in blocks. Panels hold row k and column k as they stood before step k: first those of the tile
/// where the block's rows and columns meet, then those of the other tiles in these. Any other element has all its
/// operands once the panels are complete, and takes them in ascending k: the answer is that of the plain loop, bit by
/// bit, whatever the operation.
/// `then(stream, panels, block)` is called once the panels of a block are complete, and may read them in that stream.
///
/// The matrix has a row for each vertex. A column may hold those of two: column k is then in column k % columns, and
/// columns are as many as some tiles have, at least two.
template <class T, class Step, class Then>
void close_matrix(const ClosureMatrix<T> &matrix, const Step &step, const Then &then) {
  using Shape = ClosureShape<T>;
  const auto tiles = [](unsigned elements) { return (elements + Shape::tile - 1) / Shape::tile; };
  const unsigned down = tiles(matrix.rows), across = tiles(matrix.columns);
  const unsigned row_length = across * Shape::tile, column_length = down * Shape::tile;
  const std::size_t row_panel = std::size_t(Shape::tile) * row_length;
  const std::size_t column_panel = std::size_t(Shape::tile) * column_length;
  Buffer<T> rows(2 * row_panel), columns(2 * column_panel);
  const auto block = [&](unsigned b) {
    ClosureBlock steps = closure_block(b * Shape::tile, Shape::tile, matrix.rows);
    steps.column %= row_length;
    return steps;
  };
  const auto panels = [&](unsigned b) {
    return ClosurePanels<T>{rows.data() + b % 2 * row_panel, columns.data() + b % 2 * column_panel, row_length,
                            column_length};
  };
  const auto rows_past = [&](const ClosureBlock &steps, const ClosureBlock &next) {
    return ClosureGaps::of(steps.first, next.first, Shape::tile);
  };
  const auto columns_past = [&](const ClosureBlock &steps, const ClosureBlock &next) {
    return ClosureGaps::of(steps.column, next.column, Shape::tile);
  };
  make_blocks(
      down,
      [&](cudaStream_t stream, unsigned b) {
        const unsigned in_rows = b == 0 ? 0 : across - 2, in_columns = b == 0 ? 0 : down - 2;
        const ClosureBlock before = b == 0 ? ClosureBlock{0, 0, 0} : block(b - 1);
        GCOMPILE_CUDA_LAUNCH_ON(stream, (closure_ahead_kernel<T, Step>), 1 + in_rows + in_columns, block_threads,
                                matrix, panels(b + 1), before, panels(b), block(b), rows_past(before, block(b)),
                                columns_past(before, block(b)), in_rows, step);
      },
      [&](cudaStream_t stream, unsigned b) {
        if (down > 1)
          GCOMPILE_CUDA_LAUNCH_ON(stream, (closure_sides_kernel<T, Step>),
                                  dim3((down < across ? across : down) * Shape::groups, 2), block_threads, matrix,
                                  panels(b), block(b), step);
      },
      [&](cudaStream_t stream, unsigned b) {
        then(stream, panels(b), block(b));
        const bool last = b + 1 == down;
        const unsigned skipped = last ? 1 : 2;
        const ClosureBlock next = block(last ? b : b + 1);
        if (down > skipped && across > skipped)
          GCOMPILE_CUDA_LAUNCH_ON(stream, (closure_rest_kernel<T, Step>), dim3(across - skipped, down - skipped),
                                  block_threads, matrix, panels(b), block(b), rows_past(block(b), next),
                                  columns_past(block(b), next), step);
      });
}

template <class T, class Step> void close_matrix(const ClosureMatrix<T> &matrix, const Step &step) {
  close_matrix(matrix, step, [](cudaStream_t, const ClosurePanels<T> &, const ClosureBlock &) {});
}

/// A matrix with a row and a column for each vertex.
template <class T> ClosureMatrix<T> square_matrix(T *values, std::size_t n) {
  return {values, static_cast<unsigned>(n), static_cast<unsigned>(n)};
}
template <class T, class Step> void close_matrix(T *values, std::size_t n, const Step &step) {
  close_matrix(square_matrix(values, n), step);
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
