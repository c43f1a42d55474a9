// Vertices and edges that may be `none`.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile {

/// Whether an index may name no element. A place in an array may: its length is known when the program runs. So may a
/// vertex or an edge that may be none: anything but what a pattern bound, and parameters, which are checked when
/// they are given unless they have a default value.
inline bool mayBeNone(mlir::Value value) {
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
  if (!argument)
    return true;
  auto algorithm = mlir::dyn_cast<graph::AlgorithmOp>(argument.getOwner()->getParentOp());
  return algorithm &&
         mlir::cast<mlir::DictionaryAttr>(algorithm.getArguments()[argument.getArgNumber()]).contains("default");
}

} // namespace gcompile
