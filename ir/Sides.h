// A pipeline on one of the modules into which graph-split-sides has put a program.
#pragma once

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <memory>

namespace gcompile {

/// A pass on the outer module that runs what `build` builds on the module of that name inside.
std::unique_ptr<mlir::Pass> createOnSide(llvm::StringRef side, std::function<void(mlir::OpPassManager &)> build);

} // namespace gcompile
