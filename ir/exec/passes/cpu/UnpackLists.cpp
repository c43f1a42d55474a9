#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_UNPACKLISTS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether each run of the kernel's body comes to the operation, once, and a loop runs to its end.
bool runsAlways(Operation *op, exec::ParallelOp kernel) {
  for (op = op->getParentOp(); op != kernel; op = op->getParentOp())
    if (auto reduce = dyn_cast<exec::ReduceOp>(op); !reduce || graph::traits(reduce.getKind()).decides)
      return false;
  return true;
}

/// Whether the loop visits all neighbours in a list, as the list stands.
bool visitsWholeList(exec::ForOp loop) {
  Block &body = loop.getBody().front();
  if ((loop.getDomain() != graph::Domain::OutOf && loop.getDomain() != graph::Domain::Into) ||
      !body.getArgument(1).use_empty() || loop.getAbove() || loop.getBelow() || loop.getShareLists() ||
      (!body.empty() && isa<exec::SelectOp>(body.front())))
    return false;
  return !loop.walk([](Operation *op) {
                return isa<exec::BreakOp, graph::BreakOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

std::optional<exec::Unpack> unpackedIn(exec::ParallelOp kernel) {
  Value v = kernel.getBody().getArgument(0);
  std::optional<exec::Unpack> all;
  auto note = [&](exec::Unpack one) { all = all ? *all | one : one; };
  kernel.getBody().walk([&](Operation *op) {
    if (auto loop = dyn_cast<exec::ForOp>(op);
        loop && loop.getOver() == v && visitsWholeList(loop) && runsAlways(op, kernel))
      note(loop.getDomain() == graph::Domain::OutOf ? exec::Unpack::OutLists : exec::Unpack::InLists);
    if (auto degree = dyn_cast<graph::DegreeOp>(op);
        degree && degree.getVertex() == v && degree.getSide() != graph::Side::Both && runsAlways(op, kernel))
      note(degree.getSide() == graph::Side::Out ? exec::Unpack::OutDegrees : exec::Unpack::InDegrees);
  });
  return all;
}

struct UnpackLists : impl::UnpackListsBase<UnpackLists> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf() || !algorithm.getNeeds() || !algorithm.getNeeds()->contains("packed"))
        continue;
      algorithm.walk([&](exec::ParallelOp kernel) {
        if (runsForAllVertices(kernel) && !exec::isTransposed(kernel))
          if (std::optional<exec::Unpack> unpack = unpackedIn(kernel))
            kernel.setUnpack(*unpack);
      });
    }
  }
};

} // namespace
} // namespace gcompile
