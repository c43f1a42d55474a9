#include "ir/exec/ExecDialect.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_TESTLEVELS
#include "ir/exec/Passes.h.inc"

namespace {

/// The comparison, marked by the lowering, of a neighbour's level with that of a vertex of the present one.
struct Comparison {
  graph::BinaryOp op;
  Value neighbour;
};
SmallVector<Comparison> comparisons(exec::ParallelOp kernel) {
  SmallVector<Comparison> found;
  kernel.walk([&](graph::BinaryOp compared) {
    if (!compared.getNextLevel())
      return;
    auto loop = compared->getParentOfType<exec::ForOp>();
    if (loop && loop.getDomain() == exec::arcsAlong(kernel) && loop.getOver() == kernel.getBody().getArgument(0))
      found.push_back({compared, loop.getBody().getArgument(0)});
  });
  return found;
}

/// Whether another loop over the same levels runs meanwhile, or this one in it: they have one bitmap.
bool isNested(graph::ForOp loop) {
  auto same = [&](graph::ForOp other) { return other && other != loop && other.getOver() == loop.getOver(); };
  for (Operation *op = loop->getParentOp(); op; op = op->getParentOp())
    if (same(dyn_cast<graph::ForOp>(op)))
      return true;
  return loop.walk([&](graph::ForOp inner) { return same(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

struct TestLevels : impl::TestLevelsBase<TestLevels> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(), [](graph::ForOp loop) {
      if (loop.getDomain() != graph::Domain::Levels || isNested(loop))
        return;
      for (auto kernel : loop.getBody().front().getOps<exec::ParallelOp>()) {
        if (kernel.getSharing() == exec::Sharing::Serial)
          continue;
        for (Comparison compared : comparisons(kernel)) {
          OpBuilder b(compared.op);
          Value before = b.create<exec::VisitedBeforeOp>(compared.op.getLoc(), compared.neighbour, loop.getOver());
          compared.op.getResult().replaceAllUsesWith(before);
          eraseUnused(compared.op);
          loop.setMarked(true);
        }
      }
    });
  }
};
} // namespace
} // namespace gcompile
