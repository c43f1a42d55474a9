// Whether a statement may run more than once.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile {

/// Whether the operation stands in a loop that runs sequentially.
inline bool standsInLoop(mlir::Operation *op) {
  return op->getParentOfType<graph::WhileOp>() || op->getParentOfType<graph::RepeatOp>() ||
         op->getParentOfType<graph::ForOp>();
}

} // namespace gcompile
