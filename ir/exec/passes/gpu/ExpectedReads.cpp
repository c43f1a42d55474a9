#include "ir/exec/passes/gpu/ExpectedReads.h"

using namespace mlir;

namespace gcompile {

llvm::SmallVector<Value> expectedReads(Region &push) {
  llvm::SmallVector<Value> states;
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

} // namespace gcompile
