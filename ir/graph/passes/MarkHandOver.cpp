#include "ir/Errors.h"
#include "ir/analysis/Effects.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"
#include "ir/graph/passes/Placement.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MARKHANDOVER
#include "ir/graph/Passes.h.inc"

namespace {

/// Why the rounds of a propagate cannot go over to the other side; empty: they can.
std::string whyNot(graph::PropagateOp op, const InfinityAnalysis &infinity) {
  if (!isa<graph::AlgorithmOp>(op->getParentOp()))
    return "it stands in a loop or a choice";
  if (op.getOrdered())
    return "it runs in the order of a priority";
  if (!op.getUntil().empty())
    return "the CPU evaluates 'until' after each round";
  if (op.getLevels())
    return "it keeps its levels";
  for (Operation &before : *op->getBlock()) {
    if (&before == op)
      break;
    if (!isCheap(&before))
      return "both sides would have to run what stands before it, which is more than a loop over vertices";
  }
  llvm::StringMap<unsigned> named;
  op->getParentOp()->walk([&](graph::StateOp state) { ++named[state.getName()]; });
  const EffectTable table(op, infinity);
  for (const Write &write : table.writes())
    for (Value state : write.states) {
      if (!write.isAtVertex() || cast<graph::StateType>(state.getType()).getShape() != graph::Shape::PerVertex)
        return "it changes more than values of vertices";
      if (!state.getDefiningOp<graph::StateOp>() || named.lookup(graph::nameOf(state)) > 1)
        return "the name of a state that it changes is that of another one, too";
    }
  return "";
}

struct MarkHandOver : impl::MarkHandOverBase<MarkHandOver> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (failed(mark(algorithm)))
        signalPassFailure();
  }

  /// A statement that the schedule wants on one side, whatever the others do; null: there is none.
  static Operation *onSideOfItsOwn(graph::AlgorithmOp algorithm) {
    Operation *found = nullptr;
    graph::walkHolders(algorithm, [&](Operation *op) {
      if (op != algorithm && wantedSide(op) != exec::Side::Chosen)
        found = op;
    });
    return found;
  }

  /// A program goes over once: in the statement that the schedule names, else in the first one that can.
  static LogicalResult mark(graph::AlgorithmOp algorithm) {
    InfinityAnalysis infinity(algorithm);
    SmallVector<graph::PropagateOp> wanted, all;
    graph::walkHolders(algorithm, [&](graph::PropagateOp op) { all.push_back(op); });
    llvm::copy_if(all, std::back_inserter(wanted),
                  [](auto op) { return schedule::said<schedule::On>(op).is(schedule::On::Migrate); });
    if (Operation *placed = onSideOfItsOwn(algorithm)) {
      if (wanted.empty())
        return success();
      return refuse(schedule::said<schedule::On>(wanted.front()).place(), "go over to the GPU",
                    "another statement has a side of its own", wanted.front().getLoc())
                 .attachNote(schedule::said<schedule::On>(placed).place())
             << "this says so";
    }
    for (graph::PropagateOp op : wanted.empty() ? all : wanted) {
      if (!whyNot(op, infinity).empty())
        continue;
      auto on = schedule::said<schedule::On>(op);
      Builder b(op.getContext());
      SmallVector<StringRef> states;
      const EffectTable table(op, infinity);
      for (Value state : table.writtenStates())
        states.push_back(state.getDefiningOp<graph::StateOp>().getName());
      op.setHandOverAttr(b.getF64ArrayAttr({on ? on.T4().value() : 16384.0, on ? on.alpha().value() : 2.0}));
      op.setCrossingAttr(b.getStrArrayAttr(states));
      return success();
    }
    if (wanted.empty())
      return success();
    graph::PropagateOp first = wanted.front();
    return refuse(schedule::said<schedule::On>(first).place(), "go over to the GPU", whyNot(first, infinity),
                  first.getLoc());
  }
};

} // namespace
} // namespace gcompile
