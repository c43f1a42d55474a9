#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MARKRELAXATIONS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether a block computes a value, lowers the priority of v to that, and activates v where it was greater; perhaps
/// only under conditions.
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
  return update.getKind() == graph::UpdateKind::Min && update.getSync() == exec::Sync::Atomic &&
         update.getState() == priority && update.getIndices().size() == 1 && update.getIndices()[0] == v &&
         update.getChanged().hasOneUse() && llvm::hasSingleElement(inner) && activate && activate.getVertex() == v;
}

struct MarkRelaxations : impl::MarkRelaxationsBase<MarkRelaxations> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        algorithm.walk([&](exec::OrderedOp ordered) {
          Block &push = ordered.getPush().front();
          auto arcs = dyn_cast<exec::ForOp>(push.back());
          if (ordered->hasAttr("split") && arcs && llvm::hasSingleElement(push) &&
              relaxes(arcs.getBody().front(), ordered.getPriority(), arcs.getBody().getArgument(0)))
            ordered->setAttr("relaxes", UnitAttr::get(&getContext()));
        });
  }
};

} // namespace
} // namespace gcompile
