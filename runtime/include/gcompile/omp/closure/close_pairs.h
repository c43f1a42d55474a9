// Closure of a value for each pair of vertices, as Floyd and Warshall compute it: for every k, in ascending order, each
// D[i, j] is combined with D[i, k] and D[k, j] as they stood before. Blocked by k.
#ifndef GCOMPILE_OMP_CLOSURE_CLOSE_PAIRS_H
#define GCOMPILE_OMP_CLOSURE_CLOSE_PAIRS_H

#include <gcompile/core/closing.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/closure/blocks.h>
#include <gcompile/omp/closure/known.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace gc {

/// Closes `values`: for every k in ascending order, D[i, j] = step(D[i, j], D[i, k], D[k, j], i, j, k) at every i, j,
/// with D[i, k] and D[k, j] as they were before. The step is asked, too, for pairs beyond the last vertex, where nobody
/// reads its answer. The block is rounded up to whole tiles. Source: Floyd and Warshall, blocked, with panels of their
/// own.
template <class T, class Step> void close_pairs(Dense<T> &values, const Step &step, std::size_t block = 96) {
  using Form = detail::AnyForm<T, Step>;
  detail::Closure<T, Form>(values.data(), values.size(), values.size(), Form(step), block).run();
}

// The library has the steps that are known, in the forms that processors may have instructions for: `step` is what it
// does, too.
template <class T, class Step>
void close_pairs(Dense<T> &values, ShortestPaths known, const Step &step, std::size_t block = 96) {
  if constexpr (std::is_integral_v<T>)
    detail::close_known(values, known, block);
  else
    close_pairs(values, step, block);
}
template <class V, class Step>
void close_pairs(Dense<std::tuple<std::int32_t, V>> &values, PathsByFirst known, const Step &, std::size_t block = 96) {
  detail::close_known(values, known, block);
}
template <class V, class Step>
void close_pairs(Dense<std::tuple<std::int32_t, V>> &values, PathsByLast known, const Step &, std::size_t block = 96) {
  detail::close_known(values, known, block);
}
template <class T, class Step>
void close_pairs(Dense<T> &values, WidestPaths known, const Step &, std::size_t block = 96) {
  detail::close_known(values, known, block);
}
template <class Step>
void close_pairs(Dense<std::uint8_t> &values, TransitiveClosure known, const Step &, std::size_t block = 96) {
  detail::close_known(values, known, block);
}

} // namespace gc

#endif
