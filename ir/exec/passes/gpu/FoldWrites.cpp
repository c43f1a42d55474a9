#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_FOLDWRITES
#include "ir/exec/Passes.h.inc"

namespace {

/// The states that a kernel of one thread writes, if all it does is to give elements of one vertex values that depend
/// on no element; and that vertex.
struct Writes {
  SmallVector<Value> states;
  Value vertex;
};
std::optional<Writes> writesOf(exec::OnceOp once) {
  Writes writes;
  for (Operation &op : once.getBody().front()) {
    auto update = dyn_cast<exec::UpdateOp>(op);
    if (!update) {
      auto read = dyn_cast<graph::ReadOp>(op);
      bool plain =
          isPlainValue(&op) && !isa<graph::CallOp, graph::ForeignCallOp>(op) && !(read && !read.getIndices().empty());
      if (!plain)
        return std::nullopt;
      continue;
    }
    Value state = update.getState();
    bool assigns = update.getKind() == graph::UpdateKind::Assign && update.getChanged().use_empty();
    if (!assigns || update.getChecked() || update.getIndices().size() != 1 ||
        cast<graph::StateType>(state.getType()).getShape() != graph::Shape::PerVertex)
      return std::nullopt;
    Value vertex = update.getIndices()[0];
    if (once.getBody().isAncestor(vertex.getParentRegion()) || (writes.vertex && writes.vertex != vertex))
      return std::nullopt;
    writes.vertex = vertex;
    writes.states.push_back(state);
  }
  return writes.vertex ? std::optional(writes) : std::nullopt;
}

/// Whether a kernel over all vertices, which has no loops, gets at these states at its own vertex alone.
bool ownsElements(exec::ParallelOp kernel, ArrayRef<Value> states) {
  if (kernel.getDomain() != graph::Domain::Vertices || !kernel.getOver().getDefiningOp<graph::AllVerticesOp>())
    return false;
  Value own = kernel.getBody().getArgument(0);
  return !kernel.getBody()
              .walk([&](Operation *op) {
                auto update = dyn_cast<exec::UpdateOp>(op);
                auto read = dyn_cast<graph::ReadOp>(op);
                bool known = update || isa<graph::IfOp>(op) || isPlainValue(op);
                ValueRange indices = update ? update.getIndices() : read ? read.getIndices() : ValueRange();
                Value state = update ? update.getState() : read ? read.getState() : Value();
                bool elsewhere =
                    state && llvm::is_contained(states, state) && (indices.size() != 1 || indices[0] != own);
                return known && !elsewhere ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// What does not look at memory: it may change places with a kernel.
bool isConstant(Operation *op) {
  return isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::AllVerticesOp, graph::StateOp>(op);
}

struct FoldWrites : impl::FoldWritesBase<FoldWrites> {
  void runOnOperation() override {
    SmallVector<exec::OnceOp> candidates;
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        algorithm.walk([&](exec::OnceOp once) { candidates.push_back(once); });
    for (exec::OnceOp once : candidates)
      fold(once);
  }

  static void fold(exec::OnceOp once) {
    Operation *before = once->getPrevNode();
    while (before && isConstant(before))
      before = before->getPrevNode();
    auto kernel = dyn_cast_or_null<exec::ParallelOp>(before);
    std::optional<Writes> writes = kernel ? writesOf(once) : std::nullopt;
    if (!writes || !ownsElements(kernel, writes->states))
      return;
    for (Operation *op = kernel->getNextNode(); op != once;) {
      Operation *next = op->getNextNode();
      op->moveBefore(kernel);
      op = next;
    }
    Location loc = once.getLoc();
    Value own = kernel.getBody().getArgument(0);
    OpBuilder b = OpBuilder::atBlockEnd(&kernel.getBody().front());
    Value here =
        b.create<graph::BinaryOp>(loc, b.getI1Type(), graph::BinaryKind::Eq, own, writes->vertex, false, false);
    auto choice = b.create<graph::IfOp>(loc, here);
    Block *block = b.createBlock(&choice.getThenRegion());
    block->getOperations().splice(block->end(), once.getBody().front().getOperations());
    for (auto update : block->getOps<exec::UpdateOp>())
      update.getIndicesMutable().assign(own);
    once.erase();
  }
};

} // namespace
} // namespace gcompile
