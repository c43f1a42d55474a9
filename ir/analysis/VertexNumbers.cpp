#include "ir/analysis/VertexNumbers.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace gcompile {

/// Whether a value is a vertex or an edge, or has one in it.
static bool isNumbered(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::any_of(tuple.getTypes(), isNumbered);
  return isa<graph::VertexType, graph::EdgeType>(type);
}

static bool usesNumbers(Operation *op) {
  auto least = [](graph::UpdateKind kind) { return kind == graph::UpdateKind::Min || kind == graph::UpdateKind::Max; };
  if (auto binary = dyn_cast<graph::BinaryOp>(op))
    return isNumbered(binary.getLhs().getType()) && binary.getKind() != graph::BinaryKind::Eq &&
           binary.getKind() != graph::BinaryKind::Ne;
  if (auto update = dyn_cast<graph::UpdateOp>(op))
    return least(update.getKind()) && isNumbered(update.getValue().getType());
  if (auto update = dyn_cast<graph::UpdateTupleOp>(op))
    return llvm::any_of(update.getValues().getTypes(), isNumbered);
  if (isa<graph::HashOp>(op))
    return llvm::any_of(op->getOperandTypes(), isNumbered);
  if (auto reduce = dyn_cast<graph::ReduceOp>(op))
    return reduce.getKind() == graph::ReduceKind::ArgMin || reduce.getKind() == graph::ReduceKind::ArgMax ||
           isNumbered(reduce.getResult().getType());
  if (auto loop = dyn_cast<graph::ForOp>(op))
    return loop.getSequential() && loop.getDomain() != graph::Domain::Levels;
  if (auto state = dyn_cast<graph::StateOp>(op)) {
    // The edges themselves are written as numbers.
    auto hasEdge = [](Type type) {
      auto tuple = dyn_cast<TupleType>(type);
      return isa<graph::EdgeType>(type) ||
             (tuple && llvm::any_of(tuple.getTypes(), [](Type t) { return isa<graph::EdgeType>(t); }));
    };
    return state.getOutput() && hasEdge(state.getState().getType().getElement());
  }
  return false;
}

Operation *findUseOfNumbers(graph::AlgorithmOp algorithm) {
  Operation *found = nullptr;
  auto search = [&](Operation *root) {
    root->walk([&](Operation *op) {
      if (!usesNumbers(op))
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

} // namespace gcompile
