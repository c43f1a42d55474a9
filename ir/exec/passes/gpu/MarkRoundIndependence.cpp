#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/graph/Walk.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MARKROUNDINDEPENDENCE
#include "ir/exec/Passes.h.inc"

namespace {

bool isAbsent(Region &region) { return region.empty() || region.front().empty(); }

/// The claim that has to be won for this update, if both are of the same element.
exec::ClaimOp claimOf(exec::UpdateOp update) {
  Operation *op = update;
  while (auto choice = op->getParentOfType<graph::IfOp>()) {
    auto claim = choice.getCondition().getDefiningOp<exec::ClaimOp>();
    if (claim && choice.getThenRegion().isAncestor(op->getParentRegion()) && claim.getIndices() == update.getIndices())
      return claim;
    op = choice;
  }
  return nullptr;
}

/// What a push reads, and how it writes: whether it would do the same if the writes of earlier rounds were seen late.
class PushEffects {
public:
  explicit PushEffects(Region &push) {
    push.walk([&](Operation *op) { fits_ &= visit(op, push); });
    for (Value state : read_)
      fits_ &= !written_.contains(state);
  }
  bool fit() const { return fits_; }

private:
  bool visit(Operation *op, Region &push) {
    if (auto read = dyn_cast<graph::ReadOp>(op)) {
      if (!isLocal(read.getState(), push))
        read_.insert(read.getState());
      return true;
    }
    if (auto claim = dyn_cast<exec::ClaimOp>(op))
      // Nothing else writes there: the expected value does not come back.
      return claim.getSync() == exec::Sync::Atomic && isConstant(claim.getExpected()) &&
             written_.try_emplace(claim.getState(), nullptr, graph::UpdateKind::Assign).second;
    if (auto update = dyn_cast<exec::UpdateOp>(op))
      return isLocal(update.getState(), push) || visit(update);
    return isa<graph::IfOp, graph::LogicOp, graph::ConditionalOp, graph::StateOp, exec::ForOp, exec::ActivateOp>(op) ||
           (isPlainValue(op) && !isa<exec::InFrontierOp>(op));
  }

  /// An atomic operation that commutes with all others on its state, and whose result nobody uses; or a write of the
  /// one iteration that has won a claim of the element.
  bool visit(exec::UpdateOp update) {
    if (isa<graph::SetType>(cast<graph::StateType>(update.getState().getType()).getElement()))
      return false;
    Operation *claim = nullptr;
    if (update.getSync() == exec::Sync::Atomic) {
      if (!graph::traits(update.getKind()).anyOrder || !update.getChanged().use_empty())
        return false;
    } else {
      claim = claimOf(update);
      if (!claim)
        return false;
    }
    // All writes to the state are under one claim, or of one kind.
    auto [entry, isNew] = written_.try_emplace(update.getState(), claim, update.getKind());
    return isNew || (entry->second.first == claim && (claim || entry->second.second == update.getKind()));
  }

  static bool isConstant(Value value) {
    return isa_and_nonnull<graph::ConstantOp, graph::InfOp, graph::NoneOp>(value.getDefiningOp());
  }

  bool fits_ = true;
  llvm::DenseSet<Value> read_;
  llvm::DenseMap<Value, std::pair<Operation *, graph::UpdateKind>> written_;
};

/// Whether a vertex is activated exactly by winning the only claim, which is of an element of its own.
bool activatesByClaim(Region &push) {
  SmallVector<exec::ClaimOp> claims;
  SmallVector<exec::ActivateOp> activations;
  push.walk([&](exec::ClaimOp claim) { claims.push_back(claim); });
  push.walk([&](exec::ActivateOp activation) { activations.push_back(activation); });
  if (claims.size() != 1 || activations.size() != 1)
    return false;
  exec::ClaimOp claim = claims.front();
  auto won = dyn_cast<graph::IfOp>(activations.front()->getParentOp());
  return won && won.getCondition() == claim.getWon() &&
         won.getThenRegion().isAncestor(activations.front()->getParentRegion()) && claim.getIndices().size() == 1 &&
         claim.getIndices()[0] == activations.front().getVertex() &&
         !isa<TupleType, graph::ForeignType>(cast<graph::StateType>(claim.getState().getType()).getElement());
}

struct MarkRoundIndependence : impl::MarkRoundIndependenceBase<MarkRoundIndependence> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        graph::walkHolders(algorithm, [&](exec::PropagateOp propagate) {
          if (isAbsent(propagate.getPush()) || !isAbsent(propagate.getCommit()) || propagate.getDedup() ||
              propagate.getLevels() || !PushEffects(propagate.getPush()).fit())
            return;
          propagate.setRoundIndependent(true);
          if (!propagate.getClaimBitmap() && !propagate.getCullWarp()) // the schedule says how to claim
            propagate.setClaimActivates(activatesByClaim(propagate.getPush()));
        });
  }
};

} // namespace
} // namespace gcompile
