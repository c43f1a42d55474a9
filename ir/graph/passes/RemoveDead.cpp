#include "ir/analysis/Effects.h"
#include "ir/analysis/Failures.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"

#include <set>

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_REMOVEDEAD
#include "ir/graph/Passes.h.inc"

namespace {

/// Whether computing `value` may end the program with an error.
bool mayFail(Value value) {
  SmallVector<Value> values{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  bool fails = false;
  while (!values.empty() && !fails) {
    Operation *op = values.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    op->walk([&](Operation *part) { // a reduction and its like hold what they compute
      fails |= gcompile::mayFail(part);
      values.append(part->operand_begin(), part->operand_end());
    });
  }
  return fails;
}

/// Whether nothing but the value depends on the update: no vertex becomes active by it, and no claim needs it beside it
/// (what follows a claim is the winner's, while what the same value is written beside is everybody's).
bool decidesNothing(graph::UpdateOp update, const InfinityAnalysis &infinity) {
  for (Operation *op = update->getParentOp(); op; op = op->getParentOp()) {
    auto loop = dyn_cast<graph::ForOp>(op);
    if (!(loop && !loop.getSequential()) && !isa<graph::PropagateOp>(op))
      continue;
    EffectTable table(op, infinity);
    if (table.claim())
      return false;
    const Write *write = isa<graph::PropagateOp>(op) ? table.find(update) : nullptr;
    if (write && write->isAtVertex())
      return false;
  }
  return true;
}

bool canGo(graph::UpdateOp update, const InfinityAnalysis &infinity) {
  return !update.getChecked() && !mayFail(update.getValue()) && llvm::none_of(update.getIndices(), mayFail) &&
         decidesNothing(update, infinity);
}

/// The updates of a state that nothing reads, if all of them can go.
std::optional<SmallVector<graph::UpdateOp>> deadUpdates(graph::StateOp state, const InfinityAnalysis &infinity) {
  if (state.getOutput())
    return std::nullopt;
  SmallVector<graph::UpdateOp> updates;
  for (OpOperand &use : state.getState().getUses()) {
    auto update = dyn_cast<graph::UpdateOp>(use.getOwner());
    if (!update || !canGo(update, infinity))
      return std::nullopt;
    updates.push_back(update);
  }
  bool fails = false;
  state.getInit().walk([&](Operation *op) { fails |= exec::isChecked(op) || isa<graph::CallOp>(op); });
  return fails ? std::nullopt : std::optional(updates);
}

/// Erases a statement that does nothing any more, and those around it for which that was all.
void eraseEmpty(Operation *op) {
  auto nothing = [](Region &region) { return region.empty() || region.front().empty(); };
  Value asked;
  if (auto branch = dyn_cast<graph::IfOp>(op)) {
    if (!nothing(branch.getThenRegion()) || !nothing(branch.getElseRegion()) || mayFail(branch.getCondition()))
      return;
    asked = branch.getCondition();
  } else if (auto loop = dyn_cast<graph::ForOp>(op)) {
    if (loop.getSequential() || !nothing(loop.getBody()) ||
        (!loop.getWhere().empty() && mayFail(yielded(loop.getWhere()))))
      return;
    asked = loop.getOver();
  } else {
    return;
  }
  Operation *parent = op->getParentOp();
  op->erase();
  if (asked)
    eraseUnused(asked);
  eraseEmpty(parent);
}

void erase(graph::UpdateOp update) {
  Operation *parent = update->getParentOp();
  SmallVector<Value> values(update.getIndices());
  values.push_back(update.getValue());
  update.erase();
  eraseUnused(values);
  eraseEmpty(parent);
}

/// The per-vertex states to which `op` assigns every element, without reading one of them.
SmallVector<Value> overwritten(Operation *op) {
  auto loop = dyn_cast<graph::ForOp>(op);
  SmallVector<Value> states;
  if (!loop || loop.getSequential() || loop.getDomain() != graph::Domain::Vertices || !loop.getWhere().empty() ||
      (loop.getOver() && !loop.getOver().getDefiningOp<graph::AllVerticesOp>()))
    return states;
  for (auto update : loop.getBody().front().getOps<graph::UpdateOp>())
    if (update.getKind() == graph::UpdateKind::Assign && update.getIndices().size() == 1 &&
        update.getIndices()[0] == loop.getBody().getArgument(0) && !loop->isAncestor(update.getState().getDefiningOp()))
      states.push_back(update.getState());
  llvm::SmallDenseSet<Value> used;
  if (!states.empty())
    loop.walk([&](Operation *inner) {
      if (!isa<graph::UpdateOp>(inner))
        used.insert(inner->operand_begin(), inner->operand_end());
    });
  llvm::erase_if(states, [&](Value state) { return used.contains(state); });
  return states;
}

/// Whether something in `op` is about `state`.
bool mentions(Operation &op, Value state) {
  return op
      .walk([&](Operation *inner) {
        return llvm::is_contained(inner->getOperands(), state) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The first statement of each block that writes all of a state, without reading it.
class FirstWriters {
public:
  explicit FirstWriters(graph::AlgorithmOp algorithm) {
    graph::walkHolders(algorithm, [&](graph::ForOp loop) {
      for (Value state : overwritten(loop))
        first.try_emplace({state, loop->getBlock()}, loop);
    });
  }
  Operation *find(Value state, Block *block) const { return first.lookup({state, block}); }

private:
  llvm::DenseMap<std::pair<Value, Block *>, Operation *> first;
};

struct RemoveDead : impl::RemoveDeadBase<RemoveDead> {
  using Note = llvm::function_ref<void(Operation *, graph::Removal, Value)>;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (!algorithm.getSerialOf())
        simplify(algorithm);
  }

  static void simplify(graph::AlgorithmOp algorithm) {
    SmallVector<graph::Fact> removed;
    auto note = [&](Operation *op, graph::Removal what, Value state) {
      MLIRContext *context = op->getContext();
      removed.push_back(graph::RemovedFactAttr::get(context, what, StringAttr::get(context, graph::nameOf(state)),
                                                    LocationAttr(graph::spelled(op->getLoc()))));
    };
    removeUnread(algorithm, note);
    for (bool again = true; again;) {
      again = false;
      InfinityAnalysis infinity(algorithm); // less may be infinite than before
      graph::walkHolders(algorithm, [&](graph::ForOp loop) {
        if (!insideParallel(loop))
          for (Value state : overwritten(loop))
            again |= eraseEarlierWrite(loop, state, infinity, note);
      });
    }
    FirstWriters writers(algorithm);
    graph::walkHolders(algorithm, [&](graph::StateOp state) {
      if (!state.getTemporary() && state.getType().getShape() == graph::Shape::PerVertex && !insideParallel(state) &&
          isWrittenFirst(state, algorithm, writers)) {
        note(state, graph::Removal::Init, state);
        state.getInit().getBlocks().clear();
        state.setTemporary(true);
      }
    });
    graph::addFacts(algorithm, removed);
  }

  /// Removes the states that nothing reads, the first one first: each may have been the last that read others.
  static void removeUnread(graph::AlgorithmOp algorithm, Note note) {
    InfinityAnalysis infinity(algorithm); // nothing depends on what an unread state holds
    std::vector<graph::StateOp> states;
    llvm::DenseMap<Value, std::size_t> places;
    std::set<std::size_t> candidates;
    graph::walkHolders(algorithm, [&](graph::StateOp state) {
      places[state.getState()] = states.size();
      candidates.insert(candidates.end(), states.size());
      states.push_back(state);
    });
    while (!candidates.empty()) {
      std::size_t place = *candidates.begin();
      candidates.erase(candidates.begin());
      graph::StateOp state = states[place];
      auto updates = deadUpdates(state, infinity);
      if (!updates)
        continue;
      note(state, graph::Removal::State, state);
      for (Value other : readBeside(state, *updates))
        if (auto found = places.find(other); found != places.end() && found->second != place)
          candidates.insert(found->second);
      for (graph::UpdateOp update : *updates)
        erase(update);
      state.erase();
    }
  }

  /// The states that the initialiser of `state`, or a statement with one of its updates, uses.
  static llvm::DenseSet<Value> readBeside(graph::StateOp state, ArrayRef<graph::UpdateOp> updates) {
    llvm::DenseSet<Value> found;
    SmallVector<Operation *> pending{state};
    llvm::DenseSet<Operation *> seen;
    for (graph::UpdateOp update : updates)
      for (Operation *op = update; op && !isa<graph::AlgorithmOp>(op); op = op->getParentOp())
        pending.push_back(op);
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      if (!seen.insert(op).second)
        continue;
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          if (isa<graph::StateType>(operand.getType()))
            found.insert(operand);
          else if (Operation *def = operand.getDefiningOp())
            pending.push_back(def);
        }
      });
    }
    return found;
  }

  /// Erases what the statement that wrote to `state` last in front of `loop`, which writes all of it, wrote unread.
  static bool eraseEarlierWrite(graph::ForOp loop, Value state, const InfinityAnalysis &infinity, Note note) {
    for (Operation *op = loop->getPrevNode(); op && op != state.getDefiningOp(); op = op->getPrevNode()) {
      if (mentions(*op, state)) {
        auto earlier = dyn_cast<graph::ForOp>(op);
        if (!earlier || earlier.getSequential())
          return false;
        SmallVector<graph::UpdateOp> updates;
        bool possible = true;
        earlier.walk([&](Operation *inner) {
          if (!llvm::is_contained(inner->getOperands(), state))
            return;
          auto update = dyn_cast<graph::UpdateOp>(inner);
          possible &= update && canGo(update, infinity);
          updates.push_back(update);
        });
        if (!possible)
          return false;
        note(earlier, graph::Removal::Write, state);
        for (graph::UpdateOp update : updates)
          erase(update);
        return true;
      }
      if (op->walk([](graph::BreakOp) { return WalkResult::interrupt(); }).wasInterrupted())
        return false; // what follows may not run
    }
    return false;
  }

  /// Whether every read, and the end for an output, comes after a statement that writes all of the state.
  static bool isWrittenFirst(graph::StateOp state, graph::AlgorithmOp algorithm, const FirstWriters &writers) {
    bool fails = false;
    state.getInit().walk([&](Operation *op) { fails |= exec::isChecked(op) || isa<graph::CallOp>(op); });
    if (fails)
      return false;
    auto follows = [&](Operation *reader) {
      for (Operation *at = reader; at && at != algorithm; at = at->getParentOp())
        if (Operation *writer = writers.find(state.getState(), at->getBlock()); writer && writer->isBeforeInBlock(at))
          return true;
      return false;
    };
    if (state.getOutput() && !(state->getParentOp() == algorithm && writers.find(state.getState(), state->getBlock())))
      return false;
    return llvm::all_of(state.getState().getUsers(), [&](Operation *user) {
      auto update = dyn_cast<graph::UpdateOp>(user);
      // An assignment needs nothing of what was there before.
      return (update && update.getKind() == graph::UpdateKind::Assign &&
              !user->getParentOfType<graph::PropagateOp>()) ||
             follows(user);
    });
  }
};

} // namespace
} // namespace gcompile
