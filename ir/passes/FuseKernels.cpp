#include "ir/ExecDialect.h"
#include "ir/passes/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_FUSEKERNELS
#include "ir/passes/Passes.h.inc"

namespace {

/// What a kernel does to the states that outlive it.
struct Accesses {
  llvm::SmallDenseSet<Value> written, touched, shared; // shared: not only at the kernel's own vertex
  bool known = true;

  explicit Accesses(exec::ParallelOp kernel) {
    Value v = kernel.getBody().getArgument(0);
    auto note = [&](Value state, ValueRange indices, bool writes) {
      if (kernel.getBody().isAncestor(state.getParentRegion()))
        return;
      touched.insert(state);
      if (writes)
        written.insert(state);
      if (indices.size() != 1 || indices[0] != v)
        shared.insert(state);
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
  }
};

/// Whether each vertex can run both bodies one after the other: what one writes and the other touches is its own.
bool canFuse(exec::ParallelOp first, exec::ParallelOp second) {
  auto plain = [](exec::ParallelOp kernel) {
    return kernel.getDomain() == graph::Domain::Vertices && !kernel->hasAttr("split") && !kernel->hasAttr("by_lanes") &&
           !kernel->hasAttr("segment_width");
  };
  auto isAll = [](Value set) { return set && set.getDefiningOp<graph::AllVerticesOp>(); };
  bool same = first.getOver() == second.getOver() || (isAll(first.getOver()) && isAll(second.getOver()));
  // Equal work for each vertex stays with equally many vertices for each thread: it streams, and its memory is near.
  if (!plain(first) || !plain(second) || !same || first.getSchedule() != second.getSchedule())
    return false;
  Accesses a(first), b(second);
  auto meets = [](const Accesses &writer, const Accesses &other) {
    return llvm::any_of(writer.written, [&](Value state) {
      return other.touched.contains(state) && (writer.shared.contains(state) || other.shared.contains(state));
    });
  };
  return a.known && b.known && !meets(a, b) && !meets(b, a);
}

struct FuseKernels : impl::FuseKernelsBase<FuseKernels> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      SmallVector<exec::ParallelOp> kernels;
      algorithm.walk([&](exec::ParallelOp kernel) { kernels.push_back(kernel); });
      for (exec::ParallelOp kernel : llvm::reverse(kernels))
        while (auto next = follower(kernel)) {
          if (!canFuse(kernel, next))
            break;
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
