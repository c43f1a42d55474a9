#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SELECTARCS
#include "ir/exec/Passes.h.inc"

namespace {

/// The branch at the end of the block that is all that it does after computing values, if that is so.
graph::IfOp onlyBranch(Block &body) {
  auto branch = body.empty() ? graph::IfOp() : dyn_cast<graph::IfOp>(body.back());
  if (!branch || !exec::isAbsent(branch.getElseRegion()))
    return {};
  bool alone = llvm::all_of(body, [&](Operation &op) { return &op == branch || computesValue(&op); });
  return alone ? branch : graph::IfOp();
}

/// What is asked of memory in front of the branch at the end of the block.
struct Question {
  llvm::DenseSet<Value> states;
  bool bitmap = false; // one that nothing changes in a round
};
Question questionOf(Block &body) {
  Question question;
  for (Operation &op : body) {
    if (&op == &body.back())
      break;
    op.walk([&](Operation *inner) {
      if (auto read = dyn_cast<graph::ReadOp>(inner))
        question.states.insert(read.getState());
      question.bitmap |= isa<exec::InFrontierOp, exec::VisitedBeforeOp, graph::ContainsOp>(inner);
    });
  }
  return question;
}

/// Whether what the branch does is a short visit of each arc: no loop of its own, no way out of this one, nothing that
/// other threads may be changing too, and something that it has to fetch.
bool isShortVisit(graph::IfOp branch, exec::ForOp loop) {
  bool fetches = false;
  bool left = branch.getThenRegion()
                  .walk([&](Operation *op) {
                    auto update = dyn_cast<exec::UpdateOp>(op);
                    auto contribution = dyn_cast<exec::ContributeOp>(op);
                    if (isa<exec::ForOp, graph::ForOp, graph::WhileOp, exec::BreakOp, graph::BreakOp, exec::ClaimOp,
                            exec::UpdateTupleOp>(op) ||
                        (update && update.getSync() == exec::Sync::Atomic))
                      return WalkResult::interrupt();
                    if (contribution) {
                      graph::ReduceKind kind = contribution->getParentOfType<exec::ReduceOp>().getKind();
                      if (graph::traits(kind).decides)
                        return WalkResult::interrupt(); // ends the loop once it is decided
                    }
                    if (auto read = dyn_cast<graph::ReadOp>(op))
                      fetches |= llvm::is_contained(read.getIndices(), loop.getBody().getArgument(0));
                    return WalkResult::advance();
                  })
                  .wasInterrupted();
  return fetches && !left;
}

/// Puts the condition of the loop's only branch into an exec.select, if it asks something of the arc's other end that
/// nothing in the kernel changes.
void select(exec::ForOp loop, Region &kernel) {
  if ((loop.getDomain() != graph::Domain::OutOf && loop.getDomain() != graph::Domain::Into) || loop.getAbove() ||
      loop.getBelow() || !loop.getBody().getArgument(1).use_empty())
    return;
  Block &body = loop.getBody().front();
  graph::IfOp branch = onlyBranch(body);
  if (!branch || !isShortVisit(branch, loop))
    return;
  Question question = questionOf(body);
  if (!question.bitmap && question.states.empty())
    return;
  if (changesOneOf(kernel, question.states))
    return;
  // What is computed in front of the branch may be of use to both: each has its own.
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  auto chosen = b.create<exec::SelectOp>(branch.getLoc());
  Block *where = b.createBlock(&chosen.getWhere());
  IRMapping copies;
  for (Operation &op : llvm::make_range(std::next(chosen->getIterator()), branch->getIterator()))
    b.clone(op, copies);
  b.create<graph::YieldOp>(branch.getLoc(), copies.lookupOrDefault(branch.getCondition()));
  body.getOperations().splice(branch->getIterator(), branch.getThenRegion().front().getOperations());
  branch.erase();
  eraseUnusedValues(*where);
  eraseUnusedValues(body);
}

struct SelectArcs : impl::SelectArcsBase<SelectArcs> {
  void runOnOperation() override {
    graph::walkHolders(
        getOperation(),
        [](exec::PropagateOp propagate) {
          if (propagate.getSharing() != exec::Sharing::Serial)
            visit(propagate.getPull());
        },
        [](exec::ParallelOp kernel) {
          if (kernel.getSharing() != exec::Sharing::Serial && !exec::goesBySegments(kernel))
            visit(kernel.getBody());
        });
  }

  static void visit(Region &kernel) {
    kernel.walk([&](exec::ForOp loop) { select(loop, kernel); });
  }
};
} // namespace
} // namespace gcompile
