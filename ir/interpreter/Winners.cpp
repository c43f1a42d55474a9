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

/// Whether a value may be the edge's own; a variable of the iteration may hold such.
static bool usesEdge(Operation *statement, Value value) {
  auto isEdge = [&](Value part) {
    auto argument = dyn_cast<BlockArgument>(part);
    return argument && argument.getOwner()->getParentOp() == statement && isa<graph::EdgeType>(part.getType());
  };
  return isEdge(value) || llvm::any_of(expression(statement, value), [&](Operation *op) {
           auto read = dyn_cast<graph::ReadOp>(op);
           return (read && statement->isAncestor(read.getState().getParentRegion()->getParentOp())) ||
                  llvm::any_of(op->getOperands(), isEdge);
         });
}

/// Whether two guards wait for the same constant.
static bool isSameGuard(Value a, Value b) { return a && b ? sameExpression(a, b) : a == b; }

Winners::Winners(graph::AlgorithmOp algorithm) : algorithm(algorithm) {
  algorithm.walk([&](Operation *op) {
    auto loop = dyn_cast<graph::ForOp>(op);
    if (!(loop && !loop.getSequential()) && !isa<graph::PropagateOp>(op))
      return WalkResult::advance();
    WriteRules rules(op);
    op->walk([&](Block *block) {
      const WriteRules::Claim *claim = rules.claimOf(block);
      if (!claim)
        return;
      Value state = graph::UpdateOp(claim->assignment).getState();
      auto [guard, isNew] = guards.try_emplace(state, claim->constant);
      if (!isNew && !isSameGuard(guard->second, claim->constant))
        unsettled.insert(state);
      findTelling(op, block);
      for (Block *outer = block; outer->getParentOp() != op && !innerClaims.contains(block);) {
        outer = outer->getParentOp()->getBlock();
        if (rules.claimOf(outer))
          innerClaims[block] = state;
      }
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
      if (known)
        return;
      auto indices = isa<graph::UpdateOp>(op) ? ValueRange(cast<graph::UpdateOp>(op).getIndices())
                                              : ValueRange(cast<graph::UpdateTupleOp>(op).getIndices());
      bool claimed = sameExpressions(indices, claim.getIndices());
      for (Value state : writtenBy(op)) {
        undetermined.insert(state);
        if (!claimed || state != claim.getState())
          unsettled.insert(state);
      }
      // The claimed vertex is active next in any case; the source, which was active before, may be so again.
      auto source = indices.empty() ? BlockArgument() : dyn_cast<BlockArgument>(indices[0]);
      bool again = source && source.getOwner()->getParentOp() == statement && source.getArgNumber() == 0;
      if (!isa<graph::PropagateOp>(statement) || claimed || indices.empty() ||
          !isa<graph::VertexType>(indices[0].getType()))
        return;
      if (again && revisitsInVain(statement, block, rules))
        keptLevels.insert(statement->result_begin(), statement->result_end());
      else
        visits.insert(statement);
    });
}

/// Whether a vertex that is visited again in a later round does nothing: all that the statement does stands in a
/// claim's block, and what leads there besides the guard asks neither for the round nor for what the statement writes.
bool Winners::revisitsInVain(Operation *statement, Block *block, const WriteRules &rules) const {
  auto isGuard = [&](graph::ReadOp read) {
    graph::UpdateOp claim = rules.claimOf(block)->assignment;
    return read.getState() == claim.getState() && sameExpressions(read.getIndices(), claim.getIndices()) &&
           asksIfClaimed(read);
  };
  auto isConstant = [&](Value condition) {
    return llvm::all_of(expression(statement, condition), [&](Operation *op) {
      auto read = dyn_cast<graph::ReadOp>(op);
      bool local = read && statement->isAncestor(read.getState().getParentRegion()->getParentOp());
      bool changes = read && (local || llvm::is_contained(rules.writtenStates(), read.getState()));
      return (!changes || isGuard(read)) && llvm::none_of(op->getOperands(), [&](Value operand) {
               auto round = dyn_cast<BlockArgument>(operand);
               return round && round.getOwner()->getParentOp() == statement && round.getType().isInteger(32);
             });
    });
  };
  bool vain = true;
  statement->walk([&](Operation *op) {
    if (!writtenBy(op).empty())
      vain &= block->getParent()->isAncestor(op->getParentRegion());
  });
  for (Operation *outer = block->getParentOp();; outer = outer->getParentOp()) {
    if (auto propagate = dyn_cast<graph::PropagateOp>(outer))
      return vain && (propagate.getWhere().empty() || isConstant(propagate.getWhere().front().back().getOperand(0)));
    auto branch = dyn_cast<graph::IfOp>(outer);
    vain &= branch && isConstant(branch.getCondition());
  }
}

/// Whether a read says no more than if its element has been claimed.
bool Winners::asksIfClaimed(graph::ReadOp read) const {
  auto found = guards.find(read.getState());
  if (found == guards.end() || unsettled.contains(read.getState()))
    return false;
  Value guard = found->second;
  return read.getValue().getType().isInteger(1) || llvm::all_of(read.getValue().getUsers(), [&](Operation *user) {
           auto compare = dyn_cast<graph::BinaryOp>(user);
           return compare &&
                  (compare.getKind() == graph::BinaryKind::Eq || compare.getKind() == graph::BinaryKind::Ne) &&
                  (isSameGuard(compare.getLhs(), guard) || isSameGuard(compare.getRhs(), guard));
         });
}

/// Whether a read only decides on a claim in the block of another one, of which it is the guard: what it decides has
/// been found to be undetermined.
bool Winners::isInnerGuard(graph::ReadOp read) const {
  Value value = read.getValue();
  while (value.hasOneUse() && isa<graph::BinaryOp, graph::UnaryOp>(*value.user_begin()))
    value = value.user_begin()->getResult(0);
  auto branch = value.hasOneUse() ? dyn_cast<graph::IfOp>(*value.user_begin()) : graph::IfOp();
  return branch && branch.getElseRegion().empty() &&
         innerClaims.lookup(&branch.getThenRegion().front()) == read.getState() && !derived.contains(read.getState());
}

/// What is computed from something undetermined is that as well.
void Winners::spread() {
  llvm::DenseSet<Value> values = keptLevels;
  for (bool changed = true; changed;) {
    changed = false;
    auto uncertain = [&](Operation *root) {
      bool found = false;
      root->walk([&](Operation *op) {
        auto read = dyn_cast<graph::ReadOp>(op);
        found |= read && undetermined.contains(read.getState()) && !asksIfClaimed(read) && !isInnerGuard(read);
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
        all = uncertain(op) || visits.contains(op);
      }
      if (!all)
        return sequence ? WalkResult::advance() : WalkResult::skip();
      op->walk([&](Operation *inner) {
        for (Value state : writtenBy(inner)) {
          changed |= undetermined.insert(state).second;
          changed |= unsettled.insert(state).second;
          derived.insert(state);
        }
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
