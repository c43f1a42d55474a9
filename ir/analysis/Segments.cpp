#include "ir/analysis/Failures.h"
#include "ir/analysis/Legality.h"
#include "ir/analysis/Statement.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {

namespace {

/// Whether partial results can be combined.
bool isCombinable(graph::ReduceOp reduce) {
  return graph::isCombinable(reduce.getKind()) && reduce.getResult().getType().isIntOrFloat();
}

/// Whether a value of `region` depends on the edge that it is computed for.
bool dependsOnEdge(Value value, Region &region) {
  llvm::SetVector<Value> parts;
  parts.insert(value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Value part = parts[i];
    if (!region.isAncestor(part.getParentRegion()))
      continue;
    Operation *op = part.getDefiningOp();
    if (!op)
      return true;
    op->walk([&](Operation *inner) { parts.insert(inner->operand_begin(), inner->operand_end()); });
  }
  return false;
}

/// Why a reduction over the edges into the loop's vertex cannot be put together from parts; "" if it can.
std::string obstacle(graph::ForOp loop, graph::ReduceOp reduce) {
  if (!isCombinable(reduce))
    return "only sums, counts, minima and maxima of numbers can be put together from parts";
  Value own = loop.getBody().getArgument(0);
  bool branches = !loop.getWhere().empty();
  for (Operation *parent = reduce->getParentOp(); parent != loop; parent = parent->getParentOp()) {
    if (!isa<graph::IfOp>(parent))
      return "what it computes over the edges is part of another loop or expression";
    branches = true;
  }
  if (reduce.getOver() != own)
    return "it needs more of an edge than the source";
  std::string reason;
  for (Region *region : {&reduce.getWhere(), &reduce.getValue()}) {
    if (region->empty())
      continue;
    if (!region->getArgument(1).use_empty())
      return "it needs more of an edge than the source";
    region->walk([&](Operation *op) {
      if (isa<graph::ReduceOp, graph::SetFilterOp>(op))
        reason = "it needs more of an edge than the source";
      if (branches && mayFail(op))
        reason = "it may end the program with an error where its condition fails";
      for (Value operand : op->getOperands())
        if (!region->isAncestor(operand.getParentRegion()) &&
            loop->isAncestor(operand.getParentRegion()->getParentOp()))
          reason = "what it computes over the edges depends on the vertex";
    });
  }
  if (!reason.empty() || reduce.getWhere().empty())
    return reason;
  SmallVector<Value> conditions;
  conjuncts(yielded(reduce.getWhere()), conditions);
  for (Value condition : conditions)
    if (!dependsOnEdge(condition, reduce.getWhere()))
      return "a condition is the same for all edges: test it with 'if' or 'where' of the statement";
  return "";
}

} // namespace

bool gathersInto(Operation *statement) {
  return statement
      ->walk([](graph::ReduceOp reduce) {
        return reduce.getDomain() == graph::Domain::Into ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Legality canSegment(const EffectTable &table) {
  auto loop = dyn_cast<graph::ForOp>(table.statement().operation());
  if (!loop || loop.getDomain() != graph::Domain::Vertices ||
      (loop.getOver() && !loop.getOver().getDefiningOp<graph::AllVerticesOp>()))
    return {false, "it does not run over all vertices"};
  if (schedule::said<schedule::Neighbors>(loop->getParentOfType<graph::AlgorithmOp>()))
    return {false, "the neighbours of a vertex are ordered by degree"};
  if (!gathersInto(loop))
    return {false, "it computes nothing over the edges into a vertex"};
  std::string reason;
  loop.walk([&](graph::ReduceOp reduce) {
    if (reduce.getDomain() == graph::Domain::Into && reason.empty())
      reason = obstacle(loop, reduce);
  });
  if (!reason.empty())
    return {false, reason};
  return {true, "what it computes over the edges into a vertex can be put together from parts"};
}

bool maySegment(const EffectTable &table) {
  Operation *op = table.statement().operation();
  auto algorithm = op->getParentOfType<graph::AlgorithmOp>();
  bool repeated = false;
  for (Operation *parent = op->getParentOp(); parent && parent != algorithm; parent = parent->getParentOp())
    repeated |= isa<graph::RepeatOp, graph::WhileOp>(parent);
  return repeated && !schedule::said<schedule::Segments>(op).is(schedule::Segments::None) && canSegment(table);
}

} // namespace gcompile
