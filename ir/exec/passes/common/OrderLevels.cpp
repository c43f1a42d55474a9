#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_ORDERLEVELS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether it makes no difference to `user` in which order a set lists its vertices.
bool takesAnyOrder(Operation *user) {
  if (isa<exec::ForOp>(user)) // of a reduction
    return isa<exec::ReduceOp>(user->getParentOp());
  return isa<exec::ParallelOp, exec::ReduceOp, exec::FilterOp, exec::PropagateOp, exec::OrderedOp, graph::SetSizeOp>(
      user);
}

struct OrderLevels : impl::OrderLevelsBase<OrderLevels> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(), [](graph::ForOp loop) {
      if (loop.getDomain() == graph::Domain::Levels &&
          !llvm::all_of(loop.getBody().getArgument(0).getUsers(), takesAnyOrder))
        loop.setAscending(true);
    });
  }
};
} // namespace
} // namespace gcompile
