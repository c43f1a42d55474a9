// Whether a program's results depend on how its vertices and edges are numbered.
#pragma once

#include "ir/GraphDialect.h"

namespace gcompile {

/// An operation of the algorithm, or of a local function, that makes the numbers of vertices or edges visible in the
/// results: an order between them, a hash, a tie that the smallest id wins, a loop in ascending order, an edge as a
/// result. Null if there is none: then the vertices may be numbered in any way.
mlir::Operation *findUseOfNumbers(graph::AlgorithmOp algorithm);

} // namespace gcompile
