#include "ir/analysis/Failures.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/graph/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_BATCHLOOPS
#include "ir/exec/Passes.h.inc"

namespace {

/// `for u of v { if asked { take } }`, where no iteration changes what others ask, or the values that they take; or
/// `for u of v { take }` that adds to a sum or brings what a minimum or maximum compares.
struct BatchForm {
  graph::IfOp choice;        // null: there is none
  Operation *take = nullptr; // in `choice`: adds to a sum of the lane, or updates an element of u
  Value summand;             // what is added to the sum, if it is one
  exec::ContributeOp best;   // what is compared, if it is that
  /// What is the same in all iterations, in order; it may stand in front of the loop.
  SmallVector<Operation *> invariant;
};

/// Recognises one loop.
class Batching {
public:
  explicit Batching(exec::ForOp loop) : loop(loop) {}

  std::optional<BatchForm> run() {
    bool list = loop.getDomain() == graph::Domain::OutOf || loop.getDomain() == graph::Domain::Into;
    if (!list)
      return std::nullopt;
    Block &body = loop.getBody().front();
    for (Operation &op : body)
      if (auto choice = dyn_cast<graph::IfOp>(op)) {
        if (form.choice)
          return std::nullopt;
        form.choice = choice;
      }
    if ((form.choice && !form.choice.getElseRegion().empty()) || !takes() ||
        (!form.choice && !form.summand && !form.best) || !(edge().use_empty() || mayUseEdge()))
      return std::nullopt;
    for (Operation &op : body)
      if (&op != form.choice && &op != form.take && !isFree(&op))
        return std::nullopt;
    if (!form.choice)
      return form;
    for (Operation &op : form.choice.getThenRegion().front())
      if (&op != form.take && !isFree(&op))
        return std::nullopt;
    return standsAlone() ? std::optional(form) : std::nullopt;
  }

private:
  /// Finds the only operation that writes, and sees that it needs no more than its value and the neighbour.
  bool takes() {
    for (Operation &op : form.choice ? form.choice.getThenRegion().front() : loop.getBody().front())
      if (isa<exec::UpdateOp, exec::ContributeOp>(op)) {
        if (form.take)
          return false;
        form.take = &op;
      }
    if (auto contribute = dyn_cast_or_null<exec::ContributeOp>(form.take)) {
      graph::ReduceKind kind = contribute->getParentOfType<exec::ReduceOp>().getKind();
      if (graph::traits(kind).extreme) {
        form.best = contribute;
        Value witness = contribute.getWitness();
        return !loop.getAligned() && !loop.getAbove() && !loop.getBelow() &&
               !(form.choice && form.choice.getLevelBits()) &&
               (!witness || witness == neighbour() || witness == edge());
      }
      form.summand = contribute.getValue();
      return kind == graph::ReduceKind::Sum;
    }
    auto update = dyn_cast_or_null<exec::UpdateOp>(form.take);
    if (!update || !update.getChanged().use_empty())
      return false;
    written = update.getState();
    if (update.getIndices().empty()) {
      form.summand = update.getValue();
      return update.getSync() == exec::Sync::Plain && update.getKind() == graph::UpdateKind::Add;
    }
    return update.getSync() == exec::Sync::Atomic && update.getIndices()[0] == neighbour() &&
           update.getIndices().size() == 1;
  }

  Value neighbour() { return loop.getBody().getArgument(0); }
  Value edge() { return loop.getBody().getArgument(1); }
  /// The place of an edge out of a vertex is its number.
  bool mayUseEdge() { return form.best && loop.getDomain() == graph::Domain::OutOf && !loop.getByPlace(); }

  bool isInvariant(Value value) {
    Operation *op = value.getDefiningOp();
    return !loop.getBody().isAncestor(value.getParentRegion()) || (op && invariant.contains(op));
  }

  /// Whether the operation may be evaluated before iterations in front of it have taken their values. Notes what may be
  /// evaluated before the loop.
  bool isFree(Operation *op) {
    bool guarded = op->getBlock() != &loop.getBody().front();
    bool moves = !mayFail(op) && llvm::all_of(op->getOperands(), [&](Value v) { return isInvariant(v); });
    if (auto read = dyn_cast<graph::ReadOp>(op)) {
      bool own = read.getIndices().size() == 1 && read.getIndices()[0] == loop.getOver();
      moves &= !read.getRelaxed() && !read.getIndices().empty() && (own || !guarded);
      // The ends of an edge to the next level are not one vertex.
      if (read.getState() == written && !(moves && own && betweenLevels()))
        return false;
    } else if (op->getNumRegions() > 0) {
      return isValue(op);
    } else if (!isPlainValue(op)) {
      return false;
    } else {
      // What a condition guards may have no value without it.
      bool constant = isa<graph::ConstantOp, graph::InfOp, graph::NoneOp>(op);
      moves &= constant || (!guarded && !isa<graph::LetOp, graph::YieldOp>(op));
    }
    if (moves && invariant.insert(op).second)
      form.invariant.push_back(op);
    return true;
  }

  bool betweenLevels() {
    auto condition = form.choice ? form.choice.getCondition().getDefiningOp<graph::BinaryOp>() : graph::BinaryOp();
    return condition && condition.getNextLevel();
  }

  /// Whether a choice between values reads nothing that the loop writes.
  bool isValue(Operation *op) {
    return !op->walk([&](Operation *inner) {
                auto read = dyn_cast<graph::ReadOp>(inner);
                bool fine = (read && read.getState() != written) || (!read && isPlainValue(inner)) ||
                            isa<graph::LogicOp, graph::ConditionalOp>(inner);
                return fine ? WalkResult::advance() : WalkResult::interrupt();
              }).wasInterrupted();
  }

  /// Whether what is under the condition needs no other value of the iteration.
  bool standsAlone() {
    return !form.choice.getThenRegion()
                .walk([&](Operation *op) {
                  bool fine = llvm::all_of(op->getOperands(), [&](Value v) {
                    return v == neighbour() || v == edge() || isInvariant(v) ||
                           form.choice.getThenRegion().isAncestor(v.getParentRegion());
                  });
                  return fine ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  exec::ForOp loop;
  BatchForm form;
  Value written; // the state that iterations update, if they do
  llvm::SmallPtrSet<Operation *, 8> invariant;
};

/// The same of a search for the least or greatest.
void batchBest(exec::ForOp loop, BatchForm &form) {
  for (Operation *op : form.invariant)
    op->moveBefore(loop);
  OpBuilder b(loop);
  auto batched = b.create<exec::BestForOp>(loop.getLoc(), loop.getDomain(), loop.getOver(), loop.getNames());
  auto open = [&](Region &region) {
    Block *block = b.createBlock(&region);
    block->addArguments(loop.getBody().getArgumentTypes(), {loop.getLoc(), loop.getLoc()});
    return block;
  };
  auto adopt = [&](Region &region) {
    for (auto [old, own] : llvm::zip(loop.getBody().getArguments(), region.getArguments()))
      old.replaceUsesWithIf(own, [&](OpOperand &use) { return region.isAncestor(use.getOwner()->getParentRegion()); });
  };
  auto region = [&](Region &to, Block &from, Operation *end, Value result) {
    Block *block = open(to);
    auto &list = from.getOperations();
    block->getOperations().splice(block->end(), list, list.begin(), end->getIterator());
    b.setInsertionPointToEnd(block);
    b.create<graph::YieldOp>(loop.getLoc(), result);
    adopt(to);
  };
  Block &body = loop.getBody().front(), &then = form.choice ? form.choice.getThenRegion().front() : body;
  Value value = form.best.getValue();
  region(batched.getValue(), then, form.best, value);
  Block *take = open(batched.getTake());
  form.best->moveBefore(take, take->end());
  form.best.getValueMutable().assign(take->addArgument(value.getType(), loop.getLoc()));
  adopt(batched.getTake());
  if (form.choice)
    region(batched.getWhere(), body, form.choice, form.choice.getCondition());
  loop.erase();
}

/// Makes the loop one of which lanes evaluate several iterations at once.
void batch(exec::ForOp loop, BatchForm &form) {
  for (Operation *op : form.invariant)
    op->moveBefore(loop);
  OpBuilder b(loop);
  auto update = dyn_cast<exec::UpdateOp>(form.take);
  Value sum = form.summand && update ? update.getState() : Value();
  auto batched = b.create<exec::BatchForOp>(loop.getLoc(), loop.getDomain(), loop.getOver(), loop.getAbove(),
                                            loop.getBelow(), sum, b.getArrayAttr({loop.getNames()[0]}));
  batched.setAligned(loop.getAligned());
  Value neighbour = loop.getBody().getArgument(0);
  // The operations of a block, up to its end or to what is left out, as a region of one neighbour.
  auto region = [&](Region &to, Block &from, Operation *end, Value result) {
    Block *block = b.createBlock(&to);
    Value own = block->addArgument(neighbour.getType(), loop.getLoc());
    auto &list = from.getOperations();
    block->getOperations().splice(block->end(), list, list.begin(), end ? end->getIterator() : list.end());
    if (result) {
      b.setInsertionPointToEnd(block);
      b.create<graph::YieldOp>(loop.getLoc(), result);
    }
    neighbour.replaceUsesWithIf(own, [&](OpOperand &use) { return to.isAncestor(use.getOwner()->getParentRegion()); });
  };
  Block &body = loop.getBody().front();
  if (form.choice) {
    batched.setLevelBits(form.choice.getLevelBits());
    Block &then = form.choice.getThenRegion().front();
    if (form.summand)
      region(batched.getValue(), then, form.take, form.summand);
    else
      region(batched.getTake(), then, nullptr, Value());
    region(batched.getWhere(), body, form.choice, form.choice.getCondition());
  } else {
    region(batched.getValue(), body, form.take, form.summand);
  }
  loop.erase();
}

struct BatchLoops : impl::BatchLoopsBase<BatchLoops> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        graph::walkHolders(algorithm, [&](exec::ForOp loop) {
          if (!loop.getShared())
            return;
          std::optional<BatchForm> form = Batching(loop).run();
          if (form && form->best)
            batchBest(loop, *form);
          else if (form && (!form->choice || loop->getParentOfType<exec::SweepOp>()))
            batch(loop, *form);
        });
  }
};

} // namespace
} // namespace gcompile
