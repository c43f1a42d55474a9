// How the GPU runs a statement, as the passes in ir/passes/gpu have decided it.
#pragma once

#include "ir/exec/ExecDialect.h"

#include <string>
#include <vector>

namespace gcompile {

/// Where the kernels of a lowered algorithm come from.
class DeviceKernels {
public:
  /// `inParts`: for several GPUs.
  DeviceKernels(graph::AlgorithmOp lowered, bool inParts);

  /// What the GPU does for the statement at a place of the program, a sentence each; none if it has no kernel.
  std::vector<std::string> describe(mlir::Location statement) const;
  /// Sequential statements that became kernels of one thread.
  llvm::ArrayRef<exec::OnceOp> once() const { return onceOps; }

private:
  std::vector<std::string> propagate(exec::PropagateOp op) const;
  std::vector<std::string> ordered(exec::OrderedOp op) const;

  const bool inParts;
  llvm::DenseMap<mlir::Location, llvm::SmallVector<mlir::Operation *>> kernels;
  llvm::SmallVector<exec::OnceOp> onceOps;
};

} // namespace gcompile
