#include "ir/Errors.h"
#include "ir/passes/Passes.h"
#include "ir/passes/gpu/Device.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SPLITEDGES
#include "ir/passes/Passes.h.inc"

namespace {

/// Whether an iteration of `loop` may run in any thread: it shares nothing with the others but by atomic operations.
bool independent(exec::ForOp loop) {
  Block &body = loop.getBody().front();
  Value other = body.getArgument(0), edge = body.getNumArguments() > 1 ? Value(body.getArgument(1)) : Value();
  auto owned = [&](Value state, ValueRange indices, exec::Sync sync) {
    if (isLocal(state, loop.getBody()) || sync == exec::Sync::Atomic || sync == exec::Sync::Private)
      return true;
    // What is written at the other end is the winner's of a claim, or the same from everyone, whichever thread it is.
    return indices.size() == 1 && (indices[0] == edge || indices[0] == other);
  };
  return !loop.walk([&](Operation *op) {
                bool fine = true;
                if (auto update = dyn_cast<exec::UpdateOp>(op))
                  fine = owned(update.getState(), update.getIndices(), update.getSync());
                else if (auto tuple = dyn_cast<exec::UpdateTupleOp>(op))
                  fine = tuple.getSync() == exec::Sync::Atomic || tuple.getIndex() == other;
                else if (auto claim = dyn_cast<exec::ClaimOp>(op))
                  fine = owned(claim.getState(), claim.getIndices(), claim.getSync());
                else if (auto activate = dyn_cast<exec::ActivateOp>(op))
                  fine = activate.getSync() == exec::Sync::Atomic;
                else if (isa<exec::BreakOp, graph::BreakOp>(op))
                  fine = op->getParentOfType<exec::ForOp>() != loop;
                else if (isa<exec::ContributeOp>(op))
                  fine = true;
                return fine ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The loop over the arcs out of `vertex` that the block is all about, if that is so.
exec::ForOp onlyLoop(Block &block, Value vertex) {
  exec::ForOp found;
  for (Operation &op : block) {
    if (isPlainValue(&op)) {
      if (auto read = dyn_cast<graph::ReadOp>(&op); read && read.getRelaxed())
        return {};
      continue;
    }
    if (found)
      return {};
    if (auto choice = dyn_cast<graph::IfOp>(&op)) {
      if (!choice.getElseRegion().empty() && !choice.getElseRegion().front().empty())
        return {};
      found = onlyLoop(choice.getThenRegion().front(), vertex);
    } else {
      auto loop = dyn_cast<exec::ForOp>(&op);
      if (loop && loop.getDomain() == graph::Domain::OutOf && loop.getOver() == vertex && !loop.getAbove() &&
          !loop.getBelow() && independent(loop))
        found = loop;
    }
    if (!found)
      return {};
  }
  return found;
}

struct SplitEdges : impl::SplitEdgesBase<SplitEdges> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        algorithm.walk([&](Operation *op) { visit(op); });
  }

  void visit(Operation *op) {
    UnitAttr split = UnitAttr::get(op->getContext());
    auto over = [&](Region &region) {
      return !region.empty() && !region.front().empty() && onlyLoop(region.front(), region.getArgument(0));
    };
    if (auto kernel = dyn_cast<exec::ParallelOp>(op)) {
      if (kernel.getDomain() == graph::Domain::Vertices && over(kernel.getBody()))
        op->setAttr("split", split);
    } else if (auto reduce = dyn_cast<exec::ReduceOp>(op)) {
      if (reduce.getDomain() == graph::Domain::Vertices && over(reduce.getBody()) && isFolded(reduce))
        op->setAttr("split", split);
    } else if (isa<exec::PropagateOp, exec::OrderedOp>(op)) {
      // A loop of many rounds in one kernel: no place for a thread's own copy of a scalar.
      op->walk([](exec::UpdateOp update) {
        if (update.getSync() == exec::Sync::Private)
          update.setSync(exec::Sync::Atomic);
      });
      auto gather = op->getAttrOfType<StringAttr>("gather");
      bool serial = gather && gather.getValue() == "serial";
      if (!serial && over(op->getRegion(0)))
        op->setAttr("split", split);
      else if (gather && !serial) {
        bool bothWays =
            op->walk([](exec::ForOp loop) {
                return loop.getDomain() == graph::Domain::Either ? WalkResult::interrupt() : WalkResult::advance();
              }).wasInterrupted();
        auto error = report(
            cast<LocationAttr>(op->getAttr("gather_place")), diag::illegal_schedule, "share the list of a vertex",
            bothWays ? "it follows its edges both ways: there are two"
                     : "what it does is more than a loop over edges that are independent of each other");
        error.attachNote(op->getLoc()) << "the statement is here";
        signalPassFailure();
      }
      op->removeAttr("gather_place");
    }
  }

  /// Whether the contributions may come from any thread, each with an accumulator of its own.
  static bool isFolded(exec::ReduceOp reduce) { return reduce.getKind() != graph::ReduceKind::Mode; }
};

} // namespace
} // namespace gcompile
