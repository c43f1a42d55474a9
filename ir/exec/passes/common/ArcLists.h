// Vertices' lists of arcs that several threads may share.
#pragma once

#include "ir/exec/ExecDialect.h"

namespace gcompile {

/// The loop over the arcs of `vertex` on the side `along`, out_of or into, or over all of its arcs, that the block is
/// all about: one whose iterations are independent of each other, under conditions that each of them may compute again;
/// null if that is not so.
/// `fresh`: also conditions on what other threads may be changing, as the arcs need not agree on them.
exec::ForOp onlyList(mlir::Block &block, mlir::Value vertex, graph::Domain along, bool fresh);

} // namespace gcompile
