#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// Whether something in the push is in the row of the vertex: a loop over vertices has the row at hand.
bool asksForRow(exec::PropagateOp propagate) {
  Value vertex = propagate.getPush().getArgument(0);
  return llvm::any_of(vertex.getUsers(), [&](Operation *user) {
    return llvm::TypeSwitch<Operation *, bool>(user)
        .Case<graph::ReadOp, exec::UpdateOp, exec::UpdateTupleOp, exec::ClaimOp>(
            [&](auto o) { return o.getIndices().size() == 2 && o.getIndices()[0] == vertex; })
        .Default(false);
  });
}

/// The loop over the list of a vertex, if the push does nothing else and the loop only goes from one end of each arc to
/// the other; null if not.
exec::ForOp onlyAlongArcs(exec::PropagateOp propagate) {
  exec::ForOp found;
  if (!propagate.getShareLists() || asksForRow(propagate))
    return {};
  for (Operation &each : propagate.getPush().front()) {
    if (isa<exec::PrefetchOp, exec::PrefetchFurtherOp, exec::PrefetchOwnOp>(each))
      continue;
    auto loop = dyn_cast<exec::ForOp>(each);
    if (found || !loop || !loop.getShareLists())
      return {};
    found = loop;
  }
  if (!found)
    return {};
  Block &body = found.getBody().front();
  const bool leaves = found.walk([](exec::RequireOp) { return WalkResult::interrupt(); }).wasInterrupted();
  const bool selects = !body.empty() && isa<exec::SelectOp>(body.front());
  return leaves || selects || !body.getArgument(1).use_empty() ? exec::ForOp() : found;
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
      graph::walkHolders(algorithm, [](exec::PropagateOp propagate) {
        if (exec::ForOp loop = onlyAlongArcs(propagate))
          loop.setUnpack(true);
      });
    }
  }
};

} // namespace
} // namespace gcompile
