// Closures for processors with AVX-512.
#define GCOMPILE_CLOSURES for_avx512
#include "closure_steps.h"
