// Where the text of an operation appears: in a statement of its own, or inside the statement that uses its value.
#pragma once

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/DenseMap.h"

namespace gcompile::cpp {

/// Whether the operation only computes a value: it can be written as a C++ expression.
bool isExpression(mlir::Operation *op);
/// Whether the operation, or one inside it, changes state.
bool hasSideEffect(mlir::Operation *op);
/// Whether the value depends on state that updates change.
bool readsState(mlir::Operation *op);
/// Constants and the like: written anew at each use, also inside kernels.
bool isRematerialised(mlir::Operation *op);

/// The rule: an expression is written at its only use if it is not evaluated more often there and if no side effect
/// lies between. An update whose result is the condition of the next `if` is written as that condition.
class Inlining {
public:
  /// The operation in whose statement the value of `op` is written; null if `op` is a statement of its own.
  mlir::Operation *anchor(mlir::Operation *op);
  /// Whether the region consists of expressions that are all written inside its yielded value.
  bool isExpressionRegion(mlir::Region &region);

private:
  mlir::Operation *compute(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, mlir::Operation *> anchors;
};

} // namespace gcompile::cpp
