// Operations that may end the program with an error.
#pragma once

#include "ir/analysis/None.h"
#include "ir/exec/ExecDialect.h"

namespace gcompile {

/// Whether evaluating the operation itself may end the program: an index out of range, a division by zero, an overflow,
/// a function, which may do either (one of C++ is not known to do well with arguments that a condition keeps from it),
/// or a vertex or edge that is asked and may be none.
inline bool mayFail(mlir::Operation *op) {
  mlir::Value asked;
  if (auto degree = mlir::dyn_cast<graph::DegreeOp>(op))
    asked = degree.getVertex();
  else if (auto end = mlir::dyn_cast<graph::EndpointOp>(op))
    asked = end.getEdge();
  else if (auto neighbors = mlir::dyn_cast<graph::NeighborsOp>(op))
    asked = neighbors.getVertex();
  return exec::isChecked(op) || mlir::isa<graph::CallOp, graph::ForeignCallOp>(op) || (asked && mayBeNone(asked));
}

} // namespace gcompile
