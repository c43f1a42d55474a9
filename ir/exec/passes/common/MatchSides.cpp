#include "ir/Errors.h"
#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/common/Stages.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MATCHSIDES
#include "ir/exec/Passes.h.inc"

namespace {

struct MatchSides : impl::MatchSidesBase<MatchSides> {
  void runOnOperation() override {
    for (auto sides : getOperation().getOps<exec::SidesOp>()) {
      if (failed(matchHandOver(sides)))
        return signalPassFailure();
      if (failed(matchStages(form("cpu", sides.getAlgorithm()), form("gpu", sides.getAlgorithm()), sides,
                             stagesOf(sides))))
        return signalPassFailure();
      if (sides.getOn() == exec::Side::Chosen && stagesOf(sides).empty() &&
          goesByOneList(form("gpu", sides.getAlgorithm()))) {
        sides.setOn(exec::Side::Cpu);
        sides.setByOneList(true);
      }
    }
  }

  LogicalResult matchHandOver(exec::SidesOp sides) {
    exec::PropagateOp cpu = handingOver("cpu", sides.getAlgorithm()), gpu = handingOver("gpu", sides.getAlgorithm());
    sides.setGoesOver(cpu && gpu && cpu.getLoc() == gpu.getLoc());
    if (!sides.getGoesOver() && sides.getBySchedule()) {
      std::string reason = !cpu && !gpu ? "neither side runs its rounds by pushes of its own"
                           : !cpu       ? "the CPU does not run its rounds by pushes"
                                        : "the GPU does not run its rounds by pushes";
      return refuse(sides.getLoc(), "go over to the GPU", reason,
                    (cpu ? cpu : gpu) ? (cpu ? cpu : gpu).getLoc() : sides.getLoc());
    }
    if (sides.getGoesOver())
      return success();
    graph::walkHolders(getOperation(), [&](exec::PropagateOp op) {
      if (op->getParentOfType<graph::AlgorithmOp>().getSymName() != sides.getAlgorithm())
        return;
      op.removeHandOverAttr();
      op.removeCrossingAttr();
    });
    return success();
  }

  graph::AlgorithmOp form(StringRef side, StringRef name) {
    return getOperation().lookupSymbol<ModuleOp>(side).lookupSymbol<graph::AlgorithmOp>(name);
  }

  SmallVector<exec::StageOp> stagesOf(exec::SidesOp sides) {
    SmallVector<exec::StageOp> stages;
    for (auto stage : getOperation().getOps<exec::StageOp>())
      if (stage.getAlgorithm() == sides.getAlgorithm())
        stages.push_back(stage);
    return stages;
  }

  /// The propagate that goes over, where it stands in the algorithm's own sequence.
  exec::PropagateOp handingOver(StringRef side, StringRef name) {
    graph::AlgorithmOp algorithm = form(side, name);
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
