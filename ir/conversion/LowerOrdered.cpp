// A propagate in the order of a priority: by buckets, and what lies beyond its end gets back what it had.
#include "ir/Errors.h"
#include "ir/analysis/Legality.h"
#include "ir/conversion/GraphToExec.h"
#include "ir/exec/Kernels.h"

using namespace mlir;

namespace gcompile {

/// The constant that all vertices but `start` have in `state` when the statement begins: what initialises it, if
/// nothing but assignments to `start` comes between. Null if they have more, or it is not known.
static Operation *sameForOthers(Value state, Value start, Operation *statement) {
  Operation *declaration = state.getDefiningOp();
  if (!declaration || declaration->getBlock() != statement->getBlock())
    return nullptr;
  Operation *constant = nullptr;
  bool known = true;
  for (Operation *op = statement->getPrevNode(); op && op != declaration; op = op->getPrevNode())
    op->walk([&](Operation *inner) {
      if (!llvm::is_contained(inner->getOperands(), state) || isa<graph::ReadOp>(inner))
        return;
      // A declaration's initialiser has been lowered: it is the update of a kernel over all vertices.
      auto update = dyn_cast<exec::UpdateOp>(inner);
      auto kernel = update ? dyn_cast<exec::ParallelOp>(update->getParentOp()) : exec::ParallelOp();
      Operation *value = update ? update.getValue().getDefiningOp() : nullptr;
      if (kernel && !constant && kernel.getOver() && kernel.getOver().getDefiningOp<graph::AllVerticesOp>() &&
          update.getIndices().size() == 1 && update.getIndices()[0] == kernel.getBody().getArgument(0) &&
          update.getKind() == graph::UpdateKind::Assign &&
          isa_and_nonnull<graph::ConstantOp, graph::InfOp, graph::NoneOp>(value))
        constant = value;
      else
        known &= !constant && update && !kernel && update.getIndices().size() == 1 && update.getIndices()[0] == start;
    });
  return known ? constant : nullptr;
}

GraphToExec::Beyond GraphToExec::rememberBeyond(graph::PropagateOp op, const EffectTable &table) {
  Beyond beyond;
  OrderedEnd end = endOf(op);
  beyond.first = end.first;
  for (graph::ReadOp read : end.asked) {
    Value vertex = withoutLet(read.getIndices()[0]);
    if (Operation *variable = vertex.getDefiningOp(); variable && op->isAncestor(variable))
      vertex = b.clone(*variable)->getResult(0);
    beyond.ends.push_back({vertex, read.getChecked()});
  }
  if (beyond.ends.empty())
    return beyond;
  ArrayRef<Value> states = table.writes()[0].states;
  // Where there is one start and all others are infinite, it is among what is nearest: it never lies beyond.
  auto from = op.getFrom().getDefiningOp<graph::SetOfOp>();
  Value start = from && from.getElements().size() == 1 ? from.getElements()[0] : Value();
  auto constantOf = [&](Value state) { return start ? sameForOthers(state, start, op) : nullptr; };
  const bool fromInfinity = isa_and_nonnull<graph::InfOp>(constantOf(states[0]));
  for (Value state : states) {
    Operation *constant = fromInfinity ? constantOf(state) : nullptr;
    Value copy;
    if (!constant)
      copy = b.create<exec::SnapshotOp>(op.getLoc(), unique(stateName(state) + "_before"), state, Value(), Value(),
                                        simpleSchedule());
    beyond.before.push_back({state, copy, constant});
  }
  return beyond;
}

void GraphToExec::restoreBeyond(graph::PropagateOp op, const Beyond &beyond) {
  if (beyond.ends.empty())
    return;
  Location loc = op.getLoc();
  Value priority = op.getOrdered(), bound;
  Type element = cast<graph::StateType>(priority.getType()).getElement();
  auto compare = [&](graph::BinaryKind kind, Value left, Value right) {
    return b.create<graph::BinaryOp>(loc, b.getI1Type(), kind, left, right, false, false);
  };
  for (auto [vertex, checked] : beyond.ends) {
    Value value = b.create<graph::ReadOp>(loc, element, priority, vertex, checked, false);
    auto kind = beyond.first ? graph::BinaryKind::Min : graph::BinaryKind::Max;
    bound = bound ? Value(b.create<graph::BinaryOp>(loc, element, kind, bound, value, false, false)) : value;
  }
  auto kernel = b.create<exec::ParallelOp>(loc, unique("restore_" + stateName(priority)), graph::Domain::Vertices,
                                           b.create<graph::AllVerticesOp>(loc), simpleSchedule());
  kernel.setNamesAttr(names({b.getStringAttr("v")}));
  OpBuilder::InsertionGuard guard(b);
  Value v = b.createBlock(&kernel.getBody())->addArgument(graph::VertexType::get(b.getContext()), loc);
  Value value = b.create<graph::ReadOp>(loc, element, priority, v, false, false);
  Value lies = compare(graph::BinaryKind::Gt, value, bound);
  if (isa_and_nonnull<graph::InfOp>(beyond.before[0].constant)) { // what is infinite already need not be written
    auto both = b.create<graph::LogicOp>(loc, b.getI1Type(), graph::LogicKind::And, lies);
    OpBuilder::InsertionGuard inner(b);
    b.createBlock(&both.getRhs());
    Value finite = compare(graph::BinaryKind::Lt, value, b.create<graph::InfOp>(loc, element, false));
    b.create<graph::YieldOp>(loc, finite);
    lies = both;
  }
  auto branch = b.create<graph::IfOp>(loc, lies);
  b.createBlock(&branch.getThenRegion());
  for (const Beyond::State &each : beyond.before) {
    Type type = cast<graph::StateType>(each.state.getType()).getElement();
    Value before = each.copy ? Value(b.create<graph::ReadOp>(loc, type, each.copy, v, false, false))
                             : b.clone(*each.constant)->getResult(0);
    b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, each.state, v, before,
                             false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
  }
}

/// Delta-stepping.
LogicalResult GraphToExec::ordered(graph::PropagateOp op, const EffectTable &table) {
  Value priority = op.getOrdered();
  PriorityOrder order = canRunByPriority(table);
  if (!order)
    return report(op.getLoc(), diag::cannot_order, stateName(priority), order.reason);
  if (auto wanted = schedule::said<schedule::Direction>(op); wanted && !wanted.is(schedule::Direction::Push))
    return refuse(wanted.place(), wanted.is(schedule::Direction::Pull) ? "pull" : "change direction",
                  "it runs in the order of '" + stateName(priority) + "', which pushes", op.getLoc());
  requireNonnegative(order.terms);

  b.setInsertionPoint(op);
  Beyond beyond = rememberBeyond(op, table);
  SmallVector<Value> ends;
  for (const Beyond::End &end : beyond.ends)
    ends.push_back(end.vertex);
  KernelPlan plan;
  plan.table = &table;
  plan.outer = 0;
  plan.activates = true;
  plan.together = table.readTogether();
  auto buckets = schedule::said<schedule::Ordered>(op);
  auto fusion = buckets.fusion();
  auto loop =
      b.create<exec::OrderedOp>(op.getLoc(), nameFor(op, "relax", table.writtenStates()), op.getFrom(), priority,
                                buckets.delta().value_or(0), fusion ? b.getI64IntegerAttr(*fusion) : IntegerAttr(),
                                ends, beyond.first, order.greatestFirst, exec::Sharing::Dynamic);
  edgeKernel(op, loop.getPush(), plan, false);
  markWidth(loop, order);
  loop.setNamesAttr(names({op.getNames()[0]}));
  markDirection(loop, op.getDomain());
  restoreBeyond(op, beyond);
  op.erase();
  return success();
}

} // namespace gcompile
