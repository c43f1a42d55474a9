// Which instructions the processor has for closures.
#include "closure.h"

namespace gc::detail {

namespace known {

Instructions best() {
#ifdef GCOMPILE_CLOSURES_FOR_X86
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Instructions::avx512;
  if (avx2)
    return Instructions::avx2;
#endif
  return Instructions::any;
}

#ifdef GCOMPILE_CLOSURES_FOR_X86
#define GCOMPILE_DEFINE(T, KNOWN)                                                                                      \
  void close(Instructions with, Dense<T> &values, KNOWN known, std::size_t block) {                                    \
    if (with == Instructions::avx512)                                                                                  \
      for_avx512::close(values, known, block);                                                                         \
    else if (with == Instructions::avx2)                                                                               \
      for_avx2::close(values, known, block);                                                                           \
    else                                                                                                               \
      for_any::close(values, known, block);                                                                            \
  }
#else
#define GCOMPILE_DEFINE(T, KNOWN)                                                                                      \
  void close(Instructions, Dense<T> &values, KNOWN known, std::size_t block) { for_any::close(values, known, block); }
#endif
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DEFINE)
#undef GCOMPILE_DEFINE

} // namespace known

#define GCOMPILE_DEFINE(T, KNOWN)                                                                                      \
  void close_known(Dense<T> &values, KNOWN step, std::size_t block) {                                                  \
    known::close(known::best(), values, step, block);                                                                  \
  }
GCOMPILE_FOR_EACH_KNOWN_CLOSURE(GCOMPILE_DEFINE)
#undef GCOMPILE_DEFINE

} // namespace gc::detail
