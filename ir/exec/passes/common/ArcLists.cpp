#include "ir/exec/passes/common/ArcLists.h"

#include "ir/exec/Kernels.h"

using namespace mlir;

namespace gcompile {

/// Whether an iteration of `loop` may run in any thread: it shares nothing with the others but by atomic operations.
static bool independent(exec::ForOp loop) {
  Block &body = loop.getBody().front();
  Value other = body.getArgument(0), edge = body.getNumArguments() > 1 ? Value(body.getArgument(1)) : Value();
  auto owned = [&](Value state, ValueRange indices, exec::Sync sync) {
    if (isLocal(state, loop.getBody()) || sync == exec::Sync::Atomic || sync == exec::Sync::Private)
      return true;
    // What is written at the other end is the winner's of a claim, or the same from everyone, whichever thread it is.
    return indices.size() == 1 && (indices[0] == edge || indices[0] == other);
  };
  return !loop.walk([&](Operation *op) {
                bool fine = true;
                if (auto update = dyn_cast<exec::UpdateOp>(op))
                  fine = owned(update.getState(), update.getIndices(), update.getSync());
                else if (auto tuple = dyn_cast<exec::UpdateTupleOp>(op))
                  fine = tuple.getSync() == exec::Sync::Atomic ||
                         (tuple.getIndices().size() == 1 && tuple.getIndices()[0] == other);
                else if (auto claim = dyn_cast<exec::ClaimOp>(op))
                  fine = owned(claim.getState(), claim.getIndices(), claim.getSync());
                else if (auto activate = dyn_cast<exec::ActivateOp>(op))
                  fine = activate.getSync() == exec::Sync::Atomic;
                else if (isa<exec::BreakOp, graph::BreakOp>(op))
                  fine = op->getParentOfType<exec::ForOp>() != loop;
                else if (isa<exec::ContributeOp>(op))
                  fine = true;
                return fine ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether the operation computes a value that may be computed again for each arc. `fresh`: also from what others may
/// be changing, since the arcs need not agree on it.
static bool isRepeatable(Operation *op, bool fresh) {
  if (auto read = dyn_cast<graph::ReadOp>(op))
    return fresh || !read.getRelaxed();
  if (isa<exec::ReadTogetherOp>(op))
    return fresh;
  if (!isa<graph::LogicOp, graph::ConditionalOp>(op))
    return isPlainValue(op);
  return llvm::all_of(op->getRegions(), [&](Region &region) {
    return llvm::all_of(region.front(), [&](Operation &inner) { return isRepeatable(&inner, fresh); });
  });
}

exec::ForOp onlyList(Block &block, Value vertex, graph::Domain along, bool fresh) {
  exec::ForOp found;
  for (Operation &op : block) {
    if (isRepeatable(&op, fresh))
      continue;
    if (found)
      return {};
    if (auto choice = dyn_cast<graph::IfOp>(&op)) {
      if (!choice.getElseRegion().empty() && !choice.getElseRegion().front().empty())
        return {};
      found = onlyList(choice.getThenRegion().front(), vertex, along, fresh);
    } else {
      auto loop = dyn_cast<exec::ForOp>(&op);
      if (loop && (loop.getDomain() == along || loop.getDomain() == graph::Domain::Either) &&
          loop.getOver() == vertex && !loop.getAbove() && !loop.getBelow() && independent(loop))
        found = loop;
    }
    if (!found)
      return {};
  }
  return found;
}

} // namespace gcompile
