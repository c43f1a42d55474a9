// The kernels of a closure: those that make the panels of a block of steps, and the one that does all the rest.
#ifndef GCOMPILE_CUDA_CLOSURE_KERNELS_H
#define GCOMPILE_CUDA_CLOSURE_KERNELS_H

#include <gcompile/cuda/closure/steps.h>
#include <gcompile/cuda/closure/tile.h>

namespace gc {
namespace cuda {
namespace detail {

/// Where rows i + k and columns j + k of a block's steps are: in the tile itself, or in the panels.
enum class ClosurePart { corner, rows, columns };

/// Calls f(k, thread, number) for each step of a block, in order: which thread, in either direction, has the elements
/// of row or column k, and under which number.
template <class T, class F> __device__ void each_step(unsigned count, const F &f) {
  using Shape = ClosureShape<T>;
  GCOMPILE_CUDA_UNROLL(unroll)
  for (unsigned group = 0; group < Shape::groups; ++group)
    GCOMPILE_CUDA_UNROLL(unroll 1)
  for (unsigned thread = 0; thread < Shape::side; ++thread) {
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned q = 0; q < Shape::pack; ++q)
      if (const unsigned k = group * Shape::group + thread * Shape::pack + q; k < count)
        f(k, thread, group * Shape::pack + q);
  }
}

/// What a step takes of elements of column k, or of row k: all of them, but where the step says otherwise.
template <class Step, bool of_column, class T, unsigned count>
__device__ ClosureElements<T, count> operands(const ClosureElements<T, count> &elements) {
  if constexpr (takes_parts<Step>)
    return Step::template operands<of_column>(elements);
  else
    return elements;
}

/// Shared memory for a tile of a block's own rows or columns.
template <class T> struct ClosureRoom {
  using Shape = ClosureShape<T>;
  ClosureSlice<T, Shape::tile> slices[2];
  alignas(16) unsigned char row[2][Shape::tile * sizeof(T)], column[2][Shape::tile * sizeof(T)];
};

/// The steps of a block at one of its own tiles, where each step changes what the next one takes: (i, j) is the first
/// element. What the tile has of row k and column k goes to the panels; the other operands come from there.
template <ClosurePart part, class T, class Step>
__device__ void close_own(ClosureRoom<T> &shared, const ClosureMatrix<T> &matrix, const ClosurePanels<T> &panels,
                          const ClosureBlock &block, unsigned i, unsigned j, const Step &step) {
  using Shape = ClosureShape<T>;
  constexpr bool has_row = part != ClosurePart::columns, has_column = part != ClosurePart::rows;
  constexpr unsigned rows = has_row ? Shape::own : Shape::pack, columns = has_column ? Shape::own : Shape::pack;
  const unsigned thread_row = Shape::thread_row(), thread_column = Shape::thread_column();
  ClosureTile<T, rows, columns> tile(matrix, i, j);
  const auto begin = [&](unsigned first) {
    if (part != ClosurePart::corner && first < block.count)
      shared.slices[first / Shape::slice % 2].begin(part == ClosurePart::rows ? panels.column_at(first, block.first)
                                                                              : panels.row_at(first, block.first),
                                                    panels.width, block.count - first);
    __pipeline_commit();
  };
  begin(0);
  tile.fetch();
  each_step<T>(block.count, [&](unsigned k, unsigned thread, unsigned number) {
    T *const own_row = reinterpret_cast<T *>(shared.row[k % 2]);
    T *const own_column = reinterpret_cast<T *>(shared.column[k % 2]);
    if (has_row && thread == thread_row) {
      const ClosureElements<T, columns> mine = operands<Step, false>(tile.own_row(number));
      mine.put(own_row, thread_column);
      mine.put(panels.row_at(k, j), thread_column);
    }
    if (has_column && thread == thread_column) {
      const ClosureElements<T, rows> mine = operands<Step, true>(tile.own_column(number));
      mine.put(own_column, thread_row);
      mine.put(panels.column_at(k, i), thread_row);
    }
    const bool next = k % Shape::slice == 0;
    if (next)
      __pipeline_wait_prior(0);
    __syncthreads();
    if (next) // nobody reads the slice before this one any more
      begin(k + Shape::slice);
    const T *const others = shared.slices[k / Shape::slice % 2].at(k % Shape::slice);
    ClosureElements<T, rows> a;
    ClosureElements<T, columns> b;
    a.fetch(has_column ? own_column : others, thread_row);
    b.fetch(has_row ? own_row : others, thread_column);
    tile.step(step, a, b, block.first + k);
  });
  tile.put();
}

/// The rows of the block, in tiles of fewer columns, and its columns, in tiles of fewer rows.
template <class T, class Step>
__global__ void __launch_bounds__(block_threads, 2)
    closure_sides_kernel(ClosureMatrix<T> matrix, ClosurePanels<T> panels, ClosureBlock block, Step step) {
  using Shape = ClosureShape<T>;
  GCOMPILE_CUDA_SHARED(ClosureRoom<T>, room);
  const unsigned at = blockIdx.x * Shape::group;
  if (at / Shape::tile == block.first / Shape::tile)
    return;
  if (blockIdx.y == 0)
    close_own<ClosurePart::rows>(room, matrix, panels, block, block.first, at, step);
  else
    close_own<ClosurePart::columns>(room, matrix, panels, block, at, block.first, step);
}

/// Shared memory for a tile that has no part in the panels.
template <class T, unsigned rows, unsigned columns> struct ClosureOperands {
  struct {
    ClosureSlice<T, rows * ClosureShape<T>::side> column;
    ClosureSlice<T, columns * ClosureShape<T>::side> row;
  } of[2];
};

/// The steps of a block at such a tile: (i, j) is its first element.
template <unsigned rows, unsigned columns, class T, class Step>
__device__ void close_other(ClosureOperands<T, rows, columns> &slices, const ClosureMatrix<T> &matrix,
                            const ClosurePanels<T> &panels, const ClosureBlock &block, unsigned i, unsigned j,
                            const Step &step) {
  using Shape = ClosureShape<T>;
  const unsigned thread_row = Shape::thread_row(), thread_column = Shape::thread_column();
  const auto begin = [&](unsigned first) {
    if (first < block.count) {
      auto &slice = slices.of[first / Shape::slice % 2];
      slice.column.begin(panels.column_at(first, i), panels.width, block.count - first);
      slice.row.begin(panels.row_at(first, j), panels.width, block.count - first);
    }
    __pipeline_commit();
  };
  begin(0);
  ClosureTile<T, rows, columns> tile(matrix, i, j);
  tile.fetch();
  GCOMPILE_CUDA_UNROLL(unroll 1)
  for (unsigned first = 0; first < block.count; first += Shape::slice) {
    __pipeline_wait_prior(0);
    __syncthreads();
    begin(anew(first + Shape::slice)); // nobody reads the slice before this one any more
    const auto &slice = slices.of[first / Shape::slice % 2];
    const unsigned steps = block.count - first < Shape::slice ? block.count - first : Shape::slice;
    unsigned k = 0;
    if constexpr (in_twos<Step>) {
      GCOMPILE_CUDA_UNROLL(unroll 2)
      for (; k + 1 < steps; k += 2) {
        ClosureElements<T, rows> a[2];
        ClosureElements<T, columns> b[2];
        GCOMPILE_CUDA_UNROLL(unroll)
        for (unsigned s = 0; s < 2; ++s) {
          a[s].fetch(slice.column.at(k + s), thread_row);
          b[s].fetch(slice.row.at(k + s), thread_column);
        }
        tile.two_steps(step, a, b);
      }
    }
    GCOMPILE_CUDA_UNROLL(unroll in_twos<Step> ? 1 : 4)
    for (; k < steps; ++k) {
      ClosureElements<T, rows> a;
      ClosureElements<T, columns> b;
      a.fetch(slice.column.at(k), thread_row);
      b.fetch(slice.row.at(k), thread_column);
      tile.step(step, a, b, block.first + first + k);
    }
  }
  tile.put();
}

/// Where tile number `tile` begins, if `skipped` tiles from the block's own on are not counted.
template <class T> __device__ unsigned past(const ClosureBlock &block, unsigned skipped, unsigned tile) {
  using Shape = ClosureShape<T>;
  return Shape::tile * (tile + (tile * Shape::tile >= block.first ? skipped : 0));
}

/// The steps of a block at the tiles in the rows and the columns of the next one; and then the steps of the next block
/// at the tile where these meet, which the first block of threads makes. With no steps and one block of threads: these
/// alone.
template <class T, class Step>
__global__ void __launch_bounds__(block_threads, 2)
    closure_ahead_kernel(ClosureMatrix<T> matrix, ClosurePanels<T> panels, ClosureBlock block,
                         ClosurePanels<T> next_panels, ClosureBlock next, Step step) {
  using Shape = ClosureShape<T>;
  union Room {
    ClosureOperands<T, Shape::own, Shape::own> other;
    ClosureRoom<T> own;
  };
  GCOMPILE_CUDA_SHARED(Room, room);
  const bool corner = blockIdx.x == 0;
  const unsigned at = corner ? next.first : past<T>(block, 2, (blockIdx.x - 1) / 2);
  const bool in_rows = blockIdx.x % 2 == 0;
  close_other<Shape::own, Shape::own>(room.other, matrix, panels, block, in_rows ? next.first : at,
                                      in_rows ? at : next.first, step);
  if (!corner)
    return;
  __syncthreads();
  close_own<ClosurePart::corner>(room.own, matrix, next_panels, next, next.first, next.first, step);
}

/// All tiles but those of `skipped` blocks' rows and columns: of this one, and of the next one.
template <class T, class Step>
__global__ void __launch_bounds__(block_threads, 2)
    closure_rest_kernel(ClosureMatrix<T> matrix, ClosurePanels<T> panels, ClosureBlock block, unsigned skipped,
                        Step step) {
  using Shape = ClosureShape<T>;
  using Room = ClosureOperands<T, Shape::own, Shape::own>;
  GCOMPILE_CUDA_SHARED(Room, room);
  close_other<Shape::own, Shape::own>(room, matrix, panels, block, past<T>(block, skipped, blockIdx.y),
                                      past<T>(block, skipped, blockIdx.x), step);
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
