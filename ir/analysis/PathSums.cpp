#include "ir/analysis/PathSums.h"

using namespace mlir;

namespace gcompile {

/// Whether every write of a state comes before the last statement, or is its own.
static bool hasLastWordOn(Operation *last, graph::StateOp state) {
  return llvm::all_of(state->getUsers(), [&](Operation *user) {
    if (isa<graph::ReadOp>(user))
      return true;
    Operation *statement = last->getBlock()->findAncestorOpInBlock(*user);
    return statement && (statement == last || statement->isBeforeInBlock(last));
  });
}

/// `p[v] min= p[u] + e.weight`, and nothing else.
static std::optional<PathSums> pathSumsOf(graph::PropagateOp propagate, graph::AlgorithmOp algorithm) {
  if (!propagate.getWhere().empty() || !llvm::hasNItems(propagate.getBody().front(), 4))
    return std::nullopt;
  Block &body = propagate.getBody().front();
  auto update = dyn_cast<graph::UpdateOp>(body.back());
  auto sum = update ? update.getValue().getDefiningOp<graph::BinaryOp>() : nullptr;
  if (!sum || update.getKind() != graph::UpdateKind::Min || sum.getKind() != graph::BinaryKind::Add ||
      !sum.getAbsorbing() || !sum.getType().isSignlessInteger())
    return std::nullopt;
  auto reads = [&](Value value, Value state, Value at) {
    auto read = value.getDefiningOp<graph::ReadOp>();
    return read && read.getState() == state && read.getIndices().size() == 1 && read.getIndices()[0] == at;
  };
  auto state = update.getState().getDefiningOp<graph::StateOp>();
  if (!state || !state.getOutput() || update.getIndices().size() != 1 || update.getIndices()[0] != body.getArgument(1))
    return std::nullopt;
  for (auto [own, other] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())}) {
    auto weight = other.getDefiningOp<graph::ReadOp>();
    auto column = weight ? dyn_cast<BlockArgument>(weight.getState()) : BlockArgument();
    if (column && column.getOwner() == &algorithm.getBody().front() && reads(own, state, body.getArgument(0)) &&
        reads(other, column, body.getArgument(2)) && hasLastWordOn(propagate, state)) {
      const graph::Domain domain = propagate.getDomain();
      return PathSums{state, StringAttr::get(algorithm.getContext(), graph::nameOf(column)),
                      domain == graph::Domain::EdgesInto   ? "in"
                      : domain == graph::Domain::EdgesBoth ? "both"
                                                           : "out",
                      propagate.getLoc()};
    }
  }
  return std::nullopt;
}

SmallVector<PathSums> pathSumsOf(graph::AlgorithmOp algorithm) {
  SmallVector<PathSums> found;
  for (auto propagate : algorithm.getBody().front().getOps<graph::PropagateOp>())
    if (std::optional<PathSums> sums = pathSumsOf(propagate, algorithm))
      found.push_back(*sums);
  return found;
}

/// Whether a value is read of a state at a pair.
static bool isAt(Value value, Value state, Value row, Value column) {
  auto read = value.getDefiningOp<graph::ReadOp>();
  return read && read.getState() == state && read.getIndices().size() == 2 && read.getIndices()[0] == row &&
         read.getIndices()[1] == column;
}

/// What `for i, j in g { p[i, j] min= p[i, k] + p[k, j]; }` closes; null: it is no such statement.
static graph::StateOp closedBy(graph::ForOp pairs, Value k) {
  Block &body = pairs.getBody().front();
  if (pairs.getDomain() != graph::Domain::Pairs || !pairs.getWhere().empty() || body.empty() ||
      llvm::any_of(llvm::drop_end(body), [](Operation &op) {
        return op.getNumRegions() > 0 || isa<graph::UpdateOp, graph::UpdateTupleOp>(op);
      }))
    return nullptr;
  Value state, value;
  OperandRange at(nullptr, 0);
  auto take = [&](auto update, Value of, Value given) {
    if (update.getKind() != graph::UpdateKind::Min)
      return;
    state = of;
    value = given;
    at = update.getIndices();
  };
  if (auto update = dyn_cast<graph::UpdateOp>(body.back()))
    take(update, update.getState(), update.getValue());
  else if (auto tuple = dyn_cast<graph::UpdateTupleOp>(body.back()))
    take(tuple, tuple.getStates()[0], tuple.getValues()[0]);
  auto sum = value ? value.getDefiningOp<graph::BinaryOp>() : nullptr;
  Value i = body.getArgument(0), j = body.getArgument(1);
  if (!sum || sum.getKind() != graph::BinaryKind::Add || at.size() != 2 || at[0] != i || at[1] != j)
    return nullptr;
  auto goesBy = [&](Value first, Value second) { return isAt(first, state, i, k) && isAt(second, state, k, j); };
  return goesBy(sum.getLhs(), sum.getRhs()) || goesBy(sum.getRhs(), sum.getLhs())
             ? state.getDefiningOp<graph::StateOp>()
             : nullptr;
}

SmallVector<ClosedSums> closedSumsOf(graph::AlgorithmOp algorithm) {
  SmallVector<ClosedSums> found;
  for (auto loop : algorithm.getBody().front().getOps<graph::ForOp>()) {
    if (!loop.getSequential() || loop.getDomain() != graph::Domain::Vertices || !loop.getWhere().empty() ||
        !loop.getOver().getDefiningOp<graph::AllVerticesOp>())
      continue;
    for (auto pairs : loop.getBody().front().getOps<graph::ForOp>())
      if (graph::StateOp state = closedBy(pairs, loop.getBody().getArgument(0));
          state && state.getOutput() && hasLastWordOn(loop, state))
        found.push_back({state, loop.getLoc()});
  }
  return found;
}

} // namespace gcompile
