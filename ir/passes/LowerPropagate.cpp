#include "ir/passes/KernelParts.h"
#include "ir/passes/StatementLowering.h"

using namespace mlir;

namespace gcompile {

/// Whether nothing between the declaration of `state` and `statement` writes it, and it starts as each vertex's own id.
static bool startsAsSelf(Value state, Operation *statement) {
  auto declaration = state.getDefiningOp<graph::StateOp>();
  if (!declaration || declaration->getBlock() != statement->getBlock())
    return false;
  // The declaration's initialiser has been lowered: it is the update of the kernel that follows.
  bool self = false;
  for (Operation *op = statement->getPrevNode(); op && op != declaration; op = op->getPrevNode())
    op->walk([&](exec::UpdateOp update) {
      if (update.getState() != state)
        return;
      auto kernel = dyn_cast<exec::ParallelOp>(update->getParentOp());
      self = kernel && update.getIndices().size() == 1 && update.getValue() == update.getIndices()[0] &&
             update.getIndices()[0] == kernel.getBody().getArgument(0) && kernel.getOver() &&
             kernel.getOver().getDefiningOp<graph::AllVerticesOp>();
    });
  return self;
}

/// `propagate u -- v from g { p[v] min= p[u]; }`: the fixpoint is the minimum of p over each connected component,
/// because every vertex is active, every edge runs both ways and nothing but a copy travels along it.
bool StatementLowerer::recogniseClosure(graph::PropagateOp op, const EffectTable &table) {
  auto algorithm = dyn_cast<graph::AlgorithmOp>(root);
  bool bothWays =
      op.getDomain() == graph::Domain::EdgesBoth || (algorithm && algorithm.getDirectedness() == "undirected");
  if (serial || !bothWays || !op.getFrom().getDefiningOp<graph::AllVerticesOp>() || !op.getWhere().empty() ||
      op.getOrdered() || !table.isMonotoneFixpoint() || table.writes().size() != 1)
    return false;
  const Write &write = table.writes()[0];
  if (write.kind != graph::UpdateKind::Min || write.states.size() != 1 || write.owner != 1u ||
      write.op->getParentOp() != op || isa<TupleType>(write.values[0].getType()))
    return false;
  auto read = withoutLet(write.values[0]).getDefiningOp<graph::ReadOp>();
  if (!read || read.getState() != write.states[0] || table.statement().argument(read.getIndices()[0]) != 0u)
    return false;
  b.setInsertionPoint(op);
  b.create<exec::ClosureMinOp>(op.getLoc(), write.states[0], startsAsSelf(write.states[0], op));
  op.erase();
  return true;
}

/// Delta-stepping needs a monotone min whose value never falls below what it was computed from.
LogicalResult StatementLowerer::ordered(graph::PropagateOp op, const EffectTable &table) {
  Value priority = op.getOrdered();
  const Write *key = nullptr;
  for (const Write &write : table.writes())
    if (write.states[0] == priority)
      key = &write;
  auto refuse = [&](const Twine &reason) {
    return op.emitError("[E0407] '") << stateName(priority) << "' cannot order this propagate: " << reason;
  };
  if (!key || key->kind != graph::UpdateKind::Min || key->owner != 1u)
    return refuse("the body does not update it with 'min=' at the edge's target");
  if (!table.isMonotoneFixpoint())
    return refuse("the updates are not a monotone fixpoint, so the order would change the result");
  // value = p[u] + terms, each at least zero.
  StringAttr column;
  bool grows = false, reads = false;
  std::function<bool(Value)> check = [&](Value value) -> bool {
    value = withoutLet(value);
    if (auto read = value.getDefiningOp<graph::ReadOp>()) {
      if (read.getState() == priority) {
        bool first = !reads && table.statement().argument(read.getIndices()[0]) == 0u;
        reads = true;
        return first;
      }
      auto argument = dyn_cast<BlockArgument>(read.getState());
      if (!argument || !isa<graph::AlgorithmOp>(argument.getOwner()->getParentOp()))
        return false;
      auto algorithm = cast<graph::AlgorithmOp>(root);
      auto name = cast<DictionaryAttr>(algorithm.getArguments()[argument.getArgNumber()]).getAs<StringAttr>("name");
      if (column && column != name)
        return false;
      column = name;
      return true;
    }
    if (auto binary = value.getDefiningOp<graph::BinaryOp>(); binary && binary.getKind() == graph::BinaryKind::Add)
      return check(binary.getLhs()) && check(binary.getRhs());
    if (auto cast = value.getDefiningOp<graph::CastOp>())
      return check(cast.getOperand());
    if (auto constant = value.getDefiningOp<graph::ConstantOp>()) {
      if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
        return integer.getInt() >= 0;
      return mlir::cast<FloatAttr>(constant.getValue()).getValueAsDouble() >= 0;
    }
    return isa_and_nonnull<graph::DegreeOp, graph::NumVerticesOp>(value.getDefiningOp());
  };
  grows = check(key->values[0]);
  if (!grows || !reads)
    return refuse("the new value must be the old one at the edge's source plus terms that are never negative");
  if (column)
    root->setAttr("nonnegative", column);

  b.setInsertionPoint(op);
  KernelPlan plan;
  plan.table = &table;
  plan.outer = 0;
  plan.activates = true;
  auto delta = op->getAttrOfType<IntegerAttr>("delta");
  auto loop = b.create<exec::OrderedOp>(op.getLoc(), nameFor(op, "relax", table.writtenStates()), op.getFrom(),
                                        priority, delta ? delta.getInt() : 0, exec::Schedule::Dynamic);
  edgeKernel(op, loop.getPush(), plan, false);
  loop->setAttr("names", names({op.getNames()[0]}));
  op.erase();
  return success();
}

/// Fills `kernel` with the edges of one frontier vertex (push), or with the edges from the frontier to one vertex
/// (pull).
void StatementLowerer::edgeKernel(graph::PropagateOp op, Region &kernel, KernelPlan &plan, bool pull) {
  Location loc = op.getLoc();
  const EffectTable &table = *plan.table;
  KernelEmitter emitter(b, plan, op);
  SmallVector<Region *> regions{&op.getWhere(), &op.getBody()};
  SmallVector<Value> conditions;
  if (!op.getWhere().empty())
    conjuncts(yielded(op.getWhere()), conditions);

  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&kernel);
  Value outer = body->addArgument(graph::VertexType::get(b.getContext()), loc);
  bool ordered = op.getOrdered() && !plan.serial;
  Value round = ordered ? Value() : Value(body->addArgument(b.getI32Type(), loc));
  unsigned first = pull ? 1 : 0, second = pull ? 0 : 1;
  emitter.bind(regions, first, outer);
  if (round)
    emitter.bind(regions, 3, round);

  // A claim tests its guard itself; in a pull the guard is tested once, outside of the edge loop, and then holds until
  // the claim, which ends the loop.
  const Write *claim = table.claim();
  bool claimAtTop = claim && claim->op->getParentOp() == op.getOperation();
  if (claimAtTop && !pull)
    llvm::erase_if(conditions, [&](Value condition) {
      auto compare = condition.getDefiningOp<graph::BinaryOp>();
      auto negation = condition.getDefiningOp<graph::UnaryOp>();
      Value tested = compare && compare.getKind() == graph::BinaryKind::Eq
                         ? (compare.getRhs() == claim->guard   ? compare.getLhs()
                            : compare.getLhs() == claim->guard ? compare.getRhs()
                                                               : Value())
                     : negation && negation.getResult() == claim->guard ? negation.getOperand()
                                                                        : Value();
      auto read = tested ? tested.getDefiningOp<graph::ReadOp>() : graph::ReadOp();
      return read && read.getState() == claim->states[0] && !plan.next.contains(claim->states[0]);
    });
  plan.guardHolds = pull && claimAtTop;

  emitter.openConditions(conditions, regions, {second, 2}, loc);
  auto side = op.getDomain() == graph::Domain::EdgesBoth ? graph::Domain::Either
              : pull                                     ? graph::Domain::Into
                                                         : graph::Domain::OutOf;
  emitter.adjacency(side, outer, second, 2, regions, op.getNames(), conditions, loc);
  if (pull) {
    auto member = b.create<exec::InFrontierOp>(loc, emitter.map.lookup(op.getBody().getArgument(0)));
    auto branch = b.create<graph::IfOp>(loc, member);
    b.createBlock(&branch.getThenRegion());
  }
  emitter.openConditions(conditions, regions, {}, loc);
  emitter.block(op.getBody().front());
  if (plan.guardHolds)
    b.create<exec::BreakOp>(loc);
}

LogicalResult StatementLowerer::rounds(graph::PropagateOp op, const EffectTable &table) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  KernelPlan plan;
  plan.table = &table;
  plan.serial = serial;
  plan.activates = true;
  plan.outer = 0;

  // Witnesses: a claim that happens once in the whole algorithm, on an output, can be replayed from its final value.
  const Write *claim = table.claim();
  if (claim) {
    auto declaration = claim->states[0].getDefiningOp<graph::StateOp>();
    bool once =
        declaration && declaration.getOutput() && op->getParentOp() == root && declaration->getParentOp() == root;
    if (once)
      root->walk([&](graph::PropagateOp other) {
        if (other != op)
          other.walk([&](graph::UpdateOp update) { once &= update.getState() != claim->states[0]; });
      });
    plan.witness = serial && once;
    if (declaration && declaration.getOutput() && !once)
      declaration->setAttr("unordered", b.getUnitAttr());
  }

  // The snapshot rule: writes that would be seen too early go to a second array, or wait for the commit if they are the
  // same for the whole round; the commit copies them for the vertices that changed.
  bool allInBody = llvm::all_of(table.writes(), [&](const Write &write) {
    return write.indices.empty() || write.op->getParentOp() == op.getOperation();
  });
  SmallVector<std::pair<Value, Value>> copies;
  SmallVector<const Write *> uniform;
  for (Value state : table.conflicts(!serial)) {
    SmallVector<const Write *> writers;
    for (const Write &write : table.writes())
      if (llvm::is_contained(write.states, state))
        writers.push_back(&write);
    auto shape = cast<graph::StateType>(state.getType()).getShape();
    if (writers.size() == 1 && writers[0]->rule == WriteRule::SameValue && writers[0]->owner == 1u && allInBody &&
        writers[0]->guard && table.differs(writers[0]->values[0], writers[0]->guard)) {
      plan.deferred.push_back(writers[0]->op);
      uniform.push_back(writers[0]);
    } else if (shape == graph::Shape::PerVertex) {
      Value next = b.create<exec::SnapshotOp>(loc, unique(stateName(state) + "_next"), state, Value(), Value(),
                                              simpleSchedule());
      plan.next[state] = next;
      copies.push_back({state, next});
    }
  }

  // Direction: pull where every changed vertex is the edge's target, whose updates then need no atomics.
  bool canPull = !serial;
  bool once = true; // every activation is a claim's: a vertex enters the next frontier once
  for (const Write &write : table.writes()) {
    if (write.indices.empty())
      continue;
    canPull &= write.owner == 1u;
    once &= write.rule == WriteRule::UnderClaim || (write.rule == WriteRule::Claim && write.owner == 1u);
  }
  for (Region *region : {&op.getWhere(), &op.getBody()})
    if (!region->empty() && !region->getArgument(2).use_empty())
      canPull = false;

  auto direction = canPull ? exec::Direction::Hybrid : exec::Direction::Push;
  if (auto wanted = op->getAttrOfType<StringAttr>("direction"); wanted && !serial) {
    if (wanted != "push" && !canPull) {
      auto error = emitError(cast<LocationAttr>(op->getAttr("schedule_place")))
                   << "[E0502] this propagate cannot pull: it writes at the source of an edge or uses the edge itself";
      error.attachNote(loc) << "the statement is here";
      return error;
    }
    direction = *exec::symbolizeDirection(wanted.getValue());
  }
  auto parameter = [&](const char *name, double fallback) {
    auto given = op->getAttrOfType<FloatAttr>(name);
    return given ? given.getValue() : llvm::APFloat(fallback);
  };

  Type levels = op.getLevels() ? op.getLevels().getType() : Type();
  auto loop = b.create<exec::PropagateOp>(loc, levels, nameFor(op, "propagate", {}), direction, op.getFrom(),
                                          op.getAtMost(), serial ? exec::Schedule::Serial : exec::Schedule::Dynamic,
                                          !once, parameter("alpha", 15), parameter("beta", 18));
  SmallVector<Attribute> argumentNames(op.getNames().begin(), op.getNames().end());
  loop->setAttr("names", names(argumentNames));
  KernelPlan pushPlan = plan;
  if (direction != exec::Direction::Pull)
    edgeKernel(op, loop.getPush(), pushPlan, false);
  if (direction != exec::Direction::Push) {
    KernelPlan pullPlan = plan;
    pullPlan.outer = 1;
    edgeKernel(op, loop.getPull(), pullPlan, true);
  }
  if (!copies.empty() || !uniform.empty()) {
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&loop.getCommit());
    Value v = body->addArgument(graph::VertexType::get(b.getContext()), loc);
    Value round = body->addArgument(b.getI32Type(), loc);
    auto store = [&](Value state, Value value) {
      b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, state, ValueRange{v},
                               value, false);
    };
    for (auto [state, next] : copies) {
      Type element = cast<graph::StateType>(state.getType()).getElement();
      store(state, b.create<graph::ReadOp>(loc, element, next, ValueRange{v}, false, false));
    }
    for (const Write *write : uniform) {
      KernelPlan none;
      KernelEmitter emitter(b, none, op);
      emitter.bind({&op.getWhere(), &op.getBody()}, 3, round);
      store(write->states[0], emitter.value(write->values[0]));
    }
  }
  if (!op.getUntil().empty()) {
    loop.getUntil().takeBody(op.getUntil());
    (void)block(loop.getUntil().front());
  }
  if (op.getLevels())
    op.getLevels().replaceAllUsesWith(loop.getLevels());
  op.erase();
  return success();
}

LogicalResult StatementLowerer::propagate(graph::PropagateOp op) {
  const EffectTable &table = *tables.at(op);
  if (!op->hasAttr("direction") && recogniseClosure(op, table))
    return success();
  if (op.getOrdered() && !serial)
    return ordered(op, table);
  return rounds(op, table);
}

} // namespace gcompile
