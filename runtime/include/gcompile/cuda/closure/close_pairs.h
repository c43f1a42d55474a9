// Closure of a value for each pair of vertices, as Floyd and Warshall compute it, on a GPU: for every k, in ascending
// order, each D[i, j] is combined with D[i, k] and D[k, j] as they stood before. Blocked by k.
#ifndef GCOMPILE_CUDA_CLOSURE_CLOSE_PAIRS_H
#define GCOMPILE_CUDA_CLOSURE_CLOSE_PAIRS_H

#include <gcompile/core/closing.h>
#include <gcompile/cuda/closure/fewer_bits.h>
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
struct IsUnsigned {
  __device__ bool operator()(float value) const { return __float_as_uint(value) <= 0x7f800000; }
};

} // namespace detail

/// Closes `values`: for every k in ascending order, D[i, j] = step(D[i, j], D[i, k], D[k, j], i, j, k) at every i, j,
/// with D[i, k] and D[k, j] as they were before. The step is asked, too, for pairs beyond the last vertex, where nobody
/// reads its answer. Source: Floyd and Warshall, blocked, with panels of their own.
template <class T, class Step> void close_pairs(Dense<T> &values, const Step &step) {
  detail::close_matrix(values.view().values, values.size(), step);
}

template <class T, class Step> void close_pairs(Dense<T> &values, ShortestPaths, const Step &step) {
  T *const elements = values.view().values;
  const std::size_t n = values.size();
  if constexpr (std::is_integral_v<T>) {
    if (!detail::close_integers(elements, n))
      close_pairs(values, step);
  } else if constexpr (std::is_same_v<T, float>) {
    if (detail::all_elements(elements, n * n, detail::IsUnsigned()))
      detail::close_matrix(elements, n, detail::FloatSum());
    else
      close_pairs(values, step);
  } else {
    close_pairs(values, step); // comparing bits of 64 takes no less than comparing numbers
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
