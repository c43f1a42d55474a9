#include "ir/analysis/Legality.h"
#include "ir/conversion/GraphToExec.h"

// What another run may leave other values in, though both are right: a claim may have another winner. Such results are
// not compared with those of the serial form.

using namespace mlir;

namespace gcompile {

/// Whether the write is a claim whose value is the number of the round, whoever wins.
static bool growsByRound(const Write &write) {
  auto update = dyn_cast<graph::UpdateOp>(write.op);
  return update && update.getGrowsByRound();
}

static bool isSameConstant(Value a, Value b) {
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  return x && y && x->getName() == y->getName() && x->getNumOperands() == 0 && y->getNumOperands() == 0 &&
         x->getResultTypes() == y->getResultTypes() && x->getAttrDictionary() == y->getAttrDictionary() &&
         x->getPropertiesAsAttribute() == y->getPropertiesAsAttribute();
}

/// The claims of a state in a statement, if they all wait for the same constant.
static const Write *claimsOf(const EffectTable &table, Value state) {
  const Write *first = nullptr;
  for (const Write &write : table.writes()) {
    if (write.rule != WriteRule::Claim || write.states[0] != state)
      continue;
    bool flag = cast<graph::StateType>(state.getType()).getElement().isInteger(1); // one is false, the other true
    if (first && !flag && !isSameConstant(first->guard, write.guard))
      return nullptr;
    first = first ? first : &write;
  }
  return first;
}

/// Whether a value is only compared with a constant.
static bool onlyAsksFor(Value value, Value constant) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto let = dyn_cast<graph::LetOp>(user))
      return onlyAsksFor(let.getResult(), constant);
    auto compare = dyn_cast<graph::BinaryOp>(user);
    return compare && (compare.getKind() == graph::BinaryKind::Eq || compare.getKind() == graph::BinaryKind::Ne) &&
           (isSameConstant(compare.getLhs(), constant) || isSameConstant(compare.getRhs(), constant));
  });
}

/// Whether a read says no more than if its element has been claimed.
static bool asksIfClaimed(const EffectTable &table, graph::ReadOp read) {
  const Write *claim = claimsOf(table, read.getState());
  return claim && (read.getValue().getType().isInteger(1) || onlyAsksFor(read.getValue(), claim->guard));
}

/// Whether the serial form lets the iteration win that assigns what the parallel form ended with: claims that happen
/// once in the whole algorithm, on outputs, can be replayed from their final values.
bool GraphToExec::isReplayed(graph::PropagateOp op) const {
  const EffectTable &table = *tables.at(op);
  SmallVector<Value> claimed;
  for (const Write &write : table.writes())
    if (write.rule == WriteRule::Claim)
      claimed.push_back(write.states[0]);
  bool once = !claimed.empty() && op->getParentOp() == root && llvm::all_of(claimed, [&](Value state) {
    auto declaration = state.getDefiningOp<graph::StateOp>();
    return declaration && declaration.getOutput() && declaration->getParentOp() == root && claimsOf(table, state) &&
           declaration.getType().getShape() != graph::Shape::Array;
  });
  for (const Write &write : table.writes())
    once &= write.rule == WriteRule::Claim ||
            llvm::none_of(write.states, [&](Value state) { return llvm::is_contained(claimed, state); });
  if (!once)
    return false;
  // Nothing else that visits vertices in rounds, and nothing later, writes what it claims.
  return llvm::all_of(claimed, [&](Value state) {
    return llvm::all_of(state.getUsers(), [&](Operation *user) {
      if (!isa<graph::UpdateOp, graph::UpdateTupleOp>(user))
        return true;
      if (auto propagate = user->getParentOfType<graph::PropagateOp>())
        return propagate == op;
      Operation *statement = op->getBlock()->findAncestorOpInBlock(*user);
      return !statement || statement->isBeforeInBlock(op);
    });
  });
}

/// Whether to visit a vertex again in a later round is in vain, unless something has been claimed at it: all that the
/// statement does follows claims, and what these ask besides their guards stays the same.
static bool revisitsInVain(const EffectTable &table) {
  const Statement &st = table.statement();
  SmallVector<Value> written = table.writtenStates();
  auto isConstant = [&](const Write &claim) {
    SmallVector<Value> parts = st.controls(claim.op);
    parts.append(claim.indices);
    return llvm::all_of(parts, [&](Value part) {
      return !st.isRound(part) && llvm::all_of(st.slice(part), [&](Operation *op) {
        if (auto read = dyn_cast<graph::ReadOp>(op);
            read && (st.isLocal(read.getState()) || llvm::is_contained(written, read.getState())))
          return read.getState() == claim.states[0] && table.sameElement(read.getIndices(), claim.indices) &&
                 asksIfClaimed(table, read);
        return llvm::none_of(op->getOperands(), [&](Value operand) { return st.isRound(operand); });
      });
    });
  };
  return llvm::all_of(table.writes(), [&](const Write &write) {
    return llvm::any_of(table.writes(), [&](const Write &claim) {
      return claim.rule == WriteRule::Claim && claim.op->getParentRegion()->isAncestor(write.op->getParentRegion()) &&
             isConstant(claim);
    });
  });
}

/// Whether something that the operation, or what it takes its values from, reads depends on who wins a claim.
bool GraphToExec::isDerived(Operation *reader) const {
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

/// Whether one of these values of a statement depends on who won a claim elsewhere, or on what such winners left.
bool GraphToExec::isDerived(const EffectTable &table, ArrayRef<Value> parts) const {
  const Statement &st = table.statement();
  auto comesDerived = [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition && !st.operation()->isProperAncestor(definition) && !isa<graph::StateOp>(definition) &&
           isDerived(definition);
  };
  return llvm::any_of(parts, [&](Value part) {
    return comesDerived(part) || llvm::any_of(st.slice(part), [&](Operation *op) {
             auto read = dyn_cast<graph::ReadOp>(op);
             return (read && undetermined.contains(read.getState()) &&
                     (unsettled.contains(read.getState()) || !asksIfClaimed(table, read))) ||
                    llvm::any_of(op->getOperands(), comesDerived);
           });
  });
}

/// The same of where a write is made; with `values`, also of what it leaves.
bool GraphToExec::isDerived(const EffectTable &table, const Write &write, bool values) const {
  SmallVector<Value> parts = table.statement().controls(write.op);
  parts.append(write.indices);
  if (values)
    parts.append(write.values);
  return isDerived(table, parts);
}

/// Adds the variables of a statement's iterations that depend on who wins a claim, there or elsewhere; whether there is
/// a new one.
bool GraphToExec::addVariables(const EffectTable &table) {
  const Statement &st = table.statement();
  bool changed = false;
  st.operation()->walk([&](Operation *op) {
    auto state = dyn_cast<graph::StateOp>(op);
    auto update = dyn_cast<graph::UpdateOp>(op);
    if (state && !state.getInit().empty() && isDerived(table, yielded(state.getInit())))
      changed |= undetermined.insert(state.getState()).second;
    if (!update || !st.isLocal(update.getState()))
      return;
    SmallVector<Value> parts = st.controls(op);
    parts.push_back(update.getValue());
    bool tells = llvm::any_of(table.writes(), [&](const Write &claim) { // the iteration that it has won
      Region *block = claim.op->getParentRegion();
      return claim.rule == WriteRule::Claim && block->isAncestor(op->getParentRegion()) &&
             !block->isAncestor(update.getState().getParentRegion());
    });
    if (tells || isDerived(table, parts))
      changed |= undetermined.insert(update.getState()).second;
  });
  return changed;
}

/// The branches within a loop that decide whether it is left.
ArrayRef<Operation *> GraphToExec::branchesToLeave(Operation *loop) {
  auto [found, isNew] = branches.try_emplace(loop);
  if (isNew)
    loop->walk([&, &list = found->second](graph::BreakOp leave) {
      for (Operation *branch = leave->getParentOp(); branch != loop; branch = branch->getParentOp())
        list.push_back(branch);
    });
  return found->second;
}

/// Whether what depends on who wins a claim decides on what the operation runs, or whether, or how often.
bool GraphToExec::runsByDerived(Operation *op) {
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
    if ((loop || repeat || repeats) && llvm::any_of(branchesToLeave(outer), decides))
      return true;
  }
  return false;
}

void GraphToExec::findUndetermined() {
  for (bool first = true, changed = true; changed; first = false) {
    changed = false;
    auto add = [&](ValueRange states, bool settled = false) {
      for (Value state : states) {
        changed |= undetermined.insert(state).second;
        changed |= !settled && unsettled.insert(state).second;
      }
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
      auto propagate = dyn_cast<graph::PropagateOp>(op);
      if (first && propagate && isReplayed(propagate))
        for (const Write &write : table.writes())
          if (write.rule == WriteRule::Claim)
            replayed.insert(write.op);
      auto depends = [&](const Write &write) {
        return isDerived(table, write, /*values=*/true) ||
               (dependsOnWinner(table, write, replayed) && !growsByRound(write));
      };
      bool all = runsByDerived(op);
      for (const Write &write : table.writes())
        if (write.rule == WriteRule::Claim &&
            (all || isDerived(table, write, /*values=*/false) || placeDependsOnWinner(table, write, replayed)))
          changed |= unsettled.insert(write.states[0]).second;
      // Which vertices a propagate visits depends on what changes: what is claimed, whoever wins; the source, which was
      // active before and may be so again; or others.
      bool again = false;
      for (const Write &write : table.writes()) {
        bool meets = write.kind != graph::UpdateKind::Add && // which is a change, whatever was there
                     llvm::any_of(write.states, [&](Value state) { return undetermined.contains(state); });
        bool varies = write.claim ? unsettled.contains(table.find(write.claim)->states[0]) : depends(write) || meets;
        if (propagate && write.isAtVertex() && varies)
          (write.owner == 0u ? again : all) = true;
      }
      all |= again && !revisitsInVain(table);
      if (propagate && (all || again))
        changed |= undeterminedVisits.insert(op).second;
      changed |= addVariables(table);
      for (const Write &write : table.writes())
        if (all || depends(write)) {
          changed |= replayed.erase(write.op);
          // Whoever wins, what is claimed is no longer what the claims wait for.
          add(write.states, write.claim && write.states[0] == table.find(write.claim)->states[0]);
        }
      return WalkResult::skip();
    });
  }
  for (Value state : undetermined)
    if (auto declaration = state.getDefiningOp<graph::StateOp>(); declaration && declaration.getOutput())
      declaration.setUnordered(true);
}

} // namespace gcompile
