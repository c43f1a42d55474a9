#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_KEEPINDEX
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether the operation computes the key of one vertex, or whether it has one: from what `v` has, from scalars and
/// from arguments. Notes the states that it reads.
bool isOfKey(Operation *op, Value v, SetVector<Value> &states) {
  if (auto read = dyn_cast<graph::ReadOp>(op)) {
    auto type = cast<graph::StateType>(read.getState().getType());
    bool at = type.getShape() == graph::Shape::PerVertex ? read.getIndices().size() == 1 && read.getIndices()[0] == v
                                                         : type.getShape() == graph::Shape::Scalar;
    Operation *state = read.getState().getDefiningOp();
    states.insert(read.getState());
    return at && !read.getChecked() && !isa<graph::SetType>(read.getType()) && (!state || isa<graph::StateOp>(state));
  }
  return !exec::isChecked(op) &&
         isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp, graph::CastOp,
             graph::HashOp, graph::TupleOp, graph::ElementOp, graph::DegreeOp, graph::NumVerticesOp, graph::NumEdgesOp,
             graph::LetOp, graph::LogicOp, graph::ConditionalOp, graph::IfOp, graph::YieldOp, exec::ContributeOp>(op);
}

/// The vertex at which the operation changes one of its states and nothing else, or null.
Value changedVertex(Operation *op) {
  if (auto update = dyn_cast<exec::UpdateOp>(op))
    return update.getIndices().size() == 1 ? update.getIndices()[0] : Value();
  if (auto update = dyn_cast<exec::UpdateTupleOp>(op))
    return update.getIndex();
  return {};
}

/// A search of all vertices for the best key, in a sequential loop that changes keys at single vertices.
struct Search {
  exec::ReduceOp reduce;
  Operation *loop;
  SetVector<Value> states;
  SmallVector<Operation *> changes;
};

bool isSearch(exec::ReduceOp reduce, SetVector<Value> &states) {
  using Kind = graph::ReduceKind;
  Kind kind = reduce.getKind();
  if ((kind != Kind::ArgMin && kind != Kind::ArgMax && kind != Kind::Min && kind != Kind::Max) ||
      reduce.getDomain() != graph::Domain::Vertices || !reduce.getOver().getDefiningOp<graph::AllVerticesOp>())
    return false;
  BlockArgument v = reduce.getBody().getArgument(0);
  unsigned contributions = 0;
  bool fits = true;
  reduce.getBody().walk([&](Operation *op) {
    fits &= isOfKey(op, v, states);
    if (auto contribute = dyn_cast<exec::ContributeOp>(op)) {
      ++contributions;
      fits &= !contribute.getWitness() || contribute.getWitness() == v;
    }
    for (Value operand : op->getOperands()) {
      // A value of the loop may be another in the next turn.
      Operation *def = operand.getDefiningOp();
      fits &= !def || reduce->isAncestor(def) || isa<graph::StateOp>(def);
    }
  });
  return fits && contributions == 1;
}

/// Whether the loop changes what the keys are computed from, and that at single vertices, outside of kernels.
bool changesFewKeys(Search &search) {
  bool fits = true;
  for (Value state : search.states)
    fits &= !state.getDefiningOp() || !search.loop->isAncestor(state.getDefiningOp());
  search.loop->walk([&](Operation *op) {
    if (isa<graph::ReadOp>(op) || llvm::none_of(op->getOperands(), [&](Value v) { return search.states.contains(v); }))
      return;
    bool alone = changedVertex(op) != nullptr;
    for (Operation *around = op->getParentOp(); alone && around != search.loop; around = around->getParentOp())
      alone = !isKernel(around) && !isa<exec::ClosePairsOp>(around);
    fits &= alone;
    search.changes.push_back(op);
  });
  return fits && !search.changes.empty();
}

struct KeepIndex : impl::KeepIndexBase<KeepIndex> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      SmallVector<exec::ReduceOp> reductions;
      algorithm.walk([&](exec::ReduceOp reduce) { reductions.push_back(reduce); });
      for (exec::ReduceOp reduce : reductions) {
        Search search{reduce, reduce->getParentOp(), {}, {}};
        while (isa<graph::IfOp>(search.loop))
          search.loop = search.loop->getParentOp();
        if (isa<graph::WhileOp, graph::RepeatOp, graph::ForOp>(search.loop) && isSearch(reduce, search.states) &&
            changesFewKeys(search))
          keep(search);
      }
    }
  }

private:
  static void keep(const Search &search) {
    exec::ReduceOp reduce = search.reduce;
    OpBuilder b(search.loop);
    Location loc = reduce.getLoc();
    using Kind = graph::ReduceKind;
    bool least = reduce.getKind() == Kind::ArgMin || reduce.getKind() == Kind::Min;
    auto index = b.create<exec::KeepIndexOp>(loc, graph::KeptIndexType::get(b.getContext()), reduce.getNameAttr(),
                                             least ? Kind::ArgMin : Kind::ArgMax, reduce.getNamesAttr());
    index.getKeys().takeBody(reduce.getBody());
    index.getKeys().walk([&](exec::ContributeOp contribute) {
      if (!contribute.getWitness())
        contribute.getWitnessMutable().assign(index.getKeys().getArgument(0));
    });
    b.setInsertionPoint(reduce);
    bool key = reduce.getKind() == Kind::Min || reduce.getKind() == Kind::Max;
    reduce.replaceAllUsesWith(b.create<exec::IndexBestOp>(loc, reduce.getType(), index, key).getBest());
    reduce.erase();
    for (Operation *change : search.changes) {
      b.setInsertionPointAfter(change);
      // An assignment does not say whether it changed anything.
      auto update = dyn_cast<exec::UpdateOp>(change);
      if (!update || update.getKind() != graph::UpdateKind::Assign) {
        auto changed = b.create<graph::IfOp>(change->getLoc(), change->getResult(0));
        b.createBlock(&changed.getThenRegion());
      }
      b.create<exec::ReindexOp>(change->getLoc(), index, changedVertex(change));
    }
  }
};

} // namespace
} // namespace gcompile
