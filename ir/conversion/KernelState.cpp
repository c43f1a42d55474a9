// Reads and writes of state in a kernel: which copy they touch, their synchronisation, claims and activation.
#include "ir/conversion/KernelEmitter.h"

#include "ir/analysis/Legality.h"
#include "ir/exec/Kernels.h"

using namespace mlir;

namespace gcompile {

void KernelEmitter::declare(graph::StateOp op) {
  Location loc = op.getLoc();
  auto local = b.create<graph::StateOp>(loc, op.getType(), op.getName(), false);
  map.map(op.getState(), local.getState());
  Value initial;
  if (!op.getInit().empty()) {
    block(op.getInit().front());
    initial = value(yielded(op.getInit()));
  } else {
    initial = zeroOf(b, loc, op.getType().getElement());
  }
  b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, local.getState(),
                           ValueRange(), initial, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
}

Value KernelEmitter::writeTarget(Value state) {
  auto shadow = plan.next.find(state);
  return shadow != plan.next.end() ? shadow->second : value(state);
}

bool KernelEmitter::followsOwnWrite(graph::ReadOp op) const {
  for (const Write &write : plan.table->writes())
    if (write.kind == graph::UpdateKind::Assign && llvm::is_contained(write.states, op.getState()) &&
        mayPrecede(write.op, op) && plan.table->sameElement(write.indices, op.getIndices()))
      return true;
  return false;
}

void KernelEmitter::readTogether(Value vertex, Location loc) {
  SmallVector<Type> elements;
  for (Value state : plan.together)
    elements.push_back(cast<graph::StateType>(state.getType()).getElement());
  if (!elements.empty())
    asOne = b.create<exec::ReadTogetherOp>(loc, TupleType::get(b.getContext(), elements), plan.together, vertex);
}

void KernelEmitter::take(graph::Side side, Value vertex, Location loc) {
  // What has no edges keeps what it has: the update of the program runs on edges.
  Value degree = b.create<graph::DegreeOp>(loc, b.getI32Type(), side, vertex, false);
  Value zero = b.create<graph::ConstantOp>(loc, b.getI32Type(), b.getI32IntegerAttr(0));
  auto branch = b.create<graph::IfOp>(
      loc, b.create<graph::BinaryOp>(loc, b.getI1Type(), graph::BinaryKind::Gt, degree, zero, false, false));
  b.createBlock(&branch.getThenRegion());
  auto element = cast<graph::StateType>(plan.sums->total.getType()).getElement();
  Value taken = b.create<exec::TakeOp>(loc, element, exec::Sync::Atomic, plan.sums->total, plan.sums->given, vertex);
  for (Value difference : plan.sums->differences) {
    map.map(difference, taken);
    done.insert(difference.getDefiningOp());
  }
}

Value KernelEmitter::read(graph::ReadOp op) {
  Value state = op.getState();
  if (auto part = llvm::find(plan.together, state); part != plan.together.end())
    return b.create<graph::ElementOp>(op.getLoc(), op.getValue().getType(), asOne,
                                      static_cast<std::uint64_t>(part - plan.together.begin()));
  Value source = value(state);
  auto ownElement = [&] { return plan.table->isOwn(state, op.getIndices()) || followsOwnWrite(op); };
  if (auto shadow = plan.next.find(state); shadow != plan.next.end() && ownElement()) {
    source = shadow->second; // it began as a copy of the element
  } else if (auto slices = plan.slices.find(state); slices != plan.slices.end() && !ownElement()) {
    bool uniformRow = plan.table->statement().isOutside(op.getIndices()[0]);
    source = uniformRow ? slices->second.first : slices->second.second;
  } else if (auto copy = plan.before.find(state); copy != plan.before.end() && !ownElement()) {
    source = copy->second;
  }
  return b.create<graph::ReadOp>(op.getLoc(), op.getValue().getType(), source, values(op.getIndices()), op.getChecked(),
                                 false);
}

exec::Sync KernelEmitter::sync(const Write &write) const {
  return plan.serial ? exec::Sync::Plain : syncOf(*plan.table, write, plan.outer);
}

void KernelEmitter::activate(Location loc, const Write &write) {
  bool alone = plan.serial || plan.table->activatesOnly(plan.outer);
  b.create<exec::ActivateOp>(loc, alone ? exec::Sync::Plain : exec::Sync::Atomic, value(write.indices[0]));
}

bool KernelEmitter::changesForSure(const Write &write) const {
  return write.rule == WriteRule::SameValue && write.guard && plan.table->differs(write.values[0], write.guard);
}

void KernelEmitter::update(Operation *op) {
  Location loc = op->getLoc();
  const Write *write = plan.table ? plan.table->find(op) : nullptr;
  if (!write) { // a variable of the iteration
    auto local = cast<graph::UpdateOp>(op);
    Value newValue = value(local.getValue());
    b.create<exec::UpdateOp>(loc, b.getI1Type(), local.getKind(), exec::Sync::Plain, value(local.getState()),
                             values(local.getIndices()), newValue, local.getChecked(), /*leader=*/false,
                             local.getPart(), local.getCombinerAttr());
    return;
  }
  bool activates = plan.activates && !write->indices.empty() && isa<graph::VertexType>(write->indices[0].getType()) &&
                   write->rule != WriteRule::UnderClaim;
  bool first = true; // the first write of its block that is known to change the vertex activates it for all
  if (activates)
    for (const Write &other : plan.table->writes())
      if (&other != write && other.op->getBlock() == op->getBlock() && changesForSure(other) &&
          other.owner == write->owner && other.owner && (!changesForSure(*write) || other.op->isBeforeInBlock(op)))
        first = false;
  bool surely = changesForSure(*write);
  if (activates && first && surely)
    activate(loc, *write);
  if (llvm::is_contained(plan.deferred, op))
    return;
  Value changed;
  if (auto tuple = dyn_cast<graph::UpdateTupleOp>(op)) {
    SmallVector<Value> targets;
    for (Value state : write->states)
      targets.push_back(writeTarget(state));
    SmallVector<Value> newValues = values(write->values);
    changed = b.create<exec::UpdateTupleOp>(loc, b.getI1Type(), write->kind, sync(*write), targets,
                                            values(write->indices), newValues, tuple.getChecked());
  } else {
    Value newValue = value(write->values[0]);
    changed = b.create<exec::UpdateOp>(loc, b.getI1Type(), write->kind, sync(*write), writeTarget(write->states[0]),
                                       values(write->indices), newValue, cast<graph::UpdateOp>(op).getChecked(),
                                       /*leader=*/false, write->part, write->combiner);
  }
  if (activates && first && !surely) {
    auto branch = b.create<graph::IfOp>(loc, changed);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&branch.getThenRegion());
    activate(loc, *write);
  }
}

void KernelEmitter::claim(const Write &write, Block &source) {
  Location loc = write.op->getLoc();
  done.insert(write.op);
  Value state = writeTarget(write.states[0]);
  SmallVector<Value> indices = values(write.indices);
  Value desired = value(write.values[0]);
  OpBuilder::InsertionGuard guard(b);
  bool checked = cast<graph::UpdateOp>(write.op).getChecked();
  if (plan.guardHolds) {
    b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, state, indices, desired,
                             checked, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
  } else {
    Value expected;
    Operation *constant = write.guard.getDefiningOp();
    if (isa<graph::UnaryOp>(constant))
      expected = b.create<graph::ConstantOp>(loc, b.getI1Type(), b.getBoolAttr(false));
    else
      expected = b.clone(*constant)->getResult(0);
    bool witness = plan.replayed && plan.replayed->contains(write.op);
    auto won = b.create<exec::ClaimOp>(loc, b.getI1Type(), sync(write), state, indices, expected, desired, witness);
    auto branch = b.create<graph::IfOp>(loc, won);
    b.createBlock(&branch.getThenRegion());
  }
  if (plan.activates && write.isAtVertex())
    activate(loc, write);
  contents(source);
}

} // namespace gcompile
