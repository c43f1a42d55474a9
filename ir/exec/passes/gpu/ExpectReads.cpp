#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_EXPECTREADS
#include "ir/exec/Passes.h.inc"

namespace {

/// The per-vertex states whose value at the other end of an arc decides what the push does: read, claimed, or updated
/// with a result that is used.
SmallVector<Value> expectedReads(Region &push) {
  SmallVector<Value> states;
  auto loops = push.front().getOps<exec::ForOp>();
  if (loops.empty())
    return states;
  Block &body = (*loops.begin()).getBody().front();
  Value target = body.getArgument(0);
  auto note = [&](Value state, OperandRange indices) {
    bool outside = !push.isAncestor(state.getParentRegion());
    if (outside && indices.size() == 1 && indices.front() == target && !llvm::is_contained(states, state))
      states.push_back(state);
  };
  body.walk([&](Operation *op) {
    if (auto read = dyn_cast<graph::ReadOp>(op))
      note(read.getState(), read.getIndices());
    else if (auto claim = dyn_cast<exec::ClaimOp>(op))
      note(claim.getState(), claim.getIndices());
    else if (auto update = dyn_cast<exec::UpdateOp>(op); update && !update.getChanged().use_empty())
      note(update.getState(), update.getIndices());
  });
  return states;
}

struct ExpectReads : impl::ExpectReadsBase<ExpectReads> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(), [](exec::PropagateOp propagate) {
      Region &push = propagate.getPush();
      if (!propagate.getSplit() || exec::isAbsent(push))
        return;
      SmallVector<Value> states = expectedReads(push);
      if (!states.empty())
        OpBuilder::atBlockBegin(&push.front()).create<exec::ExpectOp>(propagate.getLoc(), states);
    });
  }
};

} // namespace
} // namespace gcompile
