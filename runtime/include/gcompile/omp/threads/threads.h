// The OpenMP functions that the headers use. Some compilers have no OpenMP header; without OpenMP there is one thread.
#ifndef GCOMPILE_OMP_THREADS_THREADS_H
#define GCOMPILE_OMP_THREADS_THREADS_H

#if !defined(_OPENMP)
#define GCOMPILE_WORTH_A_TEAM(worth_it) (worth_it && false) // if the library has one, its threads are unknown here
namespace gc {
inline int omp_get_max_threads() { return 1; }
inline void omp_set_num_threads(int) {}
inline int omp_get_num_threads() { return 1; }
inline int omp_get_thread_num() { return 0; }
inline int omp_get_num_procs() { return 1; }
inline int omp_in_parallel() { return 0; }
} // namespace gc
#elif __has_include(<omp.h>)
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

// A detector of races sees only what is compiled for it, and nothing of the library.
#if defined(__SANITIZE_THREAD__)
#define GCOMPILE_TEAM_IN_PROGRAM
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GCOMPILE_TEAM_IN_PROGRAM
#endif
#endif

// A function that is in the library, or in the program for a detector of races: there also where the library asks for
// it. In the library it is not inline: of inline constructors Clang emits one of two forms, and not the one called.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#define GCOMPILE_OF_LIBRARY [[gnu::used]] inline
#else
#define GCOMPILE_OF_LIBRARY
#endif

#endif
