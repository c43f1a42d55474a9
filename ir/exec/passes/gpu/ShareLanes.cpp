#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SHARELANES
#include "ir/exec/Passes.h.inc"

namespace {

/// Marks one kernel, or finds that its lanes cannot agree.
class Sharing {
public:
  explicit Sharing(Region &kernel) : kernel(kernel) {}

  bool run() { return together(kernel.front()) && !loops.empty(); }

  void mark(Operation *op) {
    cast<exec::Kernel>(op).setByLanes(true);
    for (exec::ForOp loop : loops)
      loop.setShared(true);
    for (exec::ReduceOp reduce : combined)
      reduce.setCombined(true);
    for (Operation *write : leading)
      llvm::TypeSwitch<Operation *>(write).Case<exec::UpdateOp, exec::ContributeOp>(
          [](auto one) { one.setLeader(true); });
  }

private:
  static bool isFolded(exec::ReduceOp reduce) {
    graph::ReduceKind kind = reduce.getKind();
    if (graph::traits(kind).lanes.empty() || !isWord(reduce.getType()))
      return false;
    // Keys, too, go from lane to lane.
    bool words = true;
    if (graph::traits(kind).witness)
      reduce.walk([&](exec::ContributeOp contribute) {
        words &= contribute->getParentOfType<exec::ReduceOp>() != reduce || isWord(contribute.getValue().getType());
      });
    return words;
  }
  static bool isWord(Type type) { return isa<IntegerType, FloatType, graph::VertexType, graph::EdgeType>(type); }

  /// What all lanes run, with the same values.
  bool together(Block &block) {
    for (Operation &op : block)
      if (!together(&op))
        return false;
    return true;
  }

  bool together(Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](graph::ReadOp read) { return !read.getRelaxed(); })
        .Case<graph::IfOp, graph::WhileOp, graph::RepeatOp, graph::LogicOp, graph::ConditionalOp>([&](auto) {
          return llvm::all_of(op->getRegions(),
                              [&](Region &region) { return region.empty() || together(region.front()); });
        })
        .Case<graph::StateOp, exec::NoteChangeOp>([&](auto) { return true; })
        .Case([&](graph::BreakOp) { return true; })
        .Case([&](exec::ContributeOp contribute) {
          // Of the kernel's own reduction: one lane contributes.
          leading.push_back(op);
          return contribute->getParentOfType<exec::ReduceOp>().getDomain().has_value();
        })
        .Case([&](exec::UpdateOp update) {
          if (!update.getChanged().use_empty())
            return false;
          if (isLocal(update.getState(), kernel))
            return true;
          leading.push_back(op);
          return true;
        })
        .Case([&](exec::ReduceOp reduce) {
          if (!isFolded(reduce))
            return false;
          combined.push_back(reduce);
          return reduction(reduce.getBody().front());
        })
        .Case([&](exec::ForOp loop) { return shared(loop) && accumulates(loop); })
        .Default([&](Operation *) { return isPlainValue(op); });
  }

  /// The body of a reduction outside of loops: each lane brings its share of one loop.
  bool reduction(Block &block) {
    unsigned found = 0;
    for (Operation &op : block) {
      if (auto loop = dyn_cast<exec::ForOp>(&op)) {
        if (++found > 1 || !shared(loop) || !alone(loop, {}))
          return false;
      } else if (auto choice = dyn_cast<graph::IfOp>(&op)) {
        for (Region &region : choice->getRegions())
          if (!region.empty() && !reduction(region.front()))
            return false;
        ++found;
      } else if (auto read = dyn_cast<graph::ReadOp>(&op)) {
        if (read.getRelaxed())
          return false;
      } else if (!isPlainValue(&op)) {
        return false;
      }
    }
    return found <= 1;
  }

  /// Whether lanes can take the members of a set in turns: those that are computed on the spot, not a bitmap.
  static bool takesTurns(Value set) {
    while (auto let = set.getDefiningOp<graph::LetOp>())
      set = let.getValue();
    return !isa<BlockArgument>(set) &&
           !isa<graph::AllVerticesOp, graph::ReadOp, exec::FilterOp, exec::BucketSelectOp>(set.getDefiningOp());
  }

  bool shared(exec::ForOp loop) {
    if (loop.getDomain() == graph::Domain::Pairs || graph::rangesOverEdges(loop.getDomain()))
      return false;
    if (loop.getDomain() == graph::Domain::Vertices && !takesTurns(loop.getOver()))
      return false;
    loops.push_back(loop);
    return true;
  }

  /// Updates of which zero changes nothing, in any order.
  static bool addsUp(graph::UpdateKind kind) {
    return graph::traits(kind).anyOrder && graph::traits(kind).neutral() == Neutral::Zero;
  }

  /// A loop that only adds to scalars of the kernel, each in one way, which start neutral.
  bool accumulates(exec::ForOp loop) {
    SmallVector<Value> sums;
    llvm::SmallDenseMap<Value, graph::UpdateKind> kinds;
    bool fine = true;
    loop.walk([&](exec::UpdateOp update) {
      Value state = update.getState();
      if (!isLocal(state, kernel) || isLocal(state, loop.getBody()))
        return;
      if (!llvm::is_contained(sums, state))
        sums.push_back(state);
      fine &= addsUp(update.getKind()) &&
              kinds.try_emplace(state, update.getKind()).first->second == update.getKind() &&
              update.getChanged().use_empty() && isWord(update.getValue().getType()) && startsAtZero(state, loop);
    });
    loop.walk([&](graph::ReadOp read) { fine &= !llvm::is_contained(sums, read.getState()); });
    return fine && alone(loop, sums);
  }

  /// Whether the state is zero when the loop starts: nothing but one assignment of zero, in the loop's block, before
  /// it.
  static bool startsAtZero(Value state, exec::ForOp loop) {
    unsigned assignments = 0;
    for (Operation *user : state.getUsers()) {
      auto update = dyn_cast<exec::UpdateOp>(user);
      if (!update || loop->isAncestor(update))
        continue;
      if (update->getBlock() != loop->getBlock() || !update->isBeforeInBlock(loop) ||
          update.getKind() != graph::UpdateKind::Assign || !isZero(update.getValue()))
        return false;
      ++assignments;
    }
    return assignments == 1;
  }

  /// Whether an iteration of the loop, run by one lane, leaves the others alone.
  bool alone(exec::ForOp loop, ArrayRef<Value> sums) {
    return !loop.walk([&](Operation *op) {
                  bool fine = true;
                  if (auto update = dyn_cast<exec::UpdateOp>(op))
                    fine = isLocal(update.getState(), loop.getBody()) || llvm::is_contained(sums, update.getState()) ||
                           update.getSync() == exec::Sync::Atomic || update.getSync() == exec::Sync::Private;
                  else if (auto tuple = dyn_cast<exec::UpdateTupleOp>(op))
                    fine = tuple.getSync() == exec::Sync::Atomic;
                  else if (auto claim = dyn_cast<exec::ClaimOp>(op))
                    fine = claim.getSync() == exec::Sync::Atomic;
                  else if (isa<exec::ActivateOp>(op))
                    fine = false;
                  else if (isa<exec::BreakOp, graph::BreakOp>(op))
                    fine = enclosing(op) != loop.getOperation();
                  else if (auto reduce = dyn_cast<exec::ReduceOp>(op))
                    fine = reduce.getKind() != graph::ReduceKind::Mode;
                  return fine ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }
  static Operation *enclosing(Operation *op) {
    while ((op = op->getParentOp()))
      if (isa<exec::ForOp, graph::WhileOp, graph::RepeatOp>(op))
        return op;
    return nullptr;
  }

  Region &kernel;
  SmallVector<exec::ForOp> loops;
  SmallVector<exec::ReduceOp> combined;
  SmallVector<Operation *> leading;
};

struct ShareLanes : impl::ShareLanesBase<ShareLanes> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (!runsOnDevice(algorithm))
        continue;
      algorithm.walk([&](Operation *op) {
        if (exec::isSplit(op) || (isa<exec::ParallelOp>(op) && exec::goesBySegments(op)))
          return;
        Region *region = nullptr;
        if (auto kernel = dyn_cast<exec::ParallelOp>(op); kernel && kernel.getDomain() == graph::Domain::Vertices)
          region = &kernel.getBody();
        else if (auto reduce = dyn_cast<exec::ReduceOp>(op); reduce && reduce.getDomain() == graph::Domain::Vertices)
          region = &reduce.getBody();
        else if (auto filter = dyn_cast<exec::FilterOp>(op))
          region = &filter.getWhere();
        if (!region)
          return;
        Sharing sharing(*region);
        if (sharing.run())
          sharing.mark(op);
      });
    }
  }
};

} // namespace
} // namespace gcompile
