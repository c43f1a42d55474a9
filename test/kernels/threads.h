// How many threads OpenMP gives in a test.
#ifndef GCOMPILE_TEST_KERNELS_THREADS_H
#define GCOMPILE_TEST_KERNELS_THREADS_H

#include <omp.h>

/// As many threads as a test asks for, while it lasts.
class Threads {
public:
  explicit Threads(int count) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }

private:
  const int before_ = omp_get_max_threads();
};

#endif
