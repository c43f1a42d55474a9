#include "ir/exec/Passes.h"
#include "ir/exec/passes/gpu/Device.h"
#include "ir/exec/passes/gpu/Sweep.h"
#include "ir/graph/Walk.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_TURNSWEEPS
#include "ir/exec/Passes.h.inc"

namespace {

/// Writes the kernel that does the same work from the other ends of the edges.
class Turning {
public:
  explicit Turning(exec::ParallelOp kernel) : kernel(kernel), own(kernel.getBody().getArgument(0)) {}

  /// Whether the kernel is one loop over the edges out of its vertex, under conditions, that only adds to what belongs
  /// to the vertex, by way of local sums or not.
  bool fits() {
    if (!around(kernel.getBody().front()) || !loop)
      return false;
    // Each sum goes somewhere, in the way that it was added up.
    return !loop.walk([&](exec::UpdateOp update) {
                  exec::UpdateOp last = update.getIndices().empty() ? sums.lookup(update.getState()) : update;
                  return last && last.getKind() == update.getKind() ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  exec::ParallelOp build(OpBuilder &b) {
    Location loc = kernel.getLoc();
    auto turned = b.create<exec::ParallelOp>(loc, (kernel.getName() + "_from_next").str(), graph::Domain::Vertices,
                                             kernel.getOver(), exec::Sharing::Dynamic);
    turned.setNamesAttr(b.getArrayAttr({loop.getNames()[0]}));
    OpBuilder::InsertionGuard guard(b);
    Value v = b.createBlock(&turned.getBody())->addArgument(own.getType(), loc);
    auto arcs = b.create<exec::ForOp>(loop.getLoc(), exec::arcsAgainst(kernel), v, Value(), Value(),
                                      b.getArrayAttr({cast<ArrayAttr>(kernel.getNamesAttr())[0], loop.getNames()[1]}));
    Block &from = loop.getBody().front();
    Block *body = b.createBlock(&arcs.getBody());
    map.map(own, body->addArgument(own.getType(), loc));
    body->addArgument(from.getArgument(1).getType(), loc);
    map.map(from.getArgument(0), v);
    copy(b, kernel.getBody().front());
    return turned;
  }

private:
  bool isValue(Operation &op) {
    if (auto read = dyn_cast<graph::ReadOp>(op); read && isLocal(read.getState(), kernel.getBody()))
      return false;
    return isPlainValue(&op) || isa<graph::LogicOp, graph::ConditionalOp>(op);
  }
  /// The value that is added, if the update adds to an element of the kernel's vertex.
  bool addsToOwn(exec::UpdateOp update) const {
    return update.getKind() != graph::UpdateKind::Assign && !update.getCombiner() &&
           update.getSync() != exec::Sync::Atomic && update.getPart() < 0 && update.getChanged().use_empty() &&
           update.getIndices().size() == 1 && update.getIndices()[0] == own;
  }

  /// What stands around the loop.
  bool around(Block &block) {
    for (Operation &op : block) {
      if (auto each = dyn_cast<exec::ForOp>(op)) {
        if (loop || each.getDomain() != exec::arcsAlong(kernel) || each.getOver() != own || each.getAbove() ||
            each.getBelow() || !each.getBody().getArgument(1).use_empty())
          return false;
        loop = each;
        if (!inside(each.getBody().front()))
          return false;
      } else if (auto choice = dyn_cast<graph::IfOp>(op)) {
        if (loop || !choice.getElseRegion().empty() || !around(choice.getThenRegion().front()))
          return false;
      } else if (isa<graph::StateOp>(op)) {
        if (loop)
          return false;
      } else if (auto update = dyn_cast<exec::UpdateOp>(op)) {
        if (!loop && !(update.getKind() == graph::UpdateKind::Assign && isLocal(update.getState(), kernel.getBody()) &&
                       isZero(update.getValue())))
          return false;
        // After the loop a sum goes to where it belongs.
        if (loop) {
          auto sum = update.getValue().getDefiningOp<graph::ReadOp>();
          if (!addsToOwn(update) || !sum || sum->getBlock() != &block || sums.lookup(sum.getState()) ||
              !isLocal(sum.getState(), kernel.getBody()))
            return false;
          sums[sum.getState()] = update;
        }
      } else if (!isValue(op) && !(loop && isa<graph::ReadOp>(op))) {
        return false;
      }
    }
    return true;
  }

  bool inside(Block &block) {
    for (Operation &op : block) {
      auto choice = dyn_cast<graph::IfOp>(op);
      auto update = dyn_cast<exec::UpdateOp>(op);
      if (choice ? !choice.getElseRegion().empty() || !inside(choice.getThenRegion().front())
                 : !isValue(op) && !(update && (addsToOwn(update) || addsToSum(update))))
        return false;
    }
    return true;
  }
  bool addsToSum(exec::UpdateOp update) {
    return update.getKind() != graph::UpdateKind::Assign && !update.getCombiner() && update.getChanged().use_empty() &&
           update.getIndices().empty() && isLocal(update.getState(), kernel.getBody());
  }

  /// The conditions and values, with the loop's body in the place of the loop, which ends the copy: what follows it is
  /// done at each edge. Whether the loop was met.
  bool copy(OpBuilder &b, Block &block) {
    for (Operation &op : block) {
      if (&op == loop.getOperation()) {
        copy(b, loop.getBody().front());
        return true;
      }
      if (auto choice = dyn_cast<graph::IfOp>(op)) {
        auto branch = b.create<graph::IfOp>(op.getLoc(), map.lookup(choice.getCondition()));
        OpBuilder::InsertionGuard guard(b);
        b.createBlock(&branch.getThenRegion());
        if (copy(b, choice.getThenRegion().front()))
          return true;
      } else if (auto update = dyn_cast<exec::UpdateOp>(op)) {
        if (update.getKind() == graph::UpdateKind::Assign)
          continue;
        exec::UpdateOp last = update.getIndices().empty() ? sums.lookup(update.getState()) : update;
        b.create<exec::UpdateOp>(op.getLoc(), b.getI1Type(), update.getKind(), exec::Sync::Atomic, last.getState(),
                                 ValueRange{map.lookup(own)}, map.lookup(update.getValue()), update.getChecked(),
                                 /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
      } else if (!isa<graph::StateOp>(op)) {
        b.clone(op, map);
      }
    }
    return false;
  }

  exec::ParallelOp kernel;
  Value own;
  exec::ForOp loop;
  llvm::SmallDenseMap<Value, exec::UpdateOp> sums; // local sum -> where it goes
  IRMapping map;
};

struct TurnSweeps : impl::TurnSweepsBase<TurnSweeps> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (runsOnDevice(algorithm) && algorithm.getNeeds() && algorithm.getNeeds()->contains("in_edges"))
        graph::walkHolders(algorithm, [&](graph::ForOp loop) {
          if (isSweep(loop))
            turn(loop);
        });
  }

  static void turn(graph::ForOp loop) {
    SmallVector<exec::ParallelOp> kernels(loop.getBody().front().getOps<exec::ParallelOp>());
    auto first = llvm::find_if(kernels, [](exec::ParallelOp kernel) { return kernel.getFromNextLevel(); });
    if (first == kernels.end())
      return;
    Turning turning(*first);
    if (!turning.fits())
      return;
    OpBuilder b(loop.getContext());
    b.setInsertionPointAfter(kernels.back());
    for (exec::ParallelOp kernel : kernels) {
      Operation *other = kernel == *first ? turning.build(b).getOperation() : b.clone(*kernel);
      cast<exec::ParallelOp>(other).setTurned(true);
      if (kernel == *first)
        cast<exec::ParallelOp>(other).setOverPrevious(true);
    }
  }
};

} // namespace
} // namespace gcompile
