// What the GPU passes ask about operations.
#pragma once

#include "ir/exec/Kernels.h"

namespace gcompile {

/// Whether the algorithm runs on the device: it is no serial form.
inline bool runsOnDevice(mlir::Operation *op) {
  auto algorithm = mlir::dyn_cast<graph::AlgorithmOp>(op);
  if (!algorithm)
    algorithm = op->getParentOfType<graph::AlgorithmOp>();
  return algorithm && !algorithm.getSerialOf();
}

} // namespace gcompile
