// What the parameters of an algorithm ask of its graph.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile {

/// Whether the default value of a parameter `T[g]`, by its description in the algorithm's `arguments`, counts the edges
/// into each vertex.
inline bool countsInEdges(mlir::DictionaryAttr argument) {
  auto text = argument.getAs<mlir::StringAttr>("default");
  return text && (text == "v.degree" || text == "v.in_degree");
}

} // namespace gcompile
