// Where operations of the `exec` dialect may stand, and the states that they may name: the verifiers of those that have
// no other rule. test/ir/exec_verifier.mlir has a case for each message.
#include "ir/exec/Verifiers.h"

using namespace mlir;
using namespace gcompile;
using namespace gcompile::exec;

namespace {

/// Whether the operation stands in a kernel.
bool isInKernel(Operation *op) {
  for (op = op->getParentOp(); op; op = op->getParentOp())
    if (isa<Kernel>(op))
      return true;
  return false;
}

} // namespace

LogicalResult ReadTogetherOp::verify() {
  if (!llvm::all_of(getStates(), hasValuePerVertex))
    return emitOpError("reads a state that has no value for each vertex");
  auto element = [](Value state) { return cast<graph::StateType>(state.getType()).getElement(); };
  return llvm::equal(llvm::map_range(getStates(), element), cast<TupleType>(getValue().getType()).getTypes())
             ? success()
             : LogicalResult(emitOpError("gives a tuple that is not one of the states' values"));
}

LogicalResult TakeOp::verify() {
  auto element = [](Value state) { return cast<graph::StateType>(state.getType()).getElement(); };
  if (!hasValuePerVertex(getTotal()) || !hasValuePerVertex(getGiven()))
    return emitOpError("takes from a state that has no value for each vertex");
  if (element(getTotal()) != getValue().getType() || element(getGiven()) != getValue().getType())
    return emitOpError("gives a value that is not of the states' type");
  return (*this)->getParentOfType<AsynchronousOp>() ? success()
                                                    : LogicalResult(emitOpError("is outside of exec.asynchronous"));
}

LogicalResult InFrontierOp::verify() {
  return (*this)->getParentOfType<PropagateOp>() ? success()
                                                 : LogicalResult(emitOpError("is outside of exec.propagate"));
}

LogicalResult VisitedBeforeOp::verify() {
  for (auto loop = (*this)->getParentOfType<graph::ForOp>(); loop; loop = loop->getParentOfType<graph::ForOp>())
    if (loop.getDomain() == graph::Domain::Levels)
      return success();
  return emitOpError("is outside of a loop over kept levels");
}

LogicalResult OnceOp::verify() {
  return getBody().getNumArguments() == 0 ? success() : LogicalResult(emitOpError("has a body that takes arguments"));
}

LogicalResult ComponentMinOp::verify() {
  return hasValuePerVertex(getState()) ? success()
                                       : LogicalResult(emitOpError("takes a state that has no value for each vertex"));
}

LogicalResult ByTargetOp::verify() {
  return getColumn().getType().getShape() == graph::Shape::PerEdge
             ? success()
             : LogicalResult(emitOpError("orders a state that has no value for each edge"));
}

LogicalResult BreakOp::verify() {
  for (Operation *op = (*this)->getParentOp(); op; op = op->getParentOp())
    if (isa<ForOp, BatchForOp, PullByArcsOp>(op))
      return success();
  return emitOpError("is outside of a loop of a kernel");
}

LogicalResult RequireOp::verify() {
  return isInKernel(*this) ? success() : LogicalResult(emitOpError("is outside of a kernel"));
}

LogicalResult CountEdgeOp::verify() {
  return isInKernel(*this) ? success() : LogicalResult(emitOpError("is outside of a kernel"));
}

LogicalResult ActivateOp::verify() {
  for (Operation *op = (*this)->getParentOp(); op; op = op->getParentOp())
    if (isa<PropagateOp, OrderedOp, AsynchronousOp>(op))
      return success();
  return emitOpError("is outside of exec.propagate, exec.ordered and exec.asynchronous");
}

LogicalResult SelectOp::verify() {
  if ((*this)->getPrevNode())
    return emitOpError("is not the first of its block");
  auto yield = getWhere().front().empty() ? graph::YieldOp() : dyn_cast<graph::YieldOp>(getWhere().front().back());
  return yield && yield.getNumOperands() == 1 && yield.getOperand(0).getType().isInteger(1)
             ? success()
             : LogicalResult(emitOpError("has a condition that yields no truth value"));
}

LogicalResult ExpectOp::verify() {
  auto propagate = dyn_cast<PropagateOp>((*this)->getParentOp());
  return propagate && &propagate.getPush() == (*this)->getParentRegion()
             ? success()
             : LogicalResult(emitOpError("is outside of the push of exec.propagate"));
}

LogicalResult PrefetchOp::verify() {
  return hasValuePerVertex(getState())
             ? success()
             : LogicalResult(emitOpError("fetches a state that has no value for each vertex"));
}

LogicalResult PrefetchFurtherOp::verify() {
  return hasValuePerVertex(getState())
             ? success()
             : LogicalResult(emitOpError("fetches a state that has no value for each vertex"));
}

LogicalResult PrefetchOwnOp::verify() {
  return llvm::all_of(getStates(), hasValuePerVertex)
             ? success()
             : LogicalResult(emitOpError("fetches a state that has no value for each vertex"));
}

LogicalResult PrefetchTargetOp::verify() {
  return (*this)->getParentOfType<ForOp>() ? success() : LogicalResult(emitOpError("is outside of a loop over arcs"));
}
