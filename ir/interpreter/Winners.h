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
  bool revisitsInVain(mlir::Operation *statement, mlir::Block *block, const WriteRules &rules) const;
  bool asksIfClaimed(graph::ReadOp read) const;
  bool isInnerGuard(graph::ReadOp read) const;
  void spread();

  graph::AlgorithmOp algorithm;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<graph::UpdateOp>> tells;
  llvm::DenseSet<mlir::Value> undetermined;        // states
  llvm::DenseMap<mlir::Value, mlir::Value> guards; // states that are claimed: the constant until then; null: false
  llvm::DenseSet<mlir::Value> unsettled;           // undetermined ones, of which even what is claimed may be another
  llvm::DenseSet<mlir::Value> derived;             // undetermined ones that are computed from others
  llvm::DenseMap<mlir::Block *, mlir::Value> innerClaims; // what the claim of a block claims that stands in another's
  llvm::DenseSet<mlir::Operation *> visits;               // propagates that may visit other vertices
  llvm::DenseSet<mlir::Value> keptLevels;                 // that may hold other vertices
};

} // namespace gcompile::interpreter
