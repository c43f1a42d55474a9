// The source around the classes: includes, the local functions, `main`.
#pragma once

#include "codegen_cpp/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gcompile::cpp {

/// Prints the module: the `includes`, its local functions (`qualifier` stands before `inline`), what `print` makes of
/// each program and its serial form (null if it has none), and with `main` a main function, which calls `programMain`.
/// Formatted.
std::string printModule(mlir::ModuleOp module, const std::vector<std::string> &includes, const std::string &qualifier,
                        bool main, llvm::function_ref<void(Writer &out, Program &program, Program *serial)> print,
                        const std::string &programMain = "gc::program_main");

/// The class of the algorithm that comes first, which `main` runs.
std::string mainClass(mlir::ModuleOp module);

} // namespace gcompile::cpp
