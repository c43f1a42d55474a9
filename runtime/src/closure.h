// Closures by known steps, for each set of instructions that the library is compiled for.
#ifndef GCOMPILE_CLOSURE_H
#define GCOMPILE_CLOSURE_H

#include <gcompile/omp/closure/known.h>

#include <cstddef>

namespace gc::detail::known {

#define GCOMPILE_DECLARE(T, KNOWN) void close(Dense<T> &values, KNOWN known, std::size_t block);
namespace for_any {
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DECLARE)
}
namespace for_avx2 {
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DECLARE)
}
namespace for_avx512 {
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DECLARE)
}
#undef GCOMPILE_DECLARE

/// The sets of instructions; each contains those before it.
enum class Instructions { any, avx2, avx512 };
/// The last one that the processor has.
Instructions best();

// With the instructions of that set, which the processor has.
#define GCOMPILE_DECLARE(T, KNOWN) void close(Instructions with, Dense<T> &values, KNOWN known, std::size_t block);
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DECLARE)
#undef GCOMPILE_DECLARE

} // namespace gc::detail::known

#endif
