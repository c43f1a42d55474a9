#include "ir/Errors.h"
#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MATCHSIDES
#include "ir/exec/Passes.h.inc"

namespace {

struct MatchSides : impl::MatchSidesBase<MatchSides> {
  void runOnOperation() override {
    for (auto sides : getOperation().getOps<exec::SidesOp>()) {
      exec::PropagateOp cpu = handingOver("cpu", sides.getAlgorithm()), gpu = handingOver("gpu", sides.getAlgorithm());
      sides.setGoesOver(cpu && gpu && cpu.getLoc() == gpu.getLoc());
      if (!sides.getGoesOver() && sides.getBySchedule()) {
        std::string reason = !cpu && !gpu ? "neither side runs its rounds by pushes of its own"
                             : !cpu       ? "the CPU does not run its rounds by pushes"
                                          : "the GPU does not run its rounds by pushes";
        refuse(sides.getLoc(), "go over to the GPU", reason,
               (cpu ? cpu : gpu) ? (cpu ? cpu : gpu).getLoc() : sides.getLoc());
        return signalPassFailure();
      }
      if (sides.getGoesOver())
        continue;
      graph::walkHolders(getOperation(), [&](exec::PropagateOp op) {
        if (op->getParentOfType<graph::AlgorithmOp>().getSymName() != sides.getAlgorithm())
          return;
        op.removeHandOverAttr();
        op.removeCrossingAttr();
      });
    }
  }

  /// The propagate that goes over, where it stands in the algorithm's own sequence.
  exec::PropagateOp handingOver(StringRef side, StringRef name) {
    auto algorithm = getOperation().lookupSymbol<ModuleOp>(side).lookupSymbol<graph::AlgorithmOp>(name);
    exec::PropagateOp found;
    graph::walkHolders(algorithm, [&](exec::PropagateOp op) {
      if (op.getHandOver() && op->getParentOp() == algorithm)
        found = op;
    });
    return found;
  }
};

} // namespace
} // namespace gcompile
