// Prints the `exec` dialect as CUDA C++17.
#pragma once

#include "codegen_cpp/Module.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace gcompile {

struct CudaPrinterOptions {
  bool main = true; // also print a `main` that runs the (first) algorithm from the command line
};

/// The headers that the programs of a module need.
std::vector<std::string> cudaIncludes(mlir::ModuleOp module);

/// The kernels and classes of all algorithms of a module.
std::vector<cpp::Printed> printCudaPrograms(cpp::Writer &out, mlir::ModuleOp module);

/// The CUDA C++ source of every algorithm of `module`, formatted and byte-stable: kernels as function objects, one
/// class that runs them, and the serial form in plain C++. `module` comes out of the GPU pipeline.
std::string printCuda(mlir::ModuleOp module, const CudaPrinterOptions &options);

namespace cuda {

/// What is said of a serial form beside the one for a GPU.
constexpr llvm::StringLiteral serialForm =
    "The same algorithm without threads on the host, which checks the one above.";

/// The kernels of a program in a namespace of their own.
void printKernels(cpp::Writer &out, const cpp::Program &program, const std::string &space);

} // namespace cuda

} // namespace gcompile
