#include "ir/analysis/PathSums.h"

using namespace mlir;

namespace gcompile {

/// Whether every write of a state comes before the propagate, or is its own.
static bool hasLastWordOn(graph::PropagateOp propagate, graph::StateOp state) {
  return llvm::all_of(state->getUsers(), [&](Operation *user) {
    if (isa<graph::ReadOp>(user))
      return true;
    Operation *statement = propagate->getBlock()->findAncestorOpInBlock(*user);
    return statement && (statement == propagate || statement->isBeforeInBlock(propagate));
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

} // namespace gcompile
