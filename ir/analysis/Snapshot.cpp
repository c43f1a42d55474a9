#include "ir/analysis/Levels.h"

// The snapshot rule: which reads could see another iteration's write.

using namespace mlir;

namespace gcompile {

/// Whether every update inside of `op`, also of the iteration's variables, stands in the winner's block.
bool EffectTable::writesOnlyIn(Operation *op, Region *winner) const {
  bool only = true;
  op->walk([&](Operation *inner) {
    if (isa<graph::UpdateOp, graph::UpdateTupleOp>(inner))
      only &= winner->isAncestor(inner->getParentRegion());
  });
  return only;
}

/// Whether nothing but the winner of a claim ever notices `value`: it is used in the winner's block, or decides whether
/// the block is reached, where the claim tests the guard once more.
bool EffectTable::decidesOnly(Value value, Region *winner) const {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (winner->isAncestor(user->getParentRegion()))
      return true;
    if (isa<graph::YieldOp>(user)) {
      Operation *parent = user->getParentOp();
      if (isa<graph::LogicOp, graph::ConditionalOp>(parent))
        return decidesOnly(parent->getResult(0), winner);
      return isa<graph::ForOp, graph::PropagateOp>(parent) && writesOnlyIn(parent, winner);
    }
    if (isa<graph::IfOp>(user))
      return writesOnlyIn(user, winner);
    if (isa<graph::UpdateOp, graph::UpdateTupleOp>(user) || user->getNumResults() != 1)
      return false;
    return decidesOnly(user->getResult(0), winner);
  });
}

void EffectTable::collectLevelFacts() {
  if (st.isPropagate())
    return;
  for (const Read &read : readList)
    if (read.owner == 0u && !levelFacts.contains(read.op.getState()))
      levelFacts[read.op.getState()] = factOnLevels(st, read.op.getState(), infinity);
}

/// Whether a condition such as `depth[v] == depth[u] + 1` keeps what is read and what is written apart: `u` is in the
/// level that the statement starts from, whose vertices all have the same depth, and `v` is not.
bool EffectTable::onOtherLevels(const Read &read, const Write &write) const {
  bool readsTarget = read.owner == 1u && write.owner == 0u, writesTarget = read.owner == 0u && write.owner == 1u;
  if (st.isPropagate() || (!readsTarget && !writesTarget))
    return false;
  return llvm::any_of(st.conditions(readsTarget ? read.op.getOperation() : write.op), [&](Value condition) {
    Value state;
    auto step = stepAlong(st, condition, state);
    return step && *step != 0 && !llvm::is_contained(written, state) && onLevels(state) != LevelFact::None;
  });
}

bool EffectTable::keepsLevelsApart(Value state) const {
  if (llvm::all_of(levelFacts, [](const auto &fact) { return fact.second == LevelFact::None; }))
    return false; // no condition says which level a vertex is on
  bool apart = false;
  for (const Read &read : readList)
    for (const Write &write : writeList) {
      if (read.op.getState() != state || !llvm::is_contained(write.states, state) ||
          (read.owner && read.owner == write.owner))
        continue;
      if (!onOtherLevels(read, write))
        return false;
      apart = true;
    }
  return apart;
}

bool EffectTable::keepsLevelsApart() const {
  auto ownOnly = [&](Value state) {
    return llvm::all_of(readList, [&](const Read &read) {
      return read.op.getState() != state || llvm::all_of(writeList, [&](const Write &write) {
               return !llvm::is_contained(write.states, state) || (read.owner && read.owner == write.owner);
             });
    });
  };
  return llvm::any_of(written, [&](Value state) { return keepsLevelsApart(state); }) &&
         llvm::all_of(written, [&](Value state) { return keepsLevelsApart(state) || ownOnly(state); });
}

bool EffectTable::harmless(const Read &read, bool proofs) const {
  Value state = read.op.getState();
  if (isOwned(state) && isOwn(state, read.op.getIndices()))
    return true;
  for (const Write &write : writeList) {
    if (!llvm::is_contained(write.states, state))
      continue;
    bool same = sameElement(read.op.getIndices(), write.indices);
    bool atFrontier = proofs && frontierInvariant && read.owner == 0u && write.owner == 1u;
    if (proofs && onOtherLevels(read, write))
      continue;
    switch (write.rule) {
    case WriteRule::Owned:
      if (!isOwn(state, read.op.getIndices()))
        return false;
      break;
    case WriteRule::Claim:
    case WriteRule::UnderClaim: {
      Region *winner = write.claim->getParentRegion();
      // In the winner's block the element is its own; the claim itself runs before all else in the block.
      bool inside = winner->isAncestor(read.op->getParentRegion()) &&
                    (write.rule == WriteRule::UnderClaim || mayPrecede(write.op, read.op));
      if (!(same && (inside || decidesOnly(read.op.getValue(), winner))) && !atFrontier)
        return false;
      break;
    }
    case WriteRule::Reduction:
    case WriteRule::SameValue:
      if (!(proofs && isMonotoneFixpoint()) && !atFrontier)
        return false;
      break;
    case WriteRule::Illegal:
      return true; // reported already
    }
  }
  return true;
}

SmallVector<Value> EffectTable::conflicts(bool proofs) const {
  SmallVector<Value> states;
  for (const Read &read : readList)
    if (!llvm::is_contained(states, read.op.getState()) && !harmless(read, proofs))
      states.push_back(read.op.getState());
  return states;
}

const Write *EffectTable::ownReductionBefore(const Read &read) const {
  if (isOwned(read.op.getState()))
    return nullptr;
  for (const Write &write : writeList) {
    if (!llvm::is_contained(write.states, read.op.getState()))
      continue;
    bool shared = write.rule == WriteRule::Reduction || write.rule == WriteRule::SameValue;
    if (!shared)
      continue;
    // A variable has no copy at all.
    if (write.indices.empty())
      return &write;
    if (!sameElement(read.op.getIndices(), write.indices) || !mayPrecede(write.op, read.op))
      continue;
    // The same value, surely assigned before: that is what is read.
    if (write.rule == WriteRule::SameValue && write.op->getParentRegion()->isAncestor(read.op->getParentRegion()) &&
        write.op->isBeforeInBlock(write.op->getBlock()->findAncestorOpInBlock(*read.op)))
      continue;
    return &write;
  }
  return nullptr;
}

} // namespace gcompile
