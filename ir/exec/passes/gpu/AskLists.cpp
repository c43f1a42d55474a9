#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/graph/Walk.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_ASKLISTS
#include "ir/exec/Passes.h.inc"

namespace {

/// What lanes share: the reason why they run the kernel together.
bool walksLists(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        auto loop = dyn_cast<exec::ForOp>(inner);
        auto reduce = dyn_cast<exec::ReduceOp>(inner);
        return (loop && loop.getShared()) || (reduce && reduce.getCombined()) ? WalkResult::interrupt()
                                                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The condition under which a kernel walks lists, if it stands in the kernel's block, behind values alone.
graph::IfOp choiceOf(exec::ParallelOp kernel) {
  graph::IfOp choice;
  for (Operation &op : kernel.getBody().front()) {
    if (walksLists(&op)) {
      auto found = dyn_cast<graph::IfOp>(op);
      if (choice || !found || !found.getElseRegion().empty() || found.getLevelBits())
        return {};
      choice = found;
    } else if (!choice && !computesValue(&op)) {
      return {};
    }
  }
  return choice;
}

/// The operations before the choice, in its block, that the values are computed from, in order.
SmallVector<Operation *> sliceOf(ArrayRef<Value> values, graph::IfOp choice) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> open(values);
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != choice->getBlock() || !op->isBeforeInBlock(choice) || !slice.insert(op))
      continue;
    op->walk([&](Operation *inner) { open.append(inner->operand_begin(), inner->operand_end()); });
  }
  SmallVector<Operation *> ordered = slice.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

/// What operations use of the values before them.
SmallVector<Value> usedBy(ArrayRef<Operation *> ops) {
  SmallVector<Value> used;
  for (Operation *op : ops)
    op->walk([&](Operation *inner) { used.append(inner->operand_begin(), inner->operand_end()); });
  return used;
}

/// Whether none of these operations reads what the choice writes.
bool staysTrue(ArrayRef<Operation *> slice, graph::IfOp choice) {
  llvm::SmallPtrSet<Value, 8> written;
  choice.walk([&](Operation *op) {
    if (auto update = dyn_cast<exec::UpdateOp>(op))
      written.insert(update.getState());
    else if (auto tuple = dyn_cast<exec::UpdateTupleOp>(op))
      written.insert(tuple.getStates().begin(), tuple.getStates().end());
    else if (auto claim = dyn_cast<exec::ClaimOp>(op))
      written.insert(claim.getState());
  });
  bool stays = true;
  for (Operation *op : slice)
    op->walk([&](graph::ReadOp read) { stays &= !written.contains(read.getState()); });
  return stays;
}

void takeApart(exec::ParallelOp kernel, graph::IfOp choice, ArrayRef<Operation *> rest) {
  Block &body = kernel.getBody().front();
  OpBuilder b = OpBuilder::atBlockEnd(&body);
  auto parts = b.create<exec::AskedListsOp>(choice.getLoc());
  // Each part computes its values itself.
  auto fill = [&](Region &region, ArrayRef<Operation *> moved) {
    Block *part = b.createBlock(&region);
    IRMapping copies;
    for (Operation *op : sliceOf(usedBy(moved), choice))
      b.clone(*op, copies);
    for (Operation *op : moved)
      op->moveBefore(part, part->end());
    part->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (Value copy = copies.lookupOrNull(operand.get()))
          operand.set(copy);
    });
  };
  auto yield = b.create<graph::YieldOp>(choice.getLoc(), choice.getCondition());
  fill(parts.getAsks(), {yield.getOperation()});
  SmallVector<Operation *> walk;
  for (Operation &op : choice.getThenRegion().front())
    walk.push_back(&op);
  fill(parts.getLists(), walk);
  if (!rest.empty())
    fill(parts.getRest(), rest);
  for (Operation *op : rest)
    op->walk([](Operation *inner) {
      if (auto update = dyn_cast<exec::UpdateOp>(inner))
        update.setLeader(false);
    });
  SmallVector<Operation *> old;
  for (Operation &op : body)
    if (&op != parts)
      old.push_back(&op);
  for (Operation *op : llvm::reverse(old))
    op->erase();
}

struct AskLists : impl::AskListsBase<AskLists> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        graph::walkHolders(algorithm, [&](exec::ParallelOp kernel) { visit(kernel); });
  }

  static void visit(exec::ParallelOp kernel) {
    bool shared = kernel.getByLanes() && !kernel->getParentOfType<exec::SweepOp>();
    bool aligned = kernel
                       .walk([](Operation *op) {
                         return exec::readsAligned(op) ? WalkResult::interrupt() : WalkResult::advance();
                       })
                       .wasInterrupted();
    graph::IfOp choice = shared && !aligned ? choiceOf(kernel) : graph::IfOp();
    if (!choice)
      return;
    SmallVector<Operation *> rest;
    for (Operation *op = choice->getNextNode(); op; op = op->getNextNode())
      rest.push_back(op);
    if (staysTrue(sliceOf(usedBy(rest), choice), choice))
      takeApart(kernel, choice, rest);
  }
};

} // namespace
} // namespace gcompile
