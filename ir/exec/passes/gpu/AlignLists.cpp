#include "ir/Errors.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/schedule/Schedule.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_ALIGNLISTS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether a lane that has a whole list may read it from a row of sources.
bool readsSources(exec::ForOp loop, Value vertex) {
  return loop.getShared() && loop.getDomain() == graph::Domain::Into && loop.getOver() == vertex && !loop.getAbove() &&
         !loop.getBelow() && !loop.getByPlace() && loop.getBody().getArgument(1).use_empty();
}

struct AlignLists : impl::AlignListsBase<AlignLists> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      auto adjacency = schedule::said<schedule::Adjacency>(algorithm);
      if (!adjacency.is(schedule::Adjacency::Aligned) || !runsOnDevice(algorithm))
        continue;
      if (!mark(algorithm)) {
        refuse(adjacency.place(), "align its lists of neighbours",
               "no statement that pulls looks at the sources alone of the edges into every vertex", algorithm.getLoc(),
               "its statements push, use more of an edge than its source, or run over a part of the vertices",
               "algorithm '" + algorithm.getSymName().str() + "'");
        return signalPassFailure();
      }
      NamedAttrList needs(*algorithm.getNeeds());
      needs.set("aligned", Builder(algorithm.getContext()).getF64FloatAttr(*adjacency.part()));
      algorithm.setNeedsAttr(needs.getDictionary(algorithm.getContext()));
    }
  }

  static bool mark(graph::AlgorithmOp algorithm) {
    bool any = false;
    algorithm.walk([&](Operation *op) {
      if (auto propagate = dyn_cast<exec::PropagateOp>(op);
          propagate && propagate.getDirection() != exec::Direction::Push)
        if (exec::PullByArcsOp pull = exec::pullByArcsOf(propagate)) {
          pull.setAligned(true);
          any = true;
        }
      if (Region *body = exec::bodyOverAll(op))
        body->walk([&](exec::ForOp loop) {
          if (!readsSources(loop, body->getArgument(0)))
            return;
          loop.setAligned(true);
          any = true;
        });
    });
    return any;
  }
};

} // namespace
} // namespace gcompile
