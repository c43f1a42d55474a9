#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_OUTLINEHOSTWRITES
#include "ir/exec/Passes.h.inc"

namespace {

bool isArray(Value state) {
  auto type = cast<graph::StateType>(state.getType());
  return type.getShape() != graph::Shape::Scalar;
}

bool writesArray(Operation *op) {
  if (auto update = dyn_cast<exec::UpdateOp>(op))
    return isArray(update.getState());
  if (auto claim = dyn_cast<exec::ClaimOp>(op))
    return isArray(claim.getState());
  return isa<exec::UpdateTupleOp>(op);
}

/// Whether the device can run the operation as part of one thread's work: it has no kernel and no set variable in it.
bool movable(Operation *op) {
  return !op->walk([](Operation *inner) {
              auto update = dyn_cast<exec::UpdateOp>(inner);
              bool set = update && isa<graph::SetType>(update.getValue().getType());
              return set || isKernel(inner) ||
                             isa<exec::SnapshotOp, exec::StartArrayOp, exec::ClosePairsOp, exec::ComponentMinOp,
                                 exec::CountTrianglesOp, graph::BreakOp>(inner)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

struct OutlineHostWrites : impl::OutlineHostWritesBase<OutlineHostWrites> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        visit(algorithm.getBody().front());
  }

  /// Whether it does nothing but report a change to a kept index, if there was one.
  static bool reports(Operation &op) {
    auto choice = dyn_cast<graph::IfOp>(op);
    if (!choice)
      return isa<exec::ReindexOp>(op);
    Block &then = choice.getThenRegion().front();
    return choice.getElseRegion().empty() && !then.empty() && llvm::all_of(then, reports);
  }

  static bool wanted(Operation &op) {
    if (writesArray(&op) || reports(op))
      return true;
    if (!isa<exec::ForOp, exec::ReduceOp>(&op) || isKernel(&op))
      return false;
    return movable(&op);
  }

  static void visit(Block &block) {
    for (auto next = block.begin(); next != block.end();) {
      Operation &op = *next;
      if (wanted(op)) {
        next = std::next(outline(op)->getIterator());
        continue;
      }
      ++next;
      if (auto propagate = dyn_cast<exec::PropagateOp>(&op)) {
        if (!propagate.getUntil().empty())
          visit(propagate.getUntil().front());
      } else if (!isKernel(&op) && !isa<exec::ClosePairsOp>(op)) {
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            visit(inner);
      }
    }
  }

  /// The name of what is written first.
  static std::string nameOf(Operation *op) {
    std::string name = "write";
    op->walk([&](Operation *inner) {
      if (!writesArray(inner) || name != "write")
        return;
      Value state =
          isa<exec::UpdateTupleOp>(inner) ? cast<exec::UpdateTupleOp>(inner).getStates()[0] : inner->getOperand(0);
      if (auto named = state.getDefiningOp<graph::StateOp>())
        name = "write_" + named.getName().str();
    });
    return name;
  }

  /// Moves the operation, and those like it that follow with nothing but constants between, into one kernel, and gives
  /// that.
  static exec::OnceOp outline(Operation &first) {
    OpBuilder b(&first);
    auto once = b.create<exec::OnceOp>(first.getLoc(), nameOf(&first));
    Block *body = b.createBlock(&once.getBody());
    for (Operation *op = &first; op;) {
      Operation *next = op->getNextNode();
      SmallVector<Operation *> constants;
      while (next && isa<graph::ConstantOp, graph::InfOp, graph::NoneOp>(next)) {
        constants.push_back(next);
        next = next->getNextNode();
      }
      op->moveBefore(body, body->end());
      bool more = next && wanted(*next);
      if (more)
        for (Operation *constant : constants)
          constant->moveBefore(once);
      op = more ? next : nullptr;
    }
    once.walk([](exec::ReindexOp reindex) {
      OpBuilder(reindex).create<exec::NoteChangeOp>(reindex.getLoc(), reindex.getIndex(), reindex.getVertex());
      reindex.erase();
    });
    for (Operation &op : llvm::make_early_inc_range(*body))
      for (Value result : op.getResults())
        bringBack(result, once);
    return once;
  }

  /// The host gets what a reduction gives, or whether an update has changed anything, by way of a variable, if it uses
  /// it.
  static void bringBack(Value result, exec::OnceOp once) {
    auto outside = [&](OpOperand &use) { return !once->isAncestor(use.getOwner()); };
    if (llvm::none_of(result.getUses(), outside))
      return;
    Location loc = result.getLoc();
    auto algorithm = once->getParentOfType<graph::AlgorithmOp>();
    OpBuilder b = OpBuilder::atBlockBegin(&algorithm.getBody().front());
    auto type = graph::StateType::get(b.getContext(), result.getType(), graph::Shape::Scalar);
    const char *variableName = isa<exec::ReduceOp>(result.getDefiningOp()) ? "reduced" : "changed";
    Value variable = b.create<graph::StateOp>(loc, type, variableName, false).getState();
    auto assign = [&](Value value) {
      b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, variable, ValueRange(),
                               value, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
    };
    b.setInsertionPoint(once);
    assign(zeroOf(b, loc, result.getType()));
    b.setInsertionPointAfter(once);
    Value read = b.create<graph::ReadOp>(loc, result.getType(), variable, ValueRange(), false, false);
    result.replaceUsesWithIf(read, outside);
    b.setInsertionPointAfter(result.getDefiningOp());
    assign(result);
  }
};

} // namespace
} // namespace gcompile
