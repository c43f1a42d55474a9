#include "ir/analysis/Statement.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_HOISTVERTEXREADS
#include "ir/graph/Passes.h.inc"

namespace {

struct HoistVertexReads : impl::HoistVertexReadsBase<HoistVertexReads> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(), [](graph::ForOp loop) {
      Value vertex = loop.getOver();
      if (loop.getSequential() || insideParallel(loop) || !vertex || !isa<graph::VertexType>(vertex.getType()))
        return;
      SmallVector<graph::ReadOp> reads;
      loop.walk([&](graph::ReadOp read) {
        if (read.getIndices().size() == 1 && read.getIndices()[0] == vertex && isWritten(read.getState(), loop))
          reads.push_back(read);
      });
      for (graph::ReadOp read : reads)
        read->moveBefore(loop);
    });
  }

  static bool isWritten(Value state, Operation *loop) {
    return !loop->isAncestor(state.getParentRegion()->getParentOp()) &&
           llvm::any_of(state.getUsers(),
                        [&](Operation *user) { return !isa<graph::ReadOp>(user) && loop->isAncestor(user); });
  }
};

} // namespace
} // namespace gcompile
