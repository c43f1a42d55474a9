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

/// Whether the operation computes a value that may be computed again for each arc. `fresh`: also from what others may
/// be changing, since the arcs need not agree on it.
bool isRepeatable(Operation *op, bool fresh) {
  if (auto read = dyn_cast<graph::ReadOp>(op))
    return fresh || !read.getRelaxed();
  if (!isa<graph::LogicOp, graph::ConditionalOp>(op))
    return isPlainValue(op);
  return llvm::all_of(op->getRegions(), [&](Region &region) {
    return llvm::all_of(region.front(), [&](Operation &inner) { return isRepeatable(&inner, fresh); });
  });
}

/// The loop over the arcs out of `vertex`, or over all of its arcs, that the block is all about, if that is so.
exec::ForOp onlyLoop(Block &block, Value vertex, bool fresh) {
  exec::ForOp found;
  for (Operation &op : block) {
    if (isRepeatable(&op, fresh))
      continue;
    if (found)
      return {};
    if (auto choice = dyn_cast<graph::IfOp>(&op)) {
      if (!choice.getElseRegion().empty() && !choice.getElseRegion().front().empty())
        return {};
      found = onlyLoop(choice.getThenRegion().front(), vertex, fresh);
    } else {
      auto loop = dyn_cast<exec::ForOp>(&op);
      if (loop && (loop.getDomain() == graph::Domain::OutOf || loop.getDomain() == graph::Domain::Either) &&
          loop.getOver() == vertex && !loop.getAbove() && !loop.getBelow() && independent(loop))
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
      if (runsOnDevice(algorithm)) {
        if (algorithm.getDirectedness() == "undirected")
          takeOneWay(algorithm);
        algorithm.walk([&](Operation *op) { visit(op); });
      }
  }

  /// In an undirected graph the edges at a vertex are those out of it, and those into it.
  static void takeOneWay(graph::AlgorithmOp algorithm) {
    algorithm.walk([](exec::ForOp loop) {
      if (loop.getDomain() != graph::Domain::Either)
        return;
      auto propagate = loop->getParentOfType<exec::PropagateOp>();
      bool pulls = propagate && propagate.getPull().isAncestor(loop->getParentRegion());
      loop.setDomain(pulls && loop.getBody().getArgument(1).use_empty() ? graph::Domain::Into : graph::Domain::OutOf);
    });
  }

  void visit(Operation *op) {
    UnitAttr unit = UnitAttr::get(op->getContext());
    bool rounds = isa<exec::PropagateOp, exec::OrderedOp>(op); // each edge is an iteration of its own
    auto over = [&](Region &region) {
      return region.empty() || region.front().empty() ? exec::ForOp()
                                                      : onlyLoop(region.front(), region.getArgument(0), rounds);
    };
    auto split = [&](exec::ForOp loop) {
      op->setAttr("split", unit);
      if (loop.getDomain() == graph::Domain::Either)
        op->setAttr("both_ways", unit);
    };
    if (auto kernel = dyn_cast<exec::ParallelOp>(op)) {
      exec::ForOp loop = kernel.getDomain() == graph::Domain::Vertices ? over(kernel.getBody()) : exec::ForOp();
      if (loop)
        split(loop);
    } else if (auto reduce = dyn_cast<exec::ReduceOp>(op)) {
      exec::ForOp loop = reduce.getDomain() == graph::Domain::Vertices ? over(reduce.getBody()) : exec::ForOp();
      if (loop && isFolded(reduce))
        split(loop);
    } else if (rounds) {
      // A loop of many rounds in one kernel: no place for a thread's own copy of a scalar.
      op->walk([](exec::UpdateOp update) {
        if (update.getSync() == exec::Sync::Private)
          update.setSync(exec::Sync::Atomic);
      });
      auto gather = op->getAttrOfType<StringAttr>("gather");
      bool serial = gather && gather.getValue() == "serial";
      exec::ForOp loop = over(op->getRegion(0));
      // What is kept of each level are the arcs out of its vertices.
      bool kept = isa<exec::PropagateOp>(op) && cast<exec::PropagateOp>(op).getLevels();
      bool both = loop && loop.getDomain() == graph::Domain::Either;
      if (!serial && loop && !(both && kept))
        split(loop);
      else if (gather && !serial) {
        auto error = report(
            cast<LocationAttr>(op->getAttr("gather_place")), diag::illegal_schedule, "share the list of a vertex",
            both ? "it follows its edges both ways, and the arcs that are kept with its levels go one way"
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
