// The effect table: for one data-parallel statement, every access to shared state with its owner, its update and what
// makes it legal. Everything that depends on how iterations meet (atomics, claims, early exit, double buffers, legality
// of schedules) reads this table and nothing else.
#pragma once

#include "ir/analysis/Infinity.h"
#include "ir/analysis/Statement.h"

namespace gcompile {

/// What makes a write legal (language reference, "Write rule").
enum class WriteRule {
  Owned,      // no other iteration writes the element
  Reduction,  // += min= max= |= &= *=
  Claim,      // a plain assignment under a guard on the same element that it makes false: the first writer wins
  UnderClaim, // a write to the claimed vertex's other state: the winner's alone
  SameValue,  // every iteration that writes the element writes the same value
  Illegal
};

struct Write {
  mlir::Operation *op; // graph.update or graph.update_tuple
  llvm::SmallVector<mlir::Value, 2> states;
  llvm::SmallVector<mlir::Value, 2> indices;
  llvm::SmallVector<mlir::Value, 2> values;
  graph::UpdateKind kind;
  WriteRule rule = WriteRule::Illegal;
  std::optional<unsigned> owner = std::nullopt; // the statement's argument that is the (only) index
  mlir::Value guard = {}; // Claim, SameValue: the constant that the guard compares the element with, or null

  bool isMonotone() const {
    return kind == graph::UpdateKind::Min || kind == graph::UpdateKind::Max || kind == graph::UpdateKind::Or ||
           kind == graph::UpdateKind::And;
  }
};

struct Read {
  mutable graph::ReadOp op;
  std::optional<unsigned> owner;
};

class EffectTable {
public:
  EffectTable(mlir::Operation *statement, const InfinityAnalysis &infinity);

  const Statement &statement() const { return st; }
  llvm::ArrayRef<Write> writes() const { return writeList; }
  llvm::ArrayRef<Read> reads() const { return readList; }
  const Write *find(mlir::Operation *op) const;
  bool isWritten(mlir::Value state) const;

  /// The claim of the statement, if it has one.
  const Write *claim() const;

  /// States that the statement reads at an element which another iteration may write, so that the snapshot rule asks
  /// for two copies. Without `proofs`, monotone updates and the frontier invariant excuse nothing.
  llvm::SmallVector<mlir::Value> conflicts(bool proofs) const;

  /// Whether every vertex in the active set of a propagate fails the guard of its claim or same-value write, in every
  /// round: active vertices and written vertices are disjoint.
  bool frontierExcludesWritten() const { return frontierInvariant; }

  /// An assignment by every iteration that reaches it, to the element that `read` reads under the same name, ahead of
  /// it: the iteration sees what it has written. `always`: it has run whenever the read does. Null if there is none.
  const Write *ownAssignment(const Read &read, bool &always) const;

  /// Whether `value` can be shown to differ from the constant `constant`.
  bool differs(mlir::Value value, mlir::Value constant) const;

  /// Whether the body's updates are all of one idempotent, commutative, associative kind whose value grows with what it
  /// reads: then the fixpoint of a propagate does not depend on order, rounds or early visibility.
  bool isMonotoneFixpoint() const;

  llvm::SmallVector<mlir::Value> writtenStates() const;

private:
  void collect();
  void classify();
  mlir::Value guardConstant(const Write &write) const;
  bool frontierInvariantHolds();
  bool initialSetExcluded(mlir::Value state, mlir::Value constant) const;
  bool isFinite(mlir::Value value) const;
  bool harmless(const Read &read, bool proofs) const;
  bool monotoneIn(mlir::Value value, graph::UpdateKind kind, llvm::ArrayRef<mlir::Value> states) const;

  Statement st;
  const InfinityAnalysis &infinity;
  llvm::SmallVector<Write> writeList;
  llvm::SmallVector<Read> readList;
  bool frontierInvariant = false;
  mlir::Value assumedFinite; // a state whose value at the frontier is finite by the invariant at hand
};

} // namespace gcompile
