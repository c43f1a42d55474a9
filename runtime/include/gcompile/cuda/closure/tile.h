// The inner part of a closure: tiles of a matrix in the registers of a block's threads, and their operands.
#ifndef GCOMPILE_CUDA_CLOSURE_TILE_H
#define GCOMPILE_CUDA_CLOSURE_TILE_H

#include <gcompile/cuda/device/device.h>

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gc {
namespace cuda {
namespace detail {

// Vertices are counted in 32 bits here, elements in 64: memory has no room for a matrix of 2^32 rows.

/// A matrix whose rows follow each other.
template <class T> struct ClosureMatrix {
  T *values;
  unsigned rows, columns;
};

/// The steps of a block: `count` of them, from `first` on, a multiple of the tile's side. Column `column` of the matrix
/// holds column `first`: another one where an element of the matrix holds numbers of several columns.
struct ClosureBlock {
  unsigned first, count, column;
};
/// Of at most `most` of `n` steps.
inline ClosureBlock closure_block(unsigned first, unsigned most, unsigned n) {
  return {first, n - first < most ? n - first : most, first};
}

/// Row k and column k of a block's matrix, as they stood before step k, at k times their length: a column is stored as
/// a row, too.
template <class T> struct ClosurePanels {
  T *row, *column;
  unsigned row_length, column_length;

  __device__ T *row_at(unsigned k, unsigned j) const { return row + std::size_t(k) * row_length + j; }
  __device__ T *column_at(unsigned k, unsigned i) const { return column + std::size_t(k) * column_length + i; }
};

/// The number, which the compiler takes for another one: what is computed from it is not kept in registers from before.
__device__ inline unsigned anew(unsigned number) {
#ifndef GCOMPILE_CUDA_EMULATION
  asm volatile("" : "+r"(number));
#endif
  return number;
}

/// How elements are shared among the threads of a block, which form a square. A thread has `groups` of `pack` elements
/// in each direction; packs of one group are neighbours, so that a warp's accesses are.
template <class T> struct ClosureShape {
  static constexpr unsigned side = block_threads == 256 ? 16 : 8;
  static constexpr unsigned pack = sizeof(T) <= 4 ? 4 : sizeof(T) <= 8 ? 2 : 1;
  static constexpr unsigned groups = sizeof(T) <= 8 || sizeof(T) > 16 ? 2 : 4;
  static constexpr unsigned own = groups * pack;   ///< elements of a thread in a row of its tile, and in a column
  static constexpr unsigned group = side * pack;   ///< elements of a block in one group
  static constexpr unsigned tile = groups * group; ///< steps of a block, and elements in a row of a tile
  /// Steps whose operands are in shared memory at a time.
  static constexpr unsigned fitting = 8192 / (tile * sizeof(T)), slice = fitting > 16 ? 16 : fitting;
  static_assert(side * side == block_threads, "the threads of a block form no square");
  static_assert(slice > 0, "the elements are too large");

  /// Where a thread's element number `number` is in its tile; `thread` is the thread's place in that direction.
  static __device__ unsigned place(unsigned number, unsigned thread) {
    return number / pack * group + thread * pack + number % pack;
  }
  static __device__ unsigned thread_row() { return threadIdx.x / side; }
  static __device__ unsigned thread_column() { return threadIdx.x % side; }
};

// ---- Packs ----------------------------------------------------------------------------------------------------------

template <std::size_t bytes> struct ClosureWord { using type = uint4; };
template <> struct ClosureWord<1> { using type = unsigned char; };
template <> struct ClosureWord<2> { using type = unsigned short; };
template <> struct ClosureWord<4> { using type = unsigned; };
template <> struct ClosureWord<8> { using type = uint2; };

/// Copies a pack in accesses as wide as its alignment allows, up to 16 bytes. The compiler does not find them itself.
template <class T> __device__ void copy_pack(T *to, const T *from) {
  constexpr std::size_t bytes = ClosureShape<T>::pack * sizeof(T), lowest = bytes & (~bytes + 1);
  using Word = typename ClosureWord<(lowest < 16 ? lowest : 16)>::type;
#ifdef GCOMPILE_CUDA_EMULATION // of a host's compiler, for which elements of other types do not overlap
  std::memcpy(static_cast<void *>(to), static_cast<const void *>(from), bytes / sizeof(Word) * sizeof(Word));
#else
  GCOMPILE_CUDA_UNROLL(unroll)
  for (unsigned w = 0; w < bytes / sizeof(Word); ++w)
    reinterpret_cast<Word *>(to)[w] = reinterpret_cast<const Word *>(from)[w];
#endif
}

/// Elements of one thread: they stay in registers, if loops over them are unrolled.
template <class T, unsigned count> struct alignas(16) ClosureElements {
  T of[count];

  /// Fetches its packs from the elements of a tile, of which `from` is the first.
  __device__ void fetch(const T *from, unsigned thread) {
    using Shape = ClosureShape<T>;
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned e = 0; e < count; e += Shape::pack)
      copy_pack(of + e, from + Shape::place(e, thread));
  }
  __device__ void put(T *to, unsigned thread) const {
    using Shape = ClosureShape<T>;
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned e = 0; e < count; e += Shape::pack)
      copy_pack(to + Shape::place(e, thread), of + e);
  }
};

// ---- Tiles ----------------------------------------------------------------------------------------------------------

/// A thread's part of a tile: so many rows and columns of it.
template <class T, unsigned rows, unsigned columns> class ClosureTile {
public:
  using Shape = ClosureShape<T>;

  /// Element (i, j) of the matrix is the tile's first.
  __device__ ClosureTile(const ClosureMatrix<T> &matrix, unsigned i, unsigned j)
      : matrix_(matrix), i_(i), j_(j), whole_(matrix.columns % Shape::pack == 0) {}

  __device__ void fetch() {
    each_pack(i_, j_, [&](T *own, T *element, unsigned inside) {
      if (inside == Shape::pack && whole_)
        return copy_pack(own, const_cast<const T *>(element));
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned q = 0; q < Shape::pack; ++q)
        own[q] = q < inside ? element[q] : T();
    });
  }
  __device__ void put() {
    each_pack(anew(i_), anew(j_), [&](T *own, T *element, unsigned inside) {
      if (inside == Shape::pack && whole_)
        return copy_pack(element, const_cast<const T *>(own));
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned q = 0; q < Shape::pack; ++q)
        if (q < inside)
          element[q] = own[q];
    });
  }

  /// Step k, with the operands at the thread's rows, and those at its columns.
  template <class Step>
  __device__ void step(const Step &step, const ClosureElements<T, rows> &column, const ClosureElements<T, columns> &row,
                       unsigned k) {
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned r = 0; r < rows; ++r) {
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned c = 0; c < columns; ++c)
        own_[r].of[c] = step(own_[r].of[c], column.of[r], row.of[c], i_ + Shape::place(r, Shape::thread_row()),
                             j_ + Shape::place(c, Shape::thread_column()), k);
    }
  }

  /// The same for a step and the next one, at once.
  template <class Step>
  __device__ void two_steps(const Step &step, const ClosureElements<T, rows> (&column)[2],
                            const ClosureElements<T, columns> (&row)[2]) {
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned r = 0; r < rows; ++r) {
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned c = 0; c < columns; ++c)
        own_[r].of[c] = step.two(own_[r].of[c], column[0].of[r], row[0].of[c], column[1].of[r], row[1].of[c]);
    }
  }

  __device__ const ClosureElements<T, columns> &own_row(unsigned r) const { return own_[r]; }
  __device__ ClosureElements<T, rows> own_column(unsigned c) const {
    ClosureElements<T, rows> result;
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned r = 0; r < rows; ++r)
      result.of[r] = own_[r].of[c];
    return result;
  }

private:
  /// Calls f(own, element, inside) for each pack; `inside`: how many of it the matrix has.
  template <class F> __device__ void each_pack(unsigned first_i, unsigned first_j, const F &f) {
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned r = 0; r < rows; ++r) {
      const unsigned i = first_i + Shape::place(r, Shape::thread_row());
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned c = 0; c < columns; c += Shape::pack) {
        const unsigned j = first_j + Shape::place(c, Shape::thread_column());
        const unsigned inside = i < matrix_.rows && j < matrix_.columns ? matrix_.columns - j : 0;
        f(own_[r].of + c, matrix_.values + std::size_t(i) * matrix_.columns + j,
          inside < Shape::pack ? inside : Shape::pack);
      }
    }
  }

  const ClosureMatrix<T> matrix_;
  const unsigned i_, j_;
  const bool whole_; // packs never reach over the end of a row
  ClosureElements<T, columns> own_[rows];
};

// ---- Slices ---------------------------------------------------------------------------------------------------------

/// Shared memory for the operands of one slice of steps: `width` neighbours in the panel at each.
template <class T, unsigned width> struct ClosureSlice {
  alignas(16) unsigned char bytes[ClosureShape<T>::slice * width * sizeof(T)];

  __device__ const T *at(unsigned step) const { return reinterpret_cast<const T *>(bytes) + step * width; }

  /// The block's threads begin to copy `steps` rows of a panel, which are `stride` apart.
  __device__ void begin(const T *from, unsigned stride, unsigned steps) {
    constexpr unsigned chunks = width * sizeof(T) / 16, all = ClosureShape<T>::slice * chunks;
    static_assert(width * sizeof(T) % 16 == 0, "a row of a slice consists of whole chunks");
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned first = 0; first < all; first += block_threads) {
      const unsigned chunk = first + threadIdx.x, step = chunk / chunks;
      if (step < steps && (all % block_threads == 0 || chunk < all))
        __pipeline_memcpy_async(
            bytes + 16 * chunk,
            reinterpret_cast<const unsigned char *>(from + std::size_t(step) * stride) + 16 * (chunk % chunks), 16);
    }
  }
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
