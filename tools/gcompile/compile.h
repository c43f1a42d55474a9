// From a `.gdsl` file to whatever gcompile is asked for.
#pragma once

#include "codegen_cpp/Shared.h"
#include "ir/interpreter/ForeignCode.h"
#include "tools/gcompile/options.h"

#include <functional>
#include <string>
#include <vector>

namespace gcompile {

/// `gcompile FILE`: writes the output that `options` asks for. Throws Failure.
void compileProgram(const Options &options);

/// `gcompile check FILE...`: reports the diagnostics of every file. Throws Failure if one has an error.
void checkPrograms(const Options &options);

/// `gcompile interpret FILE GRAPH ...`: runs the checked program without compiling it. Throws Failure.
[[noreturn]] void interpretProgram(const Options &options);

/// Calls `use` with the `graph` dialect of the program's algorithm, its schedule applied, and the functions of C++ that
/// it calls, showing no diagnostics unless it has errors.
int withAlgorithm(const Options &options, const std::string &path, const std::string &program,
                  const std::function<int(graph::AlgorithmOp, const interpreter::ForeignCode &)> &use);

/// The C++ of the program's algorithm with a `main` or as a shared library, or of all its algorithms. Diagnostics have
/// been shown when it returns; throws Failure after errors.
struct GeneratedSource {
  std::string text;
  std::string algorithm;                  // the one that `main` runs, or that a shared library holds
  cpp::SharedLibrary shared;              // what goes with the source of a shared library
  std::vector<std::string> imports;       // the C++ headers that it includes, as the program names them
  std::vector<std::string> importedFiles; // those and all that they include
  std::vector<std::string> importFlags;   // with which they are read, besides those that the user gives
};
enum class SourceForm { Main, Header, Shared };
GeneratedSource generateSource(const Options &options, const std::string &path, const std::string &program,
                               SourceForm form);

/// The content of every C++ header that a program imports, and of those that they include; empty if there is none. Says
/// nothing of errors: compiling the program will.
std::string importedText(const Options &options, const std::string &path, const std::string &program);

} // namespace gcompile
