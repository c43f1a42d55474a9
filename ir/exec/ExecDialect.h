// The `exec` dialect: how a program runs. See ExecOps.td.
#pragma once

#include "ir/graph/GraphDialect.h"

#include "ir/exec/ExecEnums.h.inc"

#include "ir/exec/ExecDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/exec/ExecOps.h.inc"

namespace gcompile::exec {

/// On a kernel over vertices, exec.propagate, exec.ordered and exec.asynchronous: it follows edges from their targets
/// to their sources, as the same kernel does along the edges of the transposed graph.
constexpr llvm::StringLiteral transposedAttr = "transposed";

/// On a kernel: it goes by segments of the arcs into its vertices, of so many sources each; or, on it and on an
/// exec.segments_pay, of so many as the program chooses, which reads so many bytes of each source.
constexpr llvm::StringLiteral segmentWidthAttr = "segment_width", sourceBytesAttr = "source_bytes";
inline bool goesBySegments(mlir::Operation *kernel) {
  return kernel->hasAttr(segmentWidthAttr) || kernel->hasAttr(sourceBytesAttr);
}

/// The arcs along which a kernel goes, at the vertices that it starts from.
inline graph::Domain arcsAlong(mlir::Operation *kernel) {
  return kernel->hasAttr(transposedAttr) ? graph::Domain::Into : graph::Domain::OutOf;
}
/// The arcs along which it comes, at the vertices that it leads to.
inline graph::Domain arcsAgainst(mlir::Operation *kernel) {
  return kernel->hasAttr(transposedAttr) ? graph::Domain::OutOf : graph::Domain::Into;
}

} // namespace gcompile::exec
