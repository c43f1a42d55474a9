#include "ir/conversion/KernelEmitter.h"
#include "ir/analysis/Failures.h"

#include "ir/analysis/Legality.h"
#include "ir/analysis/None.h"
#include "ir/exec/Kernels.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/SetVector.h"

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

void KernelEmitter::operation(Operation *op) {
  if (!done.insert(op).second)
    return;
  Location loc = op->getLoc();
  if (isa<graph::YieldOp>(op))
    return;
  if (auto state = dyn_cast<graph::StateOp>(op)) {
    auto local = b.create<graph::StateOp>(loc, state.getType(), state.getName(), false);
    map.map(state.getState(), local.getState());
    Value initial;
    if (!state.getInit().empty()) {
      block(state.getInit().front());
      initial = value(yielded(state.getInit()));
    } else {
      initial = zeroOf(b, loc, state.getType().getElement());
    }
    b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, local.getState(),
                             ValueRange(), initial, false);
    return;
  }
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
  if (auto size = dyn_cast<graph::SetSizeOp>(op)) {
    auto counted = b.create<exec::ReduceOp>(loc, b.getI64Type(), graph::ReduceKind::Count, StringAttr(),
                                            graph::DomainAttr(), Value(), exec::Sharing::Serial);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&counted.getBody());
    pattern(graph::Domain::Vertices, size.getSet(), {}, b.getArrayAttr({}), {}, loc,
            [&] { b.create<exec::ContributeOp>(loc, Value(), Value()); });
    map.map(size.getResult(), counted.getResult());
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

// ---- Loops and conditions -------------------------------------------------------------------------------------------

/// What `v` is computed from inside of the statement, each value once: its expressions and what they contain, down to
/// the arguments of regions.
SmallVector<Value> KernelEmitter::parts(Value v) const {
  llvm::SetVector<Value> found;
  found.insert(v);
  for (std::size_t i = 0; i < found.size(); ++i) {
    Operation *op = found[i].getDefiningOp();
    if (!op || !inside(op))
      continue;
    op->walk([&](Operation *inner) {
      found.insert(inner->operand_begin(), inner->operand_end());
      found.insert(inner->result_begin(), inner->result_end());
    });
  }
  return found.takeVector();
}

bool KernelEmitter::uses(Value v, ArrayRef<Region *> regions, ArrayRef<unsigned> arguments) const {
  return llvm::any_of(parts(v), [&](Value part) {
    auto argument = dyn_cast<BlockArgument>(part);
    return argument && llvm::is_contained(arguments, argument.getArgNumber()) &&
           llvm::is_contained(regions, argument.getParentRegion());
  });
}

/// Whether evaluating a condition earlier than written could fail where the program would not have.
bool KernelEmitter::mayFail(Value v) const {
  return llvm::any_of(parts(v), [&](Value part) {
    Operation *op = part.getDefiningOp();
    if (!op || !inside(op))
      return false;
    return gcompile::mayFail(op) || op->getNumRegions() != 0;
  });
}

/// Whether an expression reads what the iteration itself changes: its variables, or state that it owns.
bool KernelEmitter::readsOwnWrites(Value v) const {
  return llvm::any_of(parts(v), [&](Value part) {
    auto read = part.getDefiningOp<graph::ReadOp>();
    if (!read || !inside(read))
      return false;
    Operation *state = read.getState().getDefiningOp();
    return (state && inside(state)) ||
           (plan.table && llvm::any_of(plan.table->writes(), [&](const Write &write) {
              return write.rule == WriteRule::Owned && llvm::is_contained(write.states, read.getState());
            }));
  });
}

void KernelEmitter::openConditions(SmallVectorImpl<Value> &conditions, ArrayRef<Region *> regions,
                                   ArrayRef<unsigned> pending, Location loc) {
  SmallVector<Value> now, later;
  for (Value condition : conditions) {
    bool hoistable = !uses(condition, regions, pending) && (later.empty() || !mayFail(condition)) &&
                     (pending.empty() || !readsOwnWrites(condition));
    (hoistable ? now : later).push_back(condition);
  }
  conditions.assign(later.begin(), later.end());
  if (now.empty())
    return;
  Value all = value(now.front());
  for (Value condition : ArrayRef<Value>(now).drop_front()) {
    auto both = b.create<graph::LogicOp>(condition.getLoc(), b.getI1Type(), graph::LogicKind::And, all);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&both.getRhs());
    b.create<graph::YieldOp>(condition.getLoc(), value(condition));
    all = both;
  }
  auto branch = b.create<graph::IfOp>(loc, all);
  b.createBlock(&branch.getThenRegion());
}

void KernelEmitter::takeBounds(SmallVectorImpl<Value> &conditions, ArrayRef<Region *> regions, unsigned inner,
                               Value &above, Value &below) {
  auto isInner = [&](Value v) {
    auto argument = dyn_cast<BlockArgument>(v);
    return argument && argument.getArgNumber() == inner && llvm::is_contained(regions, argument.getParentRegion());
  };
  for (Value &condition : conditions) {
    auto compare = condition.getDefiningOp<graph::BinaryOp>();
    if (!compare || !isa<graph::VertexType>(compare.getLhs().getType()))
      continue;
    Value low = compare.getLhs(), high = compare.getRhs();
    if (compare.getKind() == graph::BinaryKind::Gt)
      std::swap(low, high);
    else if (compare.getKind() != graph::BinaryKind::Lt)
      continue;
    if (isInner(high) && !above && isa<BlockArgument>(low) && !isInner(low)) {
      above = value(low);
      condition = Value();
    } else if (isInner(low) && !below && isa<BlockArgument>(high) && !isInner(high)) {
      below = value(high);
      condition = Value();
    }
  }
  llvm::erase_if(conditions, [](Value v) { return !v; });
}

void KernelEmitter::adjacency(graph::Domain domain, Value vertex, unsigned other, unsigned edge,
                              ArrayRef<Region *> regions, ArrayAttr names, SmallVectorImpl<Value> &conditions,
                              Location loc) {
  Value above, below;
  bool ascending = !schedule::said<schedule::Neighbors>(root->getParentOfType<graph::AlgorithmOp>());
  if (domain != graph::Domain::Either && ascending)
    takeBounds(conditions, regions, other, above, below);
  auto name = [&](unsigned i, const char *fallback) -> Attribute {
    return i < names.size() ? names[i] : b.getStringAttr(fallback);
  };
  auto loop =
      b.create<exec::ForOp>(loc, domain, vertex, above, below, b.getArrayAttr({name(other, "v"), name(edge, "e")}));
  Block *body = b.createBlock(&loop.getBody());
  bind(regions, other, body->addArgument(graph::VertexType::get(b.getContext()), loc));
  bind(regions, edge, body->addArgument(graph::EdgeType::get(b.getContext()), loc));
}

/// Whether a set is made of adjacency lists alone, which a kernel iterates in ascending order.
static bool isAdjacency(Value set) {
  if (set.getDefiningOp<graph::NeighborsOp>())
    return true;
  if (auto algebra = set.getDefiningOp<graph::SetAlgebraOp>())
    return isAdjacency(algebra.getLhs()) && isAdjacency(algebra.getRhs());
  return false;
}

void KernelEmitter::pattern(graph::Domain domain, Value over, ArrayRef<Region *> givenRegions, ArrayAttr names,
                            SmallVector<Value> conditions, Location loc, llvm::function_ref<void()> contents) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Region *> regions(givenRegions.begin(), givenRegions.end());
  Type vertex = graph::VertexType::get(b.getContext());
  auto vertices = [&](Value set, unsigned argument) -> Value {
    while (auto filter = set.getDefiningOp<graph::SetFilterOp>()) {
      if (!inside(filter))
        break;
      conjuncts(yielded(filter.getWhere()), conditions);
      regions.push_back(&filter.getWhere());
      set = filter.getSet();
    }
    Value above, below;
    if (isAdjacency(set))
      takeBounds(conditions, regions, argument, above, below);
    Attribute name = argument < names.size() ? names[argument] : b.getStringAttr("w");
    auto loop = b.create<exec::ForOp>(loc, graph::Domain::Vertices, value(set), above, below, b.getArrayAttr({name}));
    Value bound = b.createBlock(&loop.getBody())->addArgument(vertex, loc);
    bind(regions, argument, bound);
    return bound;
  };
  switch (domain) {
  case graph::Domain::Vertices:
  case graph::Domain::Levels:
    openConditions(conditions, regions, {0}, loc);
    vertices(over, 0);
    break;
  case graph::Domain::Pairs: {
    Value all = b.create<graph::AllVerticesOp>(loc);
    openConditions(conditions, regions, {0, 1}, loc);
    vertices(all, 0);
    openConditions(conditions, regions, {1}, loc);
    vertices(all, 1);
    break;
  }
  case graph::Domain::Edges:
  case graph::Domain::EdgesBoth:
  case graph::Domain::EdgesInto: {
    openConditions(conditions, regions, {0, 1, 2}, loc);
    Value u = vertices(over, 0);
    openConditions(conditions, regions, {1, 2}, loc);
    adjacency(graph::edgesAtActive(domain), u, 1, 2, regions, names, conditions, loc);
    break;
  }
  case graph::Domain::OutOf:
  case graph::Domain::Into:
  case graph::Domain::Either:
    openConditions(conditions, regions, {0, 1}, loc);
    adjacency(domain, value(over), 0, 1, regions, names, conditions, loc);
    break;
  }
  openConditions(conditions, regions, {}, loc);
  contents();
}

// ---- State ----------------------------------------------------------------------------------------------------------

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
                             values(local.getIndices()), newValue, local.getChecked());
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
                                            value(write->indices[0]), newValues, tuple.getChecked());
  } else {
    Value newValue = value(write->values[0]);
    changed = b.create<exec::UpdateOp>(loc, b.getI1Type(), write->kind, sync(*write), writeTarget(write->states[0]),
                                       values(write->indices), newValue, cast<graph::UpdateOp>(op).getChecked());
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
                             checked);
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

// ---- Reductions and sets --------------------------------------------------------------------------------------------

void KernelEmitter::contributions(graph::ReduceOp op, Value outer) {
  Location loc = op.getLoc();
  SmallVector<Value> conditions;
  if (!op.getWhere().empty())
    conjuncts(yielded(op.getWhere()), conditions);
  SmallVector<Region *> regions{&op.getWhere(), &op.getValue()};
  auto contribute = [&] {
    Value contributed = op.getValue().empty() ? Value() : value(yielded(op.getValue()));
    Value witness;
    if (graph::traits(op.getKind()).witness) {
      bool whole = graph::rangesOverEdges(op.getDomain());
      unsigned number = op.getEdge() ? (whole ? 2 : 1) : (whole ? 1 : 0);
      witness = map.lookup(op.getValue().getArgument(number));
    }
    b.create<exec::ContributeOp>(loc, contributed, witness);
  };
  if (!outer)
    return pattern(op.getDomain(), op.getOver(), regions, op.getNames(), conditions, loc, contribute);
  OpBuilder::InsertionGuard guard(b);
  if (graph::rangesOverEdges(op.getDomain())) {
    bind(regions, 0, outer);
    openConditions(conditions, regions, {1, 2}, loc);
    adjacency(graph::edgesAtActive(op.getDomain()), outer, 1, 2, regions, op.getNames(), conditions, loc);
  }
  openConditions(conditions, regions, {}, loc);
  contribute();
}

Value KernelEmitter::reduce(graph::ReduceOp op) {
  auto result = b.create<exec::ReduceOp>(op.getLoc(), op.getResult().getType(), op.getKind(), StringAttr(),
                                         graph::DomainAttr(), Value(), exec::Sharing::Serial);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&result.getBody());
  contributions(op, Value());
  return result;
}

Value KernelEmitter::contains(Value set, Value vertex, Location loc) {
  Operation *op = set.getDefiningOp();
  auto exists = [&] { // none is in no set
    Value none = b.create<graph::NoneOp>(loc, vertex.getType());
    return b.create<graph::BinaryOp>(loc, b.getI1Type(), graph::BinaryKind::Ne, value(vertex), none, false, false);
  };
  if (op && isa<graph::AllVerticesOp>(op))
    return mayBeNone(vertex) ? Value(exists()) : b.create<graph::ConstantOp>(loc, b.getI1Type(), b.getBoolAttr(true));
  if (auto algebra = dyn_cast_or_null<graph::SetAlgebraOp>(op)) {
    Value left = contains(algebra.getLhs(), vertex, loc);
    auto kind = algebra.getKind() == graph::SetKind::Union ? graph::LogicKind::Or : graph::LogicKind::And;
    auto logic = b.create<graph::LogicOp>(loc, b.getI1Type(), kind, left);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&logic.getRhs());
    Value right = contains(algebra.getRhs(), vertex, loc);
    if (algebra.getKind() == graph::SetKind::Difference)
      right = b.create<graph::UnaryOp>(loc, right.getType(), graph::UnaryKind::Not, right);
    b.create<graph::YieldOp>(loc, right);
    return logic;
  }
  if (auto literal = dyn_cast_or_null<graph::SetOfOp>(op)) {
    Value result;
    for (Value element : literal.getElements()) {
      Value equal = b.create<graph::BinaryOp>(loc, b.getI1Type(), graph::BinaryKind::Eq, value(vertex), value(element),
                                              false, false);
      if (!result) {
        result = equal;
        continue;
      }
      auto logic = b.create<graph::LogicOp>(loc, b.getI1Type(), graph::LogicKind::Or, result);
      OpBuilder::InsertionGuard guard(b);
      b.createBlock(&logic.getRhs());
      b.create<graph::YieldOp>(loc, equal);
      result = logic;
    }
    if (!result)
      result = b.create<graph::ConstantOp>(loc, b.getI1Type(), b.getBoolAttr(false));
    if (mayBeNone(vertex) && llvm::any_of(literal.getElements(), mayBeNone)) {
      auto logic = b.create<graph::LogicOp>(loc, b.getI1Type(), graph::LogicKind::And, exists());
      OpBuilder::InsertionGuard guard(b);
      b.createBlock(&logic.getRhs());
      b.create<graph::YieldOp>(loc, result);
      result = logic;
    }
    return result;
  }
  if (auto filter = dyn_cast_or_null<graph::SetFilterOp>(op); filter && inside(filter)) {
    Value member = contains(filter.getSet(), vertex, loc);
    auto logic = b.create<graph::LogicOp>(loc, b.getI1Type(), graph::LogicKind::And, member);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&logic.getRhs());
    map.map(filter.getWhere().getArgument(0), value(vertex));
    b.create<graph::YieldOp>(loc, value(yielded(filter.getWhere())));
    return logic;
  }
  return b.create<graph::ContainsOp>(loc, value(set), value(vertex));
}

} // namespace gcompile
