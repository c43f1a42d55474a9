#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Domains.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SELECTCHANGES
#include "ir/exec/Passes.h.inc"

namespace {

/// The most operations that are computed for arcs that change nothing.
constexpr unsigned mostInVain = 8;

/// Whether it reads what an argument of a loop has, which is there whatever a condition says.
bool readsAtArgument(Operation *op) {
  auto read = dyn_cast<graph::ReadOp>(op);
  return read && !read.getChecked() && read.getIndices().size() == 1 && isa<BlockArgument>(read.getIndices()[0]) &&
         cast<graph::StateType>(read.getState().getType()).getShape() != graph::Shape::Array;
}

bool mayBeComputedInVain(Operation *op) {
  return readsAtArgument(op) ||
         (isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp, graph::CastOp>(op) &&
          !exec::isChecked(op));
}

/// A minimum or maximum at the other end of the arc, which one thread makes alone.
bool isExtremeAtEnd(Operation *update, Value end) {
  auto fits = [&](auto op) {
    return op.getSync() == exec::Sync::Plain && !op.getChecked() &&
           (op.getKind() == graph::UpdateKind::Min || op.getKind() == graph::UpdateKind::Max) &&
           op.getIndices().size() == 1 && op.getIndices()[0] == end;
  };
  if (auto one = dyn_cast<exec::UpdateOp>(update))
    return fits(one) && one.getPart() < 0 && !one.getCombiner() && one.getValue().getType().isIntOrFloat();
  auto several = dyn_cast<exec::UpdateTupleOp>(update);
  return several && fits(several);
}

/// The operations of a block that compute values, up to one that does something else: that one, or null if they are too
/// many, or too dear, for arcs that change nothing.
Operation *firstEffect(Block &block, unsigned &inVain) {
  for (Operation &op : block) {
    if (!mayBeComputedInVain(&op))
      return &op;
    if (++inVain > mostInVain)
      return nullptr;
  }
  return nullptr;
}

/// A loop of the host over the arcs at a vertex that does nothing but update an extreme at the other end, under a
/// condition or without one, and what follows a change.
struct ChangingLoop {
  exec::ForOp loop;
  graph::IfOp condition; // may be null
  Operation *update = nullptr;

  explicit ChangingLoop(exec::ForOp loop) : loop(loop) {
    if (!graph::isList(loop.getDomain()) || loop->getParentOfType<exec::Kernel>())
      return;
    Block &body = loop.getBody().front();
    unsigned inVain = 0;
    Operation *first = firstEffect(body, inVain);
    if (condition = dyn_cast_or_null<graph::IfOp>(first); condition) {
      if (!exec::isAbsent(condition.getElseRegion()) || first != &body.back() ||
          dependsOnChanges(condition.getCondition()))
        return;
      first = firstEffect(condition.getThenRegion().front(), inVain);
    }
    if (!first || !isExtremeAtEnd(first, body.getArgument(0)))
      return;
    for (Operation *op = first->getNextNode(); op; op = op->getNextNode()) {
      auto next = dyn_cast<graph::IfOp>(op);
      if (!next || next.getCondition() != first->getResult(0) || !exec::isAbsent(next.getElseRegion()))
        return;
    }
    update = first;
  }

  void rewrite() {
    Block &body = loop.getBody().front();
    OpBuilder b = OpBuilder::atBlockBegin(&body);
    Location loc = update->getLoc();
    auto select = b.create<exec::SelectOp>(loc);
    Block *where = b.createBlock(&select.getWhere());
    IRMapping copies;
    auto copy = [&](Block::iterator from, Operation *to) {
      for (Operation &op : llvm::make_range(from, to->getIterator()))
        b.clone(op, copies);
    };
    copy(std::next(select->getIterator()), condition ? condition : update);
    if (condition)
      copy(condition.getThenRegion().front().begin(), update);
    Value changes = wouldChange(b, copies);
    if (condition)
      changes = b.create<graph::BinaryOp>(loc, b.getI1Type(), graph::BinaryKind::BitAnd,
                                          copies.lookupOrDefault(condition.getCondition()), changes);
    b.create<graph::YieldOp>(loc, changes);
    if (condition) {
      body.getOperations().splice(condition->getIterator(), condition.getThenRegion().front().getOperations());
      condition.erase();
    }
    eraseUnusedValues(*where);
    eraseUnusedValues(body);
  }

private:
  /// Whether what the loop changes decides about the value.
  bool dependsOnChanges(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getParentRegion() != &loop.getBody())
      return false;
    auto read = dyn_cast<graph::ReadOp>(op);
    return (read && changesOneOf(loop.getBody(), {read.getState()})) ||
           llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnChanges(operand); });
  }

  Value wouldChange(OpBuilder &b, const IRMapping &copies) const {
    auto test = [&](graph::UpdateKind kind, Value state, Value index, Value value, bool orTie) -> Value {
      return b.create<exec::WouldChangeOp>(update->getLoc(), b.getI1Type(), kind, state, index,
                                           copies.lookupOrDefault(value), orTie);
    };
    if (auto one = dyn_cast<exec::UpdateOp>(update))
      return test(one.getKind(), one.getState(), one.getIndices()[0], one.getValue(), false);
    auto several = cast<exec::UpdateTupleOp>(update);
    return test(several.getKind(), several.getStates()[0], several.getIndices()[0], several.getValues()[0], true);
  }
};

struct SelectChanges : impl::SelectChangesBase<SelectChanges> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      SmallVector<ChangingLoop> found;
      algorithm.walk([&](exec::ForOp loop) {
        if (ChangingLoop one(loop); one.update)
          found.push_back(one);
      });
      for (ChangingLoop &one : found)
        one.rewrite();
    }
  }
};

} // namespace
} // namespace gcompile
