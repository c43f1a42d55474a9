// Prints the `exec` dialect as C++17 with OpenMP.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace gcompile {

struct OmpPrinterOptions {
  bool main = true; // also print a `main` that runs the (first) algorithm from the command line
};

/// The C++ source of every algorithm of `module`, formatted and byte-stable. `module` holds nothing but `exec`
/// programs.
std::string printOmp(mlir::ModuleOp module, const OmpPrinterOptions &options);

} // namespace gcompile
