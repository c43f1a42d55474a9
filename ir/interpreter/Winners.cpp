#include "ir/interpreter/Winners.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile::interpreter {

static SmallVector<Value> writtenBy(Operation *op) {
  if (auto update = dyn_cast<graph::UpdateOp>(op))
    return {update.getState()};
  if (auto tuple = dyn_cast<graph::UpdateTupleOp>(op))
    return tuple.getStates();
  return {};
}

static bool writes(Operation *root, Value state) {
  return root
      ->walk([&](Operation *op) {
        return llvm::is_contained(writtenBy(op), state) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The operations inside of `statement` that `value` is computed from.
static SmallVector<Operation *> expression(Operation *statement, Value value) {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || !statement->isProperAncestor(op) || isa<graph::StateOp>(op))
      continue;
    op->walk([&](Operation *inner) {
      if (found.insert(inner))
        pending.append(inner->operand_begin(), inner->operand_end());
    });
  }
  return found.takeVector();
}

static bool usesEdge(Operation *statement, Value value) {
  auto isEdge = [&](Value part) {
    auto argument = dyn_cast<BlockArgument>(part);
    return argument && argument.getOwner()->getParentOp() == statement && isa<graph::EdgeType>(part.getType());
  };
  return isEdge(value) || llvm::any_of(expression(statement, value),
                                       [&](Operation *op) { return llvm::any_of(op->getOperands(), isEdge); });
}

Winners::Winners(graph::AlgorithmOp algorithm) : algorithm(algorithm) {
  algorithm.walk([&](Operation *op) {
    auto loop = dyn_cast<graph::ForOp>(op);
    if (!(loop && !loop.getSequential()) && !isa<graph::PropagateOp>(op))
      return WalkResult::advance();
    WriteRules rules(op);
    op->walk([&](Block *block) {
      if (!rules.claimOf(block))
        return;
      findTelling(op, block);
      findUndetermined(op, block, rules);
    });
    return WalkResult::skip();
  });
  spread();
}

ArrayRef<graph::UpdateOp> Winners::telling(Block *block) const {
  auto found = tells.find(block);
  return found == tells.end() ? ArrayRef<graph::UpdateOp>() : found->second;
}

void Winners::findTelling(Operation *statement, Block *block) {
  if (statement->getParentOp() != algorithm)
    return; // it may run again
  for (auto update : block->getOps<graph::UpdateOp>()) {
    auto state = update.getState().getDefiningOp<graph::StateOp>();
    Type element = update.getValue().getType();
    if (!state || !state.getOutput() || update.getKind() != graph::UpdateKind::Assign || isa<FloatType>(element) ||
        cast<graph::StateType>(state.getState().getType()).getShape() != graph::Shape::PerVertex)
      continue;
    unsigned writers = 0;
    statement->walk([&](Operation *op) { writers += llvm::is_contained(writtenBy(op), update.getState()); });
    bool last = writers == 1;
    for (Operation *later = statement->getNextNode(); later; later = later->getNextNode())
      last &= !writes(later, update.getState());
    // Its value must be known before the block runs.
    for (Operation *op : expression(statement, update.getValue()))
      if (auto read = dyn_cast<graph::ReadOp>(op))
        last &= !statement->isAncestor(read.getState().getParentRegion()->getParentOp()) &&
                !(writes(statement, read.getState()) && sameExpressions(read.getIndices(), update.getIndices()));
      else
        last &= op->getNumRegions() == 0;
    if (last)
      tells[block].push_back(update);
  }
}

void Winners::findUndetermined(Operation *statement, Block *block, const WriteRules &rules) {
  // Who assigns a vertex of the pattern is known up to the edge: there may be several between two vertices.
  bool named = llvm::any_of(telling(block), [&](graph::UpdateOp update) {
    auto argument = dyn_cast<BlockArgument>(update.getValue());
    return argument && argument.getOwner()->getParentOp() == statement && isa<graph::VertexType>(argument.getType());
  });
  for (Operation &outer : *block)
    outer.walk([&](Operation *op) {
      auto update = dyn_cast<graph::UpdateOp>(op);
      if (update && llvm::is_contained(telling(block), update))
        return;
      if (writtenBy(op).empty())
        return;
      graph::UpdateOp claim = rules.claimOf(block)->assignment;
      bool known = op->getBlock() == block && llvm::all_of(op->getOperands(), [&](Value operand) {
                     bool claimed =
                         llvm::any_of(claim.getIndices(), [&](Value index) { return sameExpression(index, operand); });
                     return isa<graph::StateType>(operand.getType()) || claimed || !rules.varies(operand) ||
                            (named && !usesEdge(statement, operand));
                   });
      if (!known)
        for (Value state : writtenBy(op))
          undetermined.insert(state);
    });
}

/// What is computed from something undetermined is that as well. Whether an element is still `none`, `inf` or another
/// constant is the same whoever won.
void Winners::spread() {
  auto asksOnly = [](graph::ReadOp read) {
    return llvm::all_of(read.getValue().getUsers(), [&](Operation *user) {
      auto compare = dyn_cast<graph::BinaryOp>(user);
      if (!compare || (compare.getKind() != graph::BinaryKind::Eq && compare.getKind() != graph::BinaryKind::Ne))
        return false;
      Value other = compare.getLhs() == read.getValue() ? compare.getRhs() : compare.getLhs();
      return isa_and_nonnull<graph::ConstantOp, graph::NoneOp, graph::InfOp>(other.getDefiningOp());
    });
  };
  llvm::DenseSet<Value> values;
  for (bool changed = true; changed;) {
    changed = false;
    auto uncertain = [&](Operation *root) {
      bool found = false;
      root->walk([&](Operation *op) {
        auto read = dyn_cast<graph::ReadOp>(op);
        found |= read && undetermined.contains(read.getState()) && !asksOnly(read);
        found |= llvm::any_of(op->getOperands(), [&](Value operand) { return values.contains(operand); });
      });
      return found;
    };
    algorithm.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<graph::ForOp>(op);
      if (op == algorithm.getOperation())
        return WalkResult::advance();
      bool sequence = isa<graph::IfOp, graph::WhileOp, graph::RepeatOp>(op) || (loop && loop.getSequential());
      bool all = false; // of what it does: it decides by something undetermined
      if (sequence) {
        all = llvm::any_of(op->getOperands(), [&](Value operand) { return values.contains(operand); });
        SmallVector<Region *> conditions;
        if (auto repeat = dyn_cast<graph::WhileOp>(op))
          conditions.push_back(&repeat.getCondition());
        if (auto repeat = dyn_cast<graph::RepeatOp>(op))
          conditions.push_back(&repeat.getUntil());
        if (loop)
          conditions.push_back(&loop.getWhere());
        for (Region *condition : conditions)
          for (Operation &inner : condition->getOps())
            all |= uncertain(&inner);
      } else {
        all = uncertain(op);
      }
      if (!all)
        return sequence ? WalkResult::advance() : WalkResult::skip();
      op->walk([&](Operation *inner) {
        for (Value state : writtenBy(inner))
          changed |= undetermined.insert(state).second;
        if (auto state = dyn_cast<graph::StateOp>(inner))
          changed |= undetermined.insert(state.getState()).second;
        for (Value result : inner->getResults())
          if (!isa<graph::StateType>(result.getType()))
            changed |= values.insert(result).second;
      });
      return WalkResult::skip();
    });
  }
}

} // namespace gcompile::interpreter
