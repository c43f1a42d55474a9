#include "ir/analysis/Legality.h"
#include "ir/passes/StatementLowering.h"

// What another run may leave other values in, though both are right: a claim may have another winner. Such results are
// not compared with those of the serial form.

using namespace mlir;

namespace gcompile {

/// Whether the serial form lets the iteration win that assigns what the parallel form ended with: claims that happen
/// once in the whole algorithm, on outputs, can be replayed from their final values.
bool StatementLowerer::isReplayed(graph::PropagateOp op) const {
  SmallVector<Value> claimed;
  for (const Write &write : tables.at(op)->writes())
    if (write.rule == WriteRule::Claim)
      claimed.push_back(write.states[0]);
  bool once = !claimed.empty() && op->getParentOp() == root && llvm::all_of(claimed, [&](Value state) {
    auto declaration = state.getDefiningOp<graph::StateOp>();
    return declaration && declaration.getOutput() && declaration->getParentOp() == root;
  });
  if (!once)
    return false;
  auto touches = [&](Operation *other) {
    other->walk([&](Operation *inner) {
      if (isa<graph::UpdateOp, graph::UpdateTupleOp>(inner))
        for (Value state : claimed)
          once &= !llvm::is_contained(inner->getOperands(), state);
    });
  };
  root->walk([&](graph::PropagateOp other) {
    if (other != op)
      touches(other);
  });
  for (Operation *later = op->getNextNode(); later; later = later->getNextNode())
    touches(later);
  return once;
}

/// Whether something that the operation, or what it takes its values from, reads depends on who wins a claim.
bool StatementLowerer::isDerived(Operation *reader) const {
  SmallVector<Operation *> pending{reader};
  llvm::DenseSet<Operation *> seen;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!op || !seen.insert(op).second || (op != reader && isa<graph::StateOp>(op)))
      continue;
    if (isa<graph::PropagateOp>(op)) { // its kept levels
      if (undeterminedVisits.contains(op))
        return true;
      continue;
    }
    if (op->walk([&](graph::ReadOp read) {
            return undetermined.contains(read.getState()) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted())
      return true;
    for (Value operand : op->getOperands())
      pending.push_back(operand.getDefiningOp());
  }
  return false;
}

/// Whether what a write leaves depends on who won a claim elsewhere, or on what such winners left.
bool StatementLowerer::isDerived(const EffectTable &table, const Write &write) const {
  const Statement &st = table.statement();
  auto isClaimed = [&](Value state) {
    return llvm::any_of(table.writes(), [&](const Write &other) {
      return other.rule == WriteRule::Claim && llvm::is_contained(other.states, state);
    });
  };
  auto comesDerived = [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition && !st.operation()->isProperAncestor(definition) && !isa<graph::StateOp>(definition) &&
           isDerived(definition);
  };
  SmallVector<Value> parts(write.values.begin(), write.values.end());
  parts.append(write.indices.begin(), write.indices.end());
  parts.append(st.controls(write.op));
  return llvm::any_of(parts, [&](Value part) {
    return comesDerived(part) || llvm::any_of(st.slice(part), [&](Operation *op) {
             // Whether something is claimed yet is the same, whoever the winner is.
             auto read = dyn_cast<graph::ReadOp>(op);
             return (read && undetermined.contains(read.getState()) && !isClaimed(read.getState())) ||
                    llvm::any_of(op->getOperands(), comesDerived);
           });
  });
}

/// Whether what depends on who wins a claim decides on what the operation runs, or whether, or how often.
bool StatementLowerer::runsByDerived(Operation *op) const {
  auto decides = [&](Operation *by) {
    return llvm::any_of(by->getOperands(), [&](Value operand) {
      Operation *definition = operand.getDefiningOp();
      return definition && !isa<graph::StateOp>(definition) && isDerived(definition);
    });
  };
  auto asks = [&](Region &condition) {
    return llvm::any_of(condition.getOps(), [&](Operation &inner) { return isDerived(&inner); });
  };
  auto propagate = dyn_cast<graph::PropagateOp>(op);
  if (decides(op) || (propagate && asks(propagate.getUntil())))
    return true;
  for (Operation *outer = op->getParentOp(); outer && outer != root; outer = outer->getParentOp()) {
    auto loop = dyn_cast<graph::ForOp>(outer);
    auto repeat = dyn_cast<graph::RepeatOp>(outer);
    auto repeats = dyn_cast<graph::WhileOp>(outer);
    if (decides(outer) || (loop && asks(loop.getWhere())) || (repeat && asks(repeat.getUntil())) ||
        (repeats && asks(repeats.getCondition())))
      return true;
    if (!loop && !repeat && !repeats)
      continue;
    bool leaves = false;
    outer->walk([&](graph::BreakOp leave) {
      for (Operation *branch = leave->getParentOp(); branch != outer; branch = branch->getParentOp())
        leaves |= decides(branch);
    });
    if (leaves)
      return true;
  }
  return false;
}

void StatementLowerer::findUndetermined() {
  for (bool first = true, changed = true; changed; first = false) {
    changed = false;
    auto add = [&](ValueRange states) {
      for (Value state : states)
        changed |= undetermined.insert(state).second;
    };
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto found = tables.find(op);
      if (found == tables.end()) {
        if (auto state = dyn_cast<graph::StateOp>(op); state && isDerived(op))
          add(state.getState());
        else if (auto update = dyn_cast<graph::UpdateOp>(op); update && (isDerived(op) || runsByDerived(op)))
          add(update.getState());
        return WalkResult::advance();
      }
      const EffectTable &table = *found->second;
      if (auto propagate = dyn_cast<graph::PropagateOp>(op); first && propagate && isReplayed(propagate))
        replayed.insert(op);
      auto depends = [&](const Write &write) {
        return isDerived(table, write) ||
               (dependsOnWinner(table, write, replayed.contains(op)) && !write.op->hasAttr("grows_by_round"));
      };
      // Which vertices a propagate visits depends on what changes: the claimed vertex, whoever wins; the source, which
      // was active before; or others.
      bool all = runsByDerived(op) || llvm::any_of(table.writes(), [&](const Write &write) {
                   return isa<graph::PropagateOp>(op) && write.isAtVertex() && !write.claim && write.owner != 0u &&
                          depends(write);
                 });
      if (all && isa<graph::PropagateOp>(op))
        changed |= undeterminedVisits.insert(op).second;
      for (const Write &write : table.writes())
        if (all || depends(write))
          add(write.states);
      return WalkResult::skip();
    });
  }
  for (Value state : undetermined)
    if (auto declaration = state.getDefiningOp<graph::StateOp>(); declaration && declaration.getOutput())
      declaration->setAttr("unordered", UnitAttr::get(declaration->getContext()));
}

} // namespace gcompile
