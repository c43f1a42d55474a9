#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Domains.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_PROFILE
#include "ir/exec/Passes.h.inc"

namespace {

bool isOverEdges(graph::Domain domain) { return graph::isList(domain) || graph::rangesOverEdges(domain); }

/// The body of a kernel's loop over edges, or null.
Block *edgeLoop(Operation *op) {
  if (auto loop = dyn_cast<exec::ForOp>(op))
    return isOverEdges(loop.getDomain()) ? &loop.getBody().front() : nullptr;
  if (auto kernel = dyn_cast<exec::ParallelOp>(op))
    return isOverEdges(kernel.getDomain()) ? &kernel.getBody().front() : nullptr;
  if (auto reduce = dyn_cast<exec::ReduceOp>(op))
    return reduce.getDomain() && isOverEdges(*reduce.getDomain()) ? &reduce.getBody().front() : nullptr;
  return nullptr;
}

/// Whether the operation is in the part of `kernel` that becomes a function of its own.
bool isInKernelOf(Operation *kernel, Operation *inner) {
  if (auto reduce = dyn_cast<exec::ReduceOp>(kernel))
    return reduce.getDomain().has_value();
  if (auto propagate = dyn_cast<exec::PropagateOp>(kernel))
    return !propagate.getUntil().isAncestor(inner->getParentRegion());
  return isa<exec::ParallelOp, exec::FilterOp, exec::OrderedOp, exec::AsynchronousOp>(kernel);
}

bool isInKernel(Operation *op) {
  for (Operation *parent = op; parent; parent = parent->getParentOp())
    if (isInKernelOf(parent, op))
      return true;
  return false;
}

struct Profile : impl::ProfileBase<Profile> {
  using ProfileBase::ProfileBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      algorithm.setProfiled(true);
      if (!countEdges)
        continue;
      algorithm.walk([](Operation *op) {
        Block *body = edgeLoop(op);
        if (body && !body->empty())
          if (auto select = dyn_cast<exec::SelectOp>(body->front())) // asked of every edge
            body = &select.getWhere().front();
        if (body && isInKernel(op))
          OpBuilder::atBlockBegin(body).create<exec::CountEdgeOp>(op->getLoc());
      });
    }
  }
};

} // namespace
} // namespace gcompile
