// How closures by known steps are made.
#ifndef GCOMPILE_OMP_CLOSURE_KNOWN_STEPS_H
#define GCOMPILE_OMP_CLOSURE_KNOWN_STEPS_H

#include <gcompile/core/closing.h>
#include <gcompile/core/numeric.h>
#include <gcompile/omp/closure/blocks.h>
#include <gcompile/omp/closure/integers.h>
#include <gcompile/omp/closure/reachability.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace gc::detail {
inline namespace GCOMPILE_CLOSURES {

/// The steps as close_pairs is given them.
struct ShortestStep {
  template <class T, class... At> T operator()(T own, T column, T row, At...) const {
    return std::min<T>(own, add_inf(column, row));
  }
};
struct WidestStep {
  template <class T, class... At> T operator()(T own, T column, T row, At...) const {
    return std::max<T>(own, std::min<T>(column, row));
  }
};
template <bool from_column> struct PairStep {
  template <class Pair, class... At>
  Pair operator()(const Pair &own, const Pair &column, const Pair &row, At...) const {
    return std::min<Pair>(own, Pair(add_inf(std::get<0>(column), std::get<0>(row)),
                                    from_column ? std::get<1>(column) : std::get<1>(row)));
  }
};

template <class T> void make_known_steps(Dense<T> &values, ShortestPaths, std::size_t block) {
  close_integers(values, ShortestStep(), block);
}
template <class T> void make_known_steps(Dense<T> &values, WidestPaths, std::size_t block) {
  using Form = AnyForm<T, WidestStep>;
  const WidestStep step;
  Closure<T, Form>(values.data(), values.size(), values.size(), Form(step), block).run();
}
template <class Pair> void make_known_steps(Dense<Pair> &values, PathsByFirst, std::size_t block) {
  close_with_vertices<true>(values, PairStep<true>(), block);
}
template <class Pair> void make_known_steps(Dense<Pair> &values, PathsByLast, std::size_t block) {
  close_with_vertices<false>(values, PairStep<false>(), block);
}
inline void make_known_steps(Dense<std::uint8_t> &values, TransitiveClosure, std::size_t) {
  Reachability(values.data(), values.size()).run();
}

} // namespace GCOMPILE_CLOSURES
} // namespace gc::detail

#endif
