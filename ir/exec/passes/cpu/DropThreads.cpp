#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_DROPTHREADS
#include "ir/exec/Passes.h.inc"

namespace {
struct DropThreads : impl::DropThreadsBase<DropThreads> {
  void runOnOperation() override {
    useOneThread(getOperation());
    graph::walkHolders(getOperation(), [](exec::ParallelOp kernel) { kernel.setMaySegment(false); });
  }
};
} // namespace
} // namespace gcompile
