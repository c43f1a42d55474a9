// Errors of the runtime. The library throws gc::Error; generated kernels call fail_runtime.
#ifndef GCOMPILE_CORE_ERROR_H
#define GCOMPILE_CORE_ERROR_H

#include <gcompile/core/device.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace gc {

enum class ErrorKind {
  input,    ///< a file is missing, malformed or does not fit the program
  argument, ///< a command-line option or parameter is wrong
  resource, ///< too little memory, an output that cannot be written
  runtime,  ///< the program itself failed while it ran
};

/// Exit statuses of generated programs and of gcompile.
enum ExitCode : int {
  exit_ok = 0,
  exit_verification_failed = 1,
  exit_user_error = 2,
  exit_runtime_error = 3,
  exit_internal_error = 70,
};

/// One clear line for the user, without the leading "error: ": lower case, no full stop, naming file and line if known.
/// Control characters, which come from the user's own words, are shown as '?'.
struct Error : std::runtime_error {
  ErrorKind kind;

  Error(ErrorKind kind, const std::string &message);
  int exit_code() const { return kind == ErrorKind::runtime ? exit_runtime_error : exit_user_error; }
};

namespace detail {
/// Before a thread ends the process; where several threads fail at the same time, one of them goes on.
void begin_to_end();
} // namespace detail

/// Ends the process with exit status 3 after printing `error: FILE_LINE: WHAT`. May be called by any thread of a
/// kernel, and inside kernels of a GPU. In a shared library, whose process is its user's, it throws an Error instead,
/// which the team of threads brings to the caller.
#ifdef __CUDACC__
__host__ __device__
#else
[[noreturn]]
#endif
    inline void
    fail_runtime(const char *file_line, const char *what) {
#ifdef __CUDA_ARCH__
  if (GCOMPILE_CUDA_IN_KERNEL)
    return detail::fail_on_device(file_line, what);
#endif
#if defined(__CUDA_ARCH__) && !defined(GCOMPILE_CUDA_EMULATION)
    // The rest is the host's.
#elif defined(GCOMPILE_SHARED_LIBRARY)
  throw Error(ErrorKind::runtime, std::string(file_line) + ": " + what);
#else
  detail::begin_to_end();
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s: %s\n", file_line, what);
  std::fflush(stderr);
  std::_Exit(exit_runtime_error);
#endif
}

} // namespace gc

#endif
