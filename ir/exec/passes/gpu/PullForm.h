// The parts of a pull that the runtime can take apart: who looks, what an arc does, and what follows.
#pragma once

#include "ir/exec/ExecDialect.h"

#include <optional>

namespace gcompile {

/// `if guards { sums = 0; for u into v { if in_frontier(u) { arc } } rest }`, each part where there is one.
struct PullForm {
  llvm::SmallVector<graph::IfOp> guards;  ///< outermost first
  exec::ForOp loop;                       ///< over the arcs into the vertex
  graph::IfOp active;                     ///< holds what an arc from an active vertex does
  llvm::SmallVector<graph::StateOp> sums; ///< scalars that the arcs add to
  bool firstOnly = false;                 ///< an arc may end the loop, and does if it activates the vertex
  bool firstTakes = false;                ///< any arc from an active vertex ends it
  llvm::SmallVector<exec::UpdateOp> once; ///< if so: what it writes of the vertex whichever arc that is
};

/// The form of the statement's pull, if it has this form.
std::optional<PullForm> pullForm(exec::PropagateOp propagate);

} // namespace gcompile
