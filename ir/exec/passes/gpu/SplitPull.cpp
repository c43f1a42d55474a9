#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/graph/Walk.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SPLITPULL
#include "ir/exec/Passes.h.inc"

namespace {

/// `if guards { sums = 0; for u into v { if in_frontier(u) { arc } } rest }`, each part where there is one.
struct PullForm {
  SmallVector<graph::IfOp> guards;  // outermost first
  exec::ForOp loop;                 // over the arcs into the vertex
  graph::IfOp active;               // holds what an arc from an active vertex does
  SmallVector<graph::StateOp> sums; // scalars that the arcs add to
  bool firstOnly = false;           // an arc may end the loop, and does if it activates the vertex
  bool firstTakes = false;          // any arc from an active vertex activates it, and ends the look
  SmallVector<exec::UpdateOp> once; // if so: what it writes of the vertex whichever arc that is
};

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

/// The form of the statement's pull, if it has this form.
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
                  (loop.getDomain() == graph::Domain::Either && propagate.getBothWays());
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
  form.firstTakes = !arc.empty() && isa<exec::BreakOp>(arc.back()) &&
                    llvm::any_of(arc, [](Operation &op) { return isa<exec::ActivateOp>(op); });
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

/// Takes the conditions around the loop apart: what they are computed from, then each as a requirement of a vertex that
/// looks, the last as what `wants` yields.
void moveGuards(PullForm &form, Block &from, Block &wants) {
  OpBuilder b = OpBuilder::atBlockEnd(&wants);
  Block *block = &from;
  for (graph::IfOp guard : form.guards) {
    while (&block->front() != guard.getOperation())
      block->front().moveBefore(&wants, wants.end());
    Block *inner = &guard.getThenRegion().front();
    if (guard == form.guards.back())
      b.create<graph::YieldOp>(guard.getLoc(), guard.getCondition());
    else
      b.create<exec::RequireOp>(guard.getLoc(), guard.getCondition());
    block = inner;
  }
  if (form.guards.empty()) {
    Location loc = form.loop.getLoc();
    Value always = b.create<graph::ConstantOp>(loc, b.getI1Type(), b.getBoolAttr(true));
    b.create<graph::YieldOp>(loc, always);
  }
}

/// Gives a part what it uses of the constants of the blocks around the place where it was.
void bringConstants(Region &part, Region &pull) {
  IRMapping copies;
  OpBuilder b = OpBuilder::atBlockBegin(&part.front());
  part.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *def = operand.get().getDefiningOp();
      if (!def || part.isAncestor(def->getParentRegion()) || !pull.isAncestor(def->getParentRegion()) ||
          !isa<graph::ConstantOp, graph::InfOp, graph::NoneOp>(def))
        continue;
      if (!copies.contains(operand.get()))
        b.clone(*def, copies);
      operand.set(copies.lookup(operand.get()));
    }
  });
}

void takeApart(exec::PropagateOp propagate, PullForm &form) {
  Region &pull = propagate.getPull();
  Block &outer = pull.front();
  OpBuilder b = OpBuilder::atBlockEnd(&outer);
  SmallVector<Value> sums;
  for (graph::StateOp state : form.sums)
    sums.push_back(state.getState());
  auto parts =
      b.create<exec::PullByArcsOp>(form.loop.getLoc(), sums, form.loop.getNames(), form.firstOnly, form.firstTakes);
  auto open = [&](Region &region) -> Block & { return *b.createBlock(&region); };

  Block &arc = open(parts.getArc());
  arc.addArgument(graph::VertexType::get(b.getContext()), form.loop.getLoc());
  Block &taken = form.active.getThenRegion().front();
  if (!form.once.empty()) {
    Block &found = open(parts.getFound());
    for (exec::UpdateOp update : form.once)
      update->moveBefore(&found, found.end());
    bringConstants(parts.getFound(), pull);
  }
  arc.getOperations().splice(arc.end(), taken.getOperations());
  form.loop.getBody().getArgument(0).replaceUsesWithIf(
      arc.getArgument(0), [&](OpOperand &use) { return parts.getArc().isAncestor(use.getOwner()->getParentRegion()); });
  Value active = form.active.getCondition(); // which holds there
  if (llvm::any_of(active.getUsers(),
                   [&](Operation *user) { return parts.getArc().isAncestor(user->getParentRegion()); })) {
    OpBuilder inArc = OpBuilder::atBlockBegin(&arc);
    Value holds = inArc.create<graph::ConstantOp>(active.getLoc(), inArc.getI1Type(), inArc.getBoolAttr(true));
    active.replaceUsesWithIf(
        holds, [&](OpOperand &use) { return parts.getArc().isAncestor(use.getOwner()->getParentRegion()); });
  }
  bringConstants(parts.getArc(), pull);

  if (!form.firstOnly) {
    Block &finish = open(parts.getFinish());
    while (Operation *rest = form.loop->getNextNode()) {
      if (rest == parts)
        break;
      rest->moveBefore(&finish, finish.end());
    }
    bringConstants(parts.getFinish(), pull);
  }
  for (graph::StateOp state : form.sums)
    state->moveBefore(parts);
  Block &wants = open(parts.getWants());
  moveGuards(form, outer, wants);

  // What is left are the loop, the conditions and the first values of the sums.
  SmallVector<Operation *> old;
  for (Operation &op : outer)
    if (&op != parts && !(isa<graph::StateOp>(op) && llvm::is_contained(sums, op.getResult(0))))
      old.push_back(&op);
  for (Operation *op : llvm::reverse(old)) {
    op->dropAllUses();
    op->erase();
  }
}

struct SplitPull : impl::SplitPullBase<SplitPull> {
  /// Whether its pulls ask best sources first.
  static bool asksBestSources(exec::PropagateOp propagate) {
    return propagate.getPull()
        .walk([](exec::PullByArcsOp arcs) {
          return arcs.getFirstOnly() ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        graph::walkHolders(algorithm, [&](exec::PropagateOp propagate) {
          if (std::optional<PullForm> form = pullForm(propagate))
            takeApart(propagate, *form);
          if (!asksBestSources(propagate))
            propagate.removeByWorkAttr();
        });
  }
};

} // namespace
} // namespace gcompile
