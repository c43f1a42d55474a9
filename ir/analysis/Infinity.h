// Which state and which values may hold `inf`.
#pragma once

#include "ir/graph/GraphDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gcompile {

/// A flow-insensitive analysis of one algorithm or function: a state may hold inf if its initialiser or any update may.
/// An algorithm's parameters with a value for each vertex may hold inf; its other parameters and edge columns are
/// finite (a parameter may be given as `inf` only where its default is). A function of C++ may give inf, unless the
/// front end has proved that it keeps what is finite.
class InfinityAnalysis {
public:
  explicit InfinityAnalysis(mlir::Operation *algorithm);

  bool mayBeInf(mlir::Value value) const;

private:
  using Known = llvm::SmallDenseMap<mlir::Value, bool, 8>;
  bool find(mlir::Value value, Known &known) const;
  bool compute(mlir::Value value, Known &known) const;
  bool staysFinite(mlir::Value value, mlir::Type narrow, Known &known) const;

  llvm::DenseSet<mlir::Value> infinite; // states
};

} // namespace gcompile
