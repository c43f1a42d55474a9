// From a `.gdsl` file to whatever gcompile is asked for.
#pragma once

#include "ir/graph/GraphDialect.h"
#include "tools/gcompile/options.h"

#include <functional>
#include <string>

namespace gcompile {

/// `gcompile FILE`: writes the output that `options` asks for. Throws Failure.
void compileProgram(const Options &options);

/// `gcompile check FILE...`: reports the diagnostics of every file. Throws Failure if one has an error.
void checkPrograms(const Options &options);

/// `gcompile interpret FILE GRAPH ...`: runs the checked program without compiling it. Throws Failure.
[[noreturn]] void interpretProgram(const Options &options);

/// Calls `use` with the `graph` dialect of the program's algorithm, its schedule applied, showing no diagnostics unless
/// it has errors.
int withAlgorithm(const Options &options, const std::string &path, const std::string &program,
                  const std::function<int(graph::AlgorithmOp)> &use);

/// The C++ of the program's algorithm, or of all its algorithms without `main`. Diagnostics have been shown when it
/// returns; throws Failure after errors.
struct GeneratedSource {
  std::string text;
  std::string algorithm; // the one that `main` runs
};
GeneratedSource generateSource(const Options &options, const std::string &path, const std::string &program, bool main);

} // namespace gcompile
