// What a push reads of the vertices that it meets: while the threads wait, memory can be asked for it.
#pragma once

#include "ir/exec/ExecDialect.h"

namespace gcompile {

/// The per-vertex states whose value at the other end of an arc decides what the push does: read, claimed, or updated
/// with a result that is used. The region is the push of an exec.propagate.
llvm::SmallVector<mlir::Value> expectedReads(mlir::Region &push);

} // namespace gcompile
