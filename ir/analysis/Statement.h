// One data-parallel statement, whatever its kind: what its iterations are and what is the same for all of them.
#pragma once

#include "ir/GraphDialect.h"
#include <optional>

namespace gcompile {

/// A view of a `graph.for` (not sequential) or a `graph.propagate`.
class Statement {
public:
  explicit Statement(mlir::Operation *op) : op(op) {}

  mlir::Operation *operation() const { return op; }
  bool isPropagate() const { return llvm::isa<graph::PropagateOp>(op); }
  graph::Domain domain() const;
  mlir::Value over() const;
  mlir::Region &where() const;
  mlir::Region &body() const;
  /// The state after `ordered by`, or null.
  mlir::Value ordered() const;

  /// Number k if `value` is argument k of this statement's own regions.
  std::optional<unsigned> argument(mlir::Value value) const;
  /// Whether `value` is the round number.
  bool isRound(mlir::Value value) const;
  /// Whether `value` is defined outside: the same for every iteration.
  bool isOutside(mlir::Value value) const;
  /// Whether `state` belongs to one iteration.
  bool isLocal(mlir::Value state) const { return !isOutside(state); }
  /// Whether an expression has the same value in every iteration of a round. `written`: states that the statement
  /// writes, which it therefore must not read.
  bool isUniform(mlir::Value value, llvm::ArrayRef<mlir::Value> written) const;

  /// The conditions that hold whenever `inner` runs, as far as `where` and enclosing ifs say: conjuncts.
  llvm::SmallVector<mlir::Value> conditions(mlir::Operation *inner) const;

private:
  mlir::Operation *op;
};

/// Appends the conjuncts of a condition: `a && b && c` gives a, b, c.
void conjuncts(mlir::Value condition, llvm::SmallVectorImpl<mlir::Value> &out);

/// The value that a region with one block yields.
mlir::Value yielded(mlir::Region &region);

/// Whether two values are the same expression over the same values, up to which of the statement's regions they stand
/// in
/// (`where` and the body have arguments of their own). Reads count as equal if nothing was written in between, which
/// holds for conditions.
bool sameExpression(const Statement &statement, mlir::Value a, mlir::Value b);

/// Looks through `let`.
mlir::Value withoutLet(mlir::Value value);

} // namespace gcompile
