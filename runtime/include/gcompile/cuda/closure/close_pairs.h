// Closure of a value for each pair of vertices, as Floyd and Warshall compute it, on a GPU: for every k, in ascending
// order, each D[i, j] is combined with D[i, k] and D[k, j] as they stood before. Blocked by k.
#ifndef GCOMPILE_CUDA_CLOSURE_CLOSE_PAIRS_H
#define GCOMPILE_CUDA_CLOSURE_CLOSE_PAIRS_H

#include <gcompile/core/closing.h>
#include <gcompile/cuda/closure/matrix.h>
#include <gcompile/cuda/closure/paths.h>
#include <gcompile/cuda/closure/reachability.h>
#include <gcompile/cuda/device/memory.h>

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace gc {
namespace cuda {
namespace detail {

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

template <class V, class Step>
void close_pairs(Dense<std::tuple<std::int32_t, V>> &values, PathsByFirst, const Step &step) {
  if (!detail::close_paths<true>(values))
    close_pairs(values, step);
}
template <class V, class Step>
void close_pairs(Dense<std::tuple<std::int32_t, V>> &values, PathsByLast, const Step &step) {
  if (!detail::close_paths<false>(values))
    close_pairs(values, step);
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
