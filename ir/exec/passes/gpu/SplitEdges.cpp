#include "ir/Errors.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/common/ArcLists.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SPLITEDGES
#include "ir/exec/Passes.h.inc"

namespace {

struct SplitEdges : impl::SplitEdgesBase<SplitEdges> {
  using impl::SplitEdgesBase<SplitEdges>::SplitEdgesBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm)) {
        if (algorithm.getDirectedness() == "undirected")
          takeOneWay(algorithm);
        algorithm.walk([&](Operation *op) { visit(op); });
      }
  }

  /// In an undirected graph the edges at a vertex are those out of it, and those into it.
  static void takeOneWay(graph::AlgorithmOp algorithm) {
    graph::walkHolders(algorithm, [](exec::ForOp loop) {
      if (loop.getDomain() != graph::Domain::Either)
        return;
      auto propagate = loop->getParentOfType<exec::PropagateOp>();
      bool pulls = propagate && propagate.getPull().isAncestor(loop->getParentRegion());
      loop.setDomain(pulls && loop.getBody().getArgument(1).use_empty() ? graph::Domain::Into : graph::Domain::OutOf);
    });
  }

  void visit(Operation *op) {
    bool rounds = isa<exec::PropagateOp, exec::OrderedOp>(op); // each edge is an iteration of its own
    auto over = [&](Region &region) {
      return region.empty() || region.front().empty()
                 ? exec::ForOp()
                 : onlyList(region.front(), region.getArgument(0), exec::arcsAlong(op), rounds);
    };
    auto split = [&](exec::ForOp loop) {
      cast<exec::Kernel>(op).setSplit(true);
      if (loop.getDomain() == graph::Domain::Either)
        cast<exec::Kernel>(op).setBothWays(true);
    };
    if (auto kernel = dyn_cast<exec::ParallelOp>(op)) {
      exec::ForOp loop = kernel.getDomain() == graph::Domain::Vertices ? over(kernel.getBody()) : exec::ForOp();
      if (loop)
        split(loop);
    } else if (auto reduce = dyn_cast<exec::ReduceOp>(op)) {
      exec::ForOp loop = reduce.getDomain() == graph::Domain::Vertices ? over(reduce.getBody()) : exec::ForOp();
      if (loop)
        split(loop);
    } else if (rounds) {
      // A loop of many rounds in one kernel: no place for a thread's own copy of a scalar.
      if (!singleRounds)
        op->walk([](exec::UpdateOp update) {
          if (update.getSync() == exec::Sync::Private)
            update.setSync(exec::Sync::Atomic);
        });
      auto rounded = dyn_cast<exec::PropagateOp>(op);
      std::optional<exec::Gather> gather = rounded ? rounded.getGather() : std::nullopt;
      bool serial = gather == exec::Gather::Serial;
      exec::ForOp loop = over(op->getRegion(0));
      // What is kept of each level are the arcs out of its vertices.
      bool kept = isa<exec::PropagateOp>(op) && cast<exec::PropagateOp>(op).getLevels();
      bool both = loop && loop.getDomain() == graph::Domain::Either;
      if (!serial && loop && !(both && kept))
        split(loop);
      else if ((gather && !serial) || (rounded && rounded.getPhases())) {
        std::optional<LocationAttr> place = serial || !gather ? rounded.getPhasesPlace() : rounded.getGatherPlace();
        auto error =
            report(place.value_or(op->getLoc()), diag::illegal_schedule, "this statement",
                   serial || !gather ? "list the edges of its frontier" : "share the list of a vertex",
                   both ? "it follows its edges both ways, and the arcs that are kept with its levels go one way"
                        : "what it does is more than a loop over edges that are independent of each other");
        error.attachNote(op->getLoc()) << "the statement is here";
        signalPassFailure();
      }
      if (rounded) {
        rounded.removeGatherPlaceAttr();
        rounded.removePhasesPlaceAttr();
      }
    }
  }
};

} // namespace
} // namespace gcompile
