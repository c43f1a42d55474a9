#include "ir/analysis/Effects.h"
#include "ir/analysis/Legality.h"
#include "llvm/ADT/SetVector.h"

// When the fixpoint of a propagate does not depend on the order in which edges are seen.

using namespace mlir;

namespace gcompile {

bool EffectTable::mentions(Value value, ArrayRef<Value> states) const {
  return llvm::any_of(st.slice(value), [&](Operation *op) {
    auto read = dyn_cast<graph::ReadOp>(op);
    return read && (llvm::is_contained(states, read.getState()) || st.isLocal(read.getState()));
  });
}

/// Whether `value` grows, or stays, when the states that it reads grow; with `bits`, as sets of bits, which sums and
/// conversions do not keep in order.
bool EffectTable::monotoneIn(Value value, ArrayRef<Value> states, bool bits) const {
  llvm::SetVector<Value> parts; // of the expression, each once: a `let` may be used many times
  parts.insert(value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!mentions(parts[i], states))
      continue;
    Operation *op = parts[i].getDefiningOp();
    if (auto read = dyn_cast<graph::ReadOp>(op)) {
      // Which element is read must not change.
      if (st.isLocal(read.getState()) ||
          llvm::any_of(read.getIndices(), [&](Value index) { return mentions(index, states); }))
        return false;
      continue;
    }
    auto binary = dyn_cast<graph::BinaryOp>(op);
    bool grows = isa<graph::LetOp>(op) ||
                 (bits && binary &&
                  (binary.getKind() == graph::BinaryKind::BitAnd || binary.getKind() == graph::BinaryKind::BitOr));
    if (!bits)
      grows |= binary ? binary.getKind() == graph::BinaryKind::Add || binary.getKind() == graph::BinaryKind::Min ||
                            binary.getKind() == graph::BinaryKind::Max
                      : isa<graph::CastOp, graph::TupleOp>(op);
    if (!grows)
      return false;
    parts.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// Whether a condition such as `dist[u] + e.length <= limit` holds for good once it holds, as what it reads moves the
/// way of `min=`, or of `max=`.
bool EffectTable::isFallingBound(Value condition, graph::UpdateKind kind) const {
  auto test = condition.getDefiningOp<graph::BinaryOp>();
  if (!test || !graph::traits(kind).selects)
    return false;
  using Kind = graph::BinaryKind;
  bool less = test.getKind() == Kind::Lt || test.getKind() == Kind::Le;
  bool greater = test.getKind() == Kind::Gt || test.getKind() == Kind::Ge;
  if (!less && !greater)
    return false;
  bool left = less == (kind == graph::UpdateKind::Min); // the side that moves
  Value moves = left ? test.getLhs() : test.getRhs(), stays = left ? test.getRhs() : test.getLhs();
  return !mentions(stays, written) && monotoneIn(moves, written, /*bits=*/false);
}

/// Of a joint update, the number of the last state that a new value is computed from.
unsigned EffectTable::lastMentioned(const Write &write) const {
  unsigned last = 0;
  for (unsigned k = 1; k < write.states.size(); ++k)
    if (llvm::any_of(write.values, [&](Value value) { return mentions(value, write.states[k]); }))
      last = k;
  return last;
}

SmallVector<Value> EffectTable::readTogether() const {
  for (const Write &write : writeList)
    if (write.states.size() > 1 && lastMentioned(write) > 0)
      return {write.states.begin(), write.states.end()};
  return {};
}

/// Whether a lesser tuple always gives a lesser tuple, or the same: up to the last value that is read, each new one is
/// greater where the old one is, so that what stands behind it does not count.
bool EffectTable::growsTogether(const Write &write, std::string &why) const {
  const unsigned last = lastMentioned(write);
  auto isOther = [&](const Write &other) { return other.states.size() > 1 && other.states != write.states; };
  if (llvm::any_of(writeList, isOther)) {
    why = "two joint updates are computed from values that only change together";
    return false;
  }
  for (unsigned k = 0; k < last; ++k)
    if (!growsStrictly(write, k, why))
      return false;
  return true;
}

/// Whether new value `number` of a joint update is the old one plus what no update changes, and never ties: real
/// numbers round, and sums that become infinite are all the same.
bool EffectTable::growsStrictly(const Write &write, unsigned number, std::string &why) const {
  const std::string name = "'" + graph::nameOf(write.states[number]) + "'";
  bool reads = false, small = true;
  SmallVector<Value> sum{write.values[number]};
  while (!sum.empty()) {
    Value part = withoutLet(sum.pop_back_val());
    auto binary = part.getDefiningOp<graph::BinaryOp>();
    auto read = part.getDefiningOp<graph::ReadOp>();
    if (!mentions(part, written)) {
      small &= isSmall(part) && !infinity.mayBeInf(part); // inf of an int is inf as a long
    } else if (binary && binary.getKind() == graph::BinaryKind::Add) {
      sum.append({binary.getLhs(), binary.getRhs()});
    } else if (read && read.getState() == write.states[number] && !reads) {
      reads = true;
    } else {
      reads = false;
      break;
    }
  }
  if (!reads) {
    why = "a joint update is computed from values behind " + name + ", whose own new value must be the old one plus " +
          "what is not updated";
    return false;
  }
  if (withoutLet(write.values[number]).getDefiningOp<graph::ReadOp>())
    return true;
  if (isa<FloatType>(write.values[number].getType())) {
    why = "sums of real numbers are rounded, so that two values of " + name + " may become one";
    return false;
  }
  // Less than anything is less than inf. The terms are not negative where the values give the order.
  bool bounded = st.ordered() && write.kind == graph::UpdateKind::Min && infinity.mayBeInf(write.states[number]) &&
                 llvm::any_of(st.conditions(write.op), [&](Value condition) {
                   auto test = condition.getDefiningOp<graph::BinaryOp>();
                   if (!test || (test.getKind() != graph::BinaryKind::Lt && test.getKind() != graph::BinaryKind::Gt))
                     return false;
                   Value low = test.getKind() == graph::BinaryKind::Lt ? test.getLhs() : test.getRhs();
                   return sameExpression(st, low, write.values[number], {});
                 });
  if (small || bounded)
    return true;
  why = "sums of " + name + " may become infinite, and then are all the same; " +
        (write.values[number].getType().isInteger(32) ? "make it a long" : "add nothing but finite ints to it") +
        (st.ordered() ? ", or ask for a sum less than inf in the condition" : "");
  return false;
}

std::string EffectTable::roundsShow() const {
  auto propagate = cast<graph::PropagateOp>(st.operation());
  if (propagate.getAtMost() || (!propagate.getUntil().empty() && !st.ordered()) || propagate.getLevels())
    return "the number of rounds shows in the result ('at most', 'until' or 'keep levels')";
  // In the order of a priority, what is beyond the end gets back what it had.
  if (OrderedEnd end = endOf(propagate); !end)
    return end.reason;
  for (Region *region : {&st.where(), &st.body()})
    if (!region->empty())
      for (BlockArgument argument : region->getArguments())
        if (st.isRound(argument) && !argument.use_empty())
          return "the round's number is used";
  return "";
}

bool EffectTable::isMonotoneFixpoint(std::string *why, bool together) const {
  auto no = [&](const std::string &reason) {
    if (why)
      *why = reason;
    return false;
  };
  if (!st.isPropagate())
    return no("a 'for' runs once and has no fixpoint");
  if (std::string shown = roundsShow(); !shown.empty())
    return no(shown);
  if (writeList.empty())
    return no("nothing is updated");
  SmallVector<Value> carried; // what stands behind the first value of a joint update may rise as that one falls
  for (const Write &write : writeList)
    carried.append(write.states.begin() + 1, write.states.end());
  for (const Write &write : writeList) {
    if (!write.isMonotone())
      return no("not every update is 'min=', 'max=', '|=' or '&='");
    if (write.part >= 0)
      return no("an element of a tuple is updated by itself");
    if (write.kind != writeList.front().kind)
      return no("the updates are of different kinds");
    if (write.indices.size() != 1)
      return no("a variable or a property of pairs is updated");
    for (Value value : write.values) {
      // Its own update reads them together with the first.
      if (mentions(value, carried) && write.states.size() == 1)
        return no("a new value is computed from one that a joint update carries along, which may move either way");
      bool bits = graph::traits(write.kind).bitwise;
      if (!monotoneIn(value, written, bits))
        return no("a new value does not grow with the values that it is computed from");
    }
    std::string tie = "a joint update is computed from values that only change together";
    if (lastMentioned(write) > 0 && !(together && growsTogether(write, tie)))
      return no(tie);
    if (mentions(write.indices[0], written))
      return no("which element is updated depends on what is updated");
    // An early value could hide an edge for good.
    SmallVector<Value> holding = st.conditions(write.op), controls;
    for (Value condition : st.controls(write.op))
      conjuncts(condition, controls);
    for (Value condition : controls) {
      bool holds = llvm::is_contained(holding, condition) && isFallingBound(condition, write.kind);
      if (mentions(condition, written) && (!holds || mentions(condition, carried)))
        return no("a condition depends on what is updated");
    }
  }
  // Only the edges of a vertex that changed are visited again.
  for (const Read &read : readList)
    if (llvm::is_contained(written, read.op.getState()) && read.owner != 0u)
      return no(std::string("it reads what it updates elsewhere than at the edge's ") + st.activeEnd() +
                ", whose change alone brings it back");
  return true;
}

} // namespace gcompile
