// Closures by steps that are known.
#ifndef GCOMPILE_OMP_CLOSURE_KNOWN_H
#define GCOMPILE_OMP_CLOSURE_KNOWN_H

#include <gcompile/core/closing.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/threads/threads.h>

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace gc::detail {

using Pair32 = std::tuple<std::int32_t, std::uint32_t>;
using Pair64 = std::tuple<std::int32_t, std::uint64_t>;

/// Each value type with what is known of a step of it.
#define GCOMPILE_FOR_EACH_KNOWN_CLOSURE(DO)                                                                            \
  DO(std::int32_t, ShortestPaths)                                                                                      \
  DO(std::int64_t, ShortestPaths)                                                                                      \
  DO(std::int32_t, WidestPaths)                                                                                        \
  DO(std::int64_t, WidestPaths)                                                                                        \
  DO(Pair32, PathsByFirst)                                                                                             \
  DO(Pair64, PathsByFirst)                                                                                             \
  DO(Pair32, PathsByLast)                                                                                              \
  DO(Pair64, PathsByLast)                                                                                              \
  DO(std::uint8_t, TransitiveClosure)

/// Closes `values`, as close_pairs says, with the widest instructions that the processor has.
#define GCOMPILE_DECLARE(T, KNOWN) void close_known(Dense<T> &values, KNOWN known, std::size_t block);
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DECLARE)
#undef GCOMPILE_DECLARE

} // namespace gc::detail

// As chunks.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/closure/known_steps.h>
namespace gc::detail {
#define GCOMPILE_DEFINE(T, KNOWN)                                                                                      \
  GCOMPILE_OF_LIBRARY void close_known(Dense<T> &values, KNOWN known, std::size_t block) {                             \
    make_known_steps(values, known, block);                                                                            \
  }
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DEFINE)
#undef GCOMPILE_DEFINE
} // namespace gc::detail
#endif

#endif
