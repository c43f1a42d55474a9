// Closures by known steps, for the set of instructions that a file is compiled for: GCOMPILE_CLOSURES is its name.
#ifndef GCOMPILE_CLOSURE_STEPS_H
#define GCOMPILE_CLOSURE_STEPS_H

#include "closure.h"

#include <gcompile/omp/closure/known_steps.h>

namespace gc::detail::known::GCOMPILE_CLOSURES {

#define GCOMPILE_DEFINE(T, KNOWN)                                                                                      \
  void close(Dense<T> &values, KNOWN known, std::size_t block) { make_known_steps(values, known, block); }
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DEFINE)
#undef GCOMPILE_DEFINE

} // namespace gc::detail::known::GCOMPILE_CLOSURES

#endif
