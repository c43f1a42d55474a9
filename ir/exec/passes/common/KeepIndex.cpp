#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Domains.h"
#include "ir/graph/Walk.h"
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
  auto only = [](auto update) { return update.getIndices().size() == 1 ? update.getIndices()[0] : Value(); };
  if (auto update = dyn_cast<exec::UpdateOp>(op))
    return only(update);
  if (auto claim = dyn_cast<exec::ClaimOp>(op))
    return only(claim);
  if (auto update = dyn_cast<exec::UpdateTupleOp>(op))
    return only(update);
  return {};
}

/// A change of what keys are computed from, at a single vertex.
struct Change {
  Operation *op;
  exec::ParallelOp kernel; // that it is part of, or null
};

/// A search of all vertices for the best key, in a sequential loop that changes few keys in a turn; or what is missing,
/// in words that fit after "because".
class KeptSearch {
public:
  explicit KeptSearch(exec::ReduceOp reduce) : reduce(reduce), loop(reduce->getParentOp()) {
    while (isa<graph::IfOp>(loop))
      loop = loop->getParentOp();
  }

  /// Whether it is a search of all vertices in every turn of a loop, for which one may expect an index.
  bool isMeant() {
    using Kind = graph::ReduceKind;
    Kind kind = reduce.getKind();
    return isa<graph::WhileOp, graph::RepeatOp, graph::ForOp>(loop) &&
           (kind == Kind::ArgMin || kind == Kind::ArgMax || kind == Kind::Min || kind == Kind::Max) &&
           reduce.getDomain() == graph::Domain::Vertices && reduce.getOver().getDefiningOp<graph::AllVerticesOp>();
  }
  bool fits(bool onDevice) { return hasKeys(onDevice) && changesFewKeys() && (!onDevice || goesAlongSingleLists()); }

  exec::ReduceOp reduce;
  Operation *loop;
  SmallVector<Change> changes;
  std::string missing;

private:
  bool lacks(const std::string &what) {
    missing = what;
    return false;
  }
  static std::string quoted(Value state) { return "'" + graph::nameOf(state) + "'"; }

  /// `words`: only numbers and ids may be keys.
  bool hasKeys(bool words) {
    BlockArgument v = reduce.getBody().getArgument(0);
    unsigned contributions = 0;
    bool own = true, lasting = true;
    reduce.getBody().walk([&](Operation *op) {
      own &= isOfKey(op, v, states);
      if (auto contribute = dyn_cast<exec::ContributeOp>(op)) {
        ++contributions;
        own &= !contribute.getWitness() || contribute.getWitness() == v;
      }
      for (Value operand : op->getOperands()) {
        // A value of the loop may be another in the next turn.
        Operation *def = operand.getDefiningOp();
        lasting &= !def || reduce->isAncestor(def) || isa<graph::StateOp>(def);
      }
    });
    if (!own || contributions != 1)
      return lacks("its key is computed from more than what the vertex has itself");
    bool tuples = false;
    reduce.walk([&](exec::ContributeOp contribute) { tuples |= isa<TupleType>(contribute.getValue().getType()); });
    if (words && tuples)
      return lacks("its keys are tuples");
    return lasting || lacks("its keys depend on a value that each turn computes");
  }

  /// Whether the loop changes what the keys are computed from, and that at single vertices.
  bool changesFewKeys() {
    for (Value state : states)
      if (state.getDefiningOp() && loop->isAncestor(state.getDefiningOp()))
        return lacks(quoted(state) + " is new in every turn");
    WalkResult found = loop->walk([&](Operation *op) {
      if (isa<graph::ReadOp, exec::SnapshotOp>(op))
        return WalkResult::advance();
      for (Value operand : op->getOperands())
        if (states.contains(operand))
          return takes(op, operand) ? WalkResult::advance() : WalkResult::interrupt();
      return WalkResult::advance();
    });
    return !found.wasInterrupted() && (!changes.empty() || lacks("the loop changes no key"));
  }

  /// Takes a change of a state, if it is one of single vertices.
  bool takes(Operation *op, Value state) {
    Value at = changedVertex(op);
    if (!at && cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Scalar)
      return lacks("all keys depend on " + quoted(state) + ", which the loop changes");
    if (!at)
      return lacks("the loop changes " + quoted(state) + " of all vertices at once");
    Operation *around = op->getParentOp();
    while (around != loop && !isKernel(around) && !isa<exec::ClosePairsOp>(around))
      around = around->getParentOp();
    if (around == loop) {
      changes.push_back({op, {}});
      return true;
    }
    auto kernel = dyn_cast<exec::ParallelOp>(around);
    if (!kernel)
      return lacks("a 'propagate' changes " + quoted(state));
    if (kernel.getDomain() != graph::Domain::Vertices || kernel.getOver().getDefiningOp<graph::AllVerticesOp>())
      return lacks("a statement over the whole graph changes " + quoted(state));
    changes.push_back({op, kernel});
    return true;
  }

  /// Whether all kernels of the loop but the search are one thread's, or for a single vertex. Where many blocks run
  /// the others, they search as fast as they follow changes.
  bool goesAlongSingleLists() {
    bool single = true;
    loop->walk([&](Operation *op) {
      if (!exec::isKernel(op) || op == reduce || isa<exec::OnceOp>(op))
        return WalkResult::advance();
      auto kernel = dyn_cast<exec::ParallelOp>(op);
      single &= kernel && graph::onlyMember(kernel.getOver());
      return WalkResult::skip();
    });
    return single;
  }

  SetVector<Value> states;
};

struct KeepIndex : impl::KeepIndexBase<KeepIndex> {
  using KeepIndexBase::KeepIndexBase;

  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      SmallVector<exec::ReduceOp> reductions;
      graph::walkHolders(algorithm, [&](exec::ReduceOp reduce) { reductions.push_back(reduce); });
      for (exec::ReduceOp reduce : reductions)
        if (KeptSearch search(reduce); search.isMeant()) {
          if (search.fits(onDevice))
            keep(search);
          else if (!search.missing.empty())
            note(search);
        }
    }
  }

private:
  /// For --explain.
  static void note(const KeptSearch &search) {
    MLIRContext *context = search.loop->getContext();
    graph::Fact fact = graph::SearchFactAttr::get(context, LocationAttr(graph::spelled(search.reduce->getLoc())),
                                                  StringAttr::get(context, search.missing));
    graph::addFacts(search.loop, fact);
  }

  void keep(const KeptSearch &search) {
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
    if (onDevice)
      b.create<exec::ReindexNotedOp>(loc, index);
    reduce.replaceAllUsesWith(b.create<exec::IndexBestOp>(loc, reduce.getType(), index, key).getBest());
    reduce.erase();
    SetVector<Operation *> kernels;
    for (auto [op, kernel] : search.changes) {
      b.setInsertionPointAfter(op);
      // An assignment does not say whether it changed anything.
      auto update = dyn_cast<exec::UpdateOp>(op);
      if (!update || update.getKind() != graph::UpdateKind::Assign) {
        auto changed = b.create<graph::IfOp>(op->getLoc(), op->getResult(0));
        b.createBlock(&changed.getThenRegion());
      }
      if (kernel) {
        b.create<exec::NoteChangeOp>(op->getLoc(), index, changedVertex(op));
        kernels.insert(kernel);
      } else {
        b.create<exec::ReindexOp>(op->getLoc(), index, changedVertex(op), ValueRange(), /*fetches=*/false);
      }
    }
    for (Operation *kernel : onDevice ? ArrayRef<Operation *>() : kernels.getArrayRef()) {
      b.setInsertionPointAfter(kernel);
      b.create<exec::ReindexNotedOp>(kernel->getLoc(), index);
    }
  }
};

} // namespace
} // namespace gcompile
