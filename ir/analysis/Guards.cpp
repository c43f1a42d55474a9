#include "ir/analysis/Effects.h"
#include "ir/analysis/None.h"
#include "llvm/ADT/SetVector.h"

// What is known about the values of guards: that an assignment makes one false, and that a propagate's active vertices
// fail it.

using namespace mlir;

namespace gcompile {

/// Whether a term cannot make a sum infinite that starts finite and takes it once in a round: there are fewer than 2^31
/// rounds, and what falls short of the limit by that much is taken to fall short of it.
static bool isSmall(Value value) {
  value = withoutLet(value);
  if (auto constant = value.getDefiningOp<graph::ConstantOp>())
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
      return integer.getValue().abs().ult(1 << 16);
  auto cast = value.getDefiningOp<graph::CastOp>(); // a sum of int, kept as a long
  return cast && value.getType().isInteger(64) && cast.getOperand().getType().isInteger(32);
}

bool EffectTable::isFinite(Value value) const {
  llvm::SetVector<Value> parts; // of the expression, each once: a `let` may be used many times
  parts.insert(value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!infinity.mayBeInf(parts[i]))
      continue;
    Operation *op = parts[i].getDefiningOp();
    if (auto read = dyn_cast_or_null<graph::ReadOp>(op)) {
      if (!assumedFinite || read.getState() != assumedFinite || read.getIndices().size() != 1 ||
          st.argument(read.getIndices()[0]) != 0u)
        return false;
      continue;
    }
    if (auto binary = dyn_cast_or_null<graph::BinaryOp>(op)) {
      auto kind = binary.getKind();
      bool sum = kind == graph::BinaryKind::Add || kind == graph::BinaryKind::Sub;
      bool bounded = kind == graph::BinaryKind::Min || kind == graph::BinaryKind::Max ||
                     kind == graph::BinaryKind::Div || kind == graph::BinaryKind::Rem;
      if (!isa<IntegerType>(binary.getType()) ||
          !(sum ? isSmall(binary.getRhs()) || isSmall(binary.getLhs()) : bounded))
        return false;
    } else if (auto cast = dyn_cast_or_null<graph::CastOp>(op)) { // what is too great for an integer type is infinite
      Type from = cast.getOperand().getType(), to = cast.getType();
      if (isa<IntegerType>(to) &&
          (!isa<IntegerType>(from) || from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth()))
        return false;
    } else if (!isa_and_nonnull<graph::LetOp>(op)) {
      return false;
    }
    parts.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

bool EffectTable::differs(Value value, Value constant) const {
  value = withoutLet(value);
  Operation *c = constant.getDefiningOp();
  if (isa<graph::UnaryOp>(c)) { // the guard `!s[v]`: false
    auto x = value.getDefiningOp<graph::ConstantOp>();
    return x && cast<BoolAttr>(x.getValue()).getValue();
  }
  if (isa<graph::NoneOp>(c))
    return !mayBeNone(value);
  if (auto infinite = dyn_cast<graph::InfOp>(c))
    return !infinite.getLowest() && isFinite(value);
  Attribute wanted = cast<graph::ConstantOp>(c).getValue();
  if (auto x = value.getDefiningOp<graph::ConstantOp>()) {
    if (auto number = dyn_cast<FloatAttr>(x.getValue())) // 0 and -0 are equal
      return number.getValueAsDouble() != cast<FloatAttr>(wanted).getValueAsDouble();
    return x.getValue() != wanted;
  }
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

/// Whether two values are known to be one: the same, or read from a variable that nothing updates in between.
static bool isSameValue(Value a, Value b) {
  if (a == b)
    return true;
  auto first = a.getDefiningOp<graph::ReadOp>(), last = b.getDefiningOp<graph::ReadOp>();
  if (!first || !last || first.getState() != last.getState() || !first.getIndices().empty() ||
      first->getBlock() != last->getBlock())
    return false;
  if (last->isBeforeInBlock(first))
    std::swap(first, last);
  for (Operation *op = first; op != last; op = op->getNextNode()) {
    bool updates = false;
    op->walk([&](graph::UpdateOp update) { updates |= update.getState() == first.getState(); });
    op->walk([&](graph::UpdateTupleOp update) { updates |= llvm::is_contained(update.getStates(), first.getState()); });
    if (updates)
      return false;
  }
  return true;
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
      Value index = update.getIndices().empty() ? Value() : update.getIndices()[0];
      // An index that is none ends the program.
      bool given = index && constant.getDefiningOp<graph::NoneOp>() && isSameValue(update.getValue(), index);
      if (update.getKind() != graph::UpdateKind::Assign || !(given || differs(update.getValue(), constant)))
        return false;
      llvm::erase_if(pending, [&](Value element) { return index && isSameValue(element, index); });
      if (pending.empty() && set.getDefiningOp<graph::SetOfOp>())
        return true;
    } else if (auto loop = dyn_cast<graph::ForOp>(op);
               loop && loop.getDomain() == graph::Domain::Vertices && loop.getWhere().empty() &&
               (loop.getOver() == set ||
                (loop.getOver().getDefiningOp<graph::AllVerticesOp>() && set.getDefiningOp<graph::AllVerticesOp>()))) {
      // Exactly one update, which every vertex of the set makes.
      SmallVector<graph::UpdateOp> updates;
      loop.walk([&](graph::UpdateOp update) {
        if (update.getState() == state)
          updates.push_back(update);
      });
      bool joint = false;
      loop.walk([&](graph::UpdateTupleOp update) { joint |= llvm::is_contained(update.getStates(), state); });
      if (updates.empty() && !joint)
        continue;
      return updates.size() == 1 && !joint && updates[0]->getParentOp() == loop &&
             updates[0].getIndices().size() == 1 && updates[0].getIndices()[0] == loop.getBody().getArgument(0) &&
             updates[0].getKind() == graph::UpdateKind::Assign && differs(updates[0].getValue(), constant);
    } else if (!isa<graph::StateOp>(op)) {
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
    if (write.isAtVertex() &&
        (write.owner != 1u || !key->op->getParentRegion()->isAncestor(write.op->getParentRegion())))
      return false;
  // The guard must hold for all of them: it stands in `where`, or around the key's block.
  if (!initialSetExcluded(key->states[0], key->guard))
    return false;
  assumedFinite = key->states[0];
  return differs(key->values[0], key->guard);
}

} // namespace gcompile
