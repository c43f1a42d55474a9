// The source around the classes: includes, the local functions, `main`.
#pragma once

#include "codegen_cpp/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gcompile::cpp {

/// Whether a kernel goes by segments.
bool hasSegments(mlir::ModuleOp module);

/// What has been printed of an algorithm.
struct Printed {
  graph::AlgorithmOp op;
  std::string name, serial; // the classes of its parallel and its serial form; "": it has none
};
using PrintProgram = llvm::function_ref<void(Writer &out, Program &program, Program *serial)>;

/// The first lines of a source, and its includes; `module` is the one that has the imports.
void printHead(Writer &out, mlir::ModuleOp module, const std::vector<std::string> &includes);

/// The local functions of a module (`qualifier` stands before `inline`), and what `print` makes of each program and its
/// serial form (null if it has none).
std::vector<Printed> printPrograms(Writer &out, mlir::ModuleOp module, const std::string &qualifier,
                                   PrintProgram print);

/// A main function, which calls `programMain` with the first program.
void printMain(Writer &out, const std::vector<Printed> &programs, const std::string &programMain);

/// A whole source: the `includes`, what `programs` prints, and with `main` a main function. Formatted.
std::string printSource(mlir::ModuleOp module, const std::vector<std::string> &includes, bool main,
                        llvm::function_ref<std::vector<Printed>(Writer &out)> programs,
                        const std::string &programMain = "gc::program_main");

/// The class of the algorithm that comes first, which `main` runs.
std::string mainClass(mlir::ModuleOp module);

} // namespace gcompile::cpp
