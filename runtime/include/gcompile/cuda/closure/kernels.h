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
__device__ ClosureElements<T, count> operands(const ClosureElements<T, count> &elements, const ClosureBlock &block) {
  if constexpr (takes_parts<Step>)
    return Step::template operands<of_column>(elements, block);
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
    ClosureSlice<T, Shape::tile> &slice = shared.slices[first / Shape::slice % 2];
    if (part == ClosurePart::rows && first < block.count)
      slice.begin(panels.column_at(first, block.first), panels.column_length, block.count - first);
    if (part == ClosurePart::columns && first < block.count)
      slice.begin(panels.row_at(first, block.column), panels.row_length, block.count - first);
    __pipeline_commit();
  };
  begin(0);
  tile.fetch();
  each_step<T>(block.count, [&](unsigned k, unsigned thread, unsigned number) {
    T *const own_row = reinterpret_cast<T *>(shared.row[k % 2]);
    T *const own_column = reinterpret_cast<T *>(shared.column[k % 2]);
    if (has_row && thread == thread_row) {
      const ClosureElements<T, columns> mine = operands<Step, false>(tile.own_row(number), block);
      mine.put(own_row, thread_column);
      mine.put(panels.row_at(k, j), thread_column);
    }
    if (has_column && thread == thread_column) {
      const ClosureElements<T, rows> mine = operands<Step, true>(tile.own_column(number), block);
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
  const unsigned at = blockIdx.x * Shape::group, tile = at / Shape::tile;
  if (blockIdx.y == 0 && at < matrix.columns && tile != block.column / Shape::tile)
    close_own<ClosurePart::rows>(room, matrix, panels, block, block.first, at, step);
  if (blockIdx.y == 1 && at < matrix.rows && tile != block.first / Shape::tile)
    close_own<ClosurePart::columns>(room, matrix, panels, block, at, block.column, step);
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
      slice.column.begin(panels.column_at(first, i), panels.column_length, block.count - first);
      slice.row.begin(panels.row_at(first, j), panels.row_length, block.count - first);
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

/// Where tiles begin if those of a block and of the next one are not counted: `below` more, up to the block, and from
/// there on `above` more.
struct ClosureGaps {
  unsigned block, below, above;

  /// The tile at `next` follows that at `block`, or it is the first one and that the last one; or they are the same.
  static ClosureGaps of(unsigned block, unsigned next, unsigned tile) {
    return {block, next < block ? tile : 0, next == block ? tile : 2 * tile};
  }
  template <class T> __device__ unsigned past(unsigned number) const {
    const unsigned at = number * ClosureShape<T>::tile;
    return at + (at >= block ? above : below);
  }
};

/// The steps of a block at the tiles in the rows of the next one, of which there are `in_rows`, and in its columns; and
/// then the steps of the next block at the tile where these meet, which the first block of threads makes. With no steps
/// and one block of threads: these alone.
template <class T, class Step>
__global__ void __launch_bounds__(block_threads, 2)
    closure_ahead_kernel(ClosureMatrix<T> matrix, ClosurePanels<T> panels, ClosureBlock block,
                         ClosurePanels<T> next_panels, ClosureBlock next, ClosureGaps rows, ClosureGaps columns,
                         unsigned in_rows, Step step) {
  using Shape = ClosureShape<T>;
  union Room {
    ClosureOperands<T, Shape::own, Shape::own> other;
    ClosureRoom<T> own;
  };
  GCOMPILE_CUDA_SHARED(Room, room);
  const bool corner = blockIdx.x == 0;
  unsigned i = next.first, j = next.column;
  if (!corner && blockIdx.x <= in_rows)
    j = columns.past<T>(blockIdx.x - 1);
  else if (!corner)
    i = rows.past<T>(blockIdx.x - 1 - in_rows);
  close_other<Shape::own, Shape::own>(room.other, matrix, panels, block, i, j, step);
  if (!corner)
    return;
  __syncthreads();
  close_own<ClosurePart::corner>(room.own, matrix, next_panels, next, next.first, next.column, step);
}

/// The steps of a block at all tiles but those in its rows and columns, and in those of the next one. For the last
/// block, that is itself.
template <class T, class Step>
__global__ void __launch_bounds__(block_threads, 2)
    closure_rest_kernel(ClosureMatrix<T> matrix, ClosurePanels<T> panels, ClosureBlock block, ClosureGaps rows,
                        ClosureGaps columns, Step step) {
  using Shape = ClosureShape<T>;
  using Room = ClosureOperands<T, Shape::own, Shape::own>;
  GCOMPILE_CUDA_SHARED(Room, room);
  close_other<Shape::own, Shape::own>(room, matrix, panels, block, rows.past<T>(blockIdx.y),
                                      columns.past<T>(blockIdx.x), step);
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
