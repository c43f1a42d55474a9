// How gcompile ends when something goes wrong.
#pragma once

#include <fmt/format.h>
#include <string>

namespace gcompile {

/// Exit codes. Programs that gcompile makes use the same ones, and 3 for an error while they run.
enum ExitCode {
  exitProgramError = 1, // errors in the .gdsl program, shown as diagnostics
  exitUsage = 2,        // command line, files, missing tools
  exitCompilerBug = 70  // a defect of gcompile
};

/// Ends gcompile with a one-line message and an exit code.
struct Failure {
  int exitCode;
  std::string message; // empty: everything has been said
};

/// A wrong command line or a file that cannot be used.
template <typename... Args> [[noreturn]] void failUsage(fmt::format_string<Args...> format, Args &&...args) {
  throw Failure{exitUsage, fmt::format(format, std::forward<Args>(args)...)};
}

/// Something that no input should be able to cause. `report` says what to send along.
template <typename... Args> [[noreturn]] void failBug(fmt::format_string<Args...> format, Args &&...args) {
  throw Failure{exitCompilerBug, "compiler bug: " + fmt::format(format, std::forward<Args>(args)...)};
}

} // namespace gcompile
