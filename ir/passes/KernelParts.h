// Small pieces of IR that the lowering builds in several places.
#pragma once

#include "ir/ExecDialect.h"

namespace gcompile {

/// Zero, false, none, or a tuple of those.
mlir::Value zeroOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type);

/// The loop that a `graph.break` leaves.
mlir::Operation *enclosingLoop(mlir::Operation *op);

} // namespace gcompile
