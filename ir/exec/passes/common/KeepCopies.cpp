#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_KEEPCOPIES
#include "ir/exec/Passes.h.inc"

namespace {

/// A snapshot that a propagate starts from, and keeps equal to the state from one round to the next.
class Copy {
public:
  explicit Copy(exec::SnapshotOp snapshot) : snapshot(snapshot) {}

  /// Takes the snapshot in front of the outermost loop in which every other write can be made to both.
  void hoist() {
    if (snapshot.getRow() || snapshot.getColumn() || !findPropagate())
      return;
    auto declaration = snapshot.getState().getDefiningOp<graph::StateOp>();
    Operation *outermost = nullptr;
    SmallVector<exec::UpdateOp> writes;
    for (Operation *loop = snapshot->getParentOp(); isa_and_nonnull<graph::IfOp>(loop) || isSequential(loop);
         loop = loop->getParentOp()) {
      if (!declaration || loop->isAncestor(declaration))
        break;
      if (!isSequential(loop))
        continue;
      SmallVector<exec::UpdateOp> others;
      if (!collect(loop, others))
        break;
      outermost = loop;
      writes = std::move(others);
    }
    if (!outermost)
      return;
    snapshot->moveBefore(outermost);
    for (exec::UpdateOp write : writes) {
      OpBuilder b = OpBuilder(write->getContext());
      b.setInsertionPointAfter(write);
      b.create<exec::UpdateOp>(write.getLoc(), b.getI1Type(), write.getKind(), write.getSync(), snapshot.getCopy(),
                               write.getIndices(), write.getValue(), write.getChecked(), /*leader=*/false,
                               write.getPart(), write.getCombinerAttr());
    }
  }

private:
  static bool isSequential(Operation *op) {
    auto loop = dyn_cast_or_null<graph::ForOp>(op);
    return loop || isa_and_nonnull<graph::WhileOp, graph::RepeatOp>(op);
  }

  /// The propagate that alone uses the copy, and commits it for each vertex that changes.
  bool findPropagate() {
    for (Operation *user : snapshot.getCopy().getUsers()) {
      auto around = user->getParentOfType<exec::PropagateOp>();
      if (!around || (propagate && around != propagate))
        return false;
      propagate = around;
    }
    if (!propagate || propagate->getBlock() != snapshot->getBlock() || propagate.getCommit().empty())
      return false;
    return llvm::any_of(propagate.getCommit().front().getOps<exec::UpdateOp>(), [&](exec::UpdateOp update) {
      auto read = update.getValue().getDefiningOp<graph::ReadOp>();
      return update.getState() == snapshot.getState() && read && read.getState() == snapshot.getCopy();
    });
  }

  /// The writes of the state in a loop besides those of the propagate; false if there are others than plain ones, once
  /// for each vertex of a kernel.
  bool collect(Operation *loop, SmallVectorImpl<exec::UpdateOp> &writes) {
    for (OpOperand &use : snapshot.getState().getUses()) {
      Operation *user = use.getOwner();
      if (!loop->isAncestor(user) || propagate->isAncestor(user) ||
          isa<graph::ReadOp, exec::PrefetchOp, exec::PrefetchFurtherOp, exec::PrefetchOwnOp>(user))
        continue;
      if (auto other = dyn_cast<exec::SnapshotOp>(user)) // reads it
        continue;
      auto update = dyn_cast<exec::UpdateOp>(user);
      if (!update || update.getState() != snapshot.getState() || update.getSync() != exec::Sync::Plain ||
          update->getParentOfType<exec::ForOp>())
        return false;
      writes.push_back(update);
    }
    return true;
  }

  exec::SnapshotOp snapshot;
  exec::PropagateOp propagate;
};

struct KeepCopies : impl::KeepCopiesBase<KeepCopies> {
  void runOnOperation() override {
    for (exec::SnapshotOp snapshot : snapshotsOf(getOperation()))
      Copy(snapshot).hoist();
  }
};

} // namespace
} // namespace gcompile
