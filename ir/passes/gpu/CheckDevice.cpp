#include "ir/Errors.h"
#include "ir/passes/Passes.h"
#include "ir/passes/gpu/Device.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CHECKDEVICE
#include "ir/passes/Passes.h.inc"

namespace {

struct CheckDevice : impl::CheckDeviceBase<CheckDevice> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        algorithm.walk([&](Operation *op) { check(op); });
  }

  void refuse(Operation *op, StringRef what) {
    report(op->getLoc(), diag::not_on_device, what.str());
    signalPassFailure();
  }

  void check(Operation *op) {
    if (auto ordered = dyn_cast<exec::OrderedOp>(op); ordered && !op->hasAttr("split")) {
      refuse(op, "an ordered propagate whose arcs depend on each other");
    } else if (auto activate = dyn_cast<exec::ActivateOp>(op)) {
      auto propagate = op->getParentOfType<exec::PropagateOp>();
      if (propagate && propagate.getPull().isAncestor(op->getParentRegion()) &&
          activate.getSync() == exec::Sync::Atomic)
        refuse(op, "a pull that activates other vertices than its own");
    }
    if (auto once = op->getParentOfType<exec::OnceOp>(); once && op->getParentOp() == once)
      for (Value result : op->getResults())
        for (Operation *user : result.getUsers())
          if (!once->isAncestor(user))
            return refuse(op, "asking on the host whether a write changed something");
  }
};

} // namespace
} // namespace gcompile
