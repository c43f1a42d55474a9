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

} // namespace gcompile
