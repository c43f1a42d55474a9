#include "ir/Errors.h"
#include "ir/passes/Passes.h"
#include "ir/passes/gpu/Device.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_RUNLOOPS
#include "ir/passes/Passes.h.inc"

namespace {

bool isSet(Type type) {
  auto state = dyn_cast<graph::StateType>(type);
  return isa<graph::SetType, graph::LevelsType>(state ? state.getElement() : type);
}

/// Why one kernel cannot hold this one among others; nullptr: it can.
const char *obstacleIn(Operation *kernel) {
  if (kernel->hasAttr("both_ways") || (kernel->hasAttr("split") && kernel->hasAttr(exec::transposedAttr)))
    return "edges are followed against their direction, in lists that the host chooses";
  auto outside = [&](Value value) {
    return llvm::none_of(kernel->getRegions(),
                         [&](Region &region) { return region.isAncestor(value.getParentRegion()); });
  };
  const char *reason = nullptr;
  kernel->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (outside(operand) && isSet(operand.getType()) && !operand.getDefiningOp<graph::AllVerticesOp>())
        reason = "it goes by a set of vertices, whose size the host knows";
    auto reduce = dyn_cast<exec::ReduceOp>(op);
    if (reduce && reduce.getKind() == graph::ReduceKind::Mode)
      reason = "a mode needs tables, which the host makes";
    auto update = dyn_cast<exec::UpdateOp>(op);
    if (update && update.getIndices().empty() && update.getSync() != exec::Sync::Private &&
        !isa<exec::OnceOp>(kernel) && outside(update.getState()))
      reason = "its threads share a variable of the host";
  });
  return reason;
}

/// What stands in the way of one kernel for a loop.
struct Obstacle {
  const char *reason;
  Location place;
};

/// The first operation of a loop that needs the host. Counts kernels.
std::optional<Obstacle> obstacleOf(Operation *loop, unsigned &kernels) {
  std::optional<Obstacle> found;
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    const char *reason =
        llvm::TypeSwitch<Operation *, const char *>(op)
            .Case<exec::ParallelOp, exec::OnceOp>([&](Operation *) {
              if (exec::goesBySegments(op)) // that the program chooses is a choice of the host
                return op->hasAttr(exec::segmentWidthAttr) ? "its segments are made by the host" : nullptr;
              ++kernels;
              return obstacleIn(op);
            })
            .Case([](exec::SegmentsPayOp) { return nullptr; })
            .Case([&](exec::ReduceOp reduce) {
              ++kernels;
              return reduce.getDomain() ? obstacleIn(op) : "it reduces on the host";
            })
            .Case([](exec::SnapshotOp copy) {
              bool part = copy.getRow() || copy.getColumn();
              return part || copy.getState().getType().getShape() == graph::Shape::Dense ? "part of a matrix is copied"
                                                                                         : nullptr;
            })
            .Case<exec::PropagateOp, exec::OrderedOp>([](auto) { return "a 'propagate' has kernels of its own"; })
            .Case([](exec::UpdateOp update) {
              return isSet(update.getValue().getType()) ? "it changes a set of vertices, whose size the host knows"
                     : !update.getIndices().empty()     ? "the host writes an element"
                                                        : nullptr;
            })
            .Case([](graph::ReadOp read) { return !read.getIndices().empty() ? "the host reads an element" : nullptr; })
            .Case<graph::IfOp, graph::WhileOp, graph::RepeatOp, graph::BreakOp, graph::LogicOp, graph::ConditionalOp>(
                [](auto) { return nullptr; })
            .Case([](graph::StateOp state) {
              return isSet(state.getState().getType()) ? "it declares a set of vertices" : nullptr;
            })
            .Default([](Operation *other) {
              bool asks = llvm::any_of(other->getOperandTypes(), isSet); // what makes one is for who asks it
              return asks                  ? "it asks a set of vertices"
                     : isPlainValue(other) ? nullptr
                                           : "it has a statement of the host";
            });
    if (reason) {
      found = {reason, op->getLoc()};
      return WalkResult::interrupt();
    }
    return isKernel(op) ? WalkResult::skip() : WalkResult::advance();
  });
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
    for (Operation &op : block) {
      if (isKernel(&op) || (isa<graph::WhileOp, graph::RepeatOp>(op) && marked(&op)))
        continue;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner);
    }
  }

  bool marked(Operation *loop) {
    unsigned kernels = 0;
    std::optional<Obstacle> obstacle = obstacleOf(loop, kernels);
    auto forced = loop->getAttrOfType<StringAttr>("loop");
    if (loop->hasAttr("loop_named") && forced.getValue() == "device" && (obstacle || kernels == 0)) {
      auto error = report(cast<LocationAttr>(loop->getAttr("schedule_place")), diag::illegal_schedule,
                          "run all its rounds on the device", obstacle ? obstacle->reason : "it has no kernels");
      error.attachNote(obstacle ? obstacle->place : loop->getLoc()) << (obstacle ? "here" : "the statement is here");
      signalPassFailure();
    }
    if (obstacle || kernels == 0)
      return false;
    if (!profile)
      loop->setAttr("on_device", UnitAttr::get(&getContext()));
    return true;
  }
};

} // namespace
} // namespace gcompile
