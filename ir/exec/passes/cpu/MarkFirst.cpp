#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MARKFIRST
#include "ir/exec/Passes.h.inc"

namespace {

/// The loop over the list of a vertex, if a pull does nothing else for the vertices that it selects; null if not.
exec::ForOp onlyLoop(exec::PropagateOp propagate) {
  Block &body = propagate.getPull().front();
  if (body.getOperations().size() != 2 || !isa<exec::SelectOp>(body.front()))
    return {};
  auto loop = dyn_cast<exec::ForOp>(body.back());
  return loop && loop.getDomain() == exec::arcsAgainst(propagate) && loop.getOver() == body.getArgument(0) &&
                 !loop.getAbove() && !loop.getBelow() && !loop.getShareLists()
             ? loop
             : exec::ForOp();
}

/// Whether the loop only tests whether the neighbour is in the frontier, and ends with the first that is.
bool endsWithFirst(exec::ForOp loop) {
  Block &body = loop.getBody().front();
  if (body.getOperations().size() != 2 || !body.getArgument(1).use_empty())
    return false;
  auto test = dyn_cast<exec::InFrontierOp>(body.front());
  auto branch = dyn_cast<graph::IfOp>(body.back());
  if (!test || test.getVertex() != body.getArgument(0) || !branch || branch.getCondition() != test.getResult() ||
      !branch.getElseRegion().empty() || !test.getResult().hasOneUse())
    return false;
  Block &then = branch.getThenRegion().front();
  const auto leavesElsewhere = [&](Operation *op) {
    const bool leaves = isa<exec::BreakOp>(op) && op->getParentOfType<exec::ForOp>() == loop && op != &then.back();
    return leaves || isa<exec::RequireOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return isa<exec::BreakOp>(then.back()) && !then.walk(leavesElsewhere).wasInterrupted();
}

struct MarkFirst : impl::MarkFirstBase<MarkFirst> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(), [](exec::PropagateOp propagate) {
      if (propagate.getSharing() == exec::Sharing::Serial || propagate.getPull().empty())
        return;
      if (exec::ForOp loop = onlyLoop(propagate); loop && endsWithFirst(loop))
        loop.setFirst(true);
    });
  }
};

} // namespace
} // namespace gcompile
