#include "ir/analysis/Failures.h"
#include "ir/analysis/None.h"
#include "ir/analysis/Reads.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_PREPAREFOREMISSION
#include "ir/exec/Passes.h.inc"

namespace {

bool isVertex(Value value) { return value && isa<graph::VertexType>(value.getType()); }

/// Notes what may be none of what an operation asks.
void markNone(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<graph::DegreeOp, graph::NeighborsOp>([](auto o) { o.setMayBeNone(mayBeNone(o.getVertex())); })
      .Case([](graph::EndpointOp o) { o.setMayBeNone(mayBeNone(o.getEdge())); })
      .Case<graph::ForOp, exec::ForOp>([](auto o) { o.setMayBeNone(isVertex(o.getOver()) && mayBeNone(o.getOver())); })
      .Case<exec::BatchForOp, exec::BestForOp>([](auto o) { o.setMayBeNone(mayBeNone(o.getOver())); });
}

/// Has the body of a sequential loop begin with its condition.
void moveCondition(graph::ForOp loop) {
  if (exec::isAbsent(loop.getWhere()))
    return;
  Block &where = loop.getWhere().front(), &body = loop.getBody().front();
  auto yield = cast<graph::YieldOp>(where.back());
  Value condition = yield.getOperand(0);
  for (auto [argument, own] : llvm::zip(where.getArguments(), body.getArguments()))
    argument.replaceAllUsesWith(own);
  OpBuilder(yield).create<exec::RequireOp>(yield.getLoc(), condition);
  yield.erase();
  body.getOperations().splice(body.begin(), where.getOperations());
  where.erase();
}

bool mayFailAnywhere(exec::ParallelOp kernel) {
  return kernel.getBody()
      .walk([](Operation *op) { return mayFail(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Removes the values with names that nothing uses, and what only these use: a printed one would be a variable that is
/// declared in vain. None of them is part of what another uses, and what stands in the region of a value goes before
/// it.
void removeUnusedNames(Operation *root) {
  SmallVector<graph::LetOp> unused;
  root->walk([&](graph::LetOp let) {
    if (let.getResult().use_empty())
      unused.push_back(let);
  });
  for (graph::LetOp let : unused)
    eraseUnused(let.getResult());
}

struct PrepareForEmission : impl::PrepareForEmissionBase<PrepareForEmission> {
  void runOnOperation() override {
    removeUnusedNames(getOperation());
    getOperation().walk([](Operation *op) {
      markNone(op);
      if (auto read = dyn_cast<graph::ReadOp>(op); read && isa<graph::SetType>(read.getType()))
        read.setLasting(outlastsUses(read));
      if (auto kernel = dyn_cast<exec::ParallelOp>(op); kernel && exec::goesBySegments(kernel))
        kernel.setMayFail(mayFailAnywhere(kernel));
    });
    graph::walkHolders(getOperation(), [](graph::ForOp loop) { moveCondition(loop); });
  }
};

} // namespace
} // namespace gcompile
