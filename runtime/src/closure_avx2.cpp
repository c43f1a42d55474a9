// Closures for processors with AVX2.
#define GCOMPILE_CLOSURES for_avx2
#include "closure_steps.h"
