// Makes of a kernel that collects over edges two: one collects what a part has, the other goes on with what all have.
#include "ir/exec/Kernels.h"
#include "ir/exec/passes/parts/DividedLists.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace gcompile::parts {

namespace {

/// Before: `parallel (v) { s = sum of x[u] over edges of v;  y[v] = f(s) }`.
/// After:  `if lists_divided { parallel divided (v) { c[v] = sum of x[u] over edges of v }  reduce_to_owner c
///          parallel (v) { y[v] = f(c[v]) } } else { the kernel as before }`.
class Split : Refuses {
public:
  explicit Split(exec::ParallelOp kernel) : kernel(kernel), b(kernel), loc(kernel.getLoc()) {}

  std::optional<Refusal> make() {
    kernel->walk([&](Operation *op) {
      if (isListLoop(op))
        loops.push_back(cast<exec::ForOp>(op));
    });
    for (exec::ForOp loop : loops)
      if (loop->getParentOfType<exec::ForOp>())
        return Refusal{loop, "it loops over edges inside of another loop"};
    auto branch = b.create<graph::IfOp>(loc, b.create<exec::ListsDividedOp>(loc));
    Block *divided = b.createBlock(&branch.getThenRegion());
    Block *undivided = b.createBlock(&branch.getElseRegion());
    b.setInsertionPointToEnd(divided);
    first = cast<exec::ParallelOp>(b.clone(*kernel, inFirst));
    first.setName(("collect_for_" + kernel.getName()).str());
    first.setDivided(true);
    second = cast<exec::ParallelOp>(b.clone(*kernel, inSecond));
    second.setName((kernel.getName() + "_by_owners").str());
    for (exec::ForOp loop : loops)
      if (!refusal)
        this->loop(loop);
    if (refusal)
      return refusal;
    SmallVector<Value> states;
    for (const Collected &each : collected)
      states.push_back(each.state);
    keepCollection();
    if (auto reason = notPushing(first, first.getBody(), kernel, states))
      return reason;
    if (refusal)
      return refusal;
    b.setInsertionPointAfter(first);
    for (const Collected &each : collected)
      b.create<exec::ReduceToOwnerOp>(loc, each.kind, each.state, Value(), Value(), ValueRange(), false, false,
                                      /*list=*/0, /*of_lists=*/true);
    kernel->moveBefore(undivided, undivided->end());
    return std::nullopt;
  }

private:
  /// What parts bring together for each vertex.
  struct Collected {
    graph::UpdateKind kind;
    Value state;
    Operation *store; // in the first kernel
  };

  static std::string named(Value state) { return "'" + exec::nameOf(state) + "'"; }
  Value ownIn(exec::ParallelOp each) { return each.getBody().getArgument(0); }

  static bool isCombinable(graph::UpdateKind kind, Type type) {
    return kind != graph::UpdateKind::Assign && kind != graph::UpdateKind::Combine &&
           (isa<IntegerType, FloatType>(type) || (isa<graph::VertexType>(type) && kind == graph::UpdateKind::Min));
  }
  Value neutral(graph::UpdateKind kind, Type type) {
    return isa<graph::VertexType>(type) ? Value(b.create<graph::NoneOp>(loc, type)) : neutralOf(b, loc, kind, type);
  }
  Value declare(const std::string &name, Type type, graph::Shape shape) {
    return b.create<graph::StateOp>(loc, graph::StateType::get(b.getContext(), type, shape), name, false).getState();
  }
  void update(graph::UpdateKind kind, Value state, ValueRange indices, Value value) {
    b.create<exec::UpdateOp>(loc, b.getI1Type(), kind, exec::Sync::Plain, state, indices, value, false,
                             /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
  }
  Value read(Value state, Type type, ValueRange indices) {
    return b.create<graph::ReadOp>(loc, type, state, indices, false, false);
  }

  /// Declares a state for what is collected, which the first kernel stores behind `at`.
  Value collect(graph::UpdateKind kind, const std::string &name, Type type, Operation *at,
                llvm::function_ref<Value()> value) {
    b.setInsertionPoint(first);
    Value state = declare(name + "_collected", type, graph::Shape::PerVertex);
    b.setInsertionPointAfter(at);
    update(graph::UpdateKind::Assign, state, ownIn(first), value());
    collected.push_back({kind, state, &*std::prev(b.getInsertionPoint())});
    return state;
  }

  void loop(exec::ForOp loop) {
    auto reduce = loop->getParentOfType<exec::ReduceOp>();
    if (reduce)
      this->reduce(reduce, loop);
    llvm::MapVector<Value, SmallVector<exec::UpdateOp>> sums;
    loop->walk([&](exec::UpdateOp update) {
      Value state = update.getState();
      const bool isOuter = isLocal(state, kernel.getBody()) && !loop->isAncestor(state.getDefiningOp());
      const bool isOwn = update.getIndices().size() == 1 && withoutLet(update.getIndices()[0]) == ownIn(kernel);
      if (isOuter || isOwn)
        sums[state].push_back(update);
    });
    for (auto &[state, updates] : sums)
      if (!refusal)
        sum(loop, state, updates);
    if (refusal)
      return;
    if (!reduce)
      inSecond.lookup(loop.getOperation())->erase();
  }

  void reduce(exec::ReduceOp op, exec::ForOp loop) {
    int lists = 0;
    bool outside = false;
    op->walk([&](Operation *inner) {
      lists += isListLoop(inner);
      outside |=
          isa<exec::ContributeOp>(inner) && inner->getParentOfType<exec::ReduceOp>() == op && !loop->isAncestor(inner);
    });
    if (lists != 1 || outside)
      return refuse(op, "it collects over more than the edges of one list");
    if (graph::traits(op.getKind()).accumulates())
      return refuse(op, "it chooses among all neighbours of a vertex");
    const graph::UpdateKind kind = graph::combination(op.getKind());
    if (!isCombinable(kind, op.getType()))
      return refuse(op, "it collects what parts cannot combine");
    auto inFirstKernel = cast<exec::ReduceOp>(inFirst.lookup(op.getOperation()));
    Value state = collect(kind, std::string(graph::traits(op.getKind()).name), op.getType(), inFirstKernel,
                          [&] { return inFirstKernel.getResult(); });
    Operation *old = inSecond.lookup(op.getOperation());
    b.setInsertionPoint(old);
    old->getResult(0).replaceAllUsesWith(read(state, op.getType(), ownIn(second)));
    old->erase();
  }

  /// A state of the iteration, or of the vertex, that a loop only adds to.
  void sum(exec::ForOp loop, Value state, SmallVectorImpl<exec::UpdateOp> &updates) {
    const graph::UpdateKind kind = updates[0].getKind();
    const Type type = updates[0].getValue().getType();
    for (exec::UpdateOp each : updates)
      if (each.getKind() != kind || !isCombinable(kind, type) || each.getPart() >= 0 || each.getCombiner() ||
          !each.getChanged().use_empty())
        return refuse(each, "it does more than combine " + named(state) + " along the edges of a vertex");
    loop->walk([&](graph::ReadOp read) {
      if (read.getState() == state && (read.getIndices().empty() || read.getIndices()[0] == ownIn(kernel)))
        refuse(read, "it reads " + named(state) + " while that is collected along edges");
    });
    if (refusal)
      return;
    Operation *loopInFirst = inFirst.lookup(loop.getOperation());
    b.setInsertionPoint(loopInFirst);
    Value local = declare(exec::nameOf(state) + "_here", type, graph::Shape::Scalar);
    update(graph::UpdateKind::Assign, local, {}, neutral(kind, type));
    for (exec::UpdateOp each : updates) {
      auto copy = cast<exec::UpdateOp>(inFirst.lookup(each.getOperation()));
      copy.getStateMutable().assign(local);
      copy.getIndicesMutable().clear();
      copy.setSync(exec::Sync::Plain);
      copy.setChecked(false);
    }
    Value whole = collect(kind, exec::nameOf(state), type, loopInFirst, [&] { return read(local, type, {}); });
    b.setInsertionPoint(inSecond.lookup(loop.getOperation()));
    Value target = inSecond.lookupOrDefault(state);
    if (target != state)
      summed.push_back(inFirst.lookup(state));
    update(kind, target, isLocal(target, second.getBody()) ? ValueRange() : ValueRange(ownIn(second)),
           read(whole, type, ownIn(second)));
  }

  // ---- The first kernel without what the second one does ------------------------------------------------------------

  bool isStore(Operation *op) const {
    return llvm::any_of(collected, [&](const Collected &each) { return each.store == op; });
  }
  bool isKept(Operation *op) const {
    return op
        ->walk([&](Operation *inner) {
          return isListLoop(inner) || isStore(inner) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void keepCollection() {
    SmallVector<Operation *> others;
    first.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isListLoop(op))
        return WalkResult::skip();
      const bool changes = isa<exec::UpdateOp, exec::UpdateTupleOp, exec::ClaimOp>(op) && !isStore(op);
      auto update = dyn_cast<exec::UpdateOp>(op);
      if (changes && !(update && isLocal(update.getState(), first.getBody())))
        others.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : others)
      if (!op->getResult(0).use_empty())
        return refuse(kernel, "what it does depends on whether it changes its vertex");
      else
        op->erase();
    removeTails(first.getBody().front());
    while (removeUnused())
      ;
    checkStores();
    summed.clear();
    while (removeUnused())
      ;
  }
  /// What stands behind the last loop over edges is for the second kernel.
  void removeTails(Block &block) {
    while (!block.empty() && !isKept(&block.back()) && !isa<graph::YieldOp>(block.back())) {
      block.back().dropAllUses();
      block.back().erase();
    }
  }
  bool isUnused(Operation *op) {
    if (!llvm::all_of(op->getResults(), [](Value each) { return each.use_empty(); }))
      return false;
    if (isa<graph::StateOp>(op) && llvm::is_contained(summed, op->getResult(0)))
      return false;
    if (auto update = dyn_cast<exec::UpdateOp>(op))
      return !isStore(op) && isLocal(update.getState(), first.getBody()) &&
             llvm::none_of(update.getState().getUsers(), [](Operation *user) { return isa<graph::ReadOp>(user); });
    if (isa<graph::IfOp, exec::ForOp, exec::ReduceOp>(op))
      return !isKept(op) && !op->walk([](exec::UpdateOp) { return WalkResult::interrupt(); }).wasInterrupted();
    return isa<graph::StateOp, graph::LogicOp, graph::ConditionalOp, graph::SetFilterOp>(op) ||
           (isPlainValue(op) && !isa<graph::YieldOp>(op));
  }
  bool removeUnused() {
    Operation *unused = nullptr;
    first.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isListLoop(op))
        return WalkResult::skip(); // all that it does is collected
      if (!isUnused(op))
        return WalkResult::advance();
      unused = op;
      return WalkResult::interrupt();
    });
    if (unused)
      unused->erase();
    return unused;
  }

  /// What one part has collected is for the owner alone.
  void checkStores() {
    for (exec::ForOp loop : loops) {
      auto reduce = loop->getParentOfType<exec::ReduceOp>();
      Value result = reduce ? inFirst.lookup(reduce.getOperation())->getResult(0) : Value();
      if (result && llvm::any_of(result.getUsers(), [&](Operation *user) { return !isStore(user); }))
        refuse(reduce, "what it collects over edges depends on what it has collected before");
    }
    for (Value state : summed)
      for (Operation *user : state.getUsers())
        if (isa<graph::ReadOp>(user))
          refuse(kernel, "what it collects over edges depends on what it has collected before");
  }

  exec::ParallelOp kernel, first, second;
  OpBuilder b;
  Location loc;
  IRMapping inFirst, inSecond;
  SmallVector<exec::ForOp> loops;
  SmallVector<Collected> collected;
  SmallVector<Value> summed; // states of an iteration of the first kernel, in whose place others are now
};

} // namespace

std::optional<Refusal> splitCollection(exec::ParallelOp kernel) { return Split(kernel).make(); }

} // namespace gcompile::parts
