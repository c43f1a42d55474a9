#include "ir/conversion/GraphToExec.h"
#include "ir/analysis/PathSums.h"
#include "ir/analysis/Traversal.h"
#include "ir/analysis/VertexNumbers.h"
#include "ir/conversion/Passes.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_GRAPHTOEXEC
#include "ir/conversion/Passes.h.inc"

GraphToExec::GraphToExec(Operation *root, bool serial, const InfinityAnalysis *infinity,
                         const GraphToExecOptions &options)
    : root(root), b(root->getContext()), serial(serial), options(options) {
  graph::walkHolders(root, [&](Operation *op) {
    auto loop = dyn_cast<graph::ForOp>(op);
    if ((loop && !loop.getSequential()) || isa<graph::PropagateOp>(op))
      tables[op] = std::make_unique<EffectTable>(op, *infinity);
  });
  findUndetermined();
  Tolerances tolerances = serial || !infinity ? Tolerances{} : tolerancesOf(root, *infinity);
  for (auto [state, tolerance] : tolerances.sums)
    if (auto declaration = state.getDefiningOp<graph::StateOp>(); declaration && declaration.getOutput())
      declaration.setToleranceAttr(b.getF64FloatAttr(tolerance));
  for (Value state : tolerances.derived)
    if (auto declaration = state.getDefiningOp<graph::StateOp>(); declaration && declaration.getOutput())
      declaration.setUnordered(true);
}

std::string GraphToExec::unique(const std::string &name) {
  unsigned &count = used[name];
  return ++count == 1 ? name : unique(name + "_" + std::to_string(count));
}

std::string GraphToExec::stateName(Value state) {
  auto op = state.getDefiningOp<graph::StateOp>();
  return op ? op.getName().str() : "state";
}

std::string GraphToExec::nameFor(Operation *op, const char *verb, ArrayRef<Value> states) {
  std::string prefix;
  if (StringAttr label = graph::labelOf(op)) {
    prefix = label.str();
    std::replace(prefix.begin(), prefix.end(), '.', '_'); // of a called algorithm
    if (!label.getValue().ends_with("."))
      return unique(prefix);
  }
  return unique(prefix + verb + (states.empty() ? "" : "_" + stateName(states.front())));
}

exec::Sharing GraphToExec::schedule(Region &body) const {
  if (serial)
    return exec::Sharing::Serial;
  bool loops = false;
  body.walk([&](Operation *op) { loops |= isa<exec::ForOp, graph::WhileOp, graph::RepeatOp>(op); });
  return loops ? exec::Sharing::Dynamic : exec::Sharing::Static;
}

Value GraphToExec::shadowState(Value state, const std::string &suffix) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&root->getRegion(0).front());
  return b.create<graph::StateOp>(state.getLoc(), state.getType(), unique(stateName(state) + suffix), false).getState();
}

void GraphToExec::update(graph::UpdateOp op) {
  b.setInsertionPoint(op);
  b.create<exec::UpdateOp>(op.getLoc(), b.getI1Type(), op.getKind(), exec::Sync::Plain, op.getState(), op.getIndices(),
                           op.getValue(), op.getChecked(), /*leader=*/false, op.getPart(), op.getCombinerAttr());
  op.erase();
}

void GraphToExec::state(graph::StateOp op) {
  if (op.getTemporary()) // every element is written before it is read
    return;
  Location loc = op.getLoc();
  auto shape = op.getType().getShape();
  Type element = op.getType().getElement();
  op.setName(unique(op.getName().str()));
  KernelPlan plan;
  KernelEmitter emitter(b, plan, op);
  b.setInsertionPointAfter(op);
  if (shape == graph::Shape::Scalar || shape == graph::Shape::Array) {
    Value initial;
    if (op.getInit().empty()) {
      initial = zeroOf(b, loc, element);
    } else {
      // The initialiser is sequential code of its own: lower it where it stands, then move it out.
      (void)block(op.getInit().front());
      b.setInsertionPointAfter(op);
      initial = yielded(op.getInit());
      Operation *yield = &op.getInit().front().back();
      Operation *last = op;
      for (Operation &inner : llvm::make_early_inc_range(op.getInit().front()))
        if (&inner != yield) {
          inner.moveAfter(last);
          last = &inner;
        }
      b.setInsertionPointAfter(last);
      yield->dropAllReferences();
      yield->erase();
    }
    if (shape == graph::Shape::Array)
      b.create<exec::StartArrayOp>(loc, op.getState(), op.getLength(), initial);
    else
      b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, op.getState(),
                               ValueRange(), initial, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
    op.getLengthMutable().clear();
    op.getInit().getBlocks().clear();
    initialiser = {};
    return;
  }

  // Neighbouring per-vertex initialisers that read nothing but their own element share a kernel.
  bool simple = true;
  op.getInit().walk([&](Operation *inner) {
    if (auto read = dyn_cast<graph::ReadOp>(inner))
      simple &= read.getIndices().empty() ||
                (read.getIndices().size() == 1 && read.getIndices()[0] == op.getInit().getArgument(0));
    simple &= inner->getNumRegions() == 0;
  });
  SmallVector<Type> arguments;
  Type vertex = graph::VertexType::get(b.getContext());
  auto domain = graph::Domain::Vertices;
  SmallVector<Attribute> argumentNames{b.getStringAttr("v")};
  if (shape == graph::Shape::PerVertex) {
    arguments = {vertex};
  } else if (shape == graph::Shape::PerEdge) {
    arguments = {graph::EdgeType::get(b.getContext())};
    domain = graph::Domain::Edges;
    argumentNames = {b.getStringAttr("e")};
  } else {
    arguments = {vertex, vertex};
    domain = graph::Domain::Pairs;
    argumentNames = {b.getStringAttr("i"), b.getStringAttr("j")};
  }
  bool shared = simple && shape == graph::Shape::PerVertex && initialiser;
  if (shared) {
    // The kernel is moved behind this declaration; nothing but declarations and constants lies between.
    initialiser->moveAfter(op);
    b.setInsertionPointToEnd(&initialiser.getBody().front());
  } else {
    Value all;
    if (domain == graph::Domain::Vertices)
      all = b.create<graph::AllVerticesOp>(loc);
    initialiser = b.create<exec::ParallelOp>(
        loc, unique(shape == graph::Shape::PerVertex ? "initialise" : "initialise_" + op.getName().str()), domain, all,
        simpleSchedule());
    initialiser.setNamesAttr(names(argumentNames));
    Block *body = b.createBlock(&initialiser.getBody());
    for (Type type : arguments)
      body->addArgument(type, loc);
  }
  exec::ParallelOp kernel = initialiser;
  ValueRange indices = kernel.getBody().getArguments();
  Value initial;
  if (op.getInit().empty()) {
    initial = zeroOf(b, loc, element);
  } else {
    for (auto [from, to] : llvm::zip(op.getInit().getArguments(), indices))
      emitter.map.map(from, to);
    emitter.block(op.getInit().front());
    initial = emitter.value(yielded(op.getInit()));
  }
  b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, op.getState(), indices,
                           initial, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
  op.getInit().getBlocks().clear();
  if (!shared) // what joins it has no loops
    kernel.setSharing(schedule(kernel.getBody()));
  if (!simple || shape != graph::Shape::PerVertex)
    initialiser = {};
}

LogicalResult GraphToExec::operation(Operation *op) {
  if (auto declaration = dyn_cast<graph::StateOp>(op)) {
    state(declaration);
    return success();
  }
  // Pure values do not come between a declaration and the next one's initialiser.
  if (!isMemoryEffectFree(op))
    initialiser = {};
  if (auto assignment = dyn_cast<graph::UpdateOp>(op)) {
    update(assignment);
    return success();
  }
  if (auto tuple = dyn_cast<graph::UpdateTupleOp>(op)) {
    b.setInsertionPoint(op);
    b.create<exec::UpdateTupleOp>(op->getLoc(), b.getI1Type(), tuple.getKind(), exec::Sync::Plain, tuple.getStates(),
                                  tuple.getIndices(), tuple.getValues(), tuple.getChecked());
    op->erase();
    return success();
  }
  if (auto forOp = dyn_cast<graph::ForOp>(op)) {
    if (!forOp.getSequential())
      return loop(forOp);
    if (failed(block(forOp.getBody().front())))
      return failure();
    sequentialLoop(forOp);
    return success();
  }
  if (auto propagateOp = dyn_cast<graph::PropagateOp>(op))
    return propagate(propagateOp);
  if (auto reduceOp = dyn_cast<graph::ReduceOp>(op)) {
    reduce(reduceOp);
    return success();
  }
  if (auto filterOp = dyn_cast<graph::SetFilterOp>(op)) {
    filter(filterOp);
    return success();
  }
  for (Region &region : op->getRegions()) {
    initialiser = {};
    if (!region.empty() && failed(block(region.front())))
      return failure();
    initialiser = {};
  }
  return success();
}

LogicalResult GraphToExec::block(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(operation(&op)))
      return failure();
  return success();
}

namespace {
struct GraphToExecPass : impl::GraphToExecBase<GraphToExecPass> {
  using GraphToExecBase::GraphToExecBase;

  /// exec-compute-needs adds the rest.
  static void recordReach(graph::AlgorithmOp algorithm, bool numbers) {
    if (algorithm.getSerialOf())
      return;
    Builder b(algorithm.getContext());
    SmallVector<NamedAttribute> facts;
    if (std::optional<Traversal> traversal = traversalOf(algorithm)) {
      SmallVector<Attribute> roots(traversal->roots.begin(), traversal->roots.end());
      facts = {b.getNamedAttr("along", b.getStringAttr(traversal->along)),
               b.getNamedAttr("roots", b.getArrayAttr(roots))};
    }
    SmallVector<Attribute> sums;
    for (const PathSums &one : pathSumsOf(algorithm)) {
      const Attribute at = graph::spelled(one.statement);
      graph::StateOp output = one.output;
      sums.push_back(
          b.getDictionaryAttr({b.getNamedAttr("along", b.getStringAttr(one.along)), b.getNamedAttr("at", at),
                               b.getNamedAttr("column", one.column), b.getNamedAttr("output", output.getNameAttr())}));
    }
    if (!sums.empty())
      facts.push_back(b.getNamedAttr("path_sums", b.getArrayAttr(sums)));
    SmallVector<Attribute> closed;
    for (const ClosedSums &one : closedSumsOf(algorithm)) {
      const Attribute at = graph::spelled(one.statement);
      graph::StateOp output = one.output;
      closed.push_back(b.getDictionaryAttr({b.getNamedAttr("at", at), b.getNamedAttr("output", output.getNameAttr())}));
    }
    if (!closed.empty())
      facts.push_back(b.getNamedAttr("closed_sums", b.getArrayAttr(closed)));
    if (Operation *use = numbers ? findUseOfNumbers(algorithm) : nullptr)
      facts.push_back(b.getNamedAttr("numbers", graph::spelled(use->getLoc())));
    if (!facts.empty())
      algorithm.setNeedsAttr(b.getDictionaryAttr(facts));
  }

  void runOnOperation() override {
    for (Operation &op : llvm::make_early_inc_range(*getOperation().getBody())) {
      if (auto algorithm = dyn_cast<graph::AlgorithmOp>(op)) {
        InfinityAnalysis infinity(algorithm);
        recordReach(algorithm, recordsNumbers);
        GraphToExec lowerer(
            algorithm, algorithm.getSerialOf().has_value(), &infinity,
            {alpha, alphaEndingEarly, runtimeAlgorithms, pullsLabels, recordsNumbers, sharesLists, byWork});
        if (failed(lowerer.block(algorithm.getBody().front())))
          return signalPassFailure();
      } else if (auto function = dyn_cast<graph::FuncOp>(op)) {
        GraphToExec lowerer(function, true, nullptr, {});
        if (failed(lowerer.block(function.getBody().front())))
          return signalPassFailure();
      }
    }
  }
};
} // namespace
} // namespace gcompile
