// CUDA C++ for several GPUs, of a module of the exec dialect that exec-distribute has divided.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace gcompile::gpus {

/// The source of all algorithms; with `main`, a program that runs the first one on all devices.
std::string printProgram(mlir::ModuleOp module, bool main);

} // namespace gcompile::gpus
