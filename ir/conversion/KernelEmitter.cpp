// Values and operations of a kernel, one by one.
#include "ir/conversion/KernelEmitter.h"

#include "ir/exec/Kernels.h"

using namespace mlir;

namespace gcompile {

void KernelEmitter::bind(ArrayRef<Region *> regions, unsigned argument, Value v) {
  for (Region *region : regions)
    if (!region->empty() && argument < region->getNumArguments())
      map.map(region->getArgument(argument), v);
}

Value KernelEmitter::value(Value v) {
  if (map.contains(v))
    return map.lookup(v);
  Operation *op = v.getDefiningOp();
  if (!op || !inside(op))
    return v;
  operation(op);
  return map.lookup(v);
}

SmallVector<Value> KernelEmitter::values(ValueRange list) {
  SmallVector<Value> result;
  for (Value v : list)
    result.push_back(value(v));
  return result;
}

void KernelEmitter::block(Block &source) {
  if (plan.table)
    for (const Write &write : plan.table->writes())
      if (write.rule == WriteRule::Claim && write.op->getBlock() == &source)
        return claim(write, source);
  contents(source);
}

/// What a block does, in order. A selected set comes where it is used, which may be in a loop over it or a test.
void KernelEmitter::contents(Block &source) {
  for (Operation &op : source)
    if (!isa<graph::SetFilterOp>(op))
      operation(&op);
}

void KernelEmitter::region(Region &from, Region &to) {
  OpBuilder::InsertionGuard guard(b);
  Block *target = b.createBlock(&to);
  if (from.empty()) {
    target->erase();
    return;
  }
  for (BlockArgument argument : from.getArguments())
    map.map(argument, target->addArgument(argument.getType(), argument.getLoc()));
  block(from.front());
  if (from.front().empty())
    return;
  if (auto yield = dyn_cast<graph::YieldOp>(from.front().back()))
    b.create<graph::YieldOp>(yield.getLoc(), values(yield.getValues()));
}

Value KernelEmitter::logic(graph::LogicKind kind, Value left, llvm::function_ref<Value()> right, Location loc) {
  auto op = b.create<graph::LogicOp>(loc, b.getI1Type(), kind, left);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&op.getRhs());
  b.create<graph::YieldOp>(loc, right());
  return op;
}

void KernelEmitter::operation(Operation *op) {
  if (!done.insert(op).second)
    return;
  Location loc = op->getLoc();
  if (isa<graph::YieldOp>(op))
    return;
  if (auto state = dyn_cast<graph::StateOp>(op))
    return declare(state);
  if (isa<graph::UpdateOp, graph::UpdateTupleOp>(op))
    return update(op);
  if (auto readOp = dyn_cast<graph::ReadOp>(op)) {
    map.map(readOp.getValue(), read(readOp));
    return;
  }
  if (auto loop = dyn_cast<graph::ForOp>(op)) {
    SmallVector<Value> conditions;
    if (!loop.getWhere().empty())
      conjuncts(yielded(loop.getWhere()), conditions);
    pattern(loop.getDomain(), loop.getOver(), {&loop.getWhere(), &loop.getBody()}, loop.getNames(), conditions, loc,
            [&] { block(loop.getBody().front()); });
    return;
  }
  if (auto reduceOp = dyn_cast<graph::ReduceOp>(op)) {
    map.map(reduceOp.getResult(), reduce(reduceOp));
    return;
  }
  if (auto containsOp = dyn_cast<graph::ContainsOp>(op)) {
    map.map(containsOp.getResult(), contains(containsOp.getSet(), containsOp.getVertex(), loc));
    return;
  }
  if (auto sizeOp = dyn_cast<graph::SetSizeOp>(op)) {
    map.map(sizeOp.getResult(), size(sizeOp));
    return;
  }
  if (isa<graph::BreakOp>(op)) {
    if (isa<graph::ForOp>(enclosingLoop(op)))
      b.create<exec::BreakOp>(loc);
    else
      b.create<graph::BreakOp>(loc);
    return;
  }
  SmallVector<Value> operands = values(op->getOperands());
  for (auto [from, to] : llvm::zip(op->getOperands(), operands))
    map.map(from, to);
  if (op->getNumRegions() == 0) {
    b.clone(*op, map);
    return;
  }
  Operation *copy = op->cloneWithoutRegions(map);
  b.insert(copy);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions()))
    region(from, to);
}

} // namespace gcompile
