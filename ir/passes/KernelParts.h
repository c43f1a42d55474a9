// Small pieces of IR that the lowering builds in several places.
#pragma once

#include "ir/ExecDialect.h"

namespace gcompile {

/// Zero, false, none, or a tuple of those.
mlir::Value zeroOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type);

/// Erases the expression of a value that nothing uses, as far as nothing else uses its parts.
void eraseUnused(mlir::Value value);

/// The loop that a `graph.break` leaves.
mlir::Operation *enclosingLoop(mlir::Operation *op);

} // namespace gcompile
