// Where the statements of a program for the CPU and the GPU may run.
#pragma once

#include "ir/exec/ExecDialect.h"

namespace gcompile {

/// Whether a statement costs little, and gives the same each time: a state, a single value, or a loop that looks at
/// vertices alone. Then each side can run it for itself.
bool isCheap(mlir::Operation *statement);

/// The side on which the schedule wants an algorithm or a statement; `Chosen` where it does not say, or says that it
/// goes over from one to the other.
exec::Side wantedSide(mlir::Operation *op);

} // namespace gcompile
