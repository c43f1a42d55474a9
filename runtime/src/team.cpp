// The threads of kernels: see team.h.
#ifdef _OPENMP
#include <gcompile/omp/threads/region_team.h>
#endif
