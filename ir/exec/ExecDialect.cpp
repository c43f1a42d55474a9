#include "ir/exec/ExecDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ir/exec/ExecEnums.cpp.inc"

#include "ir/exec/ExecDialect.cpp.inc"

#include "ir/exec/ExecInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "ir/exec/ExecOps.cpp.inc"

namespace gcompile::exec {

bool isChecked(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case<graph::ReadOp, graph::UpdateOp, graph::UpdateTupleOp, graph::BinaryOp, UpdateOp, UpdateTupleOp>(
          [](auto o) { return o.getChecked(); })
      .Default(false);
}

bool isSerial(mlir::Operation *kernel) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(kernel)
      .Case<ParallelOp, ReduceOp, FilterOp, PropagateOp, OrderedOp>(
          [](auto op) { return op.getSharing() == Sharing::Serial; })
      .Default(false);
}

RelaxOp relaxationOf(OrderedOp op) {
  RelaxOp found;
  op.getPush().walk([&](RelaxOp relax) { found = relax; });
  return found;
}

PullByArcsOp pullByArcsOf(PropagateOp op) {
  if (isAbsent(op.getPull()))
    return {};
  auto found = op.getPull().front().getOps<PullByArcsOp>();
  return found.empty() ? PullByArcsOp() : *found.begin();
}

AskedListsOp askedListsOf(mlir::Operation *kernel) {
  auto parallel = mlir::dyn_cast<ParallelOp>(kernel);
  if (!parallel || isAbsent(parallel.getBody()))
    return {};
  return mlir::dyn_cast<AskedListsOp>(parallel.getBody().front().front());
}

mlir::Region *bodyOverAll(mlir::Operation *kernel) {
  if (kernel->getParentOfType<SweepOp>() || !goesByLanes(kernel))
    return nullptr;
  return llvm::TypeSwitch<mlir::Operation *, mlir::Region *>(kernel)
      .Case<ParallelOp, ReduceOp>([](auto op) -> mlir::Region * {
        const bool all = !op.getOver() || op.getOver().template getDefiningOp<graph::AllVerticesOp>();
        return all ? &op.getBody() : nullptr;
      })
      .Default([](mlir::Operation *) -> mlir::Region * { return nullptr; });
}

/// Whether each call of the kernel runs the loop, once.
static bool runsOnce(mlir::Operation *loop, mlir::Operation *kernel) {
  for (mlir::Operation *around = loop->getParentOp(); around != kernel; around = around->getParentOp())
    if (!mlir::isa<ReduceOp>(around))
      return false;
  return true;
}

std::optional<graph::Domain> walkedList(mlir::Operation *kernel) {
  mlir::Region *const body = bodyOverAll(kernel);
  if (!body)
    return std::nullopt;
  bool into = false, outOf = false;
  const auto walks = [&](auto loop) {
    if (loop.getOver() != body->getArgument(0) || !runsOnce(loop, kernel))
      return;
    into |= loop.getDomain() == graph::Domain::Into;
    outOf |= loop.getDomain() == graph::Domain::OutOf;
  };
  body->walk([&](mlir::Operation *op) {
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case([&](ForOp loop) {
          if (loop.getShared())
            walks(loop);
        })
        .Case<BatchForOp, BestForOp>(walks);
  });
  return into ? std::optional(graph::Domain::Into) : outOf ? std::optional(graph::Domain::OutOf) : std::nullopt;
}

bool walksAllLists(graph::AlgorithmOp algorithm) {
  return algorithm
      .walk([](mlir::Operation *op) {
        return walkedList(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

static bool holdsSets(mlir::Type type) {
  auto state = mlir::dyn_cast<graph::StateType>(type);
  return mlir::isa<graph::SetType>(type) || (state && mlir::isa<graph::SetType>(state.getElement()));
}

bool takesSets(graph::AlgorithmOp algorithm) { return llvm::any_of(algorithm.getBody().getArgumentTypes(), holdsSets); }

bool makesLists(mlir::Operation *op) {
  return mlir::isa<ComponentMinOp, CountTrianglesOp>(op) ||
         (!mlir::isa<graph::AllVerticesOp>(op) && llvm::any_of(op->getResultTypes(), holdsSets));
}

bool keepsFrontiers(graph::AlgorithmOp algorithm) {
  return takesSets(algorithm) || algorithm
                                     .walk([](mlir::Operation *op) {
                                       return mlir::isa<PropagateOp, OrderedOp, SweepOp>(op) || makesLists(op)
                                                  ? mlir::WalkResult::interrupt()
                                                  : mlir::WalkResult::advance();
                                     })
                                     .wasInterrupted();
}

llvm::SmallVector<mlir::Block *, 2> sequencesOf(mlir::Operation *op) {
  llvm::SmallVector<mlir::Region *, 2> regions;
  if (auto repeats = mlir::dyn_cast<graph::WhileOp>(op))
    regions = {&repeats.getBody()};
  else if (auto repeat = mlir::dyn_cast<graph::RepeatOp>(op))
    regions = {&repeat.getBody()};
  else if (auto loop = mlir::dyn_cast<graph::ForOp>(op); loop && loop.getSequential())
    regions = {&loop.getBody()};
  else if (auto choice = mlir::dyn_cast<graph::IfOp>(op))
    regions = {&choice.getThenRegion(), &choice.getElseRegion()};
  llvm::SmallVector<mlir::Block *, 2> blocks;
  for (mlir::Region *region : regions)
    if (!region->empty())
      blocks.push_back(&region->front());
  return blocks;
}

llvm::SmallVector<mlir::Block *, 2> stagedBlocks(mlir::Operation *op) {
  llvm::SmallVector<mlir::Block *, 2> blocks = sequencesOf(op);
  llvm::erase_if(blocks, [](mlir::Block *block) {
    return !block->walk([](NextStageOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
  });
  return blocks;
}

std::string nameOf(mlir::Value state) {
  while (auto second = state.getDefiningOp<SnapshotOp>())
    state = second.getState();
  return graph::nameOf(state);
}

} // namespace gcompile::exec

void gcompile::exec::ExecDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/exec/ExecOps.cpp.inc"
      >();
}
