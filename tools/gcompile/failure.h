// How gcompile ends when something goes wrong.
#pragma once

#include <gcompile/core/error.h>

#include <fmt/format.h>
#include <string>

namespace gcompile {

/// Exit codes, those of gc::ExitCode: docs/exit-codes.md.
enum ExitCode {
  exitProgramError = gc::exit_verification_failed, // errors in the .gdsl program, shown as diagnostics
  exitUsage = gc::exit_user_error,                 // command line, files, missing tools
  exitCompilerBug = gc::exit_internal_error        // a defect of gcompile
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
