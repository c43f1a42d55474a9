#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/exec/passes/gpu/PullForm.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SPLITPULL
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether `part` can stand in a function of its own: of the pull's other values it uses `known`, constants, and what
/// is computed after `after` in its block.
bool standsAlone(Operation *part, Region &pull, ArrayRef<Value> known, Operation *after = nullptr) {
  auto usable = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return !pull.isAncestor(value.getParentRegion()) || llvm::is_contained(known, value) ||
           (op && isa<graph::ConstantOp, graph::InfOp, graph::NoneOp>(op)) ||
           part->isAncestor(value.getParentBlock()->getParentOp()) ||
           (op && after && op->getBlock() == after->getBlock() && after->isBeforeInBlock(op));
  };
  return !part->walk([&](Operation *op) {
                return llvm::all_of(op->getOperands(), usable) ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether what follows in the block, or around it up to `arc`, ends the loop over arcs.
bool endsLoop(Block *block, graph::IfOp arc) {
  for (; !isa<exec::BreakOp>(block->back()); block = block->getParentOp()->getBlock())
    if (block->getParentOp() == arc.getOperation())
      return false;
  return true;
}

/// Whether the guard's value can only change when its own vertex is written.
bool readsOwn(Operation *op, Value v) {
  if (auto read = dyn_cast<graph::ReadOp>(op)) {
    auto type = cast<graph::StateType>(read.getState().getType());
    return type.getShape() == graph::Shape::Scalar || (read.getIndices().size() == 1 && read.getIndices()[0] == v);
  }
  return isPlainValue(op) && !isa<exec::InFrontierOp>(op);
}

/// Writes of a constant or the round to the loop's vertex, by arcs that all activate it, to states that the pull does
/// not look at but in its guards.
SmallVector<exec::UpdateOp> writtenOnce(PullForm &form, Region &pull) {
  SmallVector<exec::UpdateOp> found;
  Block &arc = form.active.getThenRegion().front();
  if (arc.getOps<exec::ActivateOp>().empty())
    return found;
  for (auto update : arc.getOps<exec::UpdateOp>()) {
    Value value = update.getValue(), state = update.getState();
    Operation *def = value.getDefiningOp();
    bool same = value == pull.getArgument(1) || (def && isa<graph::ConstantOp, graph::InfOp, graph::NoneOp>(def));
    bool own = update.getIndices().size() == 1 && update.getIndices()[0] == pull.getArgument(0) && !update.getChecked();
    bool plain = update.getKind() == graph::UpdateKind::Assign && update.getSync() == exec::Sync::Plain &&
                 update.getChanged().use_empty();
    bool looked =
        llvm::any_of(state.getUsers(), [&](Operation *user) { return user != update && form.loop->isAncestor(user); });
    if (same && own && plain && !looked)
      found.push_back(update);
  }
  return found;
}

} // namespace

std::optional<PullForm> pullForm(exec::PropagateOp propagate) {
  Region &pull = propagate.getPull();
  if (pull.empty() || pull.front().empty())
    return std::nullopt;
  PullForm form;
  Value v = pull.getArgument(0), round = pull.getArgument(1);

  // The guards around.
  Block *block = &pull.front();
  while (true) {
    graph::IfOp guard;
    for (Operation &op : *block) {
      if (isa<exec::ForOp, graph::StateOp>(op))
        break;
      if (auto choice = dyn_cast<graph::IfOp>(op)) {
        if (guard || !choice.getElseRegion().empty())
          return std::nullopt;
        guard = choice;
      } else if (guard || !readsOwn(&op, v) || llvm::is_contained(op.getOperands(), round)) {
        return std::nullopt;
      }
    }
    if (!guard)
      break;
    if (&block->back() != guard.getOperation())
      return std::nullopt;
    form.guards.push_back(guard);
    block = &guard.getThenRegion().front();
  }

  // The loop, the sums before it, and what follows.
  SmallVector<Value> known = {v, round};
  for (Operation &op : *block) {
    if (auto loop = dyn_cast<exec::ForOp>(op)) {
      bool fits = loop.getDomain() == exec::arcsAgainst(propagate) ||
                  (loop.getDomain() == graph::Domain::Either && propagate->hasAttr("both_ways"));
      if (form.loop || !fits || loop.getOver() != v || loop.getAbove() || loop.getBelow() ||
          !loop.getBody().getArgument(1).use_empty())
        return std::nullopt;
      form.loop = loop;
    } else if (auto state = dyn_cast<graph::StateOp>(op)) {
      if (form.loop)
        return std::nullopt;
      form.sums.push_back(state);
      known.push_back(state.getState());
    } else if (!form.loop) {
      auto first = dyn_cast<exec::UpdateOp>(op);
      bool starts = first && first.getKind() == graph::UpdateKind::Assign && isZero(first.getValue()) &&
                    first.getChanged().use_empty() && llvm::is_contained(known, first.getState());
      if (!starts && !isa<graph::ConstantOp, graph::InfOp, graph::NoneOp>(op))
        return std::nullopt;
    } else if (!standsAlone(&op, pull, known, form.loop)) {
      return std::nullopt;
    }
  }
  if (!form.loop)
    return std::nullopt;

  // What an arc does.
  for (Operation &op : form.loop.getBody().front()) {
    auto choice = dyn_cast<graph::IfOp>(op);
    if (!choice) {
      if (!isa<exec::InFrontierOp, graph::ConstantOp, graph::InfOp, graph::NoneOp>(op))
        return std::nullopt;
      continue;
    }
    auto test = choice.getCondition().getDefiningOp<exec::InFrontierOp>();
    if (form.active || !test || test.getVertex() != form.loop.getBody().getArgument(0) ||
        !choice.getElseRegion().empty())
      return std::nullopt;
    form.active = choice;
  }
  known.push_back(form.loop.getBody().getArgument(0));
  known.push_back(form.active ? form.active.getCondition() : v);
  if (!form.active || !standsAlone(form.active, pull, known))
    return std::nullopt;
  bool fine = true, goesOn = false;
  form.active.walk([&](Operation *op) {
    form.firstOnly |= isa<exec::BreakOp>(op);
    goesOn |= isa<exec::ActivateOp>(op) && !endsLoop(op->getBlock(), form.active);
    fine &= !isa<exec::ForOp, exec::ReduceOp, graph::WhileOp, graph::RepeatOp, graph::BreakOp>(op);
  });
  bool sums = !form.sums.empty();
  bool follows = form.loop->getNextNode() != nullptr;
  if (!fine || (form.firstOnly && (sums || follows || goesOn)))
    return std::nullopt;
  Block &arc = form.active.getThenRegion().front();
  form.firstTakes = !arc.empty() && isa<exec::BreakOp>(arc.back());
  if (form.firstTakes)
    form.once = writtenOnce(form, pull);
  if (form.firstOnly)
    return form;

  // Lanes that share the arcs of a vertex must not meet.
  form.active.walk([&](Operation *op) {
    if (auto update = dyn_cast<exec::UpdateOp>(op)) {
      Value state = update.getState();
      bool own = state.getDefiningOp() && llvm::is_contained(form.sums, state.getDefiningOp());
      bool local = form.active->isAncestor(state.getParentRegion()->getParentOp());
      fine &= local || update.getSync() == exec::Sync::Atomic ||
              (own && update.getKind() == graph::UpdateKind::Add && update.getChanged().use_empty());
    } else if (auto read = dyn_cast<graph::ReadOp>(op)) {
      Value state = read.getState();
      fine &= !(state.getDefiningOp() && llvm::is_contained(form.sums, state.getDefiningOp()));
    } else if (isa<exec::ClaimOp, exec::UpdateTupleOp>(op)) {
      fine = false;
    }
  });
  return fine ? std::optional(form) : std::nullopt;
}

namespace {

struct SplitPull : impl::SplitPullBase<SplitPull> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        algorithm.walk([&](exec::PropagateOp propagate) {
          if (pullForm(propagate))
            propagate->setAttr("pull_by_arcs", UnitAttr::get(&getContext()));
        });
  }
};

} // namespace
} // namespace gcompile
