#include "ir/Errors.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/graph/Domains.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_RUNLOOPS
#include "ir/exec/Passes.h.inc"

namespace {

constexpr const char *asksLevels = "it asks for levels";

/// Whether a value is kept levels, or the one that a loop over them is at.
bool asksForLevels(Value value) {
  while (auto let = value.getDefiningOp<graph::LetOp>())
    value = let.getValue();
  auto state = dyn_cast<graph::StateType>(value.getType());
  if (isa<graph::LevelsType>(state ? state.getElement() : value.getType()))
    return true;
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<graph::ForOp>(argument.getOwner()->getParentOp()) : graph::ForOp();
  return loop && loop.getDomain() == graph::Domain::Levels;
}

/// What stands in the way of one kernel for a loop.
struct Obstacle {
  const char *reason;
  Location place;
};

/// What there is in a loop.
struct Contents {
  unsigned kernels = 0;
  bool modes = false;    // of the neighbours of a vertex
  bool bySets = true;    // all kernels and copies go by sets of vertices
  bool byOneList = true; // all kernels go along the list of a single vertex, or are one thread's; it makes no sets
  bool propagates = false, loops = false;
  std::optional<Obstacle> obstacle;
};

/// Why one kernel cannot hold an operation of a loop; nullptr: it can.
const char *obstacleIn(Operation *op) {
  if (llvm::any_of(op->getOperands(), asksForLevels))
    return asksLevels;
  return llvm::TypeSwitch<Operation *, const char *>(op)
      .Case([](exec::ParallelOp kernel) { // that the program chooses segments is a choice of the host
        return kernel.getSegmentWidth() ? "its segments are made by the host" : nullptr;
      })
      .Case([](exec::ReduceOp reduce) {
        return !reduce.getDomain()                           ? "it reduces on the host"
               : reduce.getKind() == graph::ReduceKind::Mode ? "a mode of all that it loops over needs a growing table"
                                                             : nullptr;
      })
      .Case([](exec::PropagateOp propagate) {
        return propagate.getLevels() ? "a 'propagate' keeps levels, as many as there are"
               : propagate.getLoop() == exec::LoopPlace::Host
                   ? "the schedule leaves the rounds of a 'propagate' to the host"
               : propagate.getPhases() ? "the rounds of a 'propagate' list their edges in the host's frontier"
                                       : nullptr;
      })
      .Case([](exec::OrderedOp ordered) {
        return ordered.getEnds().empty() ? nullptr : "the host says where an ordered 'propagate' ends";
      })
      .Case([](exec::ClosePairsOp) { return "the host starts the kernels of a closure of pairs"; })
      .Case([](exec::UpdateOp update) { return !update.getIndices().empty() ? "the host writes an element" : nullptr; })
      .Case([](exec::StartArrayOp) { return "the host makes room for an array"; })
      .Case([](exec::SnapshotOp snapshot) {
        auto type = cast<graph::StateType>(snapshot.getState().getType());
        return type.getShape() == graph::Shape::Array ? "the host makes room for the copy of an array" : nullptr;
      })
      .Case([](exec::KeepIndexOp) { return "the host starts an index"; })
      .Case<exec::OnceOp, exec::FilterOp, exec::SegmentsPayOp, exec::IndexBestOp, exec::ReindexNotedOp, graph::IfOp,
            graph::WhileOp, graph::RepeatOp, graph::BreakOp, graph::LogicOp, graph::ConditionalOp, graph::StateOp,
            graph::SetSizeOp, exec::RequireVertexOp>([](auto) { return nullptr; })
      .Default([](Operation *other) { return isPlainValue(other) ? nullptr : "it has a statement of the host"; });
}

/// The set by whose members a kernel goes; null: another kernel.
Value setOf(Operation *kernel) {
  return llvm::TypeSwitch<Operation *, Value>(kernel)
      .Case<exec::ParallelOp, exec::ReduceOp>([](auto o) { return o.getOver(); })
      .Case([](exec::FilterOp filter) { return filter.getSet(); })
      .Default([](Operation *) { return Value(); });
}
bool goesBySet(Operation *kernel) {
  Value over = setOf(kernel);
  return over && isa<graph::SetType>(over.getType()) && !over.getDefiningOp<graph::AllVerticesOp>();
}

/// Whether it goes along the list of a single vertex.
bool goesAlongOneList(Operation *kernel) {
  Value over = exec::isSplit(kernel) ? setOf(kernel) : Value();
  return over && graph::onlyMember(over);
}

/// Whether the operation makes a set, which takes time for all vertices, and not the one that such a kernel goes over.
bool makesSet(Operation *op) {
  return exec::makesLists(op) &&
         !(isa<graph::SetOfOp>(op) && !op->use_empty() && llvm::all_of(op->getUsers(), goesAlongOneList));
}

/// Adds what there is in a region of a loop, or of its propagates, that the host would run.
void add(Contents &found, Region &region) {
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (const char *reason = obstacleIn(op)) {
      found.obstacle = {reason, op->getLoc()};
      return WalkResult::interrupt();
    }
    found.bySets &= !isa<exec::SnapshotOp>(op);
    found.byOneList &= !isa<exec::SnapshotOp>(op) && !makesSet(op);
    found.loops |= isa<graph::WhileOp, graph::RepeatOp>(op);
    if (!isKernel(op))
      return WalkResult::advance();
    if (!isa<exec::OnceOp>(op)) {
      found.bySets &= goesBySet(op);
      found.byOneList &= goesAlongOneList(op);
    }
    if (!exec::goesBySegments(op))
      ++found.kernels;
    op->walk([&](Operation *inner) {
      auto reduce = dyn_cast<exec::ReduceOp>(inner);
      found.modes |= reduce && reduce.getKind() == graph::ReduceKind::Mode;
      if (!found.obstacle && llvm::any_of(inner->getOperands(), asksForLevels))
        found.obstacle = {asksLevels, inner->getLoc()};
    });
    auto propagate = dyn_cast<exec::PropagateOp>(op);
    found.propagates |= propagate != nullptr;
    if (propagate && !found.obstacle)
      add(found, propagate.getUntil());
    return found.obstacle ? WalkResult::interrupt() : WalkResult::skip();
  });
}

Contents contentsOf(Operation *loop) {
  Contents found;
  for (Region &region : loop->getRegions())
    if (!found.obstacle)
      add(found, region);
  return found;
}

struct RunLoops : impl::RunLoopsBase<RunLoops> {
  using RunLoopsBase::RunLoopsBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm))
        visit(algorithm.getBody().front());
  }

  void visit(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isKernel(&op) || (isa<graph::WhileOp, graph::RepeatOp>(op) && marked(&op)))
        continue;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
    }
  }

  bool marked(Operation *loop) {
    Contents contents = contentsOf(loop);
    bool can = !contents.obstacle && contents.kernels > 0;
    auto said = schedule::said<schedule::Loop>(loop);
    bool wanted = said.is(schedule::Loop::Device);
    if (wanted && !can && said.isLabelled()) {
      if (contents.obstacle)
        refuse(said.place(), "run all its rounds on the device", contents.obstacle->reason, contents.obstacle->place,
               "here");
      else
        refuse(said.place(), "run all its rounds on the device", "it has no kernels", loop->getLoc());
      signalPassFailure();
    }
    // Where a thread counts what is most frequent, starting kernels is little of the time; and loops in this one pay in
    // larger graphs than one with propagates does.
    if (!can || (!wanted && (contents.modes || (contents.propagates && contents.loops))))
      return false;
    if (!profile) {
      OpBuilder b(loop);
      exec::LoopPlaceAttr place;
      if (said)
        place = exec::LoopPlaceAttr::get(&getContext(), wanted ? exec::LoopPlace::Device : exec::LoopPlace::Host);
      auto whole = b.create<exec::DeviceLoopOp>(loop->getLoc(), place, contents.bySets, contents.byOneList);
      Block *body = b.createBlock(&whole.getBody());
      loop->moveBefore(body, body->end());
    }
    return true;
  }
};

} // namespace
} // namespace gcompile
