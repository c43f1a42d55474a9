// Whether what was read is still there.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile {

/// Whether no operation changes the state from the read to the last use of the set, or of a set that is made of it: who
/// uses it may look at the state itself.
inline bool outlastsUses(graph::ReadOp read) {
  mlir::Block *here = read->getBlock();
  mlir::Operation *last = read;
  llvm::SmallVector<mlir::Value> made = {read.getResult()};
  for (unsigned i = 0; i < made.size(); ++i)
    for (mlir::Operation *user : made[i].getUsers()) {
      for (;; user = user->getParentOp()) {
        for (mlir::Value result : user->getResults())
          if (mlir::isa<graph::SetType>(result.getType()))
            made.push_back(result);
        if (user->getBlock() == here)
          break;
      }
      if (last->isBeforeInBlock(user))
        last = user;
    }
  // Reads are all that is harmless; whoever else takes the state may change it.
  for (mlir::Operation *user : read.getState().getUsers()) {
    if (mlir::isa<graph::ReadOp>(user))
      continue;
    while (user && user->getBlock() != here)
      user = user->getParentOp();
    if (user && read->isBeforeInBlock(user) && !last->isBeforeInBlock(user))
      return false;
  }
  return true;
}

} // namespace gcompile
