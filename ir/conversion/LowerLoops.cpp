#include "ir/Errors.h"
#include "ir/analysis/Legality.h"
#include "ir/analysis/Levels.h"
#include "ir/analysis/None.h"
#include "ir/conversion/GraphToExec.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Domains.h"

using namespace mlir;

namespace gcompile {

/// The direction: as scheduled; otherwise pull where all writes are at targets, so that each target is one thread's.
FailureOr<bool> GraphToExec::pulls(const EffectTable &table) const {
  Operation *op = table.statement().operation();
  if (serial)
    return false;
  Legality pull = canPull(table);
  if (auto wanted = schedule::said<schedule::Direction>(op)) {
    bool toPull = wanted.is(schedule::Direction::Pull);
    if (wanted.is(schedule::Direction::Push) || (toPull && pull))
      return toPull;
    refuse(wanted.place(), toPull ? "pull" : "change direction", toPull ? pull.reason : "only a 'propagate' has rounds",
           op->getLoc());
    return failure();
  }
  return formOf(table) == Form::Pull;
}

void GraphToExec::commit(StringRef name, Value over, ArrayRef<std::pair<Value, Value>> copies, Location loc) {
  auto kernel = b.create<exec::ParallelOp>(loc, unique(name.str()), graph::Domain::Vertices, over, simpleSchedule());
  kernel.setNamesAttr(names({b.getStringAttr("v")}));
  OpBuilder::InsertionGuard guard(b);
  Value v = b.createBlock(&kernel.getBody())->addArgument(graph::VertexType::get(b.getContext()), loc);
  for (auto [state, next] : copies) {
    Type element = cast<graph::StateType>(state.getType()).getElement();
    Value value = b.create<graph::ReadOp>(loc, element, next, ValueRange{v}, false, false);
    b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, state, ValueRange{v},
                             value, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
  }
}

Value GraphToExec::setOfExisting(Value vertex, Location loc) {
  if (mayBeNone(vertex))
    b.create<exec::RequireVertexOp>(loc, vertex);
  return b.create<graph::SetOfOp>(loc, ValueRange{vertex});
}

LogicalResult GraphToExec::loop(graph::ForOp op) {
  Location loc = op.getLoc();
  const EffectTable &table = *tables.at(op);
  auto segments = schedule::said<schedule::Segments>(op);
  bool inSegments = segments.is(schedule::Segments::Sources) && !serial;
  if (Legality legal = canSegment(table); inSegments && !legal)
    return refuse(segments.place(), "take its edges in segments", legal.reason, loc);
  KernelPlan plan;
  plan.table = &table;
  plan.serial = serial;
  b.setInsertionPoint(op);
  auto domain = op.getDomain();
  bool edges = graph::rangesOverEdges(domain);
  bool pull = false;
  if (edges) {
    FailureOr<bool> chosen = pulls(table);
    if (failed(chosen))
      return failure();
    pull = *chosen;
  }
  if (domain == graph::Domain::Vertices || edges)
    plan.outer = pull ? 1 : 0;

  // The snapshot rule: two copies of what is read at other elements than it is written.
  SmallVector<std::pair<Value, Value>> committed;
  bool everywhere = !op.getOver() || op.getOver().getDefiningOp<graph::AllVerticesOp>();
  for (Value state : table.conflicts(!serial)) {
    bool atOuter = plan.outer && !everywhere;
    for (const Write &write : table.writes())
      if (llvm::is_contained(write.states, state))
        atOuter &= write.owner == plan.outer;
    if (atOuter) {
      Value next = shadowState(state, "_next");
      plan.next[state] = next;
      committed.push_back({state, next});
      continue;
    }
    if (std::optional<Slices> slices = slicesOf(table, state)) {
      auto slice = [&](Value fixed, bool isRow) -> Value {
        if (!fixed)
          return {};
        return b.create<exec::SnapshotOp>(loc, unique(stateName(state) + (isRow ? "_row" : "_column")), state,
                                          isRow ? fixed : Value(), isRow ? Value() : fixed, simpleSchedule());
      };
      plan.slices[state] = {slice(slices->row, true), slice(slices->column, false)};
      continue;
    }
    plan.before[state] = b.create<exec::SnapshotOp>(loc, unique(stateName(state) + "_before"), state, Value(), Value(),
                                                    simpleSchedule());
  }

  SmallVector<Value> conditions;
  if (!op.getWhere().empty())
    conjuncts(yielded(op.getWhere()), conditions);
  SmallVector<Region *> regions{&op.getWhere(), &op.getBody()};
  KernelEmitter emitter(b, plan, op);
  bool apart = !serial && table.keepsLevelsApart();
  Operation *nextLevel = apart && !pull ? nextLevelCondition(table) : nullptr;
  if (nextLevel)
    cast<graph::BinaryOp>(nextLevel).setNextLevel(true);

  bool sharesList = graph::isList(domain) && !serial && options.sharesLists;
  if (graph::isList(domain) && !sharesList) { // one thread
    plan.serial = true;
    emitter.pattern(domain, op.getOver(), regions, op.getNames(), conditions, loc,
                    [&] { emitter.block(op.getBody().front()); });
    op.erase();
    return success();
  }

  std::string name = nameFor(op, "update", table.writtenStates());
  Value over = op.getOver();
  if (pull)
    over = b.create<graph::AllVerticesOp>(loc);
  if (sharesList)
    over = setOfExisting(over, loc);
  auto kernel = b.create<exec::ParallelOp>(loc, name, edges || sharesList ? graph::Domain::Vertices : domain, over,
                                           exec::Sharing::Serial);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&kernel.getBody());
    Type vertex = graph::VertexType::get(b.getContext());
    if (edges) {
      unsigned first = pull ? 1 : 0, second = pull ? 0 : 1;
      Value outer = body->addArgument(vertex, loc);
      emitter.bind(regions, first, outer);
      kernel.setNamesAttr(names({op.getNames()[first]}));
      for (auto [state, next] : committed) {
        Type element = cast<graph::StateType>(state.getType()).getElement();
        Value value = b.create<graph::ReadOp>(loc, element, state, ValueRange{outer}, false, false);
        b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, next,
                                 ValueRange{outer}, value, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
      }
      emitter.openConditions(conditions, regions, {second, 2}, loc);
      auto side = pull ? graph::edgesAtOther(domain) : graph::edgesAtActive(domain);
      emitter.adjacency(side, outer, second, 2, regions, op.getNames(), conditions, loc);
      emitter.openConditions(conditions, regions, {}, loc);
      emitter.block(op.getBody().front());
    } else if (sharesList) {
      kernel.setNamesAttr(names({b.getStringAttr("u")}));
      emitter.adjacency(domain, body->addArgument(vertex, loc), 0, 1, regions, op.getNames(), conditions, loc);
      emitter.openConditions(conditions, regions, {}, loc);
      emitter.block(op.getBody().front());
    } else {
      SmallVector<Attribute> argumentNames;
      for (unsigned i = 0; i < (domain == graph::Domain::Pairs ? 2u : 1u); ++i) {
        emitter.bind(regions, i, body->addArgument(vertex, loc));
        argumentNames.push_back(op.getNames()[i]);
      }
      kernel.setNamesAttr(names(argumentNames));
      for (auto [state, next] : committed) {
        Type element = cast<graph::StateType>(state.getType()).getElement();
        Value v = body->getArgument(0);
        Value value = b.create<graph::ReadOp>(loc, element, state, ValueRange{v}, false, false);
        b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, next, ValueRange{v},
                                 value, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
      }
      emitter.openConditions(conditions, regions, {}, loc);
      emitter.block(op.getBody().front());
    }
  }
  kernel.setSharing(schedule(kernel.getBody()));
  markDirection(kernel, domain);
  if (apart)
    kernel.setLevelsApart(true);
  if (nextLevel)
    kernel.setFromNextLevel(true);
  if (inSegments)
    kernel.setSegmentBytes(*segments.KiB() * 1024);
  else if (!serial && maySegment(table))
    kernel.setMaySegment(true);
  if (!committed.empty())
    commit("commit_" + stateName(committed.front().first), op.getOver(), committed, loc);
  op.erase();
  return success();
}

/// The lowered form of a sequential loop: `where` becomes a condition around the body.
void GraphToExec::sequentialLoop(graph::ForOp op) {
  if (op.getWhere().empty())
    return;
  b.setInsertionPointToStart(&op.getBody().front());
  SmallVector<Operation *> contents;
  for (Operation &inner : op.getBody().front())
    contents.push_back(&inner);
  KernelPlan plan;
  KernelEmitter emitter(b, plan, op);
  for (auto [from, to] : llvm::zip(op.getWhere().getArguments(), op.getBody().getArguments()))
    emitter.map.map(from, to);
  Value condition = emitter.value(yielded(op.getWhere()));
  auto branch = b.create<graph::IfOp>(op.getLoc(), condition);
  Block *then = b.createBlock(&branch.getThenRegion());
  for (Operation *inner : contents)
    inner->moveBefore(then, then->end());
  op.getWhere().getBlocks().clear();
}

void GraphToExec::reduce(graph::ReduceOp op) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  if (!serial && options.runtimeAlgorithms && isTriangleCount(op)) {
    op.getResult().replaceAllUsesWith(b.create<exec::CountTrianglesOp>(loc, b.getI64Type()).getResult());
    op.erase();
    return;
  }
  KernelPlan plan;
  plan.serial = serial;
  KernelEmitter emitter(b, plan, op);
  auto domain = op.getDomain();
  bool parallel = domain == graph::Domain::Vertices || domain == graph::Domain::Pairs || graph::rangesOverEdges(domain);
  // A table of modes is one thread's.
  bool sharesList = graph::isList(domain) && !serial && options.sharesLists && op.getKind() != graph::ReduceKind::Mode;
  exec::ReduceOp result;
  if (!parallel && !sharesList) {
    result = b.create<exec::ReduceOp>(loc, op.getResult().getType(), op.getKind(), StringAttr(), graph::DomainAttr(),
                                      Value(), exec::Sharing::Serial);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&result.getBody());
    emitter.contributions(op, Value());
  } else {
    bool pairs = domain == graph::Domain::Pairs;
    std::string name =
        unique((stringifyReduceKind(op.getKind()) + "_" + cast<StringAttr>(op.getNames()[0]).getValue()).str());
    result = b.create<exec::ReduceOp>(
        loc, op.getResult().getType(), op.getKind(), b.getStringAttr(name),
        graph::DomainAttr::get(b.getContext(), pairs ? graph::Domain::Pairs : graph::Domain::Vertices),
        pairs        ? Value()
        : sharesList ? setOfExisting(op.getOver(), loc)
                     : op.getOver(),
        exec::Sharing::Serial);
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&result.getBody());
    Type vertex = graph::VertexType::get(b.getContext());
    SmallVector<Attribute> argumentNames{sharesList ? Attribute(b.getStringAttr("u")) : op.getNames()[0]};
    Value outer = body->addArgument(vertex, loc);
    SmallVector<Region *> regions{&op.getWhere(), &op.getValue()};
    if (!sharesList)
      emitter.bind(regions, 0, outer);
    if (pairs) {
      emitter.bind(regions, 1, body->addArgument(vertex, loc));
      argumentNames.push_back(op.getNames()[1]);
    }
    result.setNamesAttr(names(argumentNames));
    emitter.contributions(op, outer);
    markDirection(result, domain);
    result.setSharing(schedule(result.getBody()));
  }
  op.getResult().replaceAllUsesWith(result.getResult());
  op.erase();
}

void GraphToExec::filter(graph::SetFilterOp op) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  KernelPlan plan;
  KernelEmitter emitter(b, plan, op);
  auto result = b.create<exec::FilterOp>(loc, op.getType(), unique("filter"), op.getSet(), exec::Sharing::Serial);
  if (ArrayAttr argumentNames = op.getNamesAttr())
    result.setNamesAttr(argumentNames);
  {
    OpBuilder::InsertionGuard guard(b);
    Value v = b.createBlock(&result.getWhere())->addArgument(graph::VertexType::get(b.getContext()), loc);
    emitter.map.map(op.getWhere().getArgument(0), v);
    Value condition = emitter.value(yielded(op.getWhere()));
    b.create<graph::YieldOp>(loc, condition);
  }
  result.setSharing(schedule(result.getWhere()));
  op.getResult().replaceAllUsesWith(result.getResult());
  op.erase();
}

} // namespace gcompile
