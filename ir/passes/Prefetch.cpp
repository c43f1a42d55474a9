#include "ir/ExecDialect.h"
#include "ir/passes/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_PREFETCH
#include "ir/passes/Passes.h.inc"

namespace {

/// The per-vertex state that a push claims or updates at the neighbours of its vertex, or null.
Value stateAtNeighbours(Region &push) {
  Value found;
  Value vertex = push.getArgument(0);
  push.walk([&](Operation *op) {
    Value state;
    OperandRange indices(nullptr, 0);
    if (auto claim = dyn_cast<exec::ClaimOp>(op))
      state = claim.getState(), indices = claim.getIndices();
    else if (auto update = dyn_cast<exec::UpdateOp>(op); update && update.getSync() == exec::Sync::Atomic)
      state = update.getState(), indices = update.getIndices();
    if (!state || found || indices.size() != 1)
      return;
    auto neighbour = dyn_cast<BlockArgument>(indices[0]);
    auto loop = neighbour ? dyn_cast<exec::ForOp>(neighbour.getOwner()->getParentOp()) : exec::ForOp();
    if (loop && loop.getDomain() == graph::Domain::OutOf && loop.getOver() == vertex && !loop.getAbove() &&
        cast<graph::StateType>(state.getType()).getShape() == graph::Shape::PerVertex)
      found = state;
  });
  return found;
}

struct Prefetch : impl::PrefetchBase<Prefetch> {
  void runOnOperation() override {
    getOperation().walk([](exec::PropagateOp propagate) {
      if (propagate.getSchedule() == exec::Schedule::Serial || propagate.getPush().empty())
        return;
      if (Value state = stateAtNeighbours(propagate.getPush()))
        OpBuilder::atBlockBegin(&propagate.getPush().front()).create<exec::PrefetchOp>(propagate.getLoc(), state);
    });
  }
};
} // namespace
} // namespace gcompile
