// Whether a program's results depend on how its vertices are numbered, or its edges are ordered.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile {

/// An operation of the algorithm, or of a local function, that makes the numbers of vertices or edges visible in the
/// results: an order between them, a hash, a tie that the smallest id wins, a loop in ascending order, an edge as a
/// result. Null if there is none: then the vertices may be numbered in any way.
mlir::Operation *findUseOfNumbers(graph::AlgorithmOp algorithm);

/// An operation that needs the neighbours of a vertex in ascending order, or makes the order of the edges visible in
/// the results: a set of neighbours, the edge between two vertices, an order between edges, a loop over edges one after
/// the other, an edge as a result. Null if there is none: then adjacency lists may be in any order.
mlir::Operation *findUseOfNeighborOrder(graph::AlgorithmOp algorithm);

} // namespace gcompile
