#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/exec/passes/gpu/Sweep.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SWEEPLEVELS
#include "ir/exec/Passes.h.inc"

/// Whether the device can run the kernel for each level without the host: no scalar comes back from it, and nothing is
/// prepared for it.
static bool runsAlone(exec::ParallelOp kernel, Value level) {
  if (kernel.getDomain() != graph::Domain::Vertices || kernel.getOver() != level || kernel.getSplit())
    return false;
  return !kernel
              .walk([&](Operation *op) {
                auto update = dyn_cast<exec::UpdateOp>(op);
                bool scalar = update && update.getIndices().empty() && !isLocal(update.getState(), kernel.getBody());
                auto reduce = dyn_cast<exec::ReduceOp>(op);
                bool tables = reduce && reduce.getKind() == graph::ReduceKind::Mode;
                bool asks = op != kernel.getOperation() && llvm::is_contained(op->getOperands(), level);
                return scalar || tables || asks ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

bool isSweep(graph::ForOp loop) {
  if (loop.getDomain() != graph::Domain::Levels || !(loop.getWhere().empty() || loop.getWhere().front().empty()))
    return false;
  Block &body = loop.getBody().front();
  bool kernels = false;
  for (Operation &op : body) {
    auto kernel = dyn_cast<exec::ParallelOp>(op);
    if (!kernel) {
      if (!isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::YieldOp>(op))
        return false;
      continue;
    }
    kernels = true;
    if (!runsAlone(kernel, body.getArgument(0)))
      return false;
  }
  return kernels;
}

/// Marks the conditions of a kernel that say no more than that a neighbour is in the other level of the step.
static void markOtherLevel(exec::ParallelOp kernel) {
  if (!kernel.getFromNextLevel() && !kernel.getOverPrevious())
    return;
  kernel.walk([&](graph::IfOp choice) {
    auto condition = choice.getCondition().getDefiningOp<graph::BinaryOp>();
    if (!condition || !condition.getNextLevel() || !isa<exec::ForOp>(choice->getParentOp()))
      return;
    choice.setLevelBits(true);
    kernel.setLevelBits(true);
  });
}

namespace {

struct SweepLevels : impl::SweepLevelsBase<SweepLevels> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        graph::walkHolders(algorithm, [&](graph::ForOp loop) {
          if (!isSweep(loop))
            return;
          for (auto kernel : loop.getBody().front().getOps<exec::ParallelOp>())
            markOtherLevel(kernel);
          OpBuilder b(loop);
          auto sweep = b.create<exec::SweepOp>(loop.getLoc(), loop.getOver(), loop.getReversed());
          sweep.getBody().takeBody(loop.getBody());
          loop.erase();
        });
  }
};

} // namespace
} // namespace gcompile
