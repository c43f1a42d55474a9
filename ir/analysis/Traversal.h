// Where the propagates of an algorithm start.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile {

/// What a run reaches, where its arguments say that.
struct Traversal {
  llvm::SmallVector<mlir::StringAttr> roots; // the parameters from which every propagate starts
  llvm::StringRef along;                     // the edges along which all of them go: "out", "in" or "both"
};

/// Nothing if there is no propagate, if one starts elsewhere, or if two go along different edges. An algorithm in the
/// graph dialect.
std::optional<Traversal> traversalOf(graph::AlgorithmOp algorithm);

} // namespace gcompile
