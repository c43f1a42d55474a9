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
template <class T, class Step, class Then>
void close_matrix(T *values, std::size_t size, const Step &step, const Then &then) {
  using Shape = ClosureShape<T>;
  const auto n = static_cast<unsigned>(size), tiles = (n + Shape::tile - 1) / Shape::tile, width = tiles * Shape::tile;
  const std::size_t panel = std::size_t(Shape::tile) * width;
  Buffer<T> rows(2 * panel), columns(2 * panel);
  const ClosureMatrix<T> matrix = {values, n, n};
  const auto block = [&](unsigned b) { return closure_block(b * Shape::tile, Shape::tile, n); };
  const auto panels = [&](unsigned b) {
    return ClosurePanels<T>{rows.data() + b % 2 * panel, columns.data() + b % 2 * panel, width};
  };
  make_blocks(
      tiles,
      [&](cudaStream_t stream, unsigned b) {
        const ClosureBlock before = b == 0 ? ClosureBlock{0, 0} : block(b - 1);
        GCOMPILE_CUDA_LAUNCH_ON(stream, (closure_ahead_kernel<T, Step>), b == 0 ? 1 : 2 * (tiles - 2) + 1,
                                block_threads, matrix, panels(b + 1), before, panels(b), block(b), step);
      },
      [&](cudaStream_t stream, unsigned b) {
        if (tiles > 1)
          GCOMPILE_CUDA_LAUNCH_ON(stream, (closure_sides_kernel<T, Step>), dim3(tiles * Shape::groups, 2),
                                  block_threads, matrix, panels(b), block(b), step);
      },
      [&](cudaStream_t stream, unsigned b) {
        then(stream, panels(b), block(b));
        const unsigned skipped = b + 1 == tiles ? 1 : 2;
        if (const unsigned others = tiles - skipped; tiles > skipped)
          GCOMPILE_CUDA_LAUNCH_ON(stream, (closure_rest_kernel<T, Step>), dim3(others, others), block_threads, matrix,
                                  panels(b), block(b), skipped, step);
      });
}

template <class T, class Step> void close_matrix(T *values, std::size_t size, const Step &step) {
  close_matrix(values, size, step, [](cudaStream_t, const ClosurePanels<T> &, const ClosureBlock &) {});
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
