#include "ir/analysis/Effects.h"

using namespace mlir;

namespace gcompile {

bool holdsClass(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::any_of(tuple.getTypes(), holdsClass);
  return isa<graph::ForeignType>(type);
}

EffectTable::EffectTable(Operation *statement, const InfinityAnalysis &infinity) : st(statement), infinity(infinity) {
  collect();
  classify();
  frontierInvariant = frontierInvariantHolds();
  if (!frontierInvariant)
    assumedState = {};
  collectLevelFacts();
}

SmallVector<Value> EffectTable::writtenStates() const { return written; }

const Write *EffectTable::find(Operation *op) const {
  auto found = places.find(op);
  return found == places.end() ? nullptr : &writeList[found->second];
}

bool EffectTable::sameElement(ValueRange a, ValueRange b) const {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [&](auto pair) {
           return sameExpression(st, std::get<0>(pair), std::get<1>(pair), written);
         });
}

static bool sharesState(const Write &a, const Write &b) {
  return llvm::any_of(a.states, [&](Value state) { return llvm::is_contained(b.states, state); });
}

const Write *EffectTable::contradicts(const Write &write) const {
  auto won = [](const Write &w) { return w.rule == WriteRule::Claim || w.rule == WriteRule::UnderClaim; };
  if (write.rule == WriteRule::Illegal || write.rule == WriteRule::Owned) // owned: then all writes of the state are
    return nullptr;
  for (const Write &other : writeList) {
    if (&other == &write)
      return nullptr;
    if (!sharesState(write, other) || other.rule == WriteRule::Illegal)
      continue;
    const bool alike = write.kind == other.kind && write.combiner == other.combiner;
    bool commute = false;
    if (won(write) || won(other))
      commute = won(write) && won(other) &&
                (write.claim == other.claim || (write.rule == other.rule && write.rule == WriteRule::Claim));
    else if (write.rule == WriteRule::SameValue)
      commute = other.rule == WriteRule::SameValue && sameExpression(st, write.values[0], other.values[0], written);
    else // two reductions; a joint one holds its values together, and the elements of a tuple are each by itself
      commute = other.rule == WriteRule::Reduction && write.states == other.states &&
                (write.part == other.part ? alike : write.part >= 0 && other.part >= 0);
    if (!commute)
      return &other;
  }
  return nullptr;
}

bool EffectTable::isOwnedBy(const Write &write, std::optional<unsigned> argument) const {
  return argument && llvm::all_of(writeList, [&](const Write &other) {
           return !sharesState(write, other) || other.owner == argument;
         });
}

bool EffectTable::activatesOnly(std::optional<unsigned> argument) const {
  return argument &&
         llvm::all_of(writeList, [&](const Write &write) { return !write.isAtVertex() || write.owner == argument; });
}

void EffectTable::collect() {
  auto visit = [&](Operation *op) {
    if (auto update = dyn_cast<graph::UpdateOp>(op)) {
      if (st.isLocal(update.getState()))
        return;
      Write write{op, {update.getState()}, {update.getIndices()}, {update.getValue()}, update.getKind()};
      write.part = update.getPart();
      write.combiner = update.getCombinerAttr();
      writeList.push_back(std::move(write));
    } else if (auto tuple = dyn_cast<graph::UpdateTupleOp>(op)) {
      Write write{op, {tuple.getStates()}, {tuple.getIndices()}, {tuple.getValues()}, tuple.getKind()};
      writeList.push_back(std::move(write));
    } else if (auto read = dyn_cast<graph::ReadOp>(op)) {
      if (st.isLocal(read.getState()))
        return;
      Read entry{read, std::nullopt};
      if (read.getIndices().size() == 1)
        entry.owner = st.argument(read.getIndices()[0]);
      readList.push_back(entry);
    }
  };
  st.where().walk(visit);
  st.body().walk(visit);
  for (Write &write : writeList) {
    places[write.op] = &write - writeList.data();
    if (write.indices.size() == 1)
      write.owner = st.argument(write.indices[0]);
    for (Value state : write.states)
      if (!llvm::is_contained(written, state))
        written.push_back(state);
  }
}

/// The constant C of a guard `state[index] == C` (or `!state[index]`) that holds where `write` runs. Only conditions
/// inside of `within` count, where given.
Value EffectTable::guardConstant(const Write &write, Region *within) const {
  for (Value condition : st.conditions(write.op, within)) {
    auto isElement = [&](Value value) {
      auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
      return read && read.getState() == write.states[0] && sameElement(read.getIndices(), write.indices);
    };
    if (auto binary = condition.getDefiningOp<graph::BinaryOp>(); binary && binary.getKind() == graph::BinaryKind::Eq)
      for (auto [element, constant] : {std::pair{binary.getLhs(), binary.getRhs()}, {binary.getRhs(), binary.getLhs()}})
        if (isElement(element) && constant.getDefiningOp() &&
            isa<graph::ConstantOp, graph::NoneOp, graph::InfOp>(constant.getDefiningOp()))
          return constant;
    if (auto unary = condition.getDefiningOp<graph::UnaryOp>();
        unary && unary.getKind() == graph::UnaryKind::Not && isElement(unary.getOperand()))
      return unary.getResult(); // `!s[v]`: the element is false; stands for that constant
  }
  return {};
}

/// By which of its indices an element is the iteration's own, as bits; for pairs, by both together.
unsigned EffectTable::ownIndices(ValueRange indices) const {
  auto is = [&](unsigned i, unsigned argument) { return st.argument(indices[i]) == argument; };
  switch (st.domain()) {
  case graph::Domain::Vertices: { // also a row or a column of a property of pairs
    unsigned bits = 0;
    for (unsigned i = 0; i < indices.size(); ++i)
      bits |= is(i, 0) ? 1u << i : 0;
    return bits;
  }
  case graph::Domain::Pairs:
    return indices.size() == 2 && is(0, 0) && is(1, 1);
  case graph::Domain::Edges:
  case graph::Domain::EdgesInto:
    return indices.size() == 1 && is(0, 2);
  case graph::Domain::OutOf:
  case graph::Domain::Into:
    return indices.size() == 1 && is(0, 1);
  default:
    return 0;
  }
}

bool EffectTable::isOwn(Value state, ValueRange indices) const {
  auto found = owned.find(state);
  return (ownIndices(indices) & (found == owned.end() ? ~0u : found->second)) != 0;
}

/// Owned means that no other iteration writes the element: all writes of the state are to elements that are the
/// iteration's own by one and the same index.
void EffectTable::findOwned() {
  for (const Write &write : writeList)
    for (Value state : write.states)
      owned.try_emplace(state, ~0u).first->second &= ownIndices(write.indices);
  // A joint write that is not owned in one of its states leaves the others as they are: whatever else writes the one
  // contradicts it, unless it writes all of them.
  for (Write &write : writeList) {
    bool own = llvm::all_of(write.states, [&](Value state) { return isOwn(state, write.indices); });
    write.rule = own ? WriteRule::Owned : WriteRule::Illegal;
  }
}

void EffectTable::classify() {
  findOwned();
  for (Write &write : writeList) {
    if (write.rule == WriteRule::Owned)
      continue;
    if (write.kind != graph::UpdateKind::Assign)
      write.rule = WriteRule::Reduction;
    else if (!holdsClass(write.values[0].getType()) && st.isUniform(write.values[0], written))
      write.rule = WriteRule::SameValue;
    if (write.rule == WriteRule::SameValue)
      write.guard = guardConstant(write, nullptr);
  }
  findClaims();
  findUnderClaims();
  for (const Write &write : writeList)
    if (write.rule == WriteRule::Claim && !firstClaim)
      firstClaim = &write - writeList.data();
}

/// Whether computing `value` reads what an update in `block` may have written before. A claim is made before the rest
/// of its block runs, so what it needs must not depend on that.
bool EffectTable::dependsOnEarlierWrite(Value value, Region *block) const {
  return llvm::any_of(st.slice(value), [&](Operation *op) {
    auto read = dyn_cast<graph::ReadOp>(op);
    bool depends = false;
    if (read && (st.isLocal(read.getState()) || llvm::is_contained(written, read.getState())))
      block->walk([&](Operation *other) {
        depends |= isa<graph::UpdateOp, graph::UpdateTupleOp>(other) &&
                   llvm::is_contained(other->getOperands(), read.getState()) && mayPrecede(other, read);
      });
    return depends;
  });
}

/// Whether `candidate` is a claim: its guard lets only the first writer pass.
bool EffectTable::claims(Write &candidate, Region *within) {
  if (candidate.kind != graph::UpdateKind::Assign || candidate.rule == WriteRule::Owned || candidate.indices.empty() ||
      candidate.states.size() != 1)
    return false;
  Value constant = guardConstant(candidate, within);
  Region *block = candidate.op->getParentRegion();
  if (!constant)
    return false;
  if (dependsOnEarlierWrite(candidate.values[0], block) ||
      llvm::any_of(candidate.indices, [&](Value index) { return dependsOnEarlierWrite(index, block); })) {
    candidate.noClaim = "a claim is made before the rest of its block, which its value depends on";
    return false;
  }
  // `depth[v] = depth[u] + 1` under `depth[v] == inf`: the frontier's own depths are finite by induction.
  if (frontierExcluded(candidate, constant))
    assumedState = candidate.states[0], assumedApart = constant;
  bool winnerChanges = differs(candidate.values[0], constant) || isTestedApart(candidate, constant);
  assumedState = {};
  if (winnerChanges)
    candidate.guard = constant;
  else
    candidate.noClaim = "the new value may be the one that the guard asks for, so the guard could stay true; " +
                        howToTest(candidate.values[0], constant);
  return winnerChanges;
}

/// Claims: a plain assignment of a value of the iteration's own needs a guard that lets only the first writer pass, on
/// the element itself or on another element of the same vertex that the same block assigns.
void EffectTable::findClaims() {
  for (Write &write : writeList) {
    if (write.rule != WriteRule::Illegal)
      continue;
    for (Write &candidate : writeList)
      if (candidate.op->getParentRegion()->isAncestor(write.op->getParentRegion()) &&
          sameElement(candidate.indices, write.indices) && claims(candidate, nullptr)) {
        candidate.rule = WriteRule::Claim;
        candidate.claim = candidate.op;
        break;
      }
  }
  // A claim inside of another one's block holds only if its guard is tested there again: what was tested before the
  // first claim may be out of date.
  for (Write &inner : writeList) {
    if (inner.rule != WriteRule::Claim)
      continue;
    for (const Write &outer : writeList) {
      if (&inner == &outer || inner.rule != WriteRule::Claim || outer.rule != WriteRule::Claim ||
          !outer.op->getParentRegion()->isAncestor(inner.op->getParentRegion()))
        continue;
      bool sameBlock = outer.op->getBlock() == inner.op->getBlock();
      if (sameBlock && inner.op->isBeforeInBlock(outer.op))
        continue;
      if (sameBlock || !claims(inner, outer.op->getParentRegion())) {
        inner.rule = WriteRule::Illegal;
        inner.claim = nullptr;
        inner.noClaim =
            "its guard was tested before another claim of the same block was won: claim one element, or test "
            "this guard in an 'if' of its own";
      }
    }
  }
}

/// What else the winner writes at its vertex belongs to it, if nobody else writes those states.
void EffectTable::findUnderClaims() {
  for (const Write &winner : writeList) {
    if (winner.rule != WriteRule::Claim)
      continue;
    auto belongs = [&](const Write &write) {
      return winner.op->getParentRegion()->isAncestor(write.op->getParentRegion()) &&
             sameElement(write.indices, winner.indices);
    };
    for (Write &write : writeList) {
      if (write.rule == WriteRule::Claim || write.rule == WriteRule::Owned || !belongs(write))
        continue;
      // The element may get another value, but none that lets a second iteration win.
      bool reopens = llvm::is_contained(write.states, winner.states[0]) &&
                     !(write.kind == graph::UpdateKind::Assign && write.states.size() == 1 &&
                       differs(write.values[0], winner.guard));
      if (reopens) {
        write.rule = WriteRule::Illegal;
        write.noClaim = "it may make the guard of the claim true again";
        continue;
      }
      bool alone =
          llvm::all_of(writeList, [&](const Write &other) { return !sharesState(write, other) || belongs(other); });
      if (!alone)
        continue;
      write.rule = WriteRule::UnderClaim;
      write.claim = winner.op;
    }
  }
}

bool mayPrecede(Operation *first, Operation *second) {
  Operation *common = first->getParentOp(), *self = first;
  for (; !common->isProperAncestor(second); common = common->getParentOp())
    self = common;
  if (Operation *other = self->getBlock()->findAncestorOpInBlock(*second)) {
    if (self != other && self->isBeforeInBlock(other))
      return true;
  } else if (!isa<graph::IfOp, graph::ConditionalOp>(common)) {
    // Conditions come before what they guard.
    for (Region &region : common->getRegions())
      if (&region == self->getParentRegion())
        return true;
      else if (region.isAncestor(second->getParentRegion()))
        break;
  }
  // In a loop the turn before ran everything.
  for (;; common = common->getParentOp()) {
    auto loop = dyn_cast<graph::ForOp>(common);
    if (isa<graph::WhileOp, graph::RepeatOp>(common) || (loop && loop.getSequential()))
      return first != second;
    if (loop || isa<graph::PropagateOp>(common))
      return false;
  }
}

} // namespace gcompile
