// Which state and which values may hold `inf`.
#pragma once

#include "ir/GraphDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace gcompile {

/// A flow-insensitive analysis of one algorithm or function: a state may hold inf if its initialiser or any update may.
/// Parameters and edge columns are finite (a parameter may be given as `inf` only where its default is).
class InfinityAnalysis {
public:
  explicit InfinityAnalysis(mlir::Operation *root);

  bool mayBeInf(mlir::Value value) const;

private:
  llvm::DenseSet<mlir::Value> infinite; // states
};

} // namespace gcompile
