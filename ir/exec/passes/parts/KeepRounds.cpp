// Says between which rounds a run on several machines can be resumed, and which states are then to be as they were.
#include "ir/exec/Passes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_KEEPROUNDS
#include "ir/exec/Passes.h.inc"

namespace {

/// Levels are not kept, so their propagate runs once more.
bool hasRounds(Operation *op) {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  return isa<graph::WhileOp, graph::RepeatOp, exec::OrderedOp>(op) || (propagate && !propagate.getLevels());
}

bool uses(Operation *op, Value state) {
  return op
      ->walk([&](Operation *inner) {
        return llvm::is_contained(inner->getOperands(), state) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the operation gives the state, or each of its elements, a value that does not depend on the one before.
bool replaces(Operation *op, Value state) {
  auto assigns = [&](Operation *each) {
    auto update = dyn_cast<exec::UpdateOp>(each);
    return update && update.getState() == state && update.getKind() == graph::UpdateKind::Assign &&
                   update.getPart() < 0 && !update.getChecked()
               ? update
               : exec::UpdateOp();
  };
  if (exec::UpdateOp update = assigns(op))
    return update.getIndices().empty();
  auto loop = dyn_cast<exec::ParallelOp>(op);
  if (!loop || loop.getDomain() != graph::Domain::Vertices ||
      (loop.getOver() && !loop.getOver().getDefiningOp<graph::AllVerticesOp>()))
    return false;
  for (Operation &each : loop.getBody().front())
    if (uses(&each, state)) {
      exec::UpdateOp update = assigns(&each);
      return update && update.getIndices().size() == 1 && update.getIndices()[0] == loop.getBody().getArgument(0);
    }
  return false;
}

/// Whether a round takes the state over from the one before.
bool isCarried(Operation *loop, Value state) {
  if (!isa<graph::WhileOp, graph::RepeatOp>(loop))
    return true;
  if (auto condition = dyn_cast<graph::WhileOp>(loop))
    for (Operation &op : condition.getCondition().front())
      if (uses(&op, state))
        return true;
  Region &body =
      isa<graph::WhileOp>(loop) ? cast<graph::WhileOp>(loop).getBody() : cast<graph::RepeatOp>(loop).getBody();
  for (Operation &op : body.front())
    if (uses(&op, state))
      return !replaces(&op, state);
  return true;
}

/// Whether the result, or a statement behind the loop, depends on the state.
bool isUsedBehind(Operation *loop, Value state) {
  if (auto declaration = state.getDefiningOp<graph::StateOp>(); declaration && declaration.getOutput())
    return true;
  return llvm::any_of(state.getUsers(), [&](Operation *user) {
    if (loop->isAncestor(user))
      return false;
    for (Operation *at = loop; at; at = at->getParentOp())
      if (Operation *beside = at->getBlock() ? at->getBlock()->findAncestorOpInBlock(*user) : nullptr)
        return at->isBeforeInBlock(beside);
    return true;
  });
}

/// What the rounds change of the states that they did not declare.
llvm::SetVector<Value> changed(Operation *loop) {
  llvm::SetVector<Value> states;
  loop->walk([&](Operation *op) {
    if (isa<graph::ReadOp, exec::SnapshotOp, exec::GiveToCopiesOp, exec::GiveActiveOp, exec::OwnerValueOp>(op))
      return;
    for (Value operand : op->getOperands())
      if (isa<graph::StateType>(operand.getType()) && operand.getDefiningOp() &&
          !loop->isAncestor(operand.getDefiningOp()))
        states.insert(operand);
  });
  return states;
}

struct KeepRounds : impl::KeepRoundsBase<KeepRounds> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (!algorithm.getSerialOf())
        mark(algorithm);
  }

  static void mark(graph::AlgorithmOp algorithm) {
    SmallVector<Operation *> loops;
    algorithm.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!hasRounds(op)) // a loop of a kernel is none of the host, and of one over vertices no turn is kept
        return isa<graph::ForOp>(op) || exec::isKernel(op) ? WalkResult::skip() : WalkResult::advance();
      loops.push_back(op);
      return WalkResult::skip(); // of loops in loops, the outermost
    });
    OpBuilder b(algorithm.getContext());
    for (auto [number, loop] : llvm::enumerate(loops)) {
      SmallVector<Value> kept;
      for (Value state : changed(loop))
        if (isCarried(loop, state) || isUsedBehind(loop, state))
          kept.push_back(state);
      b.setInsertionPoint(loop);
      b.create<exec::ResumeOp>(loop->getLoc(), number, /*followed=*/number + 1 < loops.size(), kept);
    }
  }
};

} // namespace
} // namespace gcompile
