// The closure of flags on a GPU: D[i, j] |= D[i, k] && D[k, j] for every k, 32 pairs in a word.
#ifndef GCOMPILE_CUDA_CLOSURE_REACHABILITY_H
#define GCOMPILE_CUDA_CLOSURE_REACHABILITY_H

#include <gcompile/cuda/closure/blocks.h>
#include <gcompile/cuda/closure/kernels.h>
#include <gcompile/cuda/device/lanes.h>
#include <gcompile/cuda/device/memory.h>

#include <cstdint>

namespace gc {
namespace cuda {
namespace detail {

/// A step on a word of flags: `column` has all its bits set where D[i, k] is.
struct FlagsStep {
  __device__ std::uint32_t operator()(std::uint32_t own, std::uint32_t column, std::uint32_t row, unsigned, unsigned,
                                      unsigned) const {
    return own | (column & row);
  }
};

using FlagsShape = ClosureShape<std::uint32_t>;

/// The words of one row that hold the columns of a block, while they pass over its steps.
template <class Word> struct alignas(FlagsShape::tile / 8) FlagsOfBlock {
  static constexpr unsigned count = FlagsShape::tile / 32;
  Word words[count];

  __device__ Word mask(unsigned k) const {
    Word word = words[0];
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned w = 1; w < count; ++w)
      word = k / 32 == w ? words[w] : word;
    return 0 - (word >> k % 32 & 1);
  }
  __device__ void take(Word mask, const FlagsOfBlock &row) {
    GCOMPILE_CUDA_UNROLL(unroll)
    for (unsigned w = 0; w < count; ++w)
      words[w] |= mask & row.words[w];
  }
};

template <class Word> struct FlagsMatrix {
  ClosureMatrix<Word> bits;
  ClosurePanels<Word> panels; ///< `column`: masks
  FlagsOfBlock<Word> *corner; ///< the rows of the block, as they stood before their steps, at its columns

  __device__ FlagsOfBlock<Word> at(unsigned i, const ClosureBlock &block) const {
    FlagsOfBlock<Word> result = {};
    if (i < bits.rows)
      result =
          *reinterpret_cast<const FlagsOfBlock<Word> *>(bits.values + std::size_t(i) * bits.columns + block.first / 32);
    return result;
  }
};

/// The masks of the block's own rows: a thread for each row.
template <class Word>
__global__ void __launch_bounds__(FlagsShape::tile) flags_corner_kernel(FlagsMatrix<Word> matrix, ClosureBlock block) {
  struct Rows {
    FlagsOfBlock<Word> of[2];
  };
  GCOMPILE_CUDA_SHARED(Rows, before);
  const unsigned i = block.first + threadIdx.x;
  FlagsOfBlock<Word> own = matrix.at(i, block);
  for (unsigned k = 0; k < block.count; ++k) {
    if (threadIdx.x == k)
      before.of[k % 2] = matrix.corner[k] = own;
    const Word mask = own.mask(k);
    *matrix.panels.column_at(k, i) = mask;
    __syncthreads();
    own.take(mask, before.of[k % 2]);
  }
}

/// The masks of the other rows, and the rows of the block. Neither needs what the other writes.
template <class Word>
__global__ void __launch_bounds__(block_threads, 2)
    flags_sides_kernel(FlagsMatrix<Word> matrix, ClosureBlock block, unsigned row_tiles) {
  GCOMPILE_CUDA_SHARED(ClosureRoom<Word>, room);
  if (blockIdx.x < row_tiles)
    return close_own<ClosurePart::rows>(room, matrix.bits, matrix.panels, block, block.first,
                                        blockIdx.x * FlagsShape::group, FlagsStep());
  struct Rows {
    FlagsOfBlock<Word> of[FlagsShape::tile];
  };
  GCOMPILE_CUDA_SHARED(Rows, before);
  for (unsigned k = threadIdx.x; k < block.count; k += block_threads)
    before.of[k] = matrix.corner[k];
  __syncthreads();
  const unsigned i = (blockIdx.x - row_tiles) * block_threads + threadIdx.x;
  if (i >= matrix.panels.column_length || i / FlagsShape::tile == block.first / FlagsShape::tile)
    return;
  FlagsOfBlock<Word> own = matrix.at(i, block);
  for (unsigned k = 0; k < block.count; ++k) {
    const Word mask = own.mask(k);
    *matrix.panels.column_at(k, i) = mask;
    own.take(mask, before.of[k]);
  }
}

/// The steps of a block at all rows but its own. `next`, where the next block begins: a part of the tiles holds its
/// rows or its columns, and the other part does not; where nothing comes next, it is the end, and there is one part.
template <class Word>
__global__ void __launch_bounds__(block_threads, 2)
    flags_rest_kernel(FlagsMatrix<Word> matrix, ClosureBlock block, unsigned next, bool ahead) {
  using Room = ClosureOperands<Word, FlagsShape::own, FlagsShape::pack>;
  GCOMPILE_CUDA_SHARED(Room, room);
  const unsigned above = blockIdx.y * FlagsShape::tile, i = above + (above >= block.first ? FlagsShape::tile : 0);
  const bool in_next = i == next || blockIdx.x == next / 32 / FlagsShape::group;
  if (ahead == (in_next && next < matrix.bits.rows))
    close_other<FlagsShape::own, FlagsShape::pack>(room, matrix.bits, matrix.panels, block, i,
                                                   blockIdx.x * FlagsShape::group, FlagsStep());
}

template <class Word>
__global__ void __launch_bounds__(block_threads)
    pack_flags_kernel(const std::uint8_t *flags, unsigned n, ClosureMatrix<Word> bits) {
  const unsigned j = blockIdx.x * block_threads + threadIdx.x;
  for (std::size_t i = blockIdx.y; i < n; i += gridDim.y) {
    const Word word = __ballot_sync(full_warp, j < n && flags[i * n + j]);
    if (threadIdx.x % 32 == 0 && j / 32 < bits.columns)
      bits.values[i * bits.columns + j / 32] = word;
  }
}
template <class Word>
__global__ void __launch_bounds__(block_threads)
    unpack_flags_kernel(ClosureMatrix<Word> bits, unsigned n, std::uint8_t *flags) {
  const unsigned j = blockIdx.x * block_threads + threadIdx.x;
  for (std::size_t i = blockIdx.y; i < n && j < n; i += gridDim.y)
    flags[i * n + j] = bits.values[i * bits.columns + j / 32] >> j % 32 & 1;
}

/// The flags of a block's rows and columns, where they meet, decide the masks; these decide what every word takes.
template <class Word> void close_flags(std::uint8_t *flags, std::size_t size) {
  const auto rounded = [](unsigned count, unsigned unit) { return (count + unit - 1) / unit; };
  const auto n = static_cast<unsigned>(size), tiles = rounded(n, FlagsShape::tile), height = tiles * FlagsShape::tile;
  const unsigned row_tiles = rounded(height / 32, FlagsShape::group), words = row_tiles * FlagsShape::group;
  const unsigned mask_tiles = rounded(height, block_threads), width = height > words ? height : words;
  if (n == 0)
    return;
  Buffer<Word> bits(std::size_t(n) * words);
  const std::size_t panel = std::size_t(FlagsShape::tile) * width;
  Buffer<Word> rows(2 * panel), masks(2 * panel);
  Buffer<FlagsOfBlock<Word>> corner(FlagsShape::tile);
  const auto matrix = [&](unsigned b) {
    const ClosurePanels<Word> panels = {rows.data() + b % 2 * panel, masks.data() + b % 2 * panel, width, width};
    return FlagsMatrix<Word>{{bits.data(), n, words}, panels, corner.data()};
  };
  const auto block = [&](unsigned b) { return closure_block(b * FlagsShape::tile, FlagsShape::tile, n); };
  const auto rest = [&](cudaStream_t stream, unsigned b, bool ahead) {
    if (tiles > 1)
      GCOMPILE_CUDA_LAUNCH_ON(stream, (flags_rest_kernel<Word>), dim3(row_tiles, tiles - 1), block_threads, matrix(b),
                              block(b), (b + 1) * FlagsShape::tile, ahead);
  };
  const dim3 all(rounded(words * 32, block_threads), n < 32768 ? n : 32768);
  GCOMPILE_CUDA_LAUNCH((pack_flags_kernel<Word>), all, block_threads, flags, n, matrix(0).bits);
  make_blocks(
      tiles,
      [&](cudaStream_t stream, unsigned b) {
        if (b > 0)
          rest(stream, b - 1, true);
        GCOMPILE_CUDA_LAUNCH_ON(stream, (flags_corner_kernel<Word>), 1, FlagsShape::tile, matrix(b), block(b));
      },
      [&](cudaStream_t stream, unsigned b) {
        GCOMPILE_CUDA_LAUNCH_ON(stream, (flags_sides_kernel<Word>), row_tiles + mask_tiles, block_threads, matrix(b),
                                block(b), row_tiles);
      },
      [&](cudaStream_t stream, unsigned b) { rest(stream, b, false); });
  GCOMPILE_CUDA_LAUNCH((unpack_flags_kernel<Word>), all, block_threads, matrix(0).bits, n, flags);
  check(cudaGetLastError(), "cannot start a kernel");
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
