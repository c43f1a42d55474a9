// Failures of generated programs under MPI: exceptions, of which the other ranks learn. It comes before every header of
// the runtime but those of which it consists.
#ifndef GCOMPILE_MPI_FAILURES_H
#define GCOMPILE_MPI_FAILURES_H

#ifdef GCOMPILE_CORE_ERROR_H
#error "include gcompile/mpi.h before other headers of gcompile"
#endif
// What ends the process elsewhere has another name here.
#define fail_runtime fail_process
#include <gcompile/core/error.h>
#undef fail_runtime

#include <string>

namespace gc {

/// A rank has one thread, so that an exception can leave its kernels.
[[noreturn]] static inline void fail_runtime(const char *file_line, const char *what) {
  throw Error(ErrorKind::runtime, std::string(file_line) + ": " + what);
}

} // namespace gc

#endif
