// Closures of pairs of a length and a vertex by the least length, such as shortest paths with the vertex before the
// last one, on a GPU.
#ifndef GCOMPILE_CUDA_CLOSURE_PATHS_H
#define GCOMPILE_CUDA_CLOSURE_PATHS_H

#include <gcompile/core/numeric.h>
#include <gcompile/core/types.h>
#include <gcompile/cuda/closure/matrix.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace gc {
namespace cuda {
namespace detail {

/// A pair as one number: the length times 2^22, and the vertex. Such numbers are in the order of their pairs, and exact
/// up to a length of infinity, 2^31 - 1: no sum that is rounded is less than that. A GPU adds and compares numbers of
/// 64 bits as fast as it selects integers of 64, in another part of its multiprocessors.
struct PathNumber {
  static constexpr std::uint32_t vertices = 1u << 22, nobody = vertices - 1; ///< `nobody` stands for no vertex
  static constexpr double infinity = double(inf<std::int32_t>()) * vertices;

  template <class V> static __device__ bool holds(std::int32_t length, V vertex) {
    return length >= 0 && (vertex < nobody || vertex == none<V>());
  }
  template <class V> static __device__ double of(std::int32_t length, V vertex) {
    return double(length) * vertices + double(vertex == none<V>() ? nobody : std::uint32_t(vertex));
  }
  static __device__ std::uint32_t vertex(double number) { return std::uint32_t(std::uint64_t(number)) & nobody; }
  static __device__ double length_alone(double number) {
    return double(std::uint64_t(number) & ~std::uint64_t(nobody));
  }
};

/// `own min= (column.0 + row.0, column.1)`, or with `row.1`; the vertex of the other operand counts as 0.
template <bool from_column> struct PathStep : StepOfParts {
  __device__ double operator()(double own, double column, double row, unsigned, unsigned, unsigned) const {
    const double sum = column + row;
    return sum < own ? sum : own;
  }
  template <bool of_column, unsigned count>
  static __device__ ClosureElements<double, count> operands(const ClosureElements<double, count> &elements,
                                                            const ClosureBlock &) {
    ClosureElements<double, count> taken = elements;
    if constexpr (of_column != from_column) {
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned e = 0; e < count; ++e)
        taken.of[e] = PathNumber::length_alone(elements.of[e]);
    }
    return taken;
  }
};

struct HasPathNumber {
  template <class Pair> __device__ bool operator()(const Pair &pair) const {
    return PathNumber::holds(std::get<0>(pair), std::get<1>(pair));
  }
};

/// Each number takes the place of its pair.
template <class Pair>
__global__ void __launch_bounds__(block_threads) number_paths_kernel(Pair *pairs, std::size_t count) {
  for (std::size_t e = blockIdx.x * std::size_t(block_threads) + threadIdx.x; e < count;
       e += std::size_t(gridDim.x) * block_threads) {
    const Pair pair = pairs[e];
    reinterpret_cast<double *>(pairs)[e] = PathNumber::of(std::get<0>(pair), std::get<1>(pair));
  }
}

/// least[x] = min of the vertices that the panel's steps offer to all pairs of row x, or of column x.
template <class Number>
__global__ void __launch_bounds__(block_threads)
    least_vertex_kernel(const Number *panel, unsigned width, unsigned steps, std::uint32_t *least) {
  const unsigned at = blockIdx.x * block_threads + threadIdx.x;
  if (at >= width)
    return;
  std::uint32_t lowest = least[at];
  for (unsigned k = 0; k < steps; ++k) {
    const std::uint32_t vertex = PathNumber::vertex(panel[std::size_t(k) * width + at]);
    lowest = vertex < lowest ? vertex : lowest;
  }
  least[at] = lowest;
}

/// Pairs again. A length that is infinite at the end was so before each step, and so were all sums for it: its vertex
/// is the least of all that the steps offered. Sums of two lengths are more than infinity and do not tell; here it is
/// made up for.
template <bool from_column, class Pair>
__global__ void __launch_bounds__(block_threads)
    pair_paths_kernel(double *numbers, std::size_t count, unsigned n, const std::uint32_t *least) {
  using V = std::tuple_element_t<1, Pair>;
  for (std::size_t e = blockIdx.x * std::size_t(block_threads) + threadIdx.x; e < count;
       e += std::size_t(gridDim.x) * block_threads) {
    const double number = numbers[e];
    std::uint32_t vertex = PathNumber::vertex(number);
    if (number >= PathNumber::infinity) {
      const std::uint32_t offered = least[from_column ? e / n : e % n];
      vertex = offered < vertex ? offered : vertex;
    }
    reinterpret_cast<Pair *>(numbers)[e] = Pair(static_cast<std::int32_t>(std::uint64_t(number) / PathNumber::vertices),
                                                vertex == PathNumber::nobody ? none<V>() : static_cast<V>(vertex));
  }
}

/// Closes pairs of an integer and a vertex by the least sum of the integers, bit by bit as the plain loop does: whether
/// it could. It cannot where a length is negative, or where a pair takes more than 8 bytes.
template <bool from_column, class Pair> bool close_paths(Dense<Pair> &values) {
  if constexpr (sizeof(Pair) != sizeof(double)) {
    return false;
  } else {
    const std::size_t n = values.size(), count = n * n;
    Pair *const pairs = values.view().values;
    if (!all_elements(pairs, count, HasPathNumber()))
      return false;
    GCOMPILE_CUDA_LAUNCH((number_paths_kernel<Pair>), blocks_for(count), block_threads, pairs, count);
    double *const numbers = reinterpret_cast<double *>(pairs);
    const std::vector<std::uint32_t> nobody(n + ClosureShape<double>::tile, PathNumber::nobody); // as wide as a panel
    Buffer<std::uint32_t> least(nobody.size());
    least.upload(nobody.data(), nobody.size());
    close_matrix(square_matrix(numbers, n), PathStep<from_column>(),
                 [&](cudaStream_t stream, const ClosurePanels<double> &panels, const ClosureBlock &block) {
                   const unsigned width = panels.row_length; // and that of a column
                   GCOMPILE_CUDA_LAUNCH_ON(stream, least_vertex_kernel<double>, (width - 1) / block_threads + 1,
                                           block_threads, from_column ? panels.column : panels.row, width, block.count,
                                           least.data());
                 });
    GCOMPILE_CUDA_LAUNCH((pair_paths_kernel<from_column, Pair>), blocks_for(count), block_threads, numbers, count,
                         static_cast<unsigned>(n), least.data());
    check(cudaGetLastError(), "cannot start a kernel");
    synchronize();
    return true;
  }
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
