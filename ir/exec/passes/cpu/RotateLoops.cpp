#include "ir/analysis/Failures.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_ROTATELOOPS
#include "ir/exec/Passes.h.inc"

namespace {

/// A loop whose first kernel only computes states of each vertex from others of it.
class Rotation {
public:
  Rotation(Operation *loop, Block &body) : loop(loop), body(body) {}

  void run() {
    if (!findFirst() || !ownsWhatItWrites() || !findLast(body))
      return;
    for (exec::ParallelOp kernel : last)
      extend(kernel);
    Operation *set = first.getOver().getDefiningOp();
    first->moveBefore(loop);
    if (loop->isAncestor(set))
      first.getOverMutable().assign(OpBuilder(first).clone(*set)->getResult(0));
  }

private:
  /// The first statement of a turn: a kernel over all vertices that writes states at its vertex, each time, and reads
  /// only there.
  bool findFirst() {
    for (Operation &op : body) {
      if (isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::AllVerticesOp>(op))
        continue;
      first = dyn_cast<exec::ParallelOp>(op);
      break;
    }
    if (!first || !runsForAllVertices(first))
      return false;
    Value v = first.getBody().getArgument(0);
    for (Operation &op : first.getBody().front()) {
      bool fits = isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp, graph::CastOp,
                      graph::DegreeOp, graph::NumVerticesOp, graph::NumEdgesOp, graph::LetOp>(op);
      if (auto read = dyn_cast<graph::ReadOp>(op)) {
        fits = isOwn(read.getIndices(), v);
        read_.insert(read.getState());
      } else if (auto update = dyn_cast<exec::UpdateOp>(op)) {
        fits = assignsOwn(update, v);
        written.insert(update.getState());
      }
      if (!fits || mayFail(&op) || llvm::any_of(op.getOperands(), [&](Value each) { return isOfTurn(each); }))
        return false;
    }
    return !written.empty() && llvm::none_of(written, [&](Value state) { return read_.contains(state); });
  }

  /// Whether the value is computed in each turn, outside of the first kernel.
  bool isOfTurn(Value value) const {
    Region *region = value.getParentRegion();
    return loop->isAncestor(region->getParentOp()) && !first->isAncestor(region->getParentOp());
  }

  /// Whether what the first kernel writes is written by it alone, and read only behind it in the same turn.
  bool ownsWhatItWrites() const {
    return llvm::all_of(written, [&](Value state) {
      auto declaration = state.getDefiningOp<graph::StateOp>();
      return declaration && declaration.getTemporary() && !declaration.getOutput() && !loop->isAncestor(declaration) &&
             llvm::all_of(state.getUsers(), [&](Operation *user) {
               return isa<exec::UpdateOp>(user) ? first->isAncestor(user)
                                                : isa<graph::ReadOp>(user) && body.findAncestorOpInBlock(*user);
             });
    });
  }

  /// Collects the last kernels of all ways through a block; false where one of them cannot take the first one's work.
  bool findLast(Block &block) {
    if (block.empty())
      return false;
    if (auto choice = dyn_cast<graph::IfOp>(block.back()))
      return !choice.getElseRegion().empty() && findLast(choice.getThenRegion().front()) &&
             findLast(choice.getElseRegion().front());
    auto kernel = dyn_cast<exec::ParallelOp>(block.back());
    if (!kernel || kernel == first || !runsForAllVertices(kernel))
      return false;
    // What the first kernel reads is the vertex's own there too.
    Value v = kernel.getBody().getArgument(0);
    const bool known = !kernel
                            ->walk([&](Operation *op) {
                              bool fits = true;
                              if (auto update = dyn_cast<exec::UpdateOp>(op))
                                fits = !read_.contains(update.getState()) || isOwn(update.getIndices(), v);
                              else if (!isa<graph::ReadOp>(op))
                                fits = llvm::none_of(op->getOperands(), [&](Value each) {
                                  return read_.contains(each) || written.contains(each);
                                });
                              return fits ? WalkResult::advance() : WalkResult::interrupt();
                            })
                            .wasInterrupted();
    if (known)
      last.push_back(kernel);
    return known;
  }

  /// Has a last kernel do the first one's work of the next turn. What it reads of the states that it writes now is of
  /// this turn.
  void extend(exec::ParallelOp kernel) {
    for (Value state : written) {
      SmallVector<graph::ReadOp> reads;
      kernel.walk([&](graph::ReadOp read) {
        if (read.getState() == state)
          reads.push_back(read);
      });
      if (reads.empty())
        continue;
      auto sharing = kernel.getSharing() == exec::Sharing::Serial ? exec::Sharing::Serial : exec::Sharing::Static;
      Value before = OpBuilder(kernel).create<exec::SnapshotOp>(kernel.getLoc(), exec::nameOf(state) + "_before", state,
                                                                Value(), Value(), sharing);
      for (graph::ReadOp read : reads)
        read.getStateMutable().assign(before);
    }
    IRMapping map;
    map.map(first.getBody().getArgument(0), kernel.getBody().getArgument(0));
    OpBuilder b = OpBuilder::atBlockEnd(&kernel.getBody().front());
    for (Operation &op : first.getBody().front())
      b.clone(op, map);
  }

  Operation *loop;
  Block &body;
  exec::ParallelOp first;
  llvm::SmallDenseSet<Value> read_;
  llvm::SmallSetVector<Value, 2> written;
  SmallVector<exec::ParallelOp, 2> last;
};

struct RotateLoops : impl::RotateLoopsBase<RotateLoops> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (!algorithm.getSerialOf())
        graph::walkHolders(
            algorithm, [](graph::RepeatOp loop) { Rotation(loop, loop.getBody().front()).run(); },
            [](graph::WhileOp loop) { Rotation(loop, loop.getBody().front()).run(); });
  }
};

} // namespace
} // namespace gcompile
