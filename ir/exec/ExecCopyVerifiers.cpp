// What the operations on copies of vertices and edges refuse; test/ir/exec_copies_verifier.mlir has a case for each
// message.
#include "ir/exec/Verifiers.h"

using namespace mlir;
using namespace gcompile;
using namespace gcompile::exec;

namespace {

/// The kernel whose body holds the operation; null on the host, and in an exchange.
Operation *kernelAround(Operation *op) {
  for (Region *region = op->getParentRegion(); region; region = region->getParentRegion()) {
    Operation *around = region->getParentOp();
    if (auto propagate = dyn_cast_or_null<PropagateOp>(around))
      return region == &propagate.getExchange() || region == &propagate.getUntil() ? nullptr : around;
    if (auto ordered = dyn_cast_or_null<OrderedOp>(around))
      return region == &ordered.getExchange() ? nullptr : around;
    if (around && isa<Kernel>(around))
      return around;
  }
  return nullptr;
}

/// Whether the operation stands in an exchange.
bool isInExchange(Operation *op) {
  Operation *around = op->getParentOp();
  auto propagate = dyn_cast_or_null<PropagateOp>(around);
  auto ordered = dyn_cast_or_null<OrderedOp>(around);
  return (propagate && op->getParentRegion() == &propagate.getExchange()) ||
         (ordered && op->getParentRegion() == &ordered.getExchange());
}

Type elementOf(Value state) { return cast<graph::StateType>(state.getType()).getElement(); }

} // namespace

LogicalResult TouchCopyOp::verify() {
  return kernelAround(*this) ? success() : LogicalResult(emitOpError("is outside of a kernel"));
}

LogicalResult ResetCopiesOp::verify() {
  if (kernelAround(*this))
    return emitOpError("is inside of a kernel");
  if (!hasOwners(getState()))
    return emitOpError("resets a state that has no value for each vertex or edge");
  return elementOf(getState()) == getValue().getType()
             ? success()
             : LogicalResult(emitOpError("resets a state to a value of another type"));
}

LogicalResult ReduceToOwnerOp::verify() {
  if (kernelAround(*this))
    return emitOpError("is inside of a kernel");
  if (!hasOwners(getState()) || !llvm::all_of(getWith(), hasValuePerVertex))
    return emitOpError("sends a state that has no value for each vertex or edge");
  if (graph::hasValuePerEdge(getState()) && (getExpected() || !getWith().empty() || getActivating() || getAlways()))
    return emitOpError("claims or compares edges, or activates vertices with them");
  for (Value value : {getExpected(), getNeutral()})
    if (value && value.getType() != elementOf(getState()))
      return emitOpError("has a value of another type than its state");
  if (getExpected() && getKind() != graph::UpdateKind::Assign)
    return emitOpError("claims without assigning");
  bool compares = getKind() == graph::UpdateKind::Min || getKind() == graph::UpdateKind::Max;
  if (!getExpected() && !compares && !getWith().empty())
    return emitOpError("sends further states, but neither claims nor compares them");
  if ((getActivating() || getAlways()) && !isInExchange(*this))
    return emitOpError("activates vertices, but is in no exchange");
  const bool plain = hasValuePerVertex(getState()) && getKind() != graph::UpdateKind::Assign && !getExpected() &&
                     !getNeutral() && getWith().empty() && !getActivating() && !getAlways();
  if (getOfLists() && !plain)
    return emitOpError("sends all copies, but does more than combine values of vertices");
  return success();
}

LogicalResult ActivateOwnersOp::verify() {
  return isInExchange(*this) && isa<PropagateOp>((*this)->getParentOp())
             ? success()
             : LogicalResult(emitOpError("is not in the exchange of a propagate"));
}

LogicalResult StartPartsOp::verify() {
  if (kernelAround(*this))
    return emitOpError("is inside of a kernel");
  auto type = cast<graph::StateType>(getState().getType());
  return type.getShape() == graph::Shape::Array && type.getElement() == getNeutral().getType()
             ? success()
             : LogicalResult(emitOpError("starts a state that is no array, or with a value of another type"));
}

LogicalResult CombinePartsOp::verify() {
  if (kernelAround(*this))
    return emitOpError("is inside of a kernel");
  if (cast<graph::StateType>(getState().getType()).getShape() != graph::Shape::Array)
    return emitOpError("combines a state that is no array");
  return getKind() != graph::UpdateKind::Assign ? success() : LogicalResult(emitOpError("combines by an assignment"));
}

LogicalResult OwnerValueOp::verify() {
  if (kernelAround(*this))
    return emitOpError("is inside of a kernel");
  auto type = cast<graph::StateType>(getState().getType());
  if (getColumn() ? type.getShape() != graph::Shape::Dense : !hasValuePerVertex(getState()))
    return emitOpError("asks for a state that has no value for each vertex, or with a column for each pair");
  return elementOf(getState()) == getValue().getType()
             ? success()
             : LogicalResult(emitOpError("gives a value of another type than its state"));
}

LogicalResult OwnerComputesOp::verify() {
  if (kernelAround(*this))
    return emitOpError("is inside of a kernel");
  return yields(getBody(), [&](Type type) { return type == getValue().getType(); })
             ? success()
             : LogicalResult(emitOpError("does not give the value that it yields"));
}

LogicalResult RequireVertexOp::verify() {
  return kernelAround(*this) ? LogicalResult(emitOpError("is inside of a kernel")) : success();
}

LogicalResult GiveToCopiesOp::verify() {
  if (kernelAround(*this))
    return emitOpError("is inside of a kernel");
  auto type = cast<graph::StateType>(getState().getType());
  bool set = type.getShape() == graph::Shape::Scalar && isa<graph::SetType>(type.getElement());
  if (set && getEverywhere())
    return emitOpError("gives a set to parts that hold no copies");
  return set || hasOwners(getState())
             ? success()
             : LogicalResult(
                   emitOpError("gives a state that is neither a set nor has a value for each vertex or edge"));
}

LogicalResult GiveActiveOp::verify() {
  auto propagate = dyn_cast<PropagateOp>((*this)->getParentOp());
  if (!isInExchange(*this) || (!propagate && !getOfLists()))
    return emitOpError("is not in the exchange of a propagate");
  if (getOfLists() && getEachRound())
    return emitOpError("is for both kinds of copies");
  if (!getOfLists() && isAbsent(propagate.getPull()) && !getEachRound())
    return emitOpError("is for rounds that pull, of which there are none");
  return hasValuePerVertex(getState()) ? success()
                                       : LogicalResult(emitOpError("gives a state that has no value for each vertex"));
}

LogicalResult ResumeOp::verify() {
  for (Operation *around = (*this)->getParentOp(); around; around = around->getParentOp())
    if (isa<graph::WhileOp, graph::RepeatOp, graph::ForOp>(around) || isa<Kernel>(around))
      return emitOpError("is inside of a loop");
  return isa_and_nonnull<graph::WhileOp, graph::RepeatOp, PropagateOp, OrderedOp>((*this)->getNextNode())
             ? success()
             : LogicalResult(emitOpError("is in front of no statement of rounds"));
}
