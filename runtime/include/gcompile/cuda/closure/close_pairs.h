// Closure of a value for each pair of vertices, as Floyd and Warshall compute it, on a GPU: for every k, in ascending
// order, each D[i, j] is combined with D[i, k] and D[k, j] as they stood before. Blocked by k.
#ifndef GCOMPILE_CUDA_CLOSURE_CLOSE_PAIRS_H
#define GCOMPILE_CUDA_CLOSURE_CLOSE_PAIRS_H

#include <gcompile/core/closing.h>
#include <gcompile/cuda/closure/blocks.h>
#include <gcompile/cuda/closure/kernels.h>
#include <gcompile/cuda/closure/reachability.h>
#include <gcompile/cuda/device/memory.h>

#include <type_traits>

namespace gc {
namespace cuda {
namespace detail {

/// The steps are made in blocks. Panels hold row k and column k as they stood before step k: first those of the tile
/// where the block's rows and columns meet, then those of the other tiles in these. Any other element has all its
/// operands once the panels are complete, and takes them in ascending k: the answer is that of the plain loop, bit by
/// bit, whatever the operation.
template <class T, class Step> void close_matrix(T *values, std::size_t size, const Step &step) {
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
        const unsigned skipped = b + 1 == tiles ? 1 : 2;
        if (const unsigned others = tiles - skipped; tiles > skipped)
          GCOMPILE_CUDA_LAUNCH_ON(stream, (closure_rest_kernel<T, Step>), dim3(others, others), block_threads, matrix,
                                  panels(b), block(b), skipped, step);
      });
}

/// Whether a value has no sign and is a number: -0 has one.
template <class T> __device__ bool is_unsigned(T value) {
  if constexpr (std::is_same_v<T, float>)
    return __float_as_uint(value) <= 0x7f800000;
  else
    return value >= 0;
}

template <class T>
__global__ void __launch_bounds__(block_threads)
    find_signed_kernel(const T *values, std::size_t count, unsigned *found) {
  bool other = false;
  for (std::size_t e = blockIdx.x * std::size_t(block_threads) + threadIdx.x; e < count;
       e += std::size_t(gridDim.x) * block_threads)
    other |= !is_unsigned(values[e]);
  if (other)
    atomicOr(found, 1u);
}

} // namespace detail

/// Closes `values`: for every k in ascending order, D[i, j] = step(D[i, j], D[i, k], D[k, j], i, j, k) at every i, j,
/// with D[i, k] and D[k, j] as they were before. The step is asked, too, for pairs beyond the last vertex, where nobody
/// reads its answer. Source: Floyd and Warshall, blocked, with panels of their own.
template <class T, class Step> void close_pairs(Dense<T> &values, const Step &step) {
  detail::close_matrix(values.view().values, values.size(), step);
}

template <class T, class Step> void close_pairs(Dense<T> &values, ShortestPaths, const Step &step) {
  if constexpr (std::is_same_v<T, double>) {
    close_pairs(values, step); // comparing bits of 64 takes no less than comparing numbers
  } else {
    T *const elements = values.view().values;
    const std::size_t count = values.size() * values.size();
    Cell<unsigned> found(0);
    GCOMPILE_CUDA_LAUNCH((detail::find_signed_kernel<T>), blocks_for(count), block_threads, elements, count,
                         found.data());
    if (found.read())
      close_pairs(values, step);
    else if constexpr (std::is_same_v<T, float>)
      detail::close_matrix(elements, values.size(), detail::FloatSum());
    else
      detail::close_matrix(reinterpret_cast<std::make_unsigned_t<T> *>(elements), values.size(), detail::UnsignedSum());
  }
}

template <class T, class Step> void close_pairs(Dense<T> &values, WidestPaths, const Step &step) {
  if constexpr (sizeof(T) == sizeof(int))
    detail::close_matrix(values.view().values, values.size(), detail::WidestStep());
  else
    close_pairs(values, step);
}

template <class Step> void close_pairs(Dense<std::uint8_t> &values, TransitiveClosure, const Step &) {
  detail::close_flags<std::uint32_t>(values.view().values, values.size());
}

} // namespace cuda
} // namespace gc

#endif
