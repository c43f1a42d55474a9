#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_DROPTHREADS
#include "ir/exec/Passes.h.inc"

namespace {
struct DropThreads : impl::DropThreadsBase<DropThreads> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<exec::ParallelOp, exec::ReduceOp, exec::FilterOp, exec::PropagateOp, exec::OrderedOp, exec::SnapshotOp>(
              [](auto loop) { loop.setSharing(exec::Sharing::Serial); })
          .Case<exec::UpdateOp, exec::UpdateTupleOp, exec::ClaimOp, exec::ActivateOp>([](auto update) {
            // The private copy of a scalar stays: reads in the kernel see the value from before it.
            if (update.getSync() != exec::Sync::Private)
              update.setSync(exec::Sync::Plain);
          });
      if (auto kernel = dyn_cast<exec::ParallelOp>(op))
        kernel.setMaySegment(false);
    });
  }
};
} // namespace
} // namespace gcompile
