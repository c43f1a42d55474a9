// The C++ compiler that turns generated code into programs.
#pragma once

#include "tools/gcompile/options.h"
#include "tools/gcompile/process.h"

#include <string>
#include <vector>

namespace gcompile {

/// Where the runtime's headers and library are.
struct Runtime {
  std::string include; // folder that holds gcompile/program.h
  std::string library; // the target's library
};

/// The runtime at `--runtime`, or beside gcompile. Throws Failure if it is not there.
Runtime findRuntime(const Options &options);
/// The folder of its headers, whether it is complete or not.
std::string runtimeHeaders(const Options &options);

/// A C++ compiler and the options that every program is compiled with.
struct CxxCompiler {
  std::string path;
  std::vector<std::string> flags;
  std::vector<std::string> sharedFlags; // of a shared library, besides
  std::vector<std::string> libraries;   // to link with, besides
  std::string header;                   // to include before anything else; none: empty
};

/// The compiler of `--cxx`, or the first of the target's that is installed. Throws Failure if there is none.
CxxCompiler findCompiler(const Options &options, const Runtime &runtime);

/// Lets a compiler find the headers that a program imports, and read them as gcompile has; nothing if there are none.
void addImportFlags(CxxCompiler &compiler, const std::vector<std::string> &flags, const std::string &program,
                    const std::vector<std::string> &imports);

enum class CxxOutput { Executable, Object, Shared };

/// The file beside the source of a shared library that lists its symbols, a version script of the linker.
constexpr const char *exportsFile = "exports.map";

/// Compiles `source` to `output`, in whose folder temporary files lie.
ToolResult compileCxx(const CxxCompiler &compiler, const Runtime &runtime, const std::string &source,
                      const std::string &output, CxxOutput kind, bool verbose);

} // namespace gcompile
