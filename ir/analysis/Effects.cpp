#include "ir/analysis/Effects.h"

using namespace mlir;

namespace gcompile {

EffectTable::EffectTable(Operation *statement, const InfinityAnalysis &infinity) : st(statement), infinity(infinity) {
  collect();
  classify();
  frontierInvariant = frontierInvariantHolds();
}

SmallVector<Value> EffectTable::writtenStates() const {
  SmallVector<Value> states;
  for (const Write &write : writeList)
    for (Value state : write.states)
      if (!llvm::is_contained(states, state))
        states.push_back(state);
  return states;
}

const Write *EffectTable::find(Operation *op) const {
  for (const Write &write : writeList)
    if (write.op == op)
      return &write;
  return nullptr;
}

static bool shareState(const Write &a, const Write &b) {
  return llvm::any_of(a.states, [&](Value state) { return llvm::is_contained(b.states, state); });
}

bool EffectTable::isWritten(Value state) const {
  return llvm::any_of(writeList, [&](const Write &write) { return llvm::is_contained(write.states, state); });
}

const Write *EffectTable::claim() const {
  for (const Write &write : writeList)
    if (write.rule == WriteRule::Claim)
      return &write;
  return nullptr;
}

void EffectTable::collect() {
  auto visit = [&](Operation *op) {
    if (auto update = dyn_cast<graph::UpdateOp>(op)) {
      if (st.isLocal(update.getState()))
        return;
      Write write{op, {update.getState()}, {update.getIndices()}, {update.getValue()}, update.getKind()};
      writeList.push_back(std::move(write));
    } else if (auto tuple = dyn_cast<graph::UpdateTupleOp>(op)) {
      Write write{op, {tuple.getStates()}, {tuple.getIndex()}, {tuple.getValues()}, tuple.getKind()};
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
  for (Write &write : writeList)
    if (write.indices.size() == 1)
      write.owner = st.argument(write.indices[0]);
}

/// The constant C of a guard `state[index] == C` (or `!state[index]`, `state[index]`) that holds where `write` runs.
Value EffectTable::guardConstant(const Write &write) const {
  for (Value condition : st.conditions(write.op)) {
    auto isElement = [&](Value value) {
      auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
      return read && read.getState() == write.states[0] && read.getIndices().size() == write.indices.size() &&
             llvm::all_of(llvm::zip(read.getIndices(), write.indices),
                          [&](auto pair) { return sameExpression(st, std::get<0>(pair), std::get<1>(pair)); });
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

bool EffectTable::isFinite(Value value) const {
  value = withoutLet(value);
  if (!infinity.mayBeInf(value))
    return true;
  if (auto read = value.getDefiningOp<graph::ReadOp>())
    return assumedFinite && read.getState() == assumedFinite && read.getIndices().size() == 1 &&
           st.argument(read.getIndices()[0]) == 0u;
  if (auto binary = value.getDefiningOp<graph::BinaryOp>())
    return isFinite(binary.getLhs()) && isFinite(binary.getRhs());
  if (auto cast = value.getDefiningOp<graph::CastOp>())
    return isFinite(cast.getOperand());
  return false;
}

bool EffectTable::differs(Value value, Value constant) const {
  value = withoutLet(value);
  Operation *c = constant.getDefiningOp();
  if (isa<graph::UnaryOp>(c)) { // the guard `!s[v]`: false
    auto x = value.getDefiningOp<graph::ConstantOp>();
    return x && cast<BoolAttr>(x.getValue()).getValue();
  }
  if (isa<graph::NoneOp>(c)) {
    if (isa<BlockArgument>(value)) // a vertex or edge that a pattern bound, or a parameter, which the loader checked
      return true;
    return false;
  }
  if (auto infinite = dyn_cast<graph::InfOp>(c))
    return !infinite.getLowest() && isFinite(value);
  Attribute wanted = cast<graph::ConstantOp>(c).getValue();
  if (auto x = value.getDefiningOp<graph::ConstantOp>())
    return x.getValue() != wanted;
  if (value.getDefiningOp<graph::InfOp>())
    return true;
  if (st.isRound(value))
    if (auto integer = dyn_cast<IntegerAttr>(wanted))
      return integer.getInt() < 1;
  if (auto degree = value.getDefiningOp<graph::DegreeOp>())
    if (auto integer = dyn_cast<IntegerAttr>(wanted))
      return integer.getInt() < 0;
  return false;
}

void EffectTable::classify() {
  SmallVector<Value> written = writtenStates();
  auto domain = st.domain();
  for (Write &write : writeList) {
    bool owned = false;
    if (domain == graph::Domain::Vertices)
      owned = write.owner == 0u;
    else if (domain == graph::Domain::Pairs)
      owned = write.indices.size() == 2 && st.argument(write.indices[0]) == 0u && st.argument(write.indices[1]) == 1u;
    else if (domain == graph::Domain::Edges)
      owned = write.owner == 2u;
    else if (domain == graph::Domain::OutOf || domain == graph::Domain::Into)
      owned = write.owner == 1u;
    if (owned)
      write.rule = WriteRule::Owned;
    else if (write.kind != graph::UpdateKind::Assign)
      write.rule = WriteRule::Reduction;
    else if (st.isUniform(write.values[0], written))
      write.rule = WriteRule::SameValue;
    if (write.rule == WriteRule::SameValue)
      write.guard = guardConstant(write);
  }

  // An element is nobody's own where others reach it by another name.
  for (Write &write : writeList)
    if (write.rule == WriteRule::Owned && write.kind != graph::UpdateKind::Assign)
      for (const Write &other : writeList)
        if (shareState(write, other) &&
            (other.rule != WriteRule::Owned && !(other.owner && other.owner == write.owner)))
          write.rule = WriteRule::Reduction;

  // Claims: a plain assignment of a value of the iteration's own needs a guard that lets only the first writer pass,
  // on the element itself or on another element of the same vertex that the same block assigns.
  for (Write &write : writeList) {
    if (write.rule != WriteRule::Illegal)
      continue;
    for (Write &candidate : writeList) {
      if (candidate.kind != graph::UpdateKind::Assign || candidate.rule == WriteRule::Owned ||
          candidate.indices.size() != write.indices.size() ||
          !candidate.op->getBlock()->getParent()->isAncestor(write.op->getParentRegion()))
        continue;
      bool sameElement = llvm::all_of(llvm::zip(candidate.indices, write.indices), [&](auto pair) {
        return sameExpression(st, std::get<0>(pair), std::get<1>(pair));
      });
      if (!sameElement || candidate.indices.empty())
        continue;
      Value constant = guardConstant(candidate);
      if (!constant)
        continue;
      // `depth[v] = depth[u] + 1` under `depth[v] == inf`: the frontier's own depths are finite by induction.
      assumedFinite =
          st.isPropagate() && initialSetExcluded(candidate.states[0], constant) ? candidate.states[0] : Value();
      bool winnerChanges = differs(candidate.values[0], constant);
      assumedFinite = {};
      if (!winnerChanges)
        continue;
      candidate.rule = WriteRule::Claim;
      candidate.guard = constant;
      if (&candidate != &write)
        write.rule = WriteRule::UnderClaim;
      break;
    }
  }

  // What else the winner writes at its vertex belongs to it.
  if (const Write *winner = claim())
    for (Write &write : writeList)
      if (write.rule != WriteRule::Claim && write.rule != WriteRule::Owned &&
          winner->op->getParentRegion()->isAncestor(write.op->getParentRegion()) &&
          write.indices.size() == winner->indices.size() && !write.indices.empty() &&
          llvm::all_of(llvm::zip(write.indices, winner->indices),
                       [&](auto pair) { return sameExpression(st, std::get<0>(pair), std::get<1>(pair)); }))
        write.rule = WriteRule::UnderClaim;
}

/// Whether every element of the initial set has been given a value of `state` that differs from `constant`, by plain
/// assignments just before the statement.
bool EffectTable::initialSetExcluded(Value state, Value constant) const {
  SmallVector<Value> pending;
  Value set = st.over();
  if (auto literal = set.getDefiningOp<graph::SetOfOp>())
    pending.append(literal.getElements().begin(), literal.getElements().end());
  for (Operation *op = st.operation()->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto update = dyn_cast<graph::UpdateOp>(op); update && update.getState() == state) {
      if (update.getKind() != graph::UpdateKind::Assign || !differs(update.getValue(), constant))
        return false;
      llvm::erase(pending, update.getIndices()[0]);
      if (pending.empty() && set.getDefiningOp<graph::SetOfOp>())
        return true;
    } else if (auto loop = dyn_cast<graph::ForOp>(op);
               loop && loop.getDomain() == graph::Domain::Vertices && loop.getWhere().empty() &&
               (loop.getOver() == set ||
                (loop.getOver().getDefiningOp<graph::AllVerticesOp>() && set.getDefiningOp<graph::AllVerticesOp>()))) {
      for (auto update : loop.getBody().front().getOps<graph::UpdateOp>())
        if (update.getState() == state && update.getIndices().size() == 1 &&
            update.getIndices()[0] == loop.getBody().getArgument(0))
          return update.getKind() == graph::UpdateKind::Assign && differs(update.getValue(), constant);
    } else if (op->getNumRegions() != 0 && !isa<graph::StateOp>(op)) {
      bool touches = false;
      op->walk([&](graph::UpdateOp update) { touches |= update.getState() == state; });
      op->walk([&](graph::UpdateTupleOp update) { touches |= llvm::is_contained(update.getStates(), state); });
      if (touches)
        return false;
    }
  }
  return false;
}

bool EffectTable::frontierInvariantHolds() {
  if (!st.isPropagate())
    return false;
  const Write *key = claim();
  if (!key)
    for (const Write &write : writeList)
      if (write.rule == WriteRule::SameValue && write.guard && write.owner == 1u)
        key = &write;
  if (!key || !key->guard || key->owner != 1u)
    return false;
  // Whatever activates a vertex must run together with the key's write: every vertex write sits at v, in its block.
  for (const Write &write : writeList)
    if (!write.indices.empty() && isa<graph::VertexType>(write.indices[0].getType()) &&
        (write.owner != 1u || !key->op->getParentRegion()->isAncestor(write.op->getParentRegion())))
      return false;
  // The guard must hold for all of them: it stands in `where`, or around the key's block.
  if (!initialSetExcluded(key->states[0], key->guard))
    return false;
  assumedFinite = key->states[0];
  return differs(key->values[0], key->guard);
}

bool EffectTable::monotoneIn(Value value, graph::UpdateKind kind, ArrayRef<Value> states) const {
  value = withoutLet(value);
  Operation *op = value.getDefiningOp();
  if (!op)
    return true;
  if (isa<graph::ReadOp, graph::ConstantOp, graph::InfOp, graph::NoneOp>(op))
    return true;
  bool mentions = false;
  auto check = [&](Operation *inner) {
    if (auto read = dyn_cast<graph::ReadOp>(inner))
      mentions |= llvm::is_contained(states, read.getState());
  };
  std::function<void(Value)> scan = [&](Value v) {
    Operation *def = v.getDefiningOp();
    if (!def || !st.operation()->isAncestor(def))
      return;
    def->walk(check);
    for (Value operand : def->getOperands())
      if (!isa<graph::StateType>(operand.getType()))
        scan(operand);
  };
  scan(value);
  if (!mentions)
    return true;
  if (auto binary = dyn_cast<graph::BinaryOp>(op)) {
    auto both = [&] { return monotoneIn(binary.getLhs(), kind, states) && monotoneIn(binary.getRhs(), kind, states); };
    switch (binary.getKind()) {
    case graph::BinaryKind::Add:
    case graph::BinaryKind::Min:
    case graph::BinaryKind::Max:
      return both();
    default:
      return false;
    }
  }
  if (auto cast = dyn_cast<graph::CastOp>(op))
    return monotoneIn(cast.getOperand(), kind, states);
  if (isa<graph::TupleOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value v) { return monotoneIn(v, kind, states); });
  return false;
}

bool EffectTable::isMonotoneFixpoint() const {
  auto propagate = dyn_cast<graph::PropagateOp>(st.operation());
  if (!propagate || propagate.getAtMost() || !propagate.getUntil().empty() || propagate.getLevels() ||
      writeList.empty())
    return false;
  SmallVector<Value> states = writtenStates();
  for (const Write &write : writeList) {
    if (!write.isMonotone() || write.kind != writeList.front().kind || write.indices.size() != 1)
      return false;
    // A joint update orders by its first value only as a whole: the tuple must grow with what it reads.
    for (Value value : write.values)
      if (!monotoneIn(value, write.kind, states))
        return false;
    // Conditions must not depend on what changes: an early value could hide an edge for good.
    for (Value condition : st.conditions(write.op)) {
      bool depends = false;
      std::function<void(Value)> scan = [&](Value v) {
        Operation *def = v.getDefiningOp();
        if (!def || !st.operation()->isAncestor(def))
          return;
        def->walk([&](graph::ReadOp read) { depends |= llvm::is_contained(states, read.getState()); });
        for (Value operand : def->getOperands())
          if (!isa<graph::StateType>(operand.getType()))
            scan(operand);
      };
      scan(condition);
      if (depends)
        return false;
    }
  }
  // The round number would make the order visible.
  bool usesRound = false;
  for (Region *region : {&st.where(), &st.body()})
    if (!region->empty())
      for (BlockArgument argument : region->getArguments())
        usesRound |= st.isRound(argument) && !argument.use_empty();
  return !usesRound;
}

/// Whether `first` may have run before `second` in the same iteration, and whether it surely has.
static std::pair<bool, bool> precedes(Operation *first, Operation *second) {
  for (Block *block = first->getBlock(); block;) {
    if (Operation *ancestor = block->findAncestorOpInBlock(*second)) {
      Operation *self = block->findAncestorOpInBlock(*first);
      bool before = self != ancestor && self->isBeforeInBlock(ancestor);
      return {before, before && self == first};
    }
    Operation *parent = block->getParentOp();
    block = parent ? parent->getBlock() : nullptr;
  }
  return {false, false};
}

const Write *EffectTable::ownAssignment(const Read &read, bool &always) const {
  always = false;
  const Write *found = nullptr;
  for (const Write &write : writeList) {
    auto op = read.op;
    if (write.kind != graph::UpdateKind::Assign || write.states[0] != op.getState() ||
        write.indices.size() != op.getIndices().size() ||
        !llvm::all_of(llvm::zip(write.indices, op.getIndices()),
                      [&](auto pair) { return sameExpression(st, std::get<0>(pair), std::get<1>(pair)); }))
      continue;
    auto [may, must] = precedes(write.op, op);
    if (may && !found)
      found = &write;
    always |= must;
  }
  return found;
}

bool EffectTable::harmless(const Read &read, bool proofs) const {
  Value state = read.op.getState();
  bool inWhere = !st.where().empty() && st.where().isAncestor(read.op->getParentRegion());
  for (const Write &write : writeList) {
    if (!llvm::is_contained(write.states, state))
      continue;
    bool sameElement = read.op.getIndices().size() == write.indices.size() &&
                       llvm::all_of(llvm::zip(read.op.getIndices(), write.indices), [&](auto pair) {
                         return sameExpression(st, std::get<0>(pair), std::get<1>(pair));
                       });
    switch (write.rule) {
    case WriteRule::Owned:
      if (!sameElement)
        return false;
      break;
    case WriteRule::Claim:
    case WriteRule::UnderClaim: {
      // The winner's own element; or a guard, which loses against the claim as soon as the winner has written.
      const Write *winner = claim();
      bool atWinner =
          sameElement && (inWhere || winner->op->getParentRegion()->isAncestor(read.op->getParentRegion()) ||
                          read.op->getBlock() == winner->op->getParentOp()->getBlock());
      bool atFrontier = proofs && frontierInvariant && read.owner == 0u && write.owner == 1u;
      if (!atWinner && !atFrontier)
        return false;
      break;
    }
    case WriteRule::Reduction:
    case WriteRule::SameValue: {
      if (write.indices.empty()) { // a scalar: every thread has its own part until the end
        if (proofs && write.rule == WriteRule::Reduction)
          break;
        return false;
      }
      if (proofs && isMonotoneFixpoint())
        break;
      if (proofs && frontierInvariant && read.owner == 0u && write.owner == 1u)
        break;
      return false;
    }
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

} // namespace gcompile
