#include "ir/graph/passes/Placement.h"
#include "ir/exec/Kernels.h"
#include "ir/schedule/Schedule.h"

using namespace mlir;

namespace gcompile {

/// Whether a loop looks at vertices alone, and writes nothing that depends on the order of its turns.
static bool isCheapLoop(graph::ForOp loop) {
  if (loop.getSequential() || loop.getDomain() != graph::Domain::Vertices)
    return false;
  return !loop->walk([&](Operation *op) {
                bool ends = isa<graph::YieldOp>(op) || op == loop;
                bool writes = isa<graph::UpdateOp>(op) && cast<graph::UpdateOp>(op).getIndices().size() == 1;
                return ends || writes || isPlainValue(op) || isa<graph::IfOp>(op) ? WalkResult::advance()
                                                                                  : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool isCheap(Operation *statement) {
  if (auto loop = dyn_cast<graph::ForOp>(statement))
    return isCheapLoop(loop);
  return isa<graph::StateOp, graph::UpdateOp>(statement) || isPlainValue(statement);
}

exec::Side wantedSide(Operation *op) {
  auto on = schedule::said<schedule::On>(op);
  return on.is(schedule::On::Cpu) ? exec::Side::Cpu : on.is(schedule::On::Gpu) ? exec::Side::Gpu : exec::Side::Chosen;
}

} // namespace gcompile
