// Closures for any processor.
#define GCOMPILE_CLOSURES for_any
#include "closure_steps.h"
