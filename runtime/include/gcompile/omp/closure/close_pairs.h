// Closure of a value for each pair of vertices, as Floyd and Warshall compute it: for every k, in ascending order, each
// D[i, j] is combined with D[i, k] and D[k, j] as they stood before. Blocked by k.
#ifndef GCOMPILE_OMP_CLOSURE_CLOSE_PAIRS_H
#define GCOMPILE_OMP_CLOSURE_CLOSE_PAIRS_H

#include <gcompile/core/closing.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/closure/blocks.h>
#include <gcompile/omp/closure/integers.h>
#include <gcompile/omp/closure/reachability.h>

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

template <class T, class Step>
void close_pairs(Dense<T> &values, ShortestPaths, const Step &step, std::size_t block = 96) {
  if constexpr (std::is_integral_v<T>)
    detail::close_integers(values, step, block);
  else
    close_pairs(values, step, block);
}
template <class V, class Step>
void close_pairs(Dense<std::tuple<std::int32_t, V>> &values, PathsByFirst, const Step &step, std::size_t block = 96) {
  detail::close_with_vertices<true>(values, step, block);
}
template <class V, class Step>
void close_pairs(Dense<std::tuple<std::int32_t, V>> &values, PathsByLast, const Step &step, std::size_t block = 96) {
  detail::close_with_vertices<false>(values, step, block);
}
/// Without a faster way.
template <class T, class Step>
void close_pairs(Dense<T> &values, WidestPaths, const Step &step, std::size_t block = 96) {
  close_pairs(values, step, block);
}
template <class Step> void close_pairs(Dense<std::uint8_t> &values, TransitiveClosure, const Step &, std::size_t = 0) {
  detail::Reachability(values.data(), values.size()).run();
}

} // namespace gc

#endif
