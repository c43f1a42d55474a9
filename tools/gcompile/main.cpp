// gcompile: the driver.
#include "runtime/tool_support/output_file.h"
#include "tools/gcompile/cache.h"
#include "tools/gcompile/compile.h"
#include "tools/gcompile/describe.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/options.h"
#include "tools/gcompile/run.h"

#include <gcompile/core/error.h>

#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <malloc.h>
#include <new>
#include <unistd.h>

namespace {

/// Last words after a crash: one line, no stack trace. Only async-signal-safe calls.
void onCrash(int) {
  constexpr char message[] = "error: compiler bug: gcompile crashed; please report it with the program\n";
  ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
  (void)ignored;
  _exit(gcompile::exitCompilerBug);
}

/// Signal handlers run on a stack of their own, so that a stack overflow is reported as well.
void installCrashHandler() {
  static char alternateStack[1 << 16];
  stack_t stack = {};
  stack.ss_sp = alternateStack;
  stack.ss_size = sizeof alternateStack;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    sigaction(signal, &action, nullptr);
  llvm::install_fatal_error_handler([](void *, const char *, bool) { onCrash(0); });
}

/// The trees of a long program are some million small pieces, which are made together and freed together. The C library
/// would keep the freed ones apart until a large one is asked for, and go through all of them then.
void joinFreedPieces() {
#ifdef M_MXFAST
  mallopt(M_MXFAST, 0);
#endif
}

int fail(int exitCode, const char *message) {
  std::fflush(stdout);
  if (*message)
    std::fprintf(stderr, "error: %s\n", message);
  return exitCode;
}

} // namespace

int main(int argc, char **argv) {
  using namespace gcompile;
  installCrashHandler();
  joinFreedPieces();
  gc::detail::end_cleanly();
  try {
    Options options = parseOptions(argc, argv);
    switch (options.command) {
    case Command::Compile:
      compileProgram(options);
      break;
    case Command::Run:
      runProgram(options);
    case Command::Interpret:
      interpretProgram(options);
    case Command::Check:
      checkPrograms(options);
      break;
    case Command::Convert:
      convertGraph(options);
      break;
    case Command::Cache:
      manageCache(options);
      break;
    case Command::Describe:
      fmt::print("{}", describeOptions(options.description));
      break;
    }
    gc::detail::require_printed();
    return 0;
  } catch (const Failure &failure) {
    // Only a bug is explained in several lines; names of files may hold anything.
    bool isBug = failure.exitCode == exitCompilerBug;
    return fail(failure.exitCode, (isBug ? failure.message : printable(failure.message)).c_str());
  } catch (const gc::Error &error) {
    return fail(error.exit_code(), error.what());
  } catch (const std::bad_alloc &) {
    return fail(exitUsage, "out of memory");
  } catch (const std::exception &error) {
    return fail(exitCompilerBug, fmt::format("compiler bug: {}; please report it", error.what()).c_str());
  }
}
