#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/exec/passes/gpu/Sweep.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_FUSEKERNELS
#include "ir/exec/Passes.h.inc"

namespace {

/// What a kernel does to the states that outlive it.
struct Accesses {
  // shared, scattered: touched, written not only at the kernel's own vertex
  llvm::SmallDenseSet<Value> written, touched, shared, scattered;
  bool known = true;

  explicit Accesses(exec::ParallelOp kernel) {
    Value v = kernel.getBody().getArgument(0);
    auto note = [&](Value state, ValueRange indices, bool writes) {
      if (isLocal(state, kernel.getBody()))
        return;
      touched.insert(state);
      if (writes)
        written.insert(state);
      if (indices.size() != 1 || indices[0] != v) {
        shared.insert(state);
        if (writes)
          scattered.insert(state);
      }
    };
    kernel.walk([&](Operation *op) {
      if (auto read = dyn_cast<graph::ReadOp>(op))
        note(read.getState(), read.getIndices(), false);
      else if (auto update = dyn_cast<exec::UpdateOp>(op))
        note(update.getState(), update.getIndices(), true);
      else if (auto claim = dyn_cast<exec::ClaimOp>(op))
        note(claim.getState(), claim.getIndices(), true);
      else if (isa<exec::UpdateTupleOp>(op))
        known = false;
    });
    // What it reads elsewhere of what it writes is in another level, of which no kernel over this level knows.
    if (kernel.getLevelsApart())
      for (Value state : written)
        if (!scattered.contains(state))
          shared.erase(state);
  }
};

/// Whether the kernel is nothing but writes to elements of its vertex, under conditions, which one lane can make.
bool isOneLanes(exec::ParallelOp kernel) {
  Value v = kernel.getBody().getArgument(0);
  return !kernel.getBody()
              .walk([&](Operation *op) {
                auto update = dyn_cast<exec::UpdateOp>(op);
                auto choice = dyn_cast<graph::IfOp>(op);
                auto read = dyn_cast<graph::ReadOp>(op);
                bool fine = update ? update.getSync() == exec::Sync::Plain && update.getChanged().use_empty() &&
                                         update.getIndices().size() == 1 && update.getIndices()[0] == v
                            : choice ? choice.getElseRegion().empty()
                            : read   ? !read.getRelaxed()
                                     : isPlainValue(op);
                return fine ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether each vertex can run both bodies one after the other: what one writes and the other touches is its own.
bool canFuse(exec::ParallelOp first, exec::ParallelOp second, bool keepSharing) {
  auto plain = [](exec::ParallelOp kernel) {
    return kernel.getDomain() == graph::Domain::Vertices && !kernel.getSplit() && !kernel.getByLanes() &&
           !exec::goesBySegments(kernel);
  };
  // In a loop over levels the barrier between two kernels costs more than one lane that works for the others.
  auto loop = dyn_cast<graph::ForOp>(first->getParentOp());
  bool oneLanes = first.getByLanes() && loop && isSweep(loop) && isOneLanes(second);
  auto isAll = [](Value set) { return set && set.getDefiningOp<graph::AllVerticesOp>(); };
  bool same = first.getOver() == second.getOver() || (isAll(first.getOver()) && isAll(second.getOver()));
  if (!(plain(first) || oneLanes) || !plain(second) || !same || first.getOverPrevious() || second.getOverPrevious() ||
      first.getTurned() != second.getTurned())
    return false;
  // On CPUs equal work for each vertex stays with equally many vertices for each thread: it streams, its memory is
  // near.
  if (keepSharing && first.getSharing() != second.getSharing())
    return false;
  Accesses a(first), b(second);
  auto meets = [](const Accesses &writer, const Accesses &other) {
    return llvm::any_of(writer.written, [&](Value state) {
      return other.touched.contains(state) && (writer.scattered.contains(state) || other.shared.contains(state));
    });
  };
  return a.known && b.known && !meets(a, b) && !meets(b, a);
}

struct FuseKernels : impl::FuseKernelsBase<FuseKernels> {
  using FuseKernelsBase::FuseKernelsBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (!runsOnDevice(algorithm))
        continue;
      SmallVector<exec::ParallelOp> kernels;
      algorithm.walk([&](exec::ParallelOp kernel) { kernels.push_back(kernel); });
      for (exec::ParallelOp kernel : llvm::reverse(kernels))
        while (auto next = follower(kernel)) {
          if (!canFuse(kernel, next, keepSharing))
            break;
          if (kernel.getByLanes())
            next.walk([&](exec::UpdateOp update) { update.setLeader(true); });
          if (next.getTransposed())
            kernel.setTransposed(true);
          next.getBody().getArgument(0).replaceAllUsesWith(kernel.getBody().getArgument(0));
          Block &body = kernel.getBody().front();
          body.getOperations().splice(body.end(), next.getBody().front().getOperations());
          next.erase();
        }
    }
  }

  /// The kernel that runs next, with nothing but values that do not depend on states between.
  static exec::ParallelOp follower(exec::ParallelOp kernel) {
    Operation *op = kernel->getNextNode();
    while (op && isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::AllVerticesOp, graph::StateOp>(op))
      op = op->getNextNode();
    auto next = dyn_cast_or_null<exec::ParallelOp>(op);
    if (!next || next.getDomain() != graph::Domain::Vertices || kernel.getDomain() != graph::Domain::Vertices)
      return {};
    // Constants between must come before what uses them.
    while (kernel->getNextNode() != next)
      kernel->getNextNode()->moveBefore(kernel);
    return next;
  }
};

} // namespace
} // namespace gcompile
