#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_GUARDVALUES
#include "ir/exec/Passes.h.inc"

namespace {

/// The most operations that are computed in vain where the condition fails.
constexpr unsigned mostInVain = 6;

/// Whether it reads what an argument of a loop has, which is there whatever the condition says.
bool readsAtArgument(Operation *op) {
  auto read = dyn_cast<graph::ReadOp>(op);
  return read && !read.getChecked() && read.getIndices().size() == 1 && isa<BlockArgument>(read.getIndices()[0]) &&
         cast<graph::StateType>(read.getState().getType()).getShape() != graph::Shape::Array;
}

/// Whether the condition is a truth value of one vertex, or its opposite: what a processor cannot foresee.
bool isOfVertex(Value condition) {
  if (auto inverse = condition.getDefiningOp<graph::UnaryOp>(); inverse && inverse.getKind() == graph::UnaryKind::Not)
    condition = inverse.getOperand();
  Operation *op = condition.getDefiningOp();
  return op && readsAtArgument(op);
}

bool mayBeComputedInVain(Operation *op) {
  return readsAtArgument(op) ||
         (isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp, graph::CastOp>(op) &&
          !exec::isChecked(op));
}

/// An update of single values at a vertex: its kind, whether one thread makes it alone, and whether the place is there
/// whatever the condition says.
bool fits(Operation *update) {
  auto alone = [](auto op) {
    return op.getSync() == exec::Sync::Plain && !op.getChecked() &&
           (op.getKind() == graph::UpdateKind::Min || op.getKind() == graph::UpdateKind::Max) &&
           op.getIndices().size() == 1 && isa<BlockArgument>(op.getIndices()[0]);
  };
  if (auto one = dyn_cast<exec::UpdateOp>(update))
    return alone(one) && one.getPart() < 0 && !one.getCombiner() && one.getValue().getType().isIntOrFloat();
  auto several = dyn_cast<exec::UpdateTupleOp>(update);
  return several && alone(several);
}

/// A branch that updates something, and then does the rest only if that has changed.
struct GuardedUpdate {
  graph::IfOp branch;
  Operation *update = nullptr;

  explicit GuardedUpdate(graph::IfOp branch) : branch(branch) {
    auto loop = dyn_cast<exec::ForOp>(branch->getParentOp());
    if (!loop || (loop.getDomain() != graph::Domain::OutOf && loop.getDomain() != graph::Domain::Into) ||
        loop->getParentOfType<exec::Kernel>() || !isOfVertex(branch.getCondition()) ||
        (!branch.getElseRegion().empty() && !branch.getElseRegion().front().empty()))
      return;
    unsigned inVain = 0;
    for (Operation &op : branch.getThenRegion().front()) {
      if (!update && fits(&op)) {
        update = &op;
      } else if (update ? !isBehindChange(&op) : !mayBeComputedInVain(&op) || ++inVain > mostInVain) {
        update = nullptr;
        return;
      }
    }
  }

  void rewrite() {
    OpBuilder b(update);
    graph::UpdateKind kind =
        llvm::TypeSwitch<Operation *, graph::UpdateKind>(update).Case<exec::UpdateOp, exec::UpdateTupleOp>(
            [](auto op) { return op.getKind(); });
    auto guard = [&](OpOperand &value) {
      value.set(b.create<exec::GuardedOp>(update->getLoc(), kind, branch.getCondition(), value.get()));
    };
    if (auto one = dyn_cast<exec::UpdateOp>(update))
      guard(one.getValueMutable());
    else
      for (OpOperand &value : cast<exec::UpdateTupleOp>(update).getValuesMutable())
        guard(value);
    branch->getBlock()->getOperations().splice(branch->getIterator(), branch.getThenRegion().front().getOperations());
    branch.erase();
  }

private:
  bool isBehindChange(Operation *op) const {
    auto next = dyn_cast<graph::IfOp>(op);
    return next && next.getCondition() == update->getResult(0) &&
           (next.getElseRegion().empty() || next.getElseRegion().front().empty());
  }
};

struct GuardValues : impl::GuardValuesBase<GuardValues> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      SmallVector<GuardedUpdate> found;
      graph::walkHolders(algorithm, [&](graph::IfOp branch) {
        if (GuardedUpdate one(branch); one.update)
          found.push_back(one);
      });
      for (GuardedUpdate &one : found)
        one.rewrite();
    }
  }
};

} // namespace
} // namespace gcompile
