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

/// The two elements that a value is made of, if they are D[i, k] and D[k, j].
bool combinesBoth(exec::ClosePairsOp closure, Value first, Value second) {
  auto lhs = first.getDefiningOp<graph::ReadOp>(), rhs = second.getDefiningOp<graph::ReadOp>();
  Value k = closure.getStep().getArgument(2);
  auto along = [&](graph::ReadOp read, unsigned place) {
    return read && read.getState() == closure.getState() && read.getIndices()[place] == k;
  };
  return (along(lhs, 0) && along(rhs, 1)) || (along(lhs, 1) && along(rhs, 0));
}

/// Whether the value is `D[i, k] && D[k, j]`.
bool isConjunction(exec::ClosePairsOp closure, Value value) {
  auto both = value.getDefiningOp<graph::LogicOp>();
  if (!both || both.getKind() != graph::LogicKind::And)
    return false;
  auto yield = cast<graph::YieldOp>(both.getRhs().front().back());
  return combinesBoth(closure, both.getLhs(), yield.getOperand(0));
}

bool isTrue(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  return constant && cast<IntegerAttr>(constant.getValue()).getValue().isOne();
}

/// What the step is known to be. It computes nothing but what its update takes.
std::optional<exec::Closing> closingOf(exec::ClosePairsOp closure) {
  exec::UpdateOp update;
  closure.getStep().walk([&](exec::UpdateOp found) { update = found; });
  Type type = closure.getState().getType().getElement();
  if (auto choice = dyn_cast<graph::IfOp>(update->getParentOp())) {
    bool sets = (update.getKind() == graph::UpdateKind::Assign || update.getKind() == graph::UpdateKind::Or) &&
                type.isInteger(1) && isTrue(update.getValue());
    bool only = choice->getParentOp() == closure && &choice.getThenRegion() == update->getParentRegion();
    return sets && only && isConjunction(closure, choice.getCondition()) ? exec::Closing::TransitiveClosure
                                                                         : std::optional<exec::Closing>();
  }
  if (type.isInteger(1) && update.getKind() == graph::UpdateKind::Or && isConjunction(closure, update.getValue()))
    return exec::Closing::TransitiveClosure;
  auto sum = update.getValue().getDefiningOp<graph::BinaryOp>();
  bool shortest = sum && update.getKind() == graph::UpdateKind::Min && sum.getKind() == graph::BinaryKind::Add &&
                  sum.getAbsorbing() && isa<IntegerType>(type) && combinesBoth(closure, sum.getLhs(), sum.getRhs());
  return shortest ? exec::Closing::ShortestPaths : std::optional<exec::Closing>();
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
                                                /*closing=*/nullptr, names);
    closure.getStep().takeBody(parts.kernel.getBody());
    Block &step = closure.getStep().front();
    BlockArgument k = step.addArgument(step.getArgument(0).getType(), loop.getLoc());
    loop.getBody().getArgument(0).replaceAllUsesWith(k);
    for (exec::SnapshotOp copy : {parts.row, parts.column})
      copy.getCopy().replaceAllUsesWith(parts.state);
    if (names && loop.getNamesAttr())
      closure.setNamesAttr(b.getArrayAttr({names[0], names[1], loop.getNamesAttr()[0]}));
    if (std::optional<exec::Closing> known = closingOf(closure))
      closure.setClosing(*known);
    loop.erase();
  }
};

} // namespace
} // namespace gcompile
