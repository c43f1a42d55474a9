// What the verifiers of the `exec` dialect ask.
#pragma once

#include "ir/exec/ExecDialect.h"

namespace gcompile::exec {

/// Whether a state has a value for each vertex.
inline bool hasValuePerVertex(mlir::Value state) {
  return mlir::cast<graph::StateType>(state.getType()).getShape() == graph::Shape::PerVertex;
}

} // namespace gcompile::exec
