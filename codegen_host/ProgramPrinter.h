// Prints the `exec` dialect as C++17 for the host: kernels are member functions, whose loops threads of OpenMP share
// where the dialect says so.
#pragma once

#include "codegen_cpp/Module.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace gcompile::host {

struct ProgramOptions {
  llvm::StringRef runtime; // the header with what the programs use of the runtime
  bool main = true;        // also print a `main` that runs the (first) algorithm from the command line
  /// What is said of the serial form of an algorithm, which checks the program.
  llvm::StringRef check = "The same algorithm without threads, which checks the parallel one.";
};

/// The headers that the programs of a module need.
std::vector<std::string> includesOf(mlir::ModuleOp module, llvm::StringRef runtime);

/// The algorithms of a module: of each its description, what `printClass` makes of its parallel form, given the name of
/// the serial one or "", and the serial form, of which `check` says what it is. As in cpp::printPrograms otherwise.
std::vector<cpp::Printed>
printForms(cpp::Writer &out, mlir::ModuleOp module, const std::string &qualifier, llvm::StringRef check,
           llvm::function_ref<void(cpp::Writer &, cpp::Program &, llvm::StringRef serialName)> printClass);

/// The classes of all algorithms of a module.
std::vector<cpp::Printed> printPrograms(cpp::Writer &out, mlir::ModuleOp module, llvm::StringRef check);

/// The C++ source of every algorithm of `module`, formatted and byte-stable. `module` holds nothing but `exec`
/// programs.
std::string printProgram(mlir::ModuleOp module, const ProgramOptions &options);

} // namespace gcompile::host
