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

/// The branch that is all that a pull does after computing its condition, if the arcs into the vertex are visited in
/// it.
graph::IfOp conditionOfPull(Region &pull) {
  Block &body = pull.front();
  auto branch = body.empty() ? graph::IfOp() : dyn_cast<graph::IfOp>(body.back());
  if (!branch || !branch.getElseRegion().empty())
    return {};
  // Nothing but the condition is computed in front of it.
  for (Operation &op : body)
    if (&op != branch &&
        (!op.getDialect() || op.getDialect() != branch->getDialect() || op.getNumResults() != 1 ||
         llvm::any_of(op.getUsers(), [&](Operation *user) { return user != branch && branch->isAncestor(user); })))
      return {};
  bool visits = false;
  branch.getThenRegion().walk([&](exec::ForOp loop) {
    visits |= loop.getDomain() == graph::Domain::Into && loop.getOver() == pull.getArgument(0);
  });
  return visits ? branch : graph::IfOp();
}

/// Takes the condition of a pull out of it.
void selectVertices(Region &pull) {
  graph::IfOp branch = conditionOfPull(pull);
  if (!branch)
    return;
  Block &body = pull.front();
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  auto select = b.create<exec::SelectOp>(branch.getLoc());
  Block *where = b.createBlock(&select.getWhere());
  where->getOperations().splice(where->end(), body.getOperations(), std::next(select->getIterator()),
                                branch->getIterator());
  b.create<graph::YieldOp>(branch.getLoc(), branch.getCondition());
  Block &then = branch.getThenRegion().front();
  body.getOperations().splice(branch->getIterator(), then.getOperations());
  branch.erase();
}

struct Prefetch : impl::PrefetchBase<Prefetch> {
  void runOnOperation() override {
    getOperation().walk([](exec::PropagateOp propagate) {
      if (propagate.getSchedule() == exec::Schedule::Serial)
        return;
      if (!propagate.getPull().empty())
        selectVertices(propagate.getPull());
      if (propagate.getPush().empty())
        return;
      if (Value state = stateAtNeighbours(propagate.getPush()))
        OpBuilder::atBlockBegin(&propagate.getPush().front()).create<exec::PrefetchOp>(propagate.getLoc(), state);
    });
  }
};
} // namespace
} // namespace gcompile
