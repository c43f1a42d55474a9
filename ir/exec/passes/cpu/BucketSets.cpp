#include "ir/analysis/Statement.h"
#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_BUCKETSETS
#include "ir/exec/Passes.h.inc"

namespace {

/// A search of a set by a property: `min(v in S : p[v])`, or `{v in S where p[v] <= bound}`.
struct SetSearch {
  Operation *op;               // exec.reduce or exec.filter
  Value set, priority;         // the states
  graph::BinaryKind kind = {}; // of a filter: the comparison, priority first
  Value bound = {};            // of a filter: inside of its region
};

/// The state that a set was read from, or null.
Value stateOf(Value set) {
  auto read = set ? set.getDefiningOp<graph::ReadOp>() : graph::ReadOp();
  return read && read.getIndices().empty() && isa<graph::StateOp>(read.getState().getDefiningOp()) ? read.getState()
                                                                                                   : Value();
}

/// The integer per-vertex state that `value` reads at `v`, or null.
Value priorityAt(Value value, Value v) {
  auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
  if (!read || read.getIndices().size() != 1 || read.getIndices()[0] != v || read.getChecked() ||
      !read.getState().getDefiningOp<graph::StateOp>())
    return {};
  Type element = read.getState().getType().getElement();
  return element.isInteger(32) || element.isInteger(64) ? read.getState() : Value();
}

/// Whether the operations of a region that give `bound` may stand in front of its operation: they depend on nothing in
/// the region and cannot fail.
bool canStandBefore(Value bound, Region &region) {
  if (!region.isAncestor(bound.getParentRegion()))
    return true;
  Operation *op = bound.getDefiningOp();
  return op && op->getParentRegion() == &region && op->getNumRegions() == 0 && !exec::isChecked(op) &&
         !isa<graph::CallOp, graph::ForeignCallOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return canStandBefore(operand, region); });
}

std::optional<SetSearch> asSearch(Operation *op) {
  if (auto reduce = dyn_cast<exec::ReduceOp>(op)) {
    if (reduce.getKind() != graph::ReduceKind::Min || reduce.getDomain() != graph::Domain::Vertices)
      return std::nullopt;
    Block &body = reduce.getBody().front();
    auto contribute = dyn_cast<exec::ContributeOp>(body.back());
    Value priority = contribute ? priorityAt(contribute.getValue(), body.getArgument(0)) : Value();
    Value set = stateOf(reduce.getOver());
    if (!set || !priority || std::distance(body.begin(), body.end()) != 2)
      return std::nullopt;
    return SetSearch{op, set, priority};
  }
  if (auto filter = dyn_cast<exec::FilterOp>(op)) {
    Region &where = filter.getWhere();
    auto compare = yielded(where).getDefiningOp<graph::BinaryOp>();
    Value set = stateOf(filter.getSet());
    if (!compare || !set)
      return std::nullopt;
    using Kind = graph::BinaryKind;
    Kind kind = compare.getKind();
    Value low = compare.getLhs(), high = compare.getRhs();
    if (kind == Kind::Gt || kind == Kind::Ge || (kind == Kind::Eq && !priorityAt(low, where.getArgument(0))))
      std::swap(low, high);
    kind = kind == Kind::Gt ? Kind::Lt : kind == Kind::Ge ? Kind::Le : kind;
    Value priority = priorityAt(low, where.getArgument(0));
    if ((kind != Kind::Lt && kind != Kind::Le && kind != Kind::Eq) || !priority || !canStandBefore(high, where))
      return std::nullopt;
    return SetSearch{op, set, priority, kind, high};
  }
  return std::nullopt;
}

/// Whether an update of a set only takes members out.
bool shrinks(exec::UpdateOp update) {
  if (update.getKind() == graph::UpdateKind::And)
    return true;
  auto algebra = update.getValue().getDefiningOp<graph::SetAlgebraOp>();
  return update.getKind() == graph::UpdateKind::Assign && algebra && algebra.getKind() != graph::SetKind::Union &&
         stateOf(algebra.getLhs()) == update.getState();
}

/// The updates of the priority in the loop, if buckets can follow them and pay: each changes the elements of a part of
/// the vertices only.
std::optional<SmallVector<exec::UpdateOp>> changes(Operation *loop, const SetSearch &search) {
  SmallVector<exec::UpdateOp> updates;
  bool possible = !loop->isAncestor(search.set.getDefiningOp()) && !loop->isAncestor(search.priority.getDefiningOp());
  loop->walk([&](Operation *op) {
    if (llvm::is_contained(op->getOperands(), search.set)) {
      auto update = dyn_cast<exec::UpdateOp>(op);
      possible &= isa<graph::ReadOp>(op) || (update && shrinks(update));
    }
    if (!llvm::is_contained(op->getOperands(), search.priority) || isa<graph::ReadOp, exec::SnapshotOp>(op))
      return;
    auto update = dyn_cast<exec::UpdateOp>(op);
    possible &= update && !op->getParentOfType<exec::PropagateOp>() && !op->getParentOfType<exec::OrderedOp>() &&
                !op->getParentOfType<exec::AsynchronousOp>();
    if (!update)
      return;
    updates.push_back(update);
    if (auto kernel = op->getParentOfType<exec::ParallelOp>())
      possible &= kernel.getDomain() == graph::Domain::Vertices &&
                  !kernel.getOver().getDefiningOp<graph::AllVerticesOp>() && stateOf(kernel.getOver()) != search.set;
  });
  return possible ? std::optional(updates) : std::nullopt;
}

struct BucketSets : impl::BucketSetsBase<BucketSets> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      SmallVector<SetSearch> searches;
      algorithm.walk([&](Operation *op) {
        if (auto search = asSearch(op))
          searches.push_back(*search);
      });
      DenseMap<std::tuple<Operation *, Value, Value>, Value> made;
      for (const SetSearch &search : searches)
        replace(search, made);
    }
  }

  static void replace(const SetSearch &search, DenseMap<std::tuple<Operation *, Value, Value>, Value> &made) {
    Operation *loop = search.op->getParentOp();
    while (isa<graph::IfOp>(loop))
      loop = loop->getParentOp();
    if (!isa<graph::WhileOp, graph::RepeatOp, graph::ForOp>(loop))
      return;
    Value &buckets = made[{loop, search.set, search.priority}];
    if (!buckets) {
      auto updates = changes(loop, search);
      if (!updates)
        return;
      buckets = start(loop, search, *updates);
    }
    OpBuilder b(search.op);
    Location loc = search.op->getLoc();
    if (search.bound) {
      moveBefore(search.bound, search.op);
      search.op->replaceAllUsesWith(b.create<exec::BucketSelectOp>(loc, search.kind, buckets, search.bound));
    } else {
      search.op->replaceAllUsesWith(b.create<exec::BucketMinOp>(loc, search.op->getResult(0).getType(), buckets));
    }
    search.op->erase();
  }

  static Value start(Operation *loop, const SetSearch &search, ArrayRef<exec::UpdateOp> updates) {
    OpBuilder b(loop);
    auto name = [](Value state) { return cast<graph::StateOp>(state.getDefiningOp()).getName().str(); };
    Value buckets = b.create<exec::BucketsOp>(loop->getLoc(), name(search.set) + "_by_" + name(search.priority),
                                              search.set, search.priority);
    for (exec::UpdateOp update : updates) {
      Location loc = update.getLoc();
      b.setInsertionPointAfter(update);
      auto changed = b.create<graph::IfOp>(loc, update.getChanged());
      b.createBlock(&changed.getThenRegion());
      b.create<exec::MoveOp>(loc, buckets, update.getIndices()[0]);
    }
    return buckets;
  }

  /// Moves what `value` is computed from out of the region of `op`.
  static void moveBefore(Value value, Operation *op) {
    Operation *def = value.getDefiningOp();
    if (!def || !op->isProperAncestor(def))
      return;
    for (Value operand : def->getOperands())
      moveBefore(operand, op);
    def->moveBefore(op);
  }
};
} // namespace
} // namespace gcompile
