// Prints the two forms of each algorithm, for the CPU and the GPU, and the class that runs one of them.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace gcompile::hybrid {

/// CUDA C++. `module` holds modules @cpu and @gpu with `exec` programs, and an exec.sides for each algorithm; `main`:
/// also a `main` that runs the (first) algorithm from the command line.
std::string printProgram(mlir::ModuleOp module, bool main);

} // namespace gcompile::hybrid
