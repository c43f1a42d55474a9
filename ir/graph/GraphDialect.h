// The `graph` dialect: what a program says. See GraphOps.td.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/graph/Places.h"
#include "ir/graph/Reductions.h"

#include "ir/graph/GraphInterfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/graph/GraphTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/graph/GraphAttributes.h.inc"

// After its attributes, of which the dialect declares a discardable one.
#include "ir/graph/GraphDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/graph/GraphOps.h.inc"

namespace gcompile::graph {

/// The label of a statement, or null.
mlir::StringAttr labelOf(mlir::Operation *op);

/// What the program's schedule for the target says of a statement or an algorithm, or null.
ScheduleAttr scheduleOf(mlir::Operation *op);
void setSchedule(mlir::Operation *op, ScheduleAttr schedule);

/// What has been found out about an operation, in that order (GraphFacts.td).
llvm::ArrayRef<Fact> factsOf(mlir::Operation *op);
void addFacts(mlir::Operation *op, llvm::ArrayRef<Fact> facts);

/// The type of what an update writes to a state: an element of it or, with `part`, of the tuple there; null if the
/// tuple has no such part.
mlir::Type writtenType(StateType state, std::int64_t part);

/// The name of a state as the program spells it.
std::string nameOf(mlir::Value state);

/// A name that no state of the algorithm has: the wanted one, or that with a number.
std::string freshStateName(AlgorithmOp algorithm, llvm::StringRef wanted);

/// Whether the state, or property of the graph, has a value for each edge.
inline bool hasValuePerEdge(mlir::Value state) {
  return mlir::cast<StateType>(state.getType()).getShape() == Shape::PerEdge;
}

/// Whether the state is an edge property of the graph, which nothing changes.
inline bool isEdgeColumn(mlir::Value state) {
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(state);
  return argument && hasValuePerEdge(state) && mlir::isa<AlgorithmOp>(argument.getOwner()->getParentOp());
}

/// Whether an operator compares, so that its result is a truth value.
inline bool isComparison(BinaryKind kind) { return kind >= BinaryKind::Eq && kind <= BinaryKind::Ge; }

/// Whether a pattern ranges over the edges of many vertices: regions take (active end, other end, e).
inline bool rangesOverEdges(Domain domain) {
  return domain == Domain::Edges || domain == Domain::EdgesBoth || domain == Domain::EdgesInto;
}
/// Of such a pattern: the edges at an active vertex.
inline Domain edgesAtActive(Domain domain) {
  return domain == Domain::EdgesBoth ? Domain::Either : domain == Domain::EdgesInto ? Domain::Into : Domain::OutOf;
}
/// Of such a pattern: the edges at the other end, which leads to the active vertices.
inline Domain edgesAtOther(Domain domain) {
  return domain == Domain::EdgesBoth ? Domain::Either : domain == Domain::EdgesInto ? Domain::OutOf : Domain::Into;
}

/// What the program calls the end of an edge that a pattern starts from, and the other end.
inline const char *activeEnd(Domain domain) { return domain == Domain::EdgesInto ? "target" : "source"; }
inline const char *otherEnd(Domain domain) { return domain == Domain::EdgesInto ? "source" : "target"; }

} // namespace gcompile::graph
