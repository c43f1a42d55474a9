// Which kernels the threads of a part share.
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/parts/Places.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CHOOSETHREADS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether the kernel visits vertices that the program lists: their work is less than what threads take to meet.
bool visitsFew(Operation *kernel) {
  auto over = llvm::TypeSwitch<Operation *, Value>(kernel)
                  .Case<exec::ParallelOp, exec::ReduceOp>([](auto op) { return op.getOver(); })
                  .Case([](exec::FilterOp op) { return Value(op.getSet()); })
                  .Default(Value());
  return over && withoutLet(over).getDefiningOp<graph::SetOfOp>();
}

/// Whether the order of its updates shows in the result.
bool rounds(graph::UpdateKind kind, Type element) { return isa<FloatType>(element) && !graph::traits(kind).monotone; }

/// Whether iterations of the kernel add to a real number of the program, each thread to one of its own.
bool addsReals(exec::ParallelOp kernel) {
  return kernel
      ->walk([](exec::UpdateOp update) {
        auto state = cast<graph::StateType>(update.getState().getType());
        return update.getSync() == exec::Sync::Private && state.getShape() == graph::Shape::Scalar &&
                       rounds(update.getKind(), state.getElement())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

struct ChooseThreads : impl::ChooseThreadsBase<ChooseThreads> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (exec::isKernel(op) && (exec::isSerial(op) || visitsFew(op)))
        return useOneThread(op);
      if (auto kernel = dyn_cast<exec::ParallelOp>(op)) {
        kernel.setOrderedSums(addsReals(kernel));
      } else if (auto reduce = dyn_cast<exec::ReduceOp>(op); reduce && exec::isKernel(op)) {
        reduce.setOrderedSums(reduce.getKind() == graph::ReduceKind::Sum && isa<FloatType>(reduce.getType()));
      }
    });
  }
};

} // namespace
} // namespace gcompile
