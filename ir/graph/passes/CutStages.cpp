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

/// The body of a loop that may be cut; null for other statements.
Block *bodyOf(Operation *op) {
  if (auto loop = dyn_cast<graph::WhileOp>(op))
    return &loop.getBody().front();
  auto loop = dyn_cast<graph::RepeatOp>(op);
  return loop ? &loop.getBody().front() : nullptr;
}

/// Whether the schedule wants a side for a statement right in a loop.
bool isPlacedInside(Operation *op) {
  Block *body = bodyOf(op);
  return body && llvm::any_of(*body, [](Operation &each) { return wantedSide(&each) != exec::Side::Chosen; });
}

/// The side that is wanted for a statement. A loop with stages is on the CPU.
exec::Side sideOf(Operation *op) { return isPlacedInside(op) ? exec::Side::Cpu : wantedSide(op); }

/// The statements of an algorithm's own sequence, or of a loop's body, and where they can be cut.
class Sequence {
public:
  explicit Sequence(Block &block) : block(block) {
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
  /// little goes with the statement behind it, but what stands before the first of those is a stage of its own, unless
  /// the block is the body of a loop. Gives whether it has cut.
  FailureOr<bool> cut() {
    bool isBody = !isa<graph::AlgorithmOp>(block.getParentOp());
    SmallVector<Operation *> starts; // of stages
    unsigned stages = 0;
    Operation *last = nullptr;   // the last statement that costs
    Operation *placed = nullptr; // by the schedule, in the stage of `last`
    bool anyPlaced = false;
    for (Operation &op : block) {
      exec::Side side = sideOf(&op);
      if (isCheap(&op) && side == exec::Side::Chosen)
        continue;
      Operation *start = isPlacedInside(&op) ? withValues(&op) // the loop alone
                         : last              ? last->getNextNode()
                         : isBody            ? &block.front()
                                             : withValues(&op);
      Operation *value = heldBy[number[start]];
      if (!value)
        starts.push_back(start);
      if (!value || !last) {
        ++stages;
        placed = nullptr;
      }
      if (side != exec::Side::Chosen) {
        if (placed && side != sideOf(placed)) {
          InFlightDiagnostic error = refuse(placeIn(&op), "run on another side than the one before it",
                                            "a value holds them together", op.getLoc());
          error.attachNote(value->getLoc()) << "this is the value";
          return failure();
        }
        placed = &op;
        anyPlaced = true;
      }
      last = &op;
    }
    if (stages < 2 && !anyPlaced)
      return false;
    for (Operation *op : starts)
      OpBuilder(op).create<exec::NextStageOp>(op->getLoc());
    return true;
  }

private:
  /// Where the schedule places a statement, or one in a loop.
  static Location placeIn(Operation *op) {
    if (isPlacedInside(op))
      for (Operation &each : *bodyOf(op))
        if (wantedSide(&each) != exec::Side::Chosen)
          return placeOf(&each);
    return placeOf(op);
  }

  Block &block;
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
      Operation *around = op->getParentOp();
      if (around != algorithm && !(bodyOf(around) && around->getParentOp() == algorithm))
        nested = op;
    });
    if (nested)
      return refuse(placeOf(nested), "have a side of its own", "it stands in a choice, or in a loop in another one",
                    nested->getLoc());
    bool whole = wantedSide(algorithm) != exec::Side::Chosen && !placed;
    return goesOver || whole ? success() : cutAll(algorithm);
  }

  static LogicalResult cutAll(graph::AlgorithmOp algorithm) {
    Block &block = algorithm.getBody().front();
    SmallVector<Operation *> loops;
    for (Operation &op : block)
      if (isPlacedInside(&op))
        loops.push_back(&op);
    for (Operation *loop : loops)
      if (wantedSide(loop) != exec::Side::Chosen)
        return refuse(placeOf(loop), "have a side of its own", "a statement in it has one", loop->getLoc());
    FailureOr<bool> cut = Sequence(block).cut();
    if (failed(cut) || !*cut)
      return cut;
    Builder b(algorithm.getContext());
    std::int64_t number = 0;
    // Both forms know them by their numbers; a form makes states of its own beside them.
    auto count = [&](Block &statements) {
      for (auto state : statements.getOps<graph::StateOp>())
        state->setAttr(handedAttribute, b.getI64IntegerAttr(number++));
    };
    count(block);
    for (Operation *loop : loops) {
      if (failed(Sequence(*bodyOf(loop)).cut()))
        return failure();
      count(*bodyOf(loop));
    }
    return success();
  }
};

} // namespace
} // namespace gcompile
