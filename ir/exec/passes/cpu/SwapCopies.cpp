#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SWAPCOPIES
#include "ir/exec/Passes.h.inc"

namespace {

/// A second copy of a state that is written whole before anything reads it.
class Copy {
public:
  explicit Copy(exec::SnapshotOp snapshot) : snapshot(snapshot) {}

  void run() {
    auto type = cast<graph::StateType>(snapshot.getState().getType());
    if (type.getShape() != graph::Shape::PerVertex || isa<graph::SetType>(type.getElement()) ||
        !isWritten(snapshot->getNextNode()))
      return;
    snapshot.setSwaps(true);
    for (graph::ReadOp read : early)
      read.getStateMutable().assign(snapshot.getCopy());
  }

private:
  bool touches(Operation *op) {
    return llvm::any_of(snapshot.getState().getUsers(), [&](Operation *user) { return op->isAncestor(user); });
  }

  /// Whether all elements of the state are written from an operation of a block on, before others touch it.
  bool isWritten(Operation *begin) {
    for (Operation *op = begin; op; op = op->getNextNode()) {
      if (!touches(op))
        continue;
      if (auto choice = dyn_cast<graph::IfOp>(op))
        return !choice.getElseRegion().empty() && isWrittenIn(choice.getThenRegion()) &&
               isWrittenIn(choice.getElseRegion());
      auto kernel = dyn_cast<exec::ParallelOp>(op);
      return kernel && writesAll(kernel);
    }
    return false;
  }
  bool isWrittenIn(Region &region) { return !region.front().empty() && isWritten(&region.front().front()); }

  /// Whether a kernel assigns each vertex its element, and reads no element but that one, before.
  bool writesAll(exec::ParallelOp kernel) {
    if (!runsForAllVertices(kernel))
      return false;
    Block &body = kernel.getBody().front();
    Value v = body.getArgument(0);
    exec::UpdateOp write;
    for (auto update : body.getOps<exec::UpdateOp>())
      if (update.getState() == snapshot.getState()) {
        write = update;
        break;
      }
    if (!write || !assignsOwn(write, v))
      return false;
    for (Operation *user : snapshot.getState().getUsers()) {
      Operation *place = kernel->isAncestor(user) ? body.findAncestorOpInBlock(*user) : nullptr;
      if (!place || place == write || write->isBeforeInBlock(place))
        continue;
      auto read = dyn_cast<graph::ReadOp>(user);
      if (!read || !isOwn(read.getIndices(), v))
        return false;
      early.push_back(read);
    }
    return true;
  }

  exec::SnapshotOp snapshot;
  SmallVector<graph::ReadOp> early; // of the vertex's own element, before it is written
};

struct SwapCopies : impl::SwapCopiesBase<SwapCopies> {
  void runOnOperation() override {
    for (exec::SnapshotOp snapshot : snapshotsOf(getOperation()))
      Copy(snapshot).run();
  }
};

} // namespace
} // namespace gcompile
