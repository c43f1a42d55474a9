#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CHOOSEGRAINS
#include "ir/exec/Passes.h.inc"

namespace {

bool isPart(Value set) { return set && !set.getDefiningOp<graph::AllVerticesOp>(); }

/// Elements that a thread takes at a time, where they are shared out as threads come free.
std::uint64_t grainOver(graph::Domain domain, Value over) {
  switch (domain) {
  case graph::Domain::Vertices:
    return isPart(over) ? 64 : 256;
  case graph::Domain::Pairs: // rows
    return 16;
  default: // arcs
    return 4096;
  }
}

/// Whether the kernel visits all pairs of vertices, or a loop in it all vertices.
bool visitsPairs(exec::Kernel kernel) {
  auto over = [](auto op) { return op.getDomain() == graph::Domain::Pairs; };
  if (auto parallel = dyn_cast<exec::ParallelOp>(*kernel); parallel && over(parallel))
    return true;
  if (auto reduce = dyn_cast<exec::ReduceOp>(*kernel); reduce && over(reduce))
    return true;
  bool found = false;
  kernel->walk([&](Operation *inner) {
    if (auto loop = dyn_cast<exec::ForOp>(inner))
      found |= loop.getDomain() == graph::Domain::Vertices;
    else if (auto reduce = dyn_cast<exec::ReduceOp>(inner); reduce && inner != kernel)
      found |= reduce.getDomain() == graph::Domain::Vertices;
  });
  return found;
}

struct ChooseGrains : impl::ChooseGrainsBase<ChooseGrains> {
  void runOnOperation() override {
    graph::walkHolders(
        getOperation(), [](exec::Kernel kernel) { kernel.setOverPairs(visitsPairs(kernel)); },
        [](exec::ParallelOp kernel) {
          // A part of a segment is a grain by itself.
          kernel.setGrain(exec::goesBySegments(kernel) ? 1 : grainOver(kernel.getDomain(), kernel.getOver()));
          kernel.setMayRunAlone(isPart(kernel.getOver()));
        },
        [](exec::ReduceOp kernel) {
          if (kernel.getDomain())
            kernel.setGrain(grainOver(*kernel.getDomain(), kernel.getOver()));
        },
        [](exec::FilterOp kernel) { kernel.setGrain(grainOver(graph::Domain::Vertices, kernel.getSet())); },
        [](exec::OrderedOp kernel) { kernel.setMayRunAlone(true); },      // a short bucket
        [](exec::AsynchronousOp kernel) { kernel.setMayRunAlone(true); }, // while little waits
        [](exec::PropagateOp propagate) {
          // Of a pull: a whole block of vertices that are selected before, vertices of equal work, or of work that
          // varies.
          bool selects =
              !exec::isAbsent(propagate.getPull()) && isa<exec::SelectOp>(propagate.getPull().front().front());
          propagate.setGrain(selects ? 1 : propagate.getSharing() == exec::Sharing::Static ? 4096 : 1024);
          if (!exec::isAbsent(propagate.getCommit()))
            propagate.setCommitGrain(1024);
          propagate.setMayRunAlone(true); // a push from a short frontier
        });
  }
};

} // namespace
} // namespace gcompile
