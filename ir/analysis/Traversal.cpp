#include "ir/analysis/Traversal.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {

/// Adds the parameters that a set has its vertices from. False if it has any from elsewhere.
static bool addRoots(graph::AlgorithmOp algorithm, Value set, llvm::SetVector<StringAttr> &roots) {
  auto add = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &algorithm.getBody().front())
      return false;
    roots.insert(StringAttr::get(algorithm.getContext(), graph::nameOf(argument)));
    return true;
  };
  if (auto listed = set.getDefiningOp<graph::SetOfOp>())
    return llvm::all_of(listed->getOperands(), add);
  return add(set);
}

static StringRef sideOf(graph::Domain domain) {
  return domain == graph::Domain::EdgesInto ? "in" : domain == graph::Domain::EdgesBoth ? "both" : "out";
}

std::optional<Traversal> traversalOf(graph::AlgorithmOp algorithm) {
  llvm::SetVector<StringAttr> roots;
  std::optional<graph::Domain> along;
  WalkResult walked = algorithm.walk([&](graph::PropagateOp op) {
    bool follows = along.value_or(op.getDomain()) == op.getDomain() && addRoots(algorithm, op.getFrom(), roots);
    along = op.getDomain();
    return follows ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted() || roots.empty())
    return std::nullopt;
  return Traversal{llvm::to_vector(roots), sideOf(*along)};
}

} // namespace gcompile
