// Loops whose iterations a lane can evaluate several at once, so that their loads do not wait for each other.
#pragma once

#include "ir/exec/ExecDialect.h"

#include <optional>

namespace gcompile {

/// On an exec.for: it has the form below, and the printer may print it so.
constexpr const char *batchedAttr = "batched";

/// `for u of v { if asked { take } }`, where no iteration changes what others ask, or the values that they take; or
/// `for u of v { take }` that adds to a sum.
struct BatchForm {
  graph::IfOp choice;              ///< null: there is none
  mlir::Operation *take = nullptr; ///< in `choice`: adds to a sum of the lane, or updates an element of u
  mlir::Value summand;             ///< what is added to the sum, if it is one
  /// What is the same in all iterations, in order; it may stand in front of the loop.
  llvm::SmallVector<mlir::Operation *> invariant;
};

/// The form of a loop over the neighbours of a vertex, if it has this form.
std::optional<BatchForm> batchForm(exec::ForOp loop);

} // namespace gcompile
