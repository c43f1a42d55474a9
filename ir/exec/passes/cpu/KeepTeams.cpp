#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_KEEPTEAMS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether `op` opens a parallel region itself, in which its threads meet.
bool bringsThreads(Operation *op) {
  return isa<exec::OrderedOp, exec::AsynchronousOp, exec::ComponentMinOp, exec::CountTrianglesOp, exec::ClosePairsOp>(
      op);
}

struct KeepTeams : impl::KeepTeamsBase<KeepTeams> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (!algorithm.getSerialOf())
        algorithm.walk<WalkOrder::PreOrder>([](Operation *op) {
          if (!isa<graph::WhileOp, graph::RepeatOp, graph::ForOp, exec::PropagateOp>(op))
            return WalkResult::advance();
          bool kernels = false, others = false;
          op->walk([&](Operation *inner) {
            kernels |= isKernel(inner);
            others |= bringsThreads(inner);
          });
          if (!kernels || others)
            return kernels ? WalkResult::advance() : WalkResult::skip();
          llvm::TypeSwitch<Operation *>(op).Case<graph::WhileOp, graph::RepeatOp, graph::ForOp, exec::PropagateOp>(
              [](auto loop) { loop.setTeam(true); });
          return WalkResult::skip();
        });
  }
};

} // namespace
} // namespace gcompile
