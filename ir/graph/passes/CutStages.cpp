#include "ir/Errors.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"
#include "ir/graph/passes/Placement.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/StringSet.h"

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

/// A statement in a loop or choice, at any depth, for which the schedule wants a side; null if there is none.
Operation *placedInside(Operation *op) {
  for (Block *block : sequencesOf(op))
    for (Operation &each : *block)
      if (Operation *placed = wantedSide(&each) != exec::Side::Chosen ? &each : placedInside(&each))
        return placed;
  return nullptr;
}

/// The side that is wanted for a statement. A loop or choice with stages is on the CPU.
exec::Side sideOf(Operation *op) { return placedInside(op) ? exec::Side::Cpu : wantedSide(op); }

/// The statements of an algorithm's own sequence, or of one in a loop or choice, and where they can be cut.
class Sequence {
public:
  /// `begin` is the first that may be in a stage; null: all may.
  explicit Sequence(Block &block, Operation *begin = nullptr) : block(block), begin(begin) {
    for (Operation &op : block)
      number.try_emplace(&op, number.size());
    heldBy.resize(number.size());
    for (Operation &op : block) {
      if (isa<graph::StateOp, graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::AllVerticesOp>(op))
        continue; // can be had wherever it is used
      for (Operation *user : op.getUsers())
        if (Operation *use = block.findAncestorOpInBlock(*user)) // not in the end of a loop
          for (unsigned k = number[&op] + 1; k <= number[use]; ++k)
            heldBy[k] = &op;
    }
  }

  /// Puts exec.next_stage in front of each stage. What costs little goes with the statement behind it, but what stands
  /// before the first of those belongs to the loop or choice around it; of an algorithm, it is a stage of its own,
  /// which is cut only if there are several others, or the schedule has placed one. Gives whether it has cut.
  FailureOr<bool> cut() {
    bool isBody = !isa<graph::AlgorithmOp>(block.getParentOp());
    SmallVector<Operation *> starts; // of stages
    unsigned stages = 0;
    Operation *last = nullptr;   // the last statement that costs
    Operation *placed = nullptr; // by the schedule, in the stage of `last`
    bool anyPlaced = false;
    for (Operation &op : block) {
      exec::Side side = sideOf(&op);
      if ((isCheap(&op) || isa<graph::BreakOp>(op)) && side == exec::Side::Chosen)
        continue;
      Operation *start = placedInside(&op) ? withValues(&op) // the loop or choice alone
                         : last            ? last->getNextNode()
                         : isBody          ? (begin ? begin : &block.front())
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
    if (!isBody && stages < 2 && !anyPlaced)
      return false;
    for (Operation *op : starts)
      OpBuilder(op).create<exec::NextStageOp>(op->getLoc());
    return true;
  }

private:
  /// Where the schedule places a statement, or one in a loop or choice.
  static Location placeIn(Operation *op) {
    Operation *placed = placedInside(op);
    return placeOf(placed ? placed : op);
  }

  Block &block;
  Operation *const begin;
  llvm::DenseMap<Operation *, unsigned> number;
  SmallVector<Operation *> heldBy; // of each statement: a value from before it that is used in it or behind it
};

/// What a turn of a loop begins with, its variables and values with names, becomes states: stages hand on nothing else.
class TurnStates {
public:
  explicit TurnStates(Operation *loop) : algorithm(loop->getParentOfType<graph::AlgorithmOp>()), loop(loop) {}

  /// Gives the first statement behind them; null if there are none.
  Operation *make(Block &body) {
    Operation *behind = nullptr;
    if (auto each = dyn_cast<graph::ForOp>(loop))
      for (auto [variable, name] : llvm::zip(body.getArguments(), each.getNames().getAsValueRange<StringAttr>()))
        if (!variable.use_empty())
          behind = make(behind ? behind : &body.front(), variable, name);
    for (Operation *op = behind ? behind : &body.front(); op && (isPlainValue(op) || isa<graph::StateOp>(op));) {
      auto let = dyn_cast<graph::LetOp>(op);
      op = op->getNextNode();
      if (let && op && !let.use_empty() && !isa<graph::SetType, graph::ForeignType, graph::LevelsType>(let.getType()))
        op = behind = make(op, let.getResult(), let.getName());
    }
    return behind;
  }

private:
  /// A state with the value, set in front of `at`: what uses the value reads the state. Gives what stands behind it.
  Operation *make(Operation *at, Value value, StringRef name) {
    OpBuilder b(at);
    Location loc = value.getLoc();
    auto type = graph::StateType::get(b.getContext(), value.getType(), graph::Shape::Scalar);
    auto state = b.create<graph::StateOp>(loc, type, graph::freshStateName(algorithm, name), false);
    state.setTemporary(true);
    auto set = b.create<graph::UpdateOp>(loc, graph::UpdateKind::Assign, state.getState(), ValueRange(), value, false,
                                         /*grows_by_round=*/false, /*part=*/-1, FlatSymbolRefAttr());
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
      if (use.getOwner() != set) {
        b.setInsertionPoint(use.getOwner());
        use.set(b.create<graph::ReadOp>(use.getOwner()->getLoc(), value.getType(), state.getState(), ValueRange(),
                                        false, false));
      }
    return set->getNextNode();
  }

  graph::AlgorithmOp algorithm;
  Operation *loop;
};

struct CutStages : impl::CutStagesBase<CutStages> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (failed(cut(algorithm)))
        return signalPassFailure();
  }

  static LogicalResult cut(graph::AlgorithmOp algorithm) {
    bool goesOver = false, anyPlaced = false;
    LogicalResult result = success();
    graph::walkHolders(algorithm, [&](Operation *op) {
      if (auto propagate = dyn_cast<graph::PropagateOp>(op))
        goesOver |= propagate.getHandOver().has_value();
      if (op == algorithm || wantedSide(op) == exec::Side::Chosen || failed(result))
        return;
      anyPlaced = true;
      if (Operation *around = runsAsOne(op))
        result = refuse(placeOf(op), "have a side of its own", "it stands in a statement that runs as one",
                        around->getLoc(), "that one begins here");
      else if (placedInside(op))
        result = refuse(placeOf(op), "have a side of its own", "a statement in it has one", op->getLoc());
    });
    bool whole = wantedSide(algorithm) != exec::Side::Chosen && !anyPlaced;
    return failed(result) || goesOver || whole ? result : cutAll(algorithm);
  }

  /// The statement around another one which does not run what is in it in sequence; null if there is none.
  static Operation *runsAsOne(Operation *op) {
    for (Operation *around = op->getParentOp(); !isa<graph::AlgorithmOp>(around);
         op = around, around = op->getParentOp())
      if (!llvm::is_contained(sequencesOf(around), op->getBlock()))
        return around;
    return nullptr;
  }

  static LogicalResult cutAll(graph::AlgorithmOp algorithm) {
    Block &block = algorithm.getBody().front();
    FailureOr<bool> cut = Sequence(block).cut();
    if (failed(cut) || !*cut)
      return cut;
    if (failed(cutInside(block)))
      return failure();
    std::int64_t number = 0;
    llvm::StringSet<> names;
    for (auto state : block.getOps<graph::StateOp>())
      if (state.getOutput())
        names.insert(state.getName());
    count(block, number, names);
    return success();
  }

  /// Cuts what stands in loops and choices in which the schedule has placed something.
  static LogicalResult cutInside(Block &block) {
    for (Operation &op : block) {
      if (!placedInside(&op))
        continue;
      for (Block *inner : sequencesOf(&op)) {
        Operation *begin = isa<graph::IfOp>(op) || inner->empty() ? nullptr : TurnStates(&op).make(*inner);
        if (failed(Sequence(*inner, begin).cut()) || failed(cutInside(*inner)))
          return failure();
      }
    }
    return success();
  }

  /// Both forms know the states by their names and numbers; a form makes states of its own beside them. Those of
  /// different loops may share a name, as no results do.
  static void count(Block &block, std::int64_t &number, llvm::StringSet<> &names) {
    for (Operation &op : block) {
      if (auto state = dyn_cast<graph::StateOp>(op)) {
        if (!state.getOutput() && !names.insert(state.getName()).second) {
          state.setName(graph::freshStateName(state->getParentOfType<graph::AlgorithmOp>(), state.getName()));
          names.insert(state.getName());
        }
        state->setAttr(handedAttribute, Builder(state.getContext()).getI64IntegerAttr(number++));
      }
      for (Block *inner : stagedBlocks(&op))
        count(*inner, number, names);
    }
  }
};

} // namespace
} // namespace gcompile
