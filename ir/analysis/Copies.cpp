// How the snapshot rule is kept, and how much a second copy holds.
#include "ir/analysis/Legality.h"

using namespace mlir;

namespace gcompile {

std::optional<Slices> slicesOf(const EffectTable &table, Value state) {
  const Statement &st = table.statement();
  if (cast<graph::StateType>(state.getType()).getShape() != graph::Shape::Dense || st.domain() != graph::Domain::Pairs)
    return std::nullopt;
  Slices slices;
  for (const Read &read : table.reads()) {
    if (read.op.getState() != state)
      continue;
    Value i = read.op.getIndices()[0], j = read.op.getIndices()[1];
    if (st.argument(i) == 0u && st.argument(j) == 1u)
      continue;
    // A read at an outside row is served from the copy of that row, one at an outside column from that column's.
    bool outsideI = st.isOutside(i), outsideJ = st.isOutside(j);
    if (outsideI && (!slices.row || slices.row == i))
      slices.row = i;
    else if (!outsideI && outsideJ && (!slices.column || slices.column == j))
      slices.column = j;
    else
      return std::nullopt;
  }
  return slices;
}

/// Whether a propagate can put off its only write of a state to the end of the round: the same value for every vertex,
/// which the write itself activates, and every activated vertex gets.
static bool waitsForCommit(const EffectTable &table, Value state) {
  const Statement &st = table.statement();
  const Write *only = nullptr;
  for (const Write &write : table.writes()) {
    if (write.isAtVertex() && (write.owner != 1u || write.op->getParentOp() != st.operation()))
      return false;
    if (!llvm::is_contained(write.states, state))
      continue;
    if (only)
      return false;
    only = &write;
  }
  return st.isPropagate() && only && only->rule == WriteRule::SameValue && only->owner == 1u && only->guard &&
         table.differs(only->values[0], only->guard);
}

Snapshot snapshotOf(const EffectTable &table, Value state, bool proofs) {
  if (llvm::is_contained(table.conflicts(proofs), state))
    return waitsForCommit(table, state) ? Snapshot::Commit : slicesOf(table, state) ? Snapshot::Slices : Snapshot::Copy;
  if (!llvm::is_contained(table.conflicts(/*proofs=*/false), state))
    return Snapshot::None;
  return table.keepsLevelsApart(state)     ? Snapshot::Levels
         : table.frontierExcludesWritten() ? Snapshot::Invariant
                                           : Snapshot::Monotone;
}

} // namespace gcompile
