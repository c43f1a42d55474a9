// Where the threads of kernels meet: see meetings.h.
#include <gcompile/omp/threads/meetings.h>
