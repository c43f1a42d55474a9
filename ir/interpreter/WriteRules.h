// What the meaning of a data-parallel statement depends on, read off its text as the language reference words it and
// independently of the compiler's own analysis: which writes are an iteration's own, and which assignments are claims.
#pragma once

#include "ir/graph/GraphDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gcompile::interpreter {

/// Whether two values are spelt alike: the same operations on the same values. The arguments of a statement's `where`
/// and body are the same names.
bool sameExpression(mlir::Value a, mlir::Value b);
bool sameExpressions(mlir::ValueRange a, mlir::ValueRange b);

class WriteRules {
public:
  explicit WriteRules(mlir::Operation *statement);

  /// Whether an update is to the element that the iteration stands for.
  bool isOwned(mlir::Operation *update) const { return owned.contains(update); }
  /// The states that the statement writes and that are not an iteration's own variables.
  llvm::ArrayRef<mlir::Value> writtenStates() const { return written; }

  struct Claim {
    graph::UpdateOp assignment;
    mlir::Value constant; // what the guard compares the element with; null: false
  };
  /// The claim whose winner alone runs the block, or null.
  const Claim *claimOf(mlir::Block *block) const;

  /// Whether an expression may have different values in two iterations of a round.
  bool varies(mlir::Value value) const;

private:
  bool owns(mlir::ValueRange indices) const;
  std::optional<Claim> claim(graph::UpdateOp assignment) const;

  mlir::Operation *statement;
  llvm::SmallVector<mlir::Value> written;
  llvm::DenseSet<mlir::Operation *> owned;
  llvm::DenseMap<mlir::Block *, Claim> claims;
};

} // namespace gcompile::interpreter
