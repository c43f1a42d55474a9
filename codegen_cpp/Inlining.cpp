#include "codegen_cpp/Inlining.h"

#include "ir/exec/ExecDialect.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace gcompile::cpp {

bool isExpression(Operation *op) {
  if (auto reduce = dyn_cast<exec::ReduceOp>(op))
    return reduce.getDomain().has_value(); // a call of a kernel that returns a value
  return isa<graph::ReadOp, graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp,
             graph::CastOp, graph::HashOp, graph::CallOp, graph::ForeignCallOp, graph::TupleOp, graph::ElementOp,
             graph::DegreeOp, graph::NumVerticesOp, graph::NumEdgesOp, graph::EndpointOp, graph::EdgeBetweenOp,
             graph::NeighborAtOp, graph::AllVerticesOp, graph::SetOfOp, graph::NeighborsOp, graph::SetAlgebraOp,
             graph::SetFilterOp, graph::ContainsOp, graph::SetSizeOp, graph::LogicOp, graph::ConditionalOp,
             exec::InFrontierOp, exec::VisitedBeforeOp, exec::ImprovesOp, exec::FilterOp, exec::CountTrianglesOp,
             exec::WouldChangeOp, exec::SegmentsPayOp, exec::BucketMinOp, exec::BucketSelectOp, exec::IndexBestOp,
             exec::ReadTogetherOp, exec::ListsDividedOp>(op);
}

bool isRematerialised(Operation *op) {
  return isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::NumVerticesOp, graph::NumEdgesOp,
             graph::AllVerticesOp, exec::ListsDividedOp>(op);
}

static bool changesState(Operation *op) {
  return isa<graph::UpdateOp, graph::UpdateTupleOp, exec::UpdateOp, exec::UpdateTupleOp, exec::ClaimOp, exec::TakeOp,
             exec::ActivateOp, exec::ContributeOp, exec::BreakOp, exec::PropagateOp, exec::OrderedOp,
             exec::AsynchronousOp, exec::ComponentMinOp, exec::ClosePairsOp, exec::SnapshotOp, exec::BucketsOp,
             exec::MoveOp, exec::KeepIndexOp, exec::ReindexOp, exec::NoteChangeOp, exec::ReindexNotedOp, graph::BreakOp,
             graph::ReturnOp, graph::StateOp>(op);
}

bool hasSideEffect(Operation *op) {
  // A sequential reduction changes nothing but its own accumulator.
  return op
      ->walk([op](Operation *inner) {
        bool own = isa<exec::ContributeOp, exec::BreakOp>(inner) && isa<exec::ReduceOp>(op);
        return changesState(inner) && !own ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool readsState(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        if (auto read = dyn_cast<graph::ReadOp>(inner))
          // An argument of the algorithm is an edge column, which nothing changes.
          return isa<BlockArgument>(read.getState()) ? WalkResult::advance() : WalkResult::interrupt();
        return isa<graph::ContainsOp, graph::SetSizeOp, exec::ImprovesOp, exec::WouldChangeOp, exec::ReduceOp,
                   exec::FilterOp, exec::SegmentsPayOp, exec::BucketMinOp, exec::BucketSelectOp, exec::IndexBestOp,
                   exec::ReadTogetherOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Regions that are evaluated at most once, where their operation stands.
static bool isConditional(Operation *op) {
  if (auto reduce = dyn_cast<exec::ReduceOp>(op))
    return !reduce.getDomain(); // the loops are inside
  return isa<graph::IfOp, graph::LogicOp, graph::ConditionalOp>(op);
}

bool Inlining::isExpressionRegion(Region &region) {
  if (region.empty())
    return true;
  for (Operation &op : region.front())
    if (!isa<graph::YieldOp>(op) && !(op.use_empty() && isExpression(&op) && !hasSideEffect(&op)) &&
        !isRematerialised(&op) && !anchor(&op))
      return false;
  return true;
}

Operation *Inlining::anchor(Operation *op) {
  auto [entry, fresh] = anchors.try_emplace(op, nullptr);
  if (!fresh)
    return entry->second;
  Operation *result = compute(op);
  anchors[op] = result;
  return result;
}

Operation *Inlining::compute(Operation *op) {
  bool update = isa<exec::UpdateOp, exec::UpdateTupleOp, exec::ClaimOp>(op);
  if (!update && !isExpression(op))
    return nullptr;
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return nullptr;
  if (isa<graph::LogicOp, graph::ConditionalOp, graph::SetFilterOp>(op))
    for (Region &region : op->getRegions())
      if (!isExpressionRegion(region))
        return nullptr;

  OpOperand &use = *op->use_begin();
  Operation *user = use.getOwner();
  // A loop would evaluate its bound in each turn.
  if (auto repeat = dyn_cast<graph::RepeatOp>(user); repeat && !isRematerialised(op))
    return nullptr;
  if (auto propagate = dyn_cast<exec::PropagateOp>(user))
    if (use.get() != propagate.getFrom() && !isRematerialised(op))
      return nullptr;

  // Nor does it go over a set while it changes it.
  if (auto read = dyn_cast<graph::ReadOp>(op);
      read && isa<graph::ForOp>(user) && isa<graph::SetType>(read.getType()) && !read.getLasting())
    return nullptr;

  // The statement that the user is part of.
  Operation *end = user;
  if (Operation *outer = anchor(user))
    end = outer;
  if (update) {
    bool first = isa<graph::IfOp>(user) || (isa<graph::YieldOp>(user) && isa<graph::LogicOp>(user->getParentOp())) ||
                 (isa<graph::LogicOp, graph::UnaryOp>(user) && end != user);
    if (!first || op->getBlock() != end->getBlock())
      return nullptr;
  }

  // From here to there: no loop around the use, and no side effect before it.
  bool fixed = readsState(op);
  // An update that takes the value, and is itself written there, comes after it.
  llvm::SmallPtrSet<Operation *, 4> takers;
  for (Operation *taker = user; taker != end && taker->hasOneUse(); taker = *taker->user_begin())
    takers.insert(taker);
  bool conditional = false;
  for (Operation *at = end;; at = at->getParentOp()) {
    bool here = at->getBlock() == op->getBlock();
    if (!here && (!at->getParentOp() || !isConditional(at->getParentOp())))
      return nullptr;
    if (fixed || update)
      for (Operation *between = here ? op->getNextNode() : &at->getBlock()->front(); between != at;
           between = between->getNextNode())
        if ((hasSideEffect(between) && !takers.contains(between)) || (update && readsState(between)))
          return nullptr;
    if (here) {
      // What stands behind a requirement is evaluated only where that holds.
      for (Operation *between = op->getNextNode(); between != at; between = between->getNextNode())
        conditional |= isa<exec::RequireOp>(between);
      break;
    }
    conditional = true;
  }
  return conditional && exec::isChecked(op) ? nullptr : end;
}

} // namespace gcompile::cpp
