// The same for what only passes for GPUs make: test/ir/exec_verifier.mlir has a case for each message.
#include "ir/exec/Verifiers.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace gcompile;
using namespace gcompile::exec;

LogicalResult BestForOp::verify() {
  if (getDomain() != graph::Domain::OutOf && getDomain() != graph::Domain::Into)
    return emitOpError("goes over ") << stringifyDomain(getDomain())
                                     << ", not over the arcs out of a vertex or into it";
  auto reduce = (*this)->getParentOfType<ReduceOp>();
  if (!reduce || !graph::traits(reduce.getKind()).extreme)
    return emitOpError("is not in a search for the least or the greatest");
  SmallVector<Type> ends = {graph::VertexType::get(getContext()), graph::EdgeType::get(getContext())};
  for (Region *region : {&getWhere(), &getValue()})
    if (!isAbsent(*region) && !takes(*region, ends))
      return emitOpError("has a region that does not take a vertex and an edge");
  if (!isAbsent(getWhere()) && !yields(getWhere(), isTruth))
    return emitOpError("has a condition that yields no truth value");
  if (!yields(getValue(),
              [&](Type type) {
                ends.push_back(type);
                return true;
              }) ||
      !takes(getTake(), ends))
    return emitOpError("does not take the value of a vertex and an edge");
  if (!llvm::hasSingleElement(getTake().front()) || !isa<ContributeOp>(getTake().front().front()))
    return emitOpError("does more than to contribute the value");
  return success();
}

LogicalResult BatchForOp::verify() {
  if (getDomain() != graph::Domain::OutOf && getDomain() != graph::Domain::Into)
    return emitOpError("goes over ") << stringifyDomain(getDomain())
                                     << ", not over the arcs out of a vertex or into it";
  if (isAbsent(getValue()) == isAbsent(getTake()))
    return emitOpError("needs either a value or an update");
  if (!isAbsent(getTake()) && getSum())
    return emitOpError("has a sum, but no value to add");
  if (getLevelBits() && isAbsent(getWhere()))
    return emitOpError("asks for a level without a condition");
  for (Region *region : {&getWhere(), &getValue(), &getTake()})
    if (!isAbsent(*region) && !takesVertex(*region))
      return emitOpError("has a region that does not take one vertex");
  if (!isAbsent(getWhere()) && !yields(getWhere(), isTruth))
    return emitOpError("has a condition that yields no truth value");
  if (!isAbsent(getValue()) && !yields(getValue(), isNumber))
    return emitOpError("has a value that is no number");
  if (!isAbsent(getValue()) && !getSum() && !(*this)->getParentOfType<ReduceOp>())
    return emitOpError("has a value, but no sum, and is outside of exec.reduce");
  if (getSum() && !isAccumulator(getSum()))
    return emitOpError("adds to what is no number");
  return success();
}

LogicalResult RelaxOp::verify() {
  auto ordered = (*this)->getParentOfType<OrderedOp>();
  if (!ordered)
    return emitOpError("is outside of the push of exec.ordered");
  if (getValue().getType() != cast<graph::StateType>(ordered.getPriority().getType()).getElement())
    return emitOpError("proposes ") << getValue().getType() << " for a priority of another type";
  return isa<ForOp>((*this)->getParentOp()) && !(*this)->getNextNode()
             ? success()
             : LogicalResult(emitOpError("is not the last in its loop"));
}

LogicalResult PullByArcsOp::verify() {
  auto propagate = dyn_cast<PropagateOp>((*this)->getParentOp());
  if (!propagate || &propagate.getPull() != (*this)->getParentRegion())
    return emitOpError("is outside of the pull of exec.propagate");
  if (!takesVertex(getArc()))
    return emitOpError("has arcs that do not take one vertex");
  if (!llvm::all_of(getSums(), isAccumulator))
    return emitOpError("adds to what is no number");
  if (!yields(getWants(), isTruth))
    return emitOpError("has vertices that want no truth value");
  if (getFirstTakes() && !getFirstOnly())
    return emitOpError("ends with the first arc, but does not end early");
  if (getFirstOnly() && (!getSums().empty() || !isAbsent(getFinish())))
    return emitOpError("may end early, but has sums or something to finish");
  if (!isAbsent(getFound()) && !getFirstTakes())
    return emitOpError("has something to write once, but several arcs");
  return success();
}

LogicalResult AskedListsOp::verify() {
  auto kernel = dyn_cast<ParallelOp>((*this)->getParentOp());
  if (!kernel || !kernel.getByLanes() || !llvm::hasSingleElement(kernel.getBody().front()))
    return emitOpError("is not all of a kernel by lanes");
  return yields(getAsks(), isTruth) ? success()
                                    : LogicalResult(emitOpError("has vertices that ask for no truth value"));
}

LogicalResult SweepOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 1 || !isa<graph::SetType>(body.getArgument(0).getType()))
    return emitOpError("has a body that does not take one level");
  for (Operation &op : body) {
    auto kernel = dyn_cast<ParallelOp>(op);
    if (!kernel && !isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::YieldOp>(op))
      return emitOpError("has something else than kernels");
    if (kernel && kernel.getOver() != body.getArgument(0))
      return emitOpError("has a kernel that does not go over the level");
  }
  return success();
}

LogicalResult DeviceLoopOp::verify() {
  if (!llvm::hasSingleElement(getBody().front()) || !isa<graph::RepeatOp, graph::WhileOp>(getBody().front().front()))
    return emitOpError("is not exactly one repeat or while");
  return success();
}
