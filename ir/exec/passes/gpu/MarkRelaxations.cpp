#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MARKRELAXATIONS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether a block computes a value, improves the priority of v to that, and activates v where it did; perhaps only
/// under conditions.
bool relaxes(Block &block, Value priority, Value v) {
  auto then = block.empty() ? graph::IfOp() : dyn_cast<graph::IfOp>(block.back());
  if (!then || !then.getElseRegion().empty())
    return false;
  auto update = then.getCondition().getDefiningOp<exec::UpdateOp>();
  if (!llvm::all_of(block, [&](Operation &op) { return &op == then || &op == update || computesValue(&op); }))
    return false;
  Block &inner = then.getThenRegion().front();
  if (!update)
    return relaxes(inner, priority, v);
  if (inner.empty())
    return false;
  auto activate = dyn_cast<exec::ActivateOp>(inner.front());
  return update.getSync() == exec::Sync::Atomic && update.getState() == priority && update.getIndices().size() == 1 &&
         update.getIndices()[0] == v && update.getChanged().hasOneUse() && llvm::hasSingleElement(inner) && activate &&
         activate.getVertex() == v;
}

/// Makes the nested conditions of such a block requirements, one after the other, and the update a relaxation.
void flatten(Block &block, Value v) {
  auto then = cast<graph::IfOp>(block.back());
  OpBuilder b(then);
  Block &inner = then.getThenRegion().front();
  if (auto update = then.getCondition().getDefiningOp<exec::UpdateOp>()) {
    b.create<exec::RelaxOp>(update.getLoc(), update.getValue(), v);
    then.erase();
    update.erase();
    return;
  }
  b.create<exec::RequireOp>(then.getLoc(), then.getCondition());
  if (!inner.empty() && isa<graph::YieldOp>(inner.back()))
    inner.back().erase();
  block.getOperations().splice(then->getIterator(), inner.getOperations());
  then.erase();
  flatten(block, v);
}

struct MarkRelaxations : impl::MarkRelaxationsBase<MarkRelaxations> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        graph::walkHolders(algorithm, [&](exec::OrderedOp ordered) {
          Block &push = ordered.getPush().front();
          auto arcs = dyn_cast<exec::ForOp>(push.back());
          if (!ordered.getSplit() || !arcs || !llvm::hasSingleElement(push))
            return;
          Block &arc = arcs.getBody().front();
          if (relaxes(arc, ordered.getPriority(), arc.getArgument(0)))
            flatten(arc, arc.getArgument(0));
        });
  }
};

} // namespace
} // namespace gcompile
