// Which ends of edges may drive a statement, and which one does.
#include "ir/analysis/Legality.h"
#include "ir/analysis/Repeats.h"
#include "ir/schedule/Schedule.h"

using namespace mlir;

namespace gcompile {

/// What a statement over the edges of many vertices asks of the edge itself.
static SmallVector<Operation *> usesOfEdge(const EffectTable &table) {
  const Statement &st = table.statement();
  SmallVector<Operation *> uses;
  for (Region *region : {&st.where(), &st.body()})
    if (!region->empty())
      llvm::append_range(uses, region->getArgument(2).getUsers());
  return uses;
}

bool asksForEdge(const EffectTable &table) { return !usesOfEdge(table).empty(); }

bool asksOnlyForColumns(const EffectTable &table) {
  return llvm::all_of(usesOfEdge(table), [](Operation *user) {
    auto read = dyn_cast<graph::ReadOp>(user);
    return read && graph::isEdgeColumn(read.getState());
  });
}

Legality canPull(const EffectTable &table) {
  const Statement &st = table.statement();
  auto domain = st.domain();
  if (!graph::rangesOverEdges(domain))
    return {false, "it does not range over the edges of many vertices"};
  if (st.ordered())
    return {false, "it runs by priority, which pushes"};
  auto algorithm = st.operation()->getParentOfType<graph::AlgorithmOp>();
  const bool directed = algorithm && algorithm.getDirectedness() == "directed";
  if (domain == graph::Domain::EdgesBoth && !directed && !asksOnlyForColumns(table))
    return {false, "it asks for the edge itself, which an undirected graph has once for each end"};
  if (st.isPropagate()) {
    for (const Write &write : table.writes())
      if (!write.indices.empty() && write.owner != 1u)
        return {false, std::string("it changes more than the ") + st.otherEnd() + " of the edge"};
    return {true, std::string("it changes nothing but the ") + st.otherEnd() + " of the edge"};
  }
  if (!st.over().getDefiningOp<graph::AllVerticesOp>())
    return {false, "it does not start from every vertex"};
  return {true, "it starts from every vertex"};
}

bool writesOnlyTargets(const EffectTable &table) {
  bool targets = false;
  for (const Write &write : table.writes()) {
    if (!write.indices.empty() && write.owner != 1u)
      return false;
    targets |= !write.indices.empty();
  }
  return targets;
}

Legality canExitEarly(const EffectTable &table) {
  if (Legality pull = canPull(table); !pull || !table.statement().isPropagate())
    return {false, pull ? "only a 'propagate' stops early" : "it cannot pull"};
  const Write *claim = table.claim();
  if (!claim && !table.writes().empty() && llvm::all_of(table.writes(), [&](const Write &write) {
        return write.rule == WriteRule::SameValue && write.owner == 1u &&
               write.op->getParentOp() == table.statement().operation();
      }))
    return {true, "every further edge would write the same"};
  if (!claim || claim->owner != 1u)
    return {false, std::string("it has no claim at the ") + table.statement().otherEnd() + ", so every edge counts"};
  if (claim->op->getParentOp() != table.statement().operation())
    return {false, "the claim stands under a further condition"};
  return {true, "once the claim is won, the guard is false for every further edge"};
}

Form formOf(const EffectTable &table) {
  const Statement &st = table.statement();
  Operation *op = st.operation();
  auto wanted = schedule::said<schedule::Direction>(op);
  if (schedule::runsAsynchronously(op))
    return Form::Asynchronous;
  bool traversed = wanted || schedule::said<schedule::Frontier>(op) || schedule::said<schedule::Gather>(op) ||
                   schedule::said<schedule::Phases>(op) || schedule::said<schedule::Loop>(op);
  if (st.isPropagate() && !traversed && isComponentMinimum(table))
    return Form::Components;
  if (st.ordered())
    return Form::Ordered;
  if (!st.isPropagate() && !graph::rangesOverEdges(st.domain()))
    return Form::Once;
  if (wanted)
    return wanted.is(schedule::Direction::Push)   ? Form::Push
           : wanted.is(schedule::Direction::Pull) ? Form::Pull
                                                  : Form::Hybrid;
  if (!canPull(table))
    return Form::Push;
  if (st.isPropagate()) // the number of an edge is at hand in its source's list alone
    return asksForEdge(table) ? Form::Push : Form::Hybrid;
  // Once, properties of edges would be copied into the other order for as much as atomic updates cost.
  const bool cheap = !asksForEdge(table) || (asksOnlyForColumns(table) && standsInLoop(st.operation()));
  return writesOnlyTargets(table) && cheap ? Form::Pull : Form::Push;
}

} // namespace gcompile
