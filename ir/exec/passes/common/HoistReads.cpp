#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_HOISTREADS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether the vertex at which an update improves a state is activated for it.
bool activates(exec::UpdateOp update) {
  return update.getIndices().size() == 1 && llvm::any_of(update.getChanged().getUsers(), [&](Operation *user) {
           auto branch = dyn_cast<graph::IfOp>(user);
           return branch && llvm::any_of(branch.getThenRegion().front().getOps<exec::ActivateOp>(),
                                         [&](auto activate) { return activate.getVertex() == update.getIndices()[0]; });
         });
}

/// Whether a push may read the element of its own vertex early: it leaves the state alone, or what it improves is
/// active again.
bool mayReadEarly(Value state, Region &push) {
  return llvm::all_of(state.getUsers(), [&](Operation *user) {
    if (!push.isAncestor(user->getParentRegion()))
      return true;
    auto update = dyn_cast<exec::UpdateOp>(user);
    return isa<graph::ReadOp, exec::PrefetchOp, exec::PrefetchFurtherOp, exec::PrefetchOwnOp, exec::PrefetchTargetOp>(
               user) ||
           (update && update.getState() == state && graph::traits(update.getKind()).monotone && activates(update));
  });
}

void hoist(Region &push) {
  if (push.empty())
    return;
  SmallVector<graph::ReadOp> reads;
  for (exec::ForOp loop : push.front().getOps<exec::ForOp>())
    if (loop.getOver() == push.getArgument(0))
      for (graph::ReadOp read : loop.getBody().front().getOps<graph::ReadOp>())
        if (read.getIndices().size() == 1 && read.getIndices()[0] == push.getArgument(0) &&
            !push.isAncestor(read.getState().getParentRegion()) && mayReadEarly(read.getState(), push))
          reads.push_back(read);
  for (graph::ReadOp read : reads)
    read->moveBefore(read->getParentOp());
}

struct HoistReads : impl::HoistReadsBase<HoistReads> {
  void runOnOperation() override {
    graph::walkHolders(
        getOperation(), [](exec::PropagateOp propagate) { hoist(propagate.getPush()); },
        [](exec::OrderedOp ordered) { hoist(ordered.getPush()); },
        [](exec::AsynchronousOp loop) { hoist(loop.getPush()); });
  }
};

} // namespace
} // namespace gcompile
