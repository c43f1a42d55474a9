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

} // namespace gcompile::exec
