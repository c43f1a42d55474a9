// One data-parallel statement, whatever its kind: what its iterations are and what is the same for all of them.
#pragma once

#include "ir/graph/GraphDialect.h"
#include <optional>
#include <string>

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
  /// What the program calls the end of an edge that the pattern starts from, argument 0, and the other, argument 1.
  const char *activeEnd() const { return graph::activeEnd(domain()); }
  const char *otherEnd() const { return graph::otherEnd(domain()); }
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
  /// writes, which it therefore must not read. `known`: values that count as the same.
  bool isUniform(mlir::Value value, llvm::ArrayRef<mlir::Value> written, llvm::ArrayRef<mlir::Value> known = {}) const;

  /// The conditions that held when `inner` was reached, as far as `where` and enclosing ifs say: conjuncts. With
  /// `within`, only those that are tested inside of that region.
  llvm::SmallVector<mlir::Value> conditions(mlir::Operation *inner, mlir::Region *within = nullptr) const;
  /// The operations of the statement that `value` is computed from, each once, with all that they contain.
  llvm::SmallVector<mlir::Operation *> slice(mlir::Value value) const;
  /// Every value that decides whether or how often `inner` runs: conditions of either branch, of loops, and the sets
  /// that inner loops range over.
  llvm::SmallVector<mlir::Value> controls(mlir::Operation *inner) const;

private:
  mlir::Operation *op;
};

/// Whether `op` stands inside of a data-parallel statement or reduction, which runs it as part of one iteration.
bool insideParallel(mlir::Operation *op);

/// Appends the conjuncts of a condition: `a && b && c` gives a, b, c.
void conjuncts(mlir::Value condition, llvm::SmallVectorImpl<mlir::Value> &out);

/// The value that a region with one block yields.
mlir::Value yielded(mlir::Region &region);

/// Whether two values are the same expression over the same values, up to which of the statement's regions they stand
/// in (`where` and the body have arguments of their own). Two reads count as equal if the statement does not write what
/// they read: neither variables of the iteration nor the states in `written`.
bool sameExpression(const Statement &statement, mlir::Value a, mlir::Value b, llvm::ArrayRef<mlir::Value> written);

/// Looks through `let`.
mlir::Value withoutLet(mlir::Value value);

} // namespace gcompile
