// The OpenMP functions that the headers use. Some compilers come without OpenMP's header.
#ifndef GCOMPILE_OMP_THREADS_THREADS_H
#define GCOMPILE_OMP_THREADS_THREADS_H

#if __has_include(<omp.h>)
#include <omp.h>
#else
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
}
#endif

#endif
