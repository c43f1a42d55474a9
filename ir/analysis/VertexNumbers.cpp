#include "ir/analysis/VertexNumbers.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

using namespace mlir;

namespace gcompile {

/// What the numbers are of.
enum class Numbered { VerticesAndEdges, Edges };

/// Whether an operation makes the numbers visible in the results.
static bool usesNumbers(Operation *op, Numbered numbered) {
  std::function<bool(Type)> isNumbered = [&](Type type) {
    if (auto tuple = dyn_cast<TupleType>(type))
      return llvm::any_of(tuple.getTypes(), isNumbered);
    return isa<graph::EdgeType>(type) || (isa<graph::VertexType>(type) && numbered == Numbered::VerticesAndEdges);
  };
  auto least = [](graph::UpdateKind kind) { return graph::traits(kind).selects; };
  if (auto binary = dyn_cast<graph::BinaryOp>(op))
    return isNumbered(binary.getLhs().getType()) && binary.getKind() != graph::BinaryKind::Eq &&
           binary.getKind() != graph::BinaryKind::Ne;
  if (auto update = dyn_cast<graph::UpdateOp>(op))
    return least(update.getKind()) && isNumbered(update.getValue().getType());
  if (auto update = dyn_cast<graph::UpdateTupleOp>(op))
    return llvm::any_of(update.getValues().getTypes(), isNumbered);
  if (isa<graph::NeighborAtOp>(op))
    return true; // the order of the list
  if (isa<graph::HashOp>(op))
    return llvm::any_of(op->getOperandTypes(), isNumbered);
  if (auto reduce = dyn_cast<graph::ReduceOp>(op))
    return isNumbered(reduce.getResult().getType()); // the least number decides between equals
  if (auto loop = dyn_cast<graph::ForOp>(op))
    return loop.getSequential() && loop.getDomain() != graph::Domain::Levels &&
           (numbered == Numbered::VerticesAndEdges ||
            (loop.getDomain() != graph::Domain::Vertices && loop.getDomain() != graph::Domain::Pairs));
  return false;
}

/// The first operation of the algorithm or of a local function that `uses` accepts, or null.
static Operation *find(graph::AlgorithmOp algorithm, llvm::function_ref<bool(Operation *)> uses) {
  Operation *found = nullptr;
  auto search = [&](Operation *root) {
    root->walk([&](Operation *op) {
      if (!uses(op))
        return WalkResult::advance();
      found = op;
      return WalkResult::interrupt();
    });
  };
  search(algorithm);
  if (!found)
    for (auto function : algorithm->getParentOfType<ModuleOp>().getOps<graph::FuncOp>())
      if (!found)
        search(function);
  return found;
}

Operation *findUseOfNumbers(graph::AlgorithmOp algorithm) {
  return find(algorithm, [](Operation *op) { return usesNumbers(op, Numbered::VerticesAndEdges); });
}

Operation *findUseOfNeighborOrder(graph::AlgorithmOp algorithm) {
  return find(algorithm, [](Operation *op) {
    return isa<graph::NeighborsOp, graph::EdgeBetweenOp>(op) || usesNumbers(op, Numbered::Edges);
  });
}

} // namespace gcompile
