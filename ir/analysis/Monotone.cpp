#include "ir/analysis/Effects.h"
#include "llvm/ADT/SetVector.h"

// When the fixpoint of a propagate does not depend on the order in which edges are seen.

using namespace mlir;

namespace gcompile {

/// Whether computing `value` reads one of `states`, or a variable of the iteration, which may hold anything.
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
    bool grows = isa<graph::LetOp>(op);
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

bool EffectTable::isMonotoneFixpoint(std::string *why) const {
  auto no = [&](const std::string &reason) {
    if (why)
      *why = reason;
    return false;
  };
  auto propagate = dyn_cast<graph::PropagateOp>(st.operation());
  if (!propagate)
    return no("a 'for' runs once and has no fixpoint");
  if (propagate.getAtMost() || !propagate.getUntil().empty() || propagate.getLevels())
    return no("the number of rounds shows in the result ('at most', 'until' or 'keep levels')");
  for (Region *region : {&st.where(), &st.body()})
    if (!region->empty())
      for (BlockArgument argument : region->getArguments())
        if (st.isRound(argument) && !argument.use_empty())
          return no("the round's number is used");
  if (writeList.empty())
    return no("nothing is updated");
  for (const Write &write : writeList) {
    if (!write.isMonotone())
      return no("not every update is 'min=', 'max=', '|=' or '&='");
    if (write.kind != writeList.front().kind)
      return no("the updates are of different kinds");
    if (write.indices.size() != 1)
      return no("a variable or a property of pairs is updated");
    // Of a joint update only the first value falls on its own; the others may rise with it.
    for (Value value : write.values) {
      bool bits = write.kind == graph::UpdateKind::Or || write.kind == graph::UpdateKind::And;
      if (!monotoneIn(value, written, bits))
        return no("a new value does not grow with the values that it is computed from");
      if (write.states.size() > 1 && mentions(value, ArrayRef<Value>(write.states).drop_front()))
        return no("a joint update is computed from values that only change together");
    }
    if (mentions(write.indices[0], written))
      return no("which element is updated depends on what is updated");
    // An early value could hide an edge for good.
    for (Value condition : st.controls(write.op))
      if (mentions(condition, written))
        return no("a condition depends on what is updated");
  }
  // Only the edges of a vertex that changed are visited again.
  for (const Read &read : readList)
    if (llvm::is_contained(written, read.op.getState()) && read.owner != 0u)
      return no(std::string("it reads what it updates elsewhere than at the edge's ") + st.activeEnd() +
                ", whose change alone brings it back");
  return true;
}

} // namespace gcompile
