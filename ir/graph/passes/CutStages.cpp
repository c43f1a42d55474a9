#include "ir/Errors.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"
#include "ir/graph/passes/Placement.h"
#include "ir/schedule/Schedule.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CUTSTAGES
#include "ir/graph/Passes.h.inc"

namespace {

Location placeOf(Operation *op) { return schedule::said<schedule::On>(op).place(); }

/// Where a statement begins with the values that are computed right before it, which are for it.
Operation *withValues(Operation *op) {
  while (op->getPrevNode() && isPlainValue(op->getPrevNode()))
    op = op->getPrevNode();
  return op;
}

/// The statements of an algorithm's own sequence, and where they can be cut.
class Sequence {
public:
  explicit Sequence(graph::AlgorithmOp algorithm) : algorithm(algorithm) {
    Block &block = algorithm.getBody().front();
    for (Operation &op : block)
      number.try_emplace(&op, number.size());
    heldBy.resize(number.size());
    for (Operation &op : block) {
      if (isa<graph::StateOp, graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::AllVerticesOp>(op))
        continue; // can be had wherever it is used
      for (Operation *user : op.getUsers())
        for (unsigned k = number[&op] + 1; k <= number[block.findAncestorOpInBlock(*user)]; ++k)
          heldBy[k] = &op;
    }
  }

  /// Puts exec.next_stage in front of each stage, if there are several, or the schedule has placed one. What costs
  /// little goes with the statement behind it, but what stands before the first of those is a stage of its own.
  LogicalResult cut() {
    SmallVector<Operation *> starts; // of stages
    unsigned stages = 0;
    Operation *last = nullptr;   // the last statement that costs
    Operation *placed = nullptr; // by the schedule, in the stage of `last`
    bool anyPlaced = false;
    for (Operation &op : algorithm.getBody().front()) {
      exec::Side side = wantedSide(&op);
      if (isCheap(&op) && side == exec::Side::Chosen)
        continue;
      Operation *start = last ? last->getNextNode() : withValues(&op);
      Operation *value = heldBy[number[start]];
      if (!value)
        starts.push_back(start);
      if (!value || !last) {
        ++stages;
        placed = nullptr;
      }
      if (side != exec::Side::Chosen) {
        if (placed && side != wantedSide(placed))
          return refuse(placeOf(&op), "run on another side than the one before it", "a value holds them together",
                        op.getLoc())
                     .attachNote(value->getLoc())
                 << "this is the value";
        placed = &op;
        anyPlaced = true;
      }
      last = &op;
    }
    if (stages < 2 && !anyPlaced)
      return success();
    for (Operation *op : starts)
      OpBuilder(op).create<exec::NextStageOp>(op->getLoc());
    // Both forms know them by their numbers; a form makes states of its own beside them.
    Builder b(algorithm.getContext());
    for (auto [k, state] : llvm::enumerate(algorithm.getBody().getOps<graph::StateOp>()))
      state->setAttr(handedAttribute, b.getI64IntegerAttr(static_cast<std::int64_t>(k)));
    return success();
  }

private:
  graph::AlgorithmOp algorithm;
  llvm::DenseMap<Operation *, unsigned> number;
  SmallVector<Operation *> heldBy; // of each statement: a value from before it that is used in it or behind it
};

struct CutStages : impl::CutStagesBase<CutStages> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (failed(cut(algorithm)))
        return signalPassFailure();
  }

  static LogicalResult cut(graph::AlgorithmOp algorithm) {
    bool goesOver = false;
    Operation *nested = nullptr, *placed = nullptr;
    graph::walkHolders(algorithm, [&](Operation *op) {
      if (auto propagate = dyn_cast<graph::PropagateOp>(op))
        goesOver |= propagate.getHandOver().has_value();
      if (op == algorithm || wantedSide(op) == exec::Side::Chosen)
        return;
      placed = op;
      if (op->getParentOp() != algorithm)
        nested = op;
    });
    if (nested)
      return refuse(placeOf(nested), "have a side of its own", "it stands in a loop or a choice", nested->getLoc());
    bool whole = wantedSide(algorithm) != exec::Side::Chosen && !placed;
    return goesOver || whole ? success() : Sequence(algorithm).cut();
  }
};

} // namespace
} // namespace gcompile
