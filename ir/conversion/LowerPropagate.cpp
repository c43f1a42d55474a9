#include "ir/Errors.h"
#include "ir/analysis/Legality.h"
#include "ir/conversion/GraphToExec.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/passes/gpu/Culling.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// Delta-stepping.
LogicalResult GraphToExec::ordered(graph::PropagateOp op, const EffectTable &table) {
  Value priority = op.getOrdered();
  PriorityOrder order = canRunByPriority(table);
  if (!order)
    return report(op.getLoc(), diag::cannot_order, stateName(priority), order.reason);
  if (auto wanted = op->getAttrOfType<StringAttr>("direction"); wanted && wanted != "push") {
    auto error = report(cast<LocationAttr>(op->getAttr("schedule_place")), diag::illegal_schedule,
                        wanted == "pull" ? "pull" : "change direction",
                        "it runs in the order of '" + stateName(priority) + "', which pushes");
    error.attachNote(op.getLoc()) << "the statement is here";
    return error;
  }
  requireNonnegative(order.terms);

  b.setInsertionPoint(op);
  KernelPlan plan;
  plan.table = &table;
  plan.outer = 0;
  plan.activates = true;
  plan.together = table.readTogether();
  auto delta = op->getAttrOfType<IntegerAttr>("delta");
  auto loop = b.create<exec::OrderedOp>(op.getLoc(), nameFor(op, "relax", table.writtenStates()), op.getFrom(),
                                        priority, delta ? delta.getInt() : 0, op->getAttrOfType<IntegerAttr>("fusion"),
                                        exec::Sharing::Dynamic);
  edgeKernel(op, loop.getPush(), plan, false);
  markTerms(loop, order.terms);
  loop.setNamesAttr(names({op.getNames()[0]}));
  markDirection(loop, op.getDomain());
  op.erase();
  return success();
}

/// Fills `kernel` with the edges of one frontier vertex (push), or with the edges from the frontier to one vertex
/// (pull).
void GraphToExec::edgeKernel(graph::PropagateOp op, Region &kernel, KernelPlan &plan, bool pull) {
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
  bool hasRounds = plan.serial || (!op.getOrdered() && !op->hasAttr("asynchronous"));
  Value round = !hasRounds ? Value() : Value(body->addArgument(b.getI32Type(), loc));
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

  emitter.readTogether(outer, loc);
  emitter.openConditions(conditions, regions, {second, 2}, loc);
  auto side = pull ? graph::edgesAtOther(op.getDomain()) : graph::edgesAtActive(op.getDomain());
  emitter.adjacency(side, outer, second, 2, regions, op.getNames(), conditions, loc);
  if (pull) {
    auto member = b.create<exec::InFrontierOp>(loc, emitter.map.lookup(op.getBody().getArgument(0)));
    auto branch = b.create<graph::IfOp>(loc, member);
    b.createBlock(&branch.getThenRegion());
  }
  emitter.openConditions(conditions, regions, {}, loc);
  emitter.block(op.getBody().front());
  if (pull && canExitEarly(table))
    b.create<exec::BreakOp>(loc);
}

void GraphToExec::requireNonnegative(ArrayRef<unsigned> terms) {
  auto algorithm = cast<graph::AlgorithmOp>(root);
  SmallVector<Attribute> arguments(algorithm.getArguments().getValue());
  for (unsigned term : terms) {
    NamedAttrList entry(cast<DictionaryAttr>(arguments[term]));
    entry.set("nonnegative", b.getUnitAttr());
    arguments[term] = entry.getDictionary(b.getContext());
  }
  algorithm.setArgumentsAttr(b.getArrayAttr(arguments));
}

void GraphToExec::markTerms(Operation *loop, ArrayRef<unsigned> terms) {
  Block &arguments = cast<graph::AlgorithmOp>(root).getBody().front();
  for (unsigned term : terms)
    if (isa<graph::StateType>(arguments.getArgument(term).getType())) {
      llvm::TypeSwitch<Operation *>(loop).Case<exec::OrderedOp, exec::AsynchronousOp>(
          [&](auto op) { op.setGrowsBy(term); });
      return;
    }
}

LogicalResult GraphToExec::rounds(graph::PropagateOp op, const EffectTable &table) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  KernelPlan plan;
  plan.table = &table;
  plan.serial = serial;
  plan.activates = true;
  plan.outer = 0;

  plan.replayed = serial ? &replayed : nullptr;

  // The snapshot rule: writes that would be seen too early go to a second array, or wait for the commit if they are the
  // same for the whole round; the commit copies them for the vertices that changed.
  SmallVector<std::pair<Value, Value>> copies;
  SmallVector<const Write *> uniform;
  for (Value state : table.conflicts(!serial)) {
    if (snapshotOf(table, state, !serial) == Snapshot::Commit) {
      const Write *write =
          llvm::find_if(table.writes(), [&](const Write &write) { return llvm::is_contained(write.states, state); });
      plan.deferred.push_back(write->op);
      uniform.push_back(write);
    } else if (cast<graph::StateType>(state.getType()).getShape() == graph::Shape::PerVertex) {
      Value next = b.create<exec::SnapshotOp>(loc, unique(stateName(state) + "_next"), state, Value(), Value(),
                                              simpleSchedule());
      plan.next[state] = next;
      copies.push_back({state, next});
    }
  }

  // Direction: pull where every changed vertex is the edge's target, whose updates then need no atomics.
  Legality pull = canPull(table);
  if (auto wanted = op->getAttrOfType<StringAttr>("direction"); wanted && wanted != "push" && !serial && !pull) {
    auto error = report(cast<LocationAttr>(op->getAttr("schedule_place")), diag::illegal_schedule, "pull", pull.reason);
    error.attachNote(loc) << "the statement is here";
    return error;
  }
  Form form = serial ? Form::Push : formOf(table);
  if (form == Form::Components)
    form = Form::Push;
  auto direction = form == Form::Push   ? exec::Direction::Push
                   : form == Form::Pull ? exec::Direction::Pull
                                        : exec::Direction::Hybrid;
  auto parameter = [&](const char *name, double fallback) {
    auto given = op->getAttrOfType<FloatAttr>(name);
    return given ? given.getValue() : llvm::APFloat(fallback);
  };

  bool byGrowth = op->hasAttr("by_growth") && !serial;
  double alpha = byGrowth ? 64 : canExitEarly(table) ? options.alphaEndingEarly : options.alpha;
  Type levels = op.getLevels() ? op.getLevels().getType() : Type();
  auto loop = b.create<exec::PropagateOp>(
      loc, levels, nameFor(op, "propagate", {}), direction, op.getFrom(), op.getAtMost(),
      serial ? exec::Sharing::Serial : exec::Sharing::Dynamic, !activatesOnce(table), parameter("alpha", alpha),
      parameter("beta", byGrowth ? 2 : 18), byGrowth, exec::FrontierKindAttr(), ArrayAttr());
  if (auto kind = op->getAttrOfType<exec::FrontierKindAttr>("frontier"); kind && !serial) {
    if (form == Form::Pull) {
      auto error = report(cast<LocationAttr>(op->getAttr("schedule_place")), diag::illegal_schedule,
                          "choose the form of its frontier", "all its rounds pull");
      error.attachNote(loc) << "the statement is here";
      return error;
    }
    SmallVector<double> options;
    auto option = [&](const char *name, double fallback) {
      options.push_back(parameter(name, fallback).convertToDouble());
    };
    bool hybrid = kind.getValue() == exec::FrontierKind::Hybrid;
    if (hybrid || kind.getValue() == exec::FrontierKind::Queue)
      option("frontier_T1", hybrid ? 64 : 255);
    if (hybrid) {
      option("frontier_T2", 0.01);
      option("frontier_T3", 2048);
      option("frontier_alpha", 2);
      option("frontier_beta", 2);
    }
    loop.setFrontierAttr(kind);
    loop.setFrontierOptionsAttr(b.getF64ArrayAttr(options));
  }
  if (auto place = op->getAttrOfType<LocationAttr>("gather_place"); place && !serial && form == Form::Pull) {
    auto error = report(place, diag::illegal_schedule, "choose how lists are gathered", "all its rounds pull");
    error.attachNote(loc) << "the statement is here";
    return error;
  }
  if (auto place = op->getAttrOfType<LocationAttr>("status_place"); place && !serial) {
    const Write *claim = table.claim();
    if (!claim || !claim->isAtVertex() || form == Form::Pull) {
      auto error = report(place, diag::illegal_schedule, "keep a bitmap of what is claimed",
                          form == Form::Pull ? "all its rounds pull, and look only for what is not claimed"
                          : claim            ? "what it claims are edges"
                                             : "it claims nothing: several edges may change a vertex in turn");
      error.attachNote(loc) << "the statement is here";
      return error;
    }
    loop.setClaimBitmap(true);
  }
  if (auto place = op->getAttrOfType<LocationAttr>("cull_place"); place && !serial) {
    Legality shared = toleratesSeveralWinners(table);
    std::string reason = form == Form::Pull ? "all its rounds pull, each vertex once"
                         : op.getLevels()   ? "the levels that it keeps have each vertex once"
                         : !shared          ? shared.reason
                         : !copies.empty()  ? "it keeps two copies of what it writes"
                                            : "";
    if (!reason.empty()) {
      auto error = report(place, diag::illegal_schedule, "claim without atomic operations and cull copies", reason);
      error.attachNote(loc) << "the statement is here";
      return error;
    }
    loop.setCullWarp(op->getAttrOfType<IntegerAttr>(cullWarpAttr).getInt());
    loop.setCullHistory(op->getAttrOfType<IntegerAttr>(cullHistoryAttr).getInt());
  }
  if (auto gather = op->getAttrOfType<StringAttr>("gather"); gather && !serial) {
    loop.setGather(*exec::symbolizeGather(gather.getValue()));
    loop->setAttr("gather_place", op->getAttr("gather_place"));
  }
  if (auto place = op->getAttrOfType<StringAttr>("loop"); place && !serial)
    loop.setLoop(*exec::symbolizeLoopPlace(place.getValue()));
  SmallVector<Attribute> argumentNames(op.getNames().begin(), op.getNames().end());
  loop.setNamesAttr(names(argumentNames));
  markDirection(loop, op.getDomain());
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

LogicalResult GraphToExec::propagate(graph::PropagateOp op) {
  const EffectTable &table = *tables.at(op);
  if (!serial && options.runtimeAlgorithms && formOf(table) == Form::Components) {
    Value state = table.writes()[0].states[0];
    b.setInsertionPoint(op);
    b.create<exec::ComponentMinOp>(op.getLoc(), state, startsAsSelf(state, op));
    op.erase();
    return success();
  }
  if (op->hasAttr("asynchronous") && !serial)
    return asynchronous(op, table);
  if (op.getOrdered() && !serial)
    return ordered(op, table);
  return rounds(op, table);
}

} // namespace gcompile
