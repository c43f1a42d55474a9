// What loops and kernels go over: kinds of domains, and sets that are made for one vertex.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile::graph {

/// Whether it is the edges of one vertex.
inline bool isList(Domain domain) {
  return domain == Domain::OutOf || domain == Domain::Into || domain == Domain::Either;
}

/// The vertex of a set that is made of one; null for all others.
inline mlir::Value onlyMember(mlir::Value set) {
  auto made = set ? set.getDefiningOp<SetOfOp>() : SetOfOp();
  return made && made.getElements().size() == 1 ? made.getElements()[0] : mlir::Value();
}

} // namespace gcompile::graph
