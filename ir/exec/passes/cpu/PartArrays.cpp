#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_PARTARRAYS
#include "ir/exec/Passes.h.inc"

namespace {

bool isArray(Value state) {
  auto type = dyn_cast<graph::StateType>(state.getType());
  return type && type.getShape() == graph::Shape::Array;
}

struct PartArrays : impl::PartArraysBase<PartArrays> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(), [](exec::ParallelOp kernel) {
      if (kernel.getSharing() != exec::Sharing::Serial)
        part(kernel);
    });
  }

  /// What a kernel does to an array.
  struct Uses {
    SmallVector<exec::UpdateOp> updates;
    bool partable = true; // nothing but atomic reductions of one kind, of which nobody asks what they changed
  };

  static void part(exec::ParallelOp kernel) {
    llvm::MapVector<Value, Uses> arrays;
    kernel.walk([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        if (!isArray(operand))
          continue;
        Uses &uses = arrays[operand];
        auto update = dyn_cast<exec::UpdateOp>(op);
        uses.partable &= update && update.getSync() == exec::Sync::Atomic && update.getChanged().use_empty() &&
                         update.getPart() < 0 &&
                         (uses.updates.empty() || uses.updates.front().getKind() == update.getKind());
        if (update)
          uses.updates.push_back(update);
      }
    });
    for (auto &[state, uses] : arrays)
      if (uses.partable)
        for (exec::UpdateOp update : uses.updates)
          update.setSync(exec::Sync::Private);
  }
};

} // namespace
} // namespace gcompile
