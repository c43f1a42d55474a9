#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CLOSEPAIRS
#include "ir/exec/Passes.h.inc"

namespace {

/// The parts of a loop that closes a state of pairs.
struct Closure {
  Value state;
  exec::SnapshotOp row, column;
  exec::ParallelOp kernel;
};

/// Whether the loop holds a copy of row k and one of column k of a state, a kernel over all pairs, and nothing else.
bool findParts(graph::ForOp loop, Closure &found) {
  Value k = loop.getBody().getArgument(0);
  for (Operation &op : loop.getBody().front()) {
    if (auto copy = dyn_cast<exec::SnapshotOp>(op)) {
      exec::SnapshotOp &part = copy.getRow() ? found.row : found.column;
      if (part || (copy.getRow() ? copy.getRow() : copy.getColumn()) != k ||
          (found.state && found.state != copy.getState()))
        return false;
      part = copy;
      found.state = copy.getState();
    } else if (auto kernel = dyn_cast<exec::ParallelOp>(op); kernel && !found.kernel) {
      found.kernel = kernel;
    } else if (!isa<graph::AllVerticesOp, graph::YieldOp>(op)) {
      return false;
    }
  }
  return found.row && found.column && found.kernel && found.kernel.getDomain() == graph::Domain::Pairs;
}

/// Whether the operation computes the same for every pair but for the values that it is given.
bool isPlain(Operation *op) {
  return !exec::isChecked(op) &&
         isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp, graph::CastOp,
             graph::HashOp, graph::TupleOp, graph::ElementOp, graph::NumVerticesOp, graph::NumEdgesOp, graph::LetOp,
             graph::LogicOp, graph::ConditionalOp, graph::IfOp, graph::YieldOp>(op);
}

/// Whether the kernel has one plain update, of the state at its pair, and reads what the pass may give it.
bool isStep(Closure closure, Value k) {
  exec::ParallelOp kernel = closure.kernel;
  Value i = kernel.getBody().getArgument(0), j = kernel.getBody().getArgument(1);
  auto at = [](auto op, Value first, Value second) {
    return op.getIndices().size() == 2 && op.getIndices()[0] == first && op.getIndices()[1] == second;
  };
  unsigned updates = 0;
  bool fits = true;
  kernel.getBody().walk([&](Operation *op) {
    if (auto update = dyn_cast<exec::UpdateOp>(op)) {
      ++updates;
      fits &= update.getState() == closure.state && at(update, i, j) && update.getSync() == exec::Sync::Plain &&
              update.getChanged().use_empty() && !update.getChecked();
    } else if (auto read = dyn_cast<graph::ReadOp>(op)) {
      Value from = read.getState();
      bool scalar = cast<graph::StateType>(from.getType()).getShape() == graph::Shape::Scalar &&
                    !isa<graph::SetType>(read.getType());
      fits &= !read.getChecked() && (scalar || (from == closure.state && at(read, i, j)) ||
                                     (from == closure.row.getCopy() && at(read, k, j)) ||
                                     (from == closure.column.getCopy() && at(read, i, k)));
    } else {
      fits &= isPlain(op);
    }
  });
  return fits && updates == 1;
}

/// Whether the step is `own min= D[i, k] + D[k, j]`, of integers, whose infinity absorbs.
bool isShortestPaths(exec::ClosePairsOp closure) {
  Block &step = closure.getStep().front();
  auto update = dyn_cast<exec::UpdateOp>(step.back());
  auto sum = update ? update.getValue().getDefiningOp<graph::BinaryOp>() : graph::BinaryOp();
  if (!sum || step.getOperations().size() != 4 || update.getKind() != graph::UpdateKind::Min ||
      sum.getKind() != graph::BinaryKind::Add || !sum.getAbsorbing() || !isa<IntegerType>(sum.getType()))
    return false;
  auto lhs = sum.getLhs().getDefiningOp<graph::ReadOp>(), rhs = sum.getRhs().getDefiningOp<graph::ReadOp>();
  auto reads = [&](graph::ReadOp read) { return read && read.getState() == closure.getState(); };
  return reads(lhs) && reads(rhs) && lhs != rhs;
}

struct ClosePairs : impl::ClosePairsBase<ClosePairs> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (!algorithm.getSerialOf())
        algorithm.walk([&](graph::ForOp loop) { close(loop); });
  }

private:
  static void close(graph::ForOp loop) {
    Closure parts;
    if (loop.getDomain() != graph::Domain::Vertices || !loop.getOver().getDefiningOp<graph::AllVerticesOp>() ||
        !findParts(loop, parts) || !isStep(parts, loop.getBody().getArgument(0)))
      return;
    OpBuilder b(loop);
    auto state = parts.state.getDefiningOp<graph::StateOp>();
    std::string name = "close_" + (state ? state.getName().str() : "pairs");
    ArrayAttr names = parts.kernel.getNamesAttr();
    auto closure = b.create<exec::ClosePairsOp>(parts.kernel.getLoc(), b.getStringAttr(name), parts.state,
                                                /*shortest_paths=*/false, names);
    closure.getStep().takeBody(parts.kernel.getBody());
    Block &step = closure.getStep().front();
    BlockArgument k = step.addArgument(step.getArgument(0).getType(), loop.getLoc());
    loop.getBody().getArgument(0).replaceAllUsesWith(k);
    for (exec::SnapshotOp copy : {parts.row, parts.column})
      copy.getCopy().replaceAllUsesWith(parts.state);
    if (names && loop.getNamesAttr())
      closure.setNamesAttr(b.getArrayAttr({names[0], names[1], loop.getNamesAttr()[0]}));
    closure.setShortestPaths(isShortestPaths(closure));
    loop.erase();
  }
};

} // namespace
} // namespace gcompile
