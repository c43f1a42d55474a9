// What the parameters of an algorithm ask of its graph.
#pragma once

#include "ir/graph/GraphDialect.h"
#include <optional>

namespace gcompile {

/// Whether the default value of a parameter `T[g]`, by its description in the algorithm's `arguments`, counts the edges
/// into each vertex.
inline bool countsInEdges(mlir::DictionaryAttr argument) {
  auto text = argument.getAs<mlir::StringAttr>("default");
  return text && (text == "v.degree" || text == "v.in_degree");
}

/// The number of the algorithm's argument that `value` is: a parameter, or a property that the graph is loaded with.
inline std::optional<unsigned> inputNumber(mlir::Value value) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  return argument && llvm::isa<graph::AlgorithmOp>(argument.getOwner()->getParentOp())
             ? std::optional(argument.getArgNumber())
             : std::nullopt;
}

} // namespace gcompile
