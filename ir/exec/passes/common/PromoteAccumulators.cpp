#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_PROMOTEACCUMULATORS
#include "ir/exec/Passes.h.inc"

namespace {
struct PromoteAccumulators : impl::PromoteAccumulatorsBase<PromoteAccumulators> {
  void runOnOperation() override {
    SmallVector<exec::ForOp> loops;
    graph::walkHolders(getOperation(), [&](exec::ForOp loop) { loops.push_back(loop); });
    for (exec::ForOp loop : loops)
      promote(loop);
  }

  /// Whether every iteration counts, so that each of them writes: sums, products, parities.
  static bool accumulates(graph::UpdateKind kind) {
    return kind != graph::UpdateKind::Assign && !graph::traits(kind).monotone && !graph::traits(kind).absorbing;
  }

  /// Promotes the one update of a state in the loop if nothing else in the loop writes the state or reads that element,
  /// the element does not change in the loop and nobody asks whether the value changed. Reads of other elements do not
  /// mind: the lowering has shown that they never meet this update, or gave them a copy.
  static void promote(exec::ForOp loop) {
    SmallVector<exec::UpdateOp> candidates;
    loop.walk([&](exec::UpdateOp update) {
      bool fixed = update.getIndices().size() == 1 && accumulates(update.getKind()) && update.getPart() < 0 &&
                   update.getSync() == exec::Sync::Plain && update.getChanged().use_empty() && !update.getChecked() &&
                   !loop->isAncestor(update.getIndices()[0].getParentRegion()->getParentOp()) &&
                   !loop->isAncestor(update.getState().getParentRegion()->getParentOp());
      bool alone = true;
      loop.walk([&](Operation *op) {
        if (op == update || !llvm::is_contained(op->getOperands(), update.getState()))
          return;
        auto read = dyn_cast<graph::ReadOp>(op);
        alone &= read && update.getIndices().size() == 1 && read.getIndices()[0] != update.getIndices()[0];
      });
      if (fixed && alone)
        candidates.push_back(update);
    });
    for (exec::UpdateOp update : candidates) {
      OpBuilder b(loop);
      Location loc = update.getLoc();
      Type element = update.getValue().getType();
      auto name = update.getState().getDefiningOp<graph::StateOp>();
      std::string local =
          (name ? name.getName().str() : "local") + "_" + std::string(graph::traits(update.getKind()).total);
      auto type = graph::StateType::get(b.getContext(), element, graph::Shape::Scalar);
      Value sum = b.create<graph::StateOp>(loc, type, local, false).getState();
      // A declared reduction goes on with the element itself, and puts it back.
      auto combiner = update.getCombinerAttr();
      Value first = combiner
                        ? b.create<graph::ReadOp>(loc, element, update.getState(), update.getIndices(), false, false)
                        : neutralOf(b, loc, update.getKind(), element);
      b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, sum, ValueRange(),
                               first, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
      b.setInsertionPoint(update);
      b.create<exec::UpdateOp>(loc, b.getI1Type(), update.getKind(), exec::Sync::Plain, sum, ValueRange(),
                               update.getValue(), false, false, -1, combiner);
      b.setInsertionPointAfter(loop);
      Value total = b.create<graph::ReadOp>(loc, element, sum, ValueRange(), false, false);
      b.create<exec::UpdateOp>(loc, b.getI1Type(), combiner ? graph::UpdateKind::Assign : update.getKind(),
                               exec::Sync::Plain, update.getState(), update.getIndices(), total, false,
                               /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
      update.erase();
    }
  }
};
} // namespace
} // namespace gcompile
