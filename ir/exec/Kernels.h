// Small pieces of IR that passes build, and what they ask about operations of kernels.
#pragma once

#include "ir/exec/ExecDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace gcompile {

/// The attribute with the number of a state of the program, where stages hand states on: passes add states of their
/// own.
inline constexpr llvm::StringLiteral handedAttribute = "exec.handed";

/// Zero, false, none, or a tuple of those.
mlir::Value zeroOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type);

/// The value that changes nothing when an update of the kind combines it with another.
mlir::Value neutralOf(mlir::OpBuilder &b, mlir::Location loc, graph::UpdateKind kind, mlir::Type type);

/// Erases the expressions of values that nothing uses, as far as nothing else uses their parts; also what could fail.
void eraseUnused(llvm::ArrayRef<mlir::Value> values);
inline void eraseUnused(mlir::Value value) { eraseUnused(llvm::ArrayRef(value)); }

/// Makes the kernels in an operation, or itself, run on one thread: takes away what only several need.
void useOneThread(mlir::Operation *op);

/// The loop that a `graph.break` leaves.
mlir::Operation *enclosingLoop(mlir::Operation *op);

/// Whether the kernel runs once for each vertex of the graph, and not by segments.
bool runsForAllVertices(exec::ParallelOp kernel);

/// Whether the indices are those of a vertex's own element.
inline bool isOwn(mlir::ValueRange indices, mlir::Value v) { return indices.size() == 1 && indices[0] == v; }

/// Whether the update gives a vertex its whole element, whatever that was, and nobody asks whether it has changed.
bool assignsOwn(exec::UpdateOp update, mlir::Value v);

/// The copies of states that algorithms take, but for those of serial forms, so that a pass may move or change them.
llvm::SmallVector<exec::SnapshotOp> snapshotsOf(mlir::ModuleOp module);

using exec::isKernel;
using exec::sequencesOf;
using exec::stagedBlocks;

/// Whether the operation only computes values: it neither loops nor writes, and may stand in a kernel.
inline bool isPlainValue(mlir::Operation *op) {
  return mlir::isa<graph::ReadOp, graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp,
                   graph::CastOp, graph::HashOp, graph::CallOp, graph::ForeignCallOp, graph::TupleOp, graph::ElementOp,
                   graph::DegreeOp, graph::NumVerticesOp, graph::NumEdgesOp, graph::EndpointOp, graph::EdgeBetweenOp,
                   graph::NeighborAtOp, graph::AllVerticesOp, graph::SetOfOp, graph::NeighborsOp, graph::SetAlgebraOp,
                   graph::ContainsOp, graph::LetOp, graph::YieldOp, exec::InFrontierOp>(op);
}

/// The same with the parts of choices between values and of conditions: it can be computed earlier.
bool computesValue(mlir::Operation *op);
/// Whether an update or a claim in the region changes one of the states.
bool changesOneOf(mlir::Region &region, const llvm::DenseSet<mlir::Value> &states);
/// Erases the values of the block that nothing uses.
void eraseUnusedValues(mlir::Block &block);

/// A scalar that lives in a kernel.
inline bool isLocal(mlir::Value state, mlir::Region &kernel) { return kernel.isAncestor(state.getParentRegion()); }

/// Whether the value is the constant zero.
inline bool isZero(mlir::Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  if (!constant)
    return false;
  if (auto number = mlir::dyn_cast<mlir::FloatAttr>(constant.getValue()))
    return number.getValue().isZero();
  return mlir::cast<mlir::IntegerAttr>(constant.getValue()).getValue().isZero();
}

} // namespace gcompile
