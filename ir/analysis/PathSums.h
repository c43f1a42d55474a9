// Results that are least sums along paths.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile {

/// An output that is, of every vertex, the least sum of an edge property along a path, as a propagate leaves it.
struct PathSums {
  graph::StateOp output;
  mlir::StringAttr column;  // the edge property
  llvm::StringRef along;    // the edges along which paths go: "out", "in" or "both"
  mlir::Location statement; // the propagate
};

/// Those of whole numbers whose propagate follows all edges, and which nothing writes later on. An algorithm in the
/// graph dialect.
llvm::SmallVector<PathSums> pathSumsOf(graph::AlgorithmOp algorithm);

/// An output that is, of every pair of vertices, the least sum over all ways between them, as a closure leaves it.
struct ClosedSums {
  graph::StateOp output;
  mlir::Location statement; // the loop over all k
};

/// Those whose loop takes `p[i, j] min= p[i, k] + p[k, j]` of all pairs, alone or joint with other properties, and
/// which nothing writes later on. A cycle of negative length shows in their diagonal.
llvm::SmallVector<ClosedSums> closedSumsOf(graph::AlgorithmOp algorithm);

} // namespace gcompile
