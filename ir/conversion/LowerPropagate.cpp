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
  bool hasRounds = plan.serial || (!op.getOrdered() && !schedule::runsAsynchronously(op));
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
  if (plan.sums)
    emitter.take(side == graph::Domain::OutOf  ? graph::Side::Out
                 : side == graph::Domain::Into ? graph::Side::In
                                               : graph::Side::Both,
                 outer, loc);
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

void GraphToExec::markWidth(Operation *loop, const PriorityOrder &order) {
  Block &arguments = cast<graph::AlgorithmOp>(root).getBody().front();
  auto areWeights = [&](unsigned argument) {
    auto state = dyn_cast<graph::StateType>(arguments.getArgument(argument).getType());
    return state && (state.getShape() == graph::Shape::PerEdge || state.getShape() == graph::Shape::PerVertex) &&
           state.getElement().isIntOrFloat() && !state.getElement().isInteger(1);
  };
  for (ArrayRef<unsigned> each : {ArrayRef(order.terms), ArrayRef(order.bounds)})
    if (const auto *weights = llvm::find_if(each, areWeights); weights != each.end()) {
      llvm::TypeSwitch<Operation *>(loop).Case<exec::OrderedOp, exec::AsynchronousOp>(
          [&](auto op) { op.setGrowsBy(*weights); });
      return;
    }
}

/// Sets what the schedule says of rounds that push; refuses what is illegal where they run in this form. `copied`: the
/// propagate keeps two copies of what it writes. `waits`: it does, or writes some of it at the end of a round.
LogicalResult GraphToExec::applySchedule(graph::PropagateOp op, exec::PropagateOp loop, const EffectTable &table,
                                         Form form, bool copied, bool waits) {
  bool allPull = form == Form::Pull;
  if (auto frontier = schedule::said<schedule::Frontier>(op)) {
    if (allPull)
      return refuse(frontier.place(), "choose the form of its frontier", "all its rounds pull", op.getLoc());
    SmallVector<double> given;
    const std::optional<double> options[] = {frontier.flush(), frontier.T1(),   frontier.T2(),   frontier.T3(),
                                             frontier.alpha(), frontier.beta(), frontier.least()};
    for (const std::optional<double> &option : options)
      if (option)
        given.push_back(*option);
    loop.setFrontier(frontier.is(schedule::Frontier::Serial)  ? exec::FrontierKind::Serial
                     : frontier.is(schedule::Frontier::Queue) ? exec::FrontierKind::Queue
                     : frontier.is(schedule::Frontier::Read)  ? exec::FrontierKind::Read
                                                              : exec::FrontierKind::Hybrid);
    loop.setFrontierOptionsAttr(b.getF64ArrayAttr(given));
  }
  if (auto gather = schedule::said<schedule::Gather>(op)) {
    if (allPull)
      return refuse(gather.place(), "choose how lists are gathered", "all its rounds pull", op.getLoc());
    bool scan = gather.has(schedule::Gather::Scan), warp = gather.has(schedule::Gather::Warp),
         cta = gather.has(schedule::Gather::Cta);
    bool block = gather.has(schedule::Gather::BlockScan);
    loop.setGather(scan && warp    ? exec::Gather::ScanWarpCta
                   : block && warp ? exec::Gather::BlockScanWarpCta
                   : scan          ? exec::Gather::Scan
                   : block         ? exec::Gather::BlockScan
                   : warp          ? exec::Gather::Warp
                   : cta           ? exec::Gather::Cta
                                   : exec::Gather::Serial);
    loop.setGatherPlaceAttr(LocationAttr(gather.place()));
  }
  if (auto phases = schedule::said<schedule::Phases>(op); phases && !phases.is(schedule::Phases::ExpandContract)) {
    if (allPull)
      return refuse(phases.place(), "list the edges of its frontier", "all its rounds pull", op.getLoc());
    bool twoPhase = phases.is(schedule::Phases::TwoPhase), hybrid = phases.is(schedule::Phases::Hybrid);
    const char *reason = twoPhase                ? nullptr
                         : op.getLevels()        ? "the levels that it keeps are vertices"
                         : waits                 ? "what waits for the end of a round is written at its vertices"
                         : !activatesOnce(table) ? "a vertex may be activated several times in a round"
                                                 : nullptr;
    if (reason)
      return refuse(phases.place(), "keep its frontier as edges", reason, op.getLoc());
    loop.setPhases(twoPhase ? exec::Phases::TwoPhase : hybrid ? exec::Phases::Hybrid : exec::Phases::ContractExpand);
    if (hybrid)
      loop.setFewEdges(phases.edges());
    loop.setPhasesPlaceAttr(LocationAttr(phases.place()));
  }
  if (auto status = schedule::said<schedule::Status>(op); status.is(schedule::Status::Bitmap)) {
    const Write *claim = table.claim();
    const bool several =
        llvm::count_if(table.writes(), [](const Write &write) { return write.rule == WriteRule::Claim; }) > 1;
    if (!claim || !claim->isAtVertex() || allPull || several)
      return refuse(status.place(), "keep a bitmap of what is claimed",
                    allPull   ? "all its rounds pull, and look only for what is not claimed"
                    : several ? "it has several claims, and a bit says only whether one of them is won"
                    : claim   ? "what it claims are edges"
                              : "it claims nothing: several edges may change a vertex in turn",
                    op.getLoc());
    loop.setClaimBitmap(true);
  }
  if (auto cull = schedule::said<schedule::Cull>(op)) {
    Legality shared = toleratesSeveralWinners(table);
    std::string reason = allPull          ? "all its rounds pull, each vertex once"
                         : op.getLevels() ? "the levels that it keeps have each vertex once"
                         : !shared        ? shared.reason
                         : copied         ? "it keeps two copies of what it writes"
                                          : "";
    if (!reason.empty())
      return refuse(cull.place(), "claim without atomic operations and cull copies", reason, op.getLoc());
    loop.setCullWarp(cull.size(schedule::Cull::Warp).value_or(0));
    loop.setCullHistory(cull.size(schedule::Cull::History).value_or(0));
  }
  if (auto place = schedule::said<schedule::Loop>(op))
    loop.setLoop(place.is(schedule::Loop::Device) ? exec::LoopPlace::Device : exec::LoopPlace::Host);
  return success();
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
  Beyond beyond = rememberBeyond(op, table);

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
  auto wanted = schedule::said<schedule::Direction>(op);
  if (wanted && !wanted.is(schedule::Direction::Push) && !serial && !pull)
    return refuse(wanted.place(), "pull", pull.reason, loc);
  Form form = serial ? Form::Push : formOf(table);
  if (form == Form::Components)
    form = options.pullsLabels && pull ? Form::Hybrid : Form::Push;
  auto direction = form == Form::Push   ? exec::Direction::Push
                   : form == Form::Pull ? exec::Direction::Pull
                                        : exec::Direction::Hybrid;

  bool byGrowth = wanted.is(schedule::Direction::Growth) && !serial;
  const bool endsEarly = static_cast<bool>(canExitEarly(table));
  double alpha = wanted.alpha().value_or(endsEarly ? options.alphaEndingEarly : options.alpha);
  Type levels = op.getLevels() ? op.getLevels().getType() : Type();
  auto loop = b.create<exec::PropagateOp>(
      loc, levels, nameFor(op, "propagate", {}), direction, op.getFrom(), op.getAtMost(),
      serial ? exec::Sharing::Serial : exec::Sharing::Dynamic, !activatesOnce(table), llvm::APFloat(alpha),
      llvm::APFloat(wanted.beta().value_or(18)), byGrowth, exec::FrontierKindAttr(), ArrayAttr());
  if (options.byWork && direction == exec::Direction::Hybrid && !byGrowth && !wanted.alpha() &&
      (endsEarly || table.frontierExcludesWritten()))
    loop.setByWork(endsEarly ? exec::PullWork::First : exec::PullWork::All);
  if (!serial && failed(applySchedule(op, loop, table, form, !copies.empty(), !copies.empty() || !uniform.empty())))
    return failure();
  if (!serial && direction != exec::Direction::Pull) {
    loop.setHandOverAttr(op.getHandOverAttr());
    loop.setCrossingAttr(op.getCrossingAttr());
  }
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
                               value, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
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
  if (!op.getUntil().empty() && !op.getOrdered()) {
    loop.getUntil().takeBody(op.getUntil());
    (void)block(loop.getUntil().front());
  }
  if (op.getLevels())
    op.getLevels().replaceAllUsesWith(loop.getLevels());
  restoreBeyond(op, beyond);
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
  if (schedule::runsAsynchronously(op) && !serial)
    return asynchronous(op, table);
  if (op.getOrdered() && !serial)
    return ordered(op, table);
  return rounds(op, table);
}

} // namespace gcompile
