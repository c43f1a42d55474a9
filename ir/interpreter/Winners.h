// Claims may be won by any of several iterations. When an interpretation is compared with another execution of the
// program, the outputs of that one tell who won; what they do not tell is not compared.
#pragma once

#include "ir/interpreter/WriteRules.h"

#include <memory>

namespace gcompile::interpreter {

class Winners {
public:
  explicit Winners(graph::AlgorithmOp algorithm);

  /// The assignments of a claim's block to elements of outputs that nothing writes afterwards: the iteration that won
  /// is one that assigns what the outputs hold.
  llvm::ArrayRef<graph::UpdateOp> telling(mlir::Block *block) const;
  /// Whether a state may hold something else after another run, though all that is told has been heeded.
  bool isUndetermined(mlir::Value state) const { return undetermined.contains(state); }

private:
  void findTelling(mlir::Operation *statement, mlir::Block *block);
  void findUndetermined(mlir::Operation *statement, mlir::Block *block, const WriteRules &rules);
  void spread();

  graph::AlgorithmOp algorithm;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<graph::UpdateOp>> tells;
  llvm::DenseSet<mlir::Value> undetermined; // states
};

} // namespace gcompile::interpreter
