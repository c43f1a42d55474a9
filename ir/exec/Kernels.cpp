#include "ir/exec/Kernels.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {

Value zeroOf(OpBuilder &b, Location loc, Type type) {
  if (isa<graph::VertexType, graph::EdgeType>(type))
    return b.create<graph::NoneOp>(loc, type);
  if (isa<graph::SetType>(type))
    return b.create<graph::SetOfOp>(loc, ValueRange());
  if (auto tuple = dyn_cast<TupleType>(type)) {
    SmallVector<Value> elements;
    for (Type element : tuple.getTypes())
      elements.push_back(zeroOf(b, loc, element));
    return b.create<graph::TupleOp>(loc, type, elements);
  }
  if (auto foreign = dyn_cast<graph::ForeignType>(type)) // its default constructor
    return b.create<graph::ForeignCallOp>(loc, type, b.getStringAttr(foreign.getClassName()), b.getArrayAttr({}),
                                          StringAttr(), ArrayAttr(), false, ValueRange());
  return b.create<graph::ConstantOp>(loc, type, cast<TypedAttr>(b.getZeroAttr(type)));
}

bool computesValue(Operation *op) {
  if (!isa<graph::LogicOp, graph::ConditionalOp>(op))
    return isPlainValue(op) || isa<exec::VisitedBeforeOp>(op);
  return llvm::all_of(op->getRegions(), [](Region &region) {
    return llvm::all_of(region.front(), [](Operation &inner) { return computesValue(&inner); });
  });
}

bool changesOneOf(Region &region, const llvm::DenseSet<Value> &states) {
  const auto changes = [&](Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<exec::UpdateOp, exec::ClaimOp>([&](auto o) { return states.contains(o.getState()); })
        .Case([&](exec::UpdateTupleOp o) {
          return llvm::any_of(o.getStates(), [&](Value state) { return states.contains(state); });
        })
        .Default(false);
  };
  return region.walk([&](Operation *op) { return changes(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

void eraseUnusedValues(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.getNumResults() == 1 && op.use_empty() && computesValue(&op))
      op.erase();
}

/// Whether the operation does nothing but compute a value of an expression.
static bool isPartOfExpression(Operation *op) {
  return isa<graph::ReadOp, graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp,
             graph::CastOp, graph::HashOp, graph::CallOp, graph::ForeignCallOp, graph::TupleOp, graph::ElementOp,
             graph::DegreeOp, graph::NumVerticesOp, graph::NumEdgesOp, graph::EndpointOp, graph::EdgeBetweenOp,
             graph::NeighborAtOp, graph::AllVerticesOp, graph::SetOfOp, graph::NeighborsOp, graph::SetAlgebraOp,
             graph::SetFilterOp, graph::ContainsOp, graph::SetSizeOp, graph::LogicOp, graph::ConditionalOp,
             graph::ReduceOp, graph::LetOp>(op);
}

Value neutralOf(OpBuilder &b, Location loc, graph::UpdateKind kind, Type type) {
  auto number = [&](std::int64_t value) -> Value {
    if (isa<FloatType>(type))
      return b.create<graph::ConstantOp>(loc, type, b.getFloatAttr(type, static_cast<double>(value)));
    return b.create<graph::ConstantOp>(loc, type, b.getIntegerAttr(type, value));
  };
  Neutral neutral = graph::traits(kind).neutral();
  switch (neutral) {
  case Neutral::Zero:
    return zeroOf(b, loc, type);
  case Neutral::One:
    return number(1);
  case Neutral::AllBits:
    return number(-1);
  case Neutral::Greatest:
  case Neutral::Lowest:
    return b.create<graph::InfOp>(loc, type, neutral == Neutral::Lowest);
  }
  llvm_unreachable("every neutral value is listed");
}

void eraseUnused(ArrayRef<Value> values) {
  llvm::SetVector<Operation *> operations;
  auto add = [&](Value part) {
    if (Operation *op = part.getDefiningOp(); op && isPartOfExpression(op))
      operations.insert(op);
  };
  llvm::for_each(values, add);
  while (!operations.empty()) {
    Operation *op = operations.pop_back_val();
    if (!op->use_empty())
      continue;
    // What it uses from outside of its regions.
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
          add(operand);
    });
    op->erase();
  }
}

bool runsForAllVertices(exec::ParallelOp kernel) {
  return kernel.getDomain() == graph::Domain::Vertices && kernel.getOver() &&
         kernel.getOver().getDefiningOp<graph::AllVerticesOp>() && !exec::goesBySegments(kernel);
}

bool assignsOwn(exec::UpdateOp update, Value v) {
  return update.getKind() == graph::UpdateKind::Assign && update.getSync() == exec::Sync::Plain &&
         update.getPart() < 0 && isOwn(update.getIndices(), v) && update.getChanged().use_empty();
}

SmallVector<exec::SnapshotOp> snapshotsOf(ModuleOp module) {
  SmallVector<exec::SnapshotOp> snapshots;
  for (auto algorithm : module.getOps<graph::AlgorithmOp>())
    if (!algorithm.getSerialOf())
      algorithm.walk([&](exec::SnapshotOp snapshot) { snapshots.push_back(snapshot); });
  return snapshots;
}

void useOneThread(Operation *op) {
  op->walk([](Operation *inner) {
    llvm::TypeSwitch<Operation *>(inner)
        .Case<exec::ParallelOp, exec::ReduceOp, exec::FilterOp, exec::PropagateOp, exec::OrderedOp, exec::SnapshotOp>(
            [](auto loop) { loop.setSharing(exec::Sharing::Serial); })
        .Case<exec::UpdateOp, exec::UpdateTupleOp, exec::ClaimOp, exec::ActivateOp>([](auto update) {
          // The private copy of a scalar stays: reads in the kernel see the value from before it.
          if (update.getSync() != exec::Sync::Private)
            update.setSync(exec::Sync::Plain);
        });
  });
}

Operation *enclosingLoop(Operation *op) {
  Operation *parent = op->getParentOp();
  while (!isa<graph::ForOp, graph::WhileOp, graph::RepeatOp>(parent))
    parent = parent->getParentOp();
  return parent;
}

} // namespace gcompile
