// Which ends of edges may drive a statement, and which one does.
#include "ir/analysis/Legality.h"
#include "ir/schedule/Schedule.h"

using namespace mlir;

namespace gcompile {

bool asksForEdge(const EffectTable &table) {
  const Statement &st = table.statement();
  return llvm::any_of(llvm::ArrayRef<Region *>{&st.where(), &st.body()},
                      [](Region *region) { return !region->empty() && !region->getArgument(2).use_empty(); });
}

Legality canPull(const EffectTable &table) {
  const Statement &st = table.statement();
  auto domain = st.domain();
  if (!graph::rangesOverEdges(domain))
    return {false, "it does not range over the edges of many vertices"};
  if (st.ordered())
    return {false, "it runs by priority, which pushes"};
  if (st.isPropagate()) {
    for (const Write &write : table.writes())
      if (!write.indices.empty() && write.owner != 1u)
        return {false, std::string("it changes more than the ") + st.otherEnd() + " of the edge"};
    return {true, std::string("it changes nothing but the ") + st.otherEnd() + " of the edge"};
  }
  if (asksForEdge(table))
    return {false, "it uses the edge itself"};
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
                   schedule::said<schedule::Loop>(op);
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
  return writesOnlyTargets(table) ? Form::Pull : Form::Push;
}

} // namespace gcompile
