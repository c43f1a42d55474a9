// What the verifiers of the `exec` dialect ask.
#pragma once

#include "ir/exec/ExecDialect.h"

namespace gcompile::exec {

/// Whether a state has a value for each vertex.
inline bool hasValuePerVertex(mlir::Value state) {
  return mlir::cast<graph::StateType>(state.getType()).getShape() == graph::Shape::PerVertex;
}

/// The same for each vertex or each edge: its owner has it.
inline bool hasOwners(mlir::Value state) { return hasValuePerVertex(state) || graph::hasValuePerEdge(state); }

/// Whether the region takes these arguments.
inline bool takes(mlir::Region &region, mlir::ArrayRef<mlir::Type> types) {
  return llvm::equal(region.getArgumentTypes(), types);
}
inline bool takesVertex(mlir::Region &region) {
  return region.getNumArguments() == 1 && mlir::isa<graph::VertexType>(region.getArgument(0).getType());
}
/// Whether the region ends in the yield of a value of such a type.
template <class Accepts> bool yields(mlir::Region &region, Accepts accepts) {
  auto yield = region.front().empty() ? graph::YieldOp() : mlir::dyn_cast<graph::YieldOp>(region.front().back());
  return yield && yield.getNumOperands() == 1 && accepts(yield.getOperand(0).getType());
}
inline bool isTruth(mlir::Type type) { return type.isInteger(1); }
inline bool isNumber(mlir::Type type) { return type.isIntOrFloat() && !type.isInteger(1); }

/// A number for the whole graph or, within a kernel, for one iteration.
inline bool isAccumulator(mlir::Value state) {
  auto type = mlir::cast<graph::StateType>(state.getType());
  return type.getShape() == graph::Shape::Scalar && isNumber(type.getElement());
}

} // namespace gcompile::exec
