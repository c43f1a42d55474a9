#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MARKRELAXED
#include "ir/exec/Passes.h.inc"

namespace {
struct MarkRelaxed : impl::MarkRelaxedBase<MarkRelaxed> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(), [&](Operation *op) {
      if (auto kernel = dyn_cast<exec::ParallelOp>(op); kernel && kernel.getSharing() != exec::Sharing::Serial)
        mark(kernel.getBody(), kernel.getLevelsApart());
      else if (auto loop = dyn_cast<exec::PropagateOp>(op); loop && loop.getSharing() != exec::Sharing::Serial) {
        mark(loop.getPush());
        mark(loop.getPull());
      } else if (auto ordered = dyn_cast<exec::OrderedOp>(op)) {
        mark(ordered.getPush());
      } else if (auto loop = dyn_cast<exec::AsynchronousOp>(op)) {
        mark(loop.getPush());
      }
    });
  }

  /// In one kernel, a state that some operation shares between threads is loaded atomically everywhere; and one that a
  /// thread updates at its own element while others read it there is also stored atomically.
  /// `apart`: what it reads elsewhere is in another level than what it writes.
  static void mark(Region &kernel, bool apart = false) {
    if (kernel.empty() || kernel.getNumArguments() == 0)
      return;
    Value own = kernel.getArgument(0);
    llvm::DenseSet<Value> shared, readElsewhere, written;
    kernel.walk([&](Operation *op) {
      if (auto update = dyn_cast<exec::UpdateOp>(op)) {
        if (!update.getIndices().empty())
          written.insert(update.getState());
        if (update.getSync() == exec::Sync::Atomic || update.getSync() == exec::Sync::Relaxed)
          shared.insert(update.getState());
      } else if (auto tuple = dyn_cast<exec::UpdateTupleOp>(op)) {
        if (tuple.getSync() != exec::Sync::Plain)
          shared.insert(tuple.getStates().begin(), tuple.getStates().end());
        written.insert(tuple.getStates().begin(), tuple.getStates().end());
      } else if (auto claim = dyn_cast<exec::ClaimOp>(op)) {
        if (claim.getSync() != exec::Sync::Plain)
          shared.insert(claim.getState());
        written.insert(claim.getState());
      } else if (auto take = dyn_cast<exec::TakeOp>(op)) {
        shared.insert(take.getGiven());
        written.insert(take.getGiven());
      } else if (auto read = dyn_cast<graph::ReadOp>(op)) {
        if (read.getIndices().size() == 1 && read.getIndices()[0] != own)
          readElsewhere.insert(read.getState());
      }
    });
    for (Value state : readElsewhere)
      if (written.contains(state) && !apart)
        shared.insert(state);
    kernel.walk([&](Operation *op) {
      if (auto read = dyn_cast<graph::ReadOp>(op); read && shared.contains(read.getState()))
        read.setRelaxed(true);
      else if (auto update = dyn_cast<exec::UpdateOp>(op);
               update && update.getSync() == exec::Sync::Plain && shared.contains(update.getState()))
        update.setSync(exec::Sync::Relaxed);
    });
  }
};
} // namespace
} // namespace gcompile
