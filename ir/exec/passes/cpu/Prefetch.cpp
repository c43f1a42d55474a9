#include "ir/analysis/Statement.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

#include <llvm/ADT/SetVector.h>

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_PREFETCH
#include "ir/exec/Passes.h.inc"

namespace {

/// What a push, or a kernel over a set, reads or writes first at the neighbours of its vertex, and the edge columns it
/// reads on the way, where these are in the order of its lists.
struct Neighbourhood {
  Value state;      // per vertex, or null
  bool written;     // at each arc, and not only where it is larger, say
  exec::ForOp loop; // in which it is
  SetVector<Value> columns;
  SetVector<Value> further; // other states that are written there, and wanted
};
/// Whether an operation writes an element without a look at it. To fetch an element to write takes its line from the
/// other threads: not where most arcs only look at it.
bool alwaysWrites(Operation *op) {
  auto update = dyn_cast<exec::UpdateOp>(op);
  return update && !graph::traits(update.getKind()).monotone;
}
/// Whether an operation behind the first one at a neighbour wants its element fetched: not if it only stores it, and so
/// does not wait for it, unless the first one writes at each arc, and this one so stores often.
bool wantsBehind(Operation *op, bool each) {
  auto update = dyn_cast<exec::UpdateOp>(op);
  return isa<exec::ClaimOp>(op) || (alwaysWrites(op) && (each || update.getKind() != graph::UpdateKind::Assign));
}

/// The state of which an operation reads or writes an element, and where; null: of none.
std::pair<Value, ValueRange> accessOf(Operation *op) {
  if (auto read = dyn_cast<graph::ReadOp>(op))
    return {read.getState(), read.getIndices()};
  if (auto claim = dyn_cast<exec::ClaimOp>(op))
    return {claim.getState(), claim.getIndices()};
  if (auto update = dyn_cast<exec::UpdateOp>(op))
    return {update.getState(), update.getIndices()};
  return {};
}
/// Whether it is one of a state that has a value for each vertex.
bool isPerVertex(Value state) { return cast<graph::StateType>(state.getType()).getShape() == graph::Shape::PerVertex; }

Neighbourhood neighbourhood(Region &push) {
  Neighbourhood found{};
  const graph::Domain along = exec::arcsAlong(push.getParentOp());
  push.walk<WalkOrder::PreOrder>([&](exec::ForOp loop) {
    if (loop.getDomain() != along || loop.getOver() != push.getArgument(0) || loop.getAbove() || loop.getBelow())
      return;
    Block &body = loop->getRegion(0).front();
    loop.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto [state, indices] = accessOf(op);
      if (!state || indices.size() != 1)
        return;
      bool there = indices[0] == body.getArgument(0) && isPerVertex(state);
      if (there && !found.state)
        found.state = state, found.loop = loop, found.written = alwaysWrites(op);
      else if (there && found.loop == loop && state != found.state && wantsBehind(op, found.written))
        found.further.insert(state);
      else if (indices[0] == body.getArgument(1) &&
               (along == graph::Domain::OutOf ? isa<BlockArgument>(state) : loop.getByPlace()))
        found.columns.insert(state);
    });
  });
  return found;
}

/// The states that a push, or a kernel over a set, reads or writes at its vertex itself.
SetVector<Value> ownStates(Region &push) {
  SetVector<Value> found;
  push.walk([&](Operation *op) {
    auto [state, indices] = accessOf(op);
    if (state && indices.size() == 1 && indices[0] == push.getArgument(0) && isPerVertex(state))
      found.insert(state);
  });
  return found;
}

/// `listed`: the vertices come from a list, one after the other.
void fetchAhead(Region &push, Location loc, bool listed) {
  Neighbourhood found = neighbourhood(push);
  if (!found.state)
    return;
  auto b = OpBuilder::atBlockBegin(&push.front());
  b.create<exec::PrefetchOp>(loc, found.state, found.columns.getArrayRef(), found.written);
  for (Value state : found.further.getArrayRef().take_front(2))
    b.create<exec::PrefetchFurtherOp>(loc, state, found.written);
  if (SetVector<Value> own = ownStates(push); listed && !own.empty())
    b.create<exec::PrefetchOwnOp>(loc, own.getArrayRef().take_front(3));
  // Where the loop goes by the arcs' places: columns may be those of another loop.
  const bool placed = found.loop.getDomain() == graph::Domain::OutOf || found.loop.getByPlace();
  if (Block &body = found.loop.getBody().front(); placed && !found.columns.empty())
    OpBuilder::atBlockBegin(&body).create<exec::PrefetchTargetOp>(loc, found.state, body.getArgument(1));
}

/// The branch that is all that a pull does after computing its condition, if the arcs into the vertex are visited in
/// it.
graph::IfOp conditionOfPull(Region &pull) {
  Block &body = pull.front();
  auto branch = body.empty() ? graph::IfOp() : dyn_cast<graph::IfOp>(body.back());
  if (!branch || !branch.getElseRegion().empty())
    return {};
  // Nothing but the condition is computed in front of it.
  for (Operation &op : body)
    if (&op != branch &&
        (!op.getDialect() || op.getDialect() != branch->getDialect() || op.getNumResults() != 1 ||
         llvm::any_of(op.getUsers(), [&](Operation *user) { return user != branch && branch->isAncestor(user); })))
      return {};
  bool visits = false;
  branch.getThenRegion().walk([&](exec::ForOp loop) {
    visits |= loop.getDomain() == exec::arcsAgainst(pull.getParentOp()) && loop.getOver() == pull.getArgument(0);
  });
  return visits ? branch : graph::IfOp();
}

/// Takes the condition of a pull out of it.
void selectVertices(Region &pull) {
  graph::IfOp branch = conditionOfPull(pull);
  if (!branch)
    return;
  Block &body = pull.front();
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  auto select = b.create<exec::SelectOp>(branch.getLoc());
  Block *where = b.createBlock(&select.getWhere());
  where->getOperations().splice(where->end(), body.getOperations(), std::next(select->getIterator()),
                                branch->getIterator());
  b.create<graph::YieldOp>(branch.getLoc(), branch.getCondition());
  Block &then = branch.getThenRegion().front();
  body.getOperations().splice(branch->getIterator(), then.getOperations());
  branch.erase();
}

/// Along the list of the vertex that an index knows as the best, its neighbours get other keys: some of them are the
/// best ones soon, and their lists are fetched.
void fetchLists(exec::ReindexOp reindex) {
  auto loop = reindex->getParentOfType<exec::ForOp>();
  if (!loop || loop.getDomain() != graph::Domain::OutOf)
    return;
  auto best = withoutLet(loop.getOver()).getDefiningOp<exec::IndexBestOp>();
  Block &body = loop.getBody().front();
  if (!best || best.getIndex() != reindex.getIndex() || reindex.getVertex() != body.getArgument(0))
    return;
  SetVector<Value> columns;
  loop.walk([&](graph::ReadOp read) {
    if (isOwn(read.getIndices(), body.getArgument(1)) && isa<BlockArgument>(read.getState()))
      columns.insert(read.getState());
  });
  reindex.getColumnsMutable().assign(columns.getArrayRef());
  reindex.setFetches(true);
}

struct Prefetch : impl::PrefetchBase<Prefetch> {
  void runOnOperation() override {
    getOperation().walk(fetchLists);
    graph::walkHolders(
        getOperation(),
        [](exec::PropagateOp propagate) {
          if (propagate.getSharing() == exec::Sharing::Serial)
            return;
          if (!propagate.getPull().empty())
            selectVertices(propagate.getPull());
          if (!propagate.getPush().empty())
            fetchAhead(propagate.getPush(), propagate.getLoc(), true);
        },
        [](exec::OrderedOp ordered) {
          if (ordered.getSharing() != exec::Sharing::Serial)
            fetchAhead(ordered.getPush(), ordered.getLoc(), false);
        },
        // Over all vertices, lists follow each other in memory.
        [](exec::ParallelOp kernel) {
          if (kernel.getSharing() != exec::Sharing::Serial && kernel.getDomain() == graph::Domain::Vertices &&
              kernel.getOver() && !kernel.getOver().getDefiningOp<graph::AllVerticesOp>())
            fetchAhead(kernel.getBody(), kernel.getLoc(), true);
        });
  }
};
} // namespace
} // namespace gcompile
