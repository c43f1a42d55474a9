// What depends on which iteration wins a claim, and what follows from there being one winner or several.
#include "ir/analysis/Legality.h"

using namespace mlir;

namespace gcompile {

/// Whether the elements and conditions of a write depend on who wins the claim `key`, in whose block it stands, and
/// with `values` the values as well.
static bool dependsOnWinnerOf(const Write &key, const EffectTable &table, const Write &write, bool values,
                              const llvm::DenseSet<Operation *> &replayed) {
  const Statement &st = table.statement();
  SmallVector<Value> parts;
  if (values)
    parts.append(write.values.begin(), write.values.end());
  if (write.claim != key.op)
    parts.append(write.indices);
  bool inLoop = false; // as often as what it ranges over says
  for (Operation *outer = write.op->getParentOp(); key.op->getParentOp()->isProperAncestor(outer);
       outer = outer->getParentOp()) {
    auto branch = dyn_cast<graph::IfOp>(outer);
    inLoop |= !branch;
    if (branch)
      parts.push_back(branch.getCondition());
  }
  SmallVector<Value> written = table.writtenStates();
  if (!inLoop && llvm::all_of(parts, [&](Value part) { return st.isUniform(part, written, key.indices); }))
    return false;
  if (!replayed.contains(key.op))
    return true;
  if (&key == &write)
    return false;
  // Where the claim assigns a vertex of the pattern, the winner is known up to the edge: there may be several.
  if (!st.argument(key.values[0]))
    return true;
  auto isEdge = [&](Value value) { return isa<graph::EdgeType>(value.getType()) && st.argument(value); };
  // A variable of the iteration may hold what belongs to the edge.
  bool usesEdge =
      st.operation()
          ->walk([&](Operation *op) {
            return llvm::any_of(op->getOperands(), isEdge) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  return llvm::any_of(parts, [&](Value part) {
    return isEdge(part) || llvm::any_of(st.slice(part), [&](Operation *op) {
             auto read = dyn_cast<graph::ReadOp>(op);
             return (usesEdge && read && st.isLocal(read.getState())) || llvm::any_of(op->getOperands(), isEdge);
           });
  });
}

static bool isAround(const Write &claim, const Write &write) {
  return claim.rule == WriteRule::Claim && claim.op->getParentRegion()->isAncestor(write.op->getParentRegion());
}

bool dependsOnWinner(const EffectTable &table, const Write &write, const llvm::DenseSet<Operation *> &replayed) {
  return table.claim() && llvm::any_of(table.writes(), [&](const Write &claim) {
           return isAround(claim, write) && dependsOnWinnerOf(claim, table, write, /*values=*/true, replayed);
         });
}

bool placeDependsOnWinner(const EffectTable &table, const Write &write, const llvm::DenseSet<Operation *> &replayed) {
  return llvm::any_of(table.writes(), [&](const Write &claim) {
    return &claim != &write && isAround(claim, write) &&
           dependsOnWinnerOf(claim, table, write, /*values=*/false, replayed);
  });
}

Legality activatesOnce(const EffectTable &table) {
  unsigned claims = 0;
  for (const Write &write : table.writes()) {
    if (write.indices.empty())
      continue;
    bool won = write.rule == WriteRule::UnderClaim || (write.rule == WriteRule::Claim && write.owner == 1u);
    if (!won)
      return {false, "several edges may change one vertex in a round"};
    claims += write.rule == WriteRule::Claim;
  }
  return claims == 1 ? Legality{true, "only the winner of the claim activates its vertex"}
                     : Legality{false, "there is more than one claim"};
}

Legality toleratesDuplicates(const EffectTable &table) {
  for (const Write &write : table.writes()) {
    bool once = write.rule == WriteRule::Claim || write.rule == WriteRule::UnderClaim;
    if (!once && !write.isMonotone() && write.kind != graph::UpdateKind::Assign)
      return {false, "processing a vertex twice would count it twice"};
  }
  return {true, "processing a vertex twice changes nothing"};
}

Legality toleratesSeveralWinners(const EffectTable &table) {
  const Statement &st = table.statement();
  const Write *claim = table.claim();
  if (!claim || claim->owner != 1u)
    return {false, claim ? std::string("what it claims are not the ") + table.statement().otherEnd() + "s of edges"
                         : "it claims nothing"};
  if (Legality once = activatesOnce(table); !once)
    return once;
  SmallVector<Value> written = table.writtenStates();
  std::size_t choices = 0; // values that tell who has won
  for (const Write &write : table.writes()) {
    if (write.op->getBlock() != claim->op->getBlock())
      return {false, "what follows the claim has a condition or a loop of its own"};
    if (!write.isMonotone() && write.kind != graph::UpdateKind::Assign)
      return {false, "each winner of a claim would count"};
    if (llvm::all_of(write.values, [&](Value value) { return st.isUniform(value, written); }))
      continue;
    bool readsOwn = llvm::any_of(write.values, [&](Value value) {
      return llvm::any_of(st.slice(value), [&](Operation *op) {
        auto read = dyn_cast<graph::ReadOp>(op);
        return read && llvm::is_contained(written, read.getState()) &&
               (read.getIndices().empty() || st.argument(read.getIndices()[0]) != 0u);
      });
    });
    if (write.kind != graph::UpdateKind::Assign || readsOwn)
      return {false, "what one winner of a claim leaves would enter into what another writes"};
    choices += write.states.size();
  }
  if (choices > 1)
    return {false, "it writes several values that must come from one winner of the claim"};
  return {true, "whatever several winners of a claim write is equally right"};
}

} // namespace gcompile
