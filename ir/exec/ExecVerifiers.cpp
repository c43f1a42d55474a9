// What each operation of the `exec` dialect refuses beyond the types of its operands; test/ir/exec_verifier.mlir has a
// case for each message.
#include "ir/exec/Verifiers.h"
#include "ir/graph/Domains.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace gcompile;
using namespace gcompile::exec;

namespace {

bool takesVertexAndRound(Region &region) {
  Type vertex = graph::VertexType::get(region.getContext());
  return takes(region, {vertex, IntegerType::get(region.getContext(), 32)});
}
/// A state with one number for each vertex, by which vertices can be ordered.
bool isPriority(Value state) {
  auto type = cast<graph::StateType>(state.getType());
  return type.getShape() == graph::Shape::PerVertex && isNumber(type.getElement());
}

/// Whether the indices are those of one element of such a state.
bool fit(ValueRange indices, graph::Shape shape) {
  bool vertices = llvm::all_of(indices.getTypes(), [](Type type) { return isa<graph::VertexType>(type); });
  switch (shape) {
  case graph::Shape::Scalar:
    return indices.empty();
  case graph::Shape::PerVertex:
    return indices.size() == 1 && vertices;
  case graph::Shape::PerEdge:
    return indices.size() == 1 && isa<graph::EdgeType>(indices.front().getType());
  case graph::Shape::Dense:
    return indices.size() == 2 && vertices;
  case graph::Shape::Array:
    return indices.size() == 1 && indices.front().getType().isInteger(64);
  }
  llvm_unreachable("every shape is listed");
}

/// The arguments of the regions of a kernel over a domain.
LogicalResult verifyBody(Operation *op, graph::Domain domain, Value over, Region &body) {
  Type vertex = graph::VertexType::get(op->getContext()), edge = graph::EdgeType::get(op->getContext());
  switch (domain) {
  case graph::Domain::Vertices:
    if (!over)
      return op->emitOpError("goes over vertices, but over no set of them");
    return takes(body, {vertex}) ? success() : op->emitOpError("goes over vertices, but its body takes no vertex");
  case graph::Domain::Pairs:
    return takes(body, {vertex, vertex}) ? success() : op->emitOpError("goes over pairs, but its body takes no pair");
  case graph::Domain::Edges:
    return takes(body, {edge}) ? success() : op->emitOpError("goes over all arcs, but its body takes no arc");
  default:
    return op->emitOpError("is a kernel over ") << stringifyDomain(domain) << ", not vertices, pairs or edges";
  }
}

LogicalResult verifyUpdate(Operation *op, graph::UpdateKind kind, Sync sync, Value state, ValueRange indices,
                           Type value, std::int64_t part = -1) {
  auto type = cast<graph::StateType>(state.getType());
  if (!fit(indices, type.getShape()))
    return op->emitOpError("has indices that do not fit a state that is ") << stringifyShape(type.getShape());
  if (value != graph::writtenType(type, part))
    return op->emitOpError("writes ") << value << " to a state of " << type.getElement();
  if (part >= 0 && kind == graph::UpdateKind::Assign)
    return op->emitOpError("assigns a part of a tuple, which is assigned as a whole");
  if (sync == Sync::Private && ((type.getShape() != graph::Shape::Scalar && type.getShape() != graph::Shape::Array) ||
                                kind == graph::UpdateKind::Assign))
    return op->emitOpError("is private, but only reductions of scalars and arrays have a part for each thread");
  return success();
}

} // namespace

LogicalResult ParallelOp::verify() {
  if (failed(verifyBody(*this, getDomain(), getOver(), getBody())))
    return failure();
  if (getSegmentWidth() && getSourceBytes())
    return emitOpError("has segments of a width, and of what the program chooses");
  if (goesBySegments(*this) && getDomain() != graph::Domain::Vertices)
    return emitOpError("goes by segments, but not over vertices");
  if (getSplit() && getByLanes())
    return emitOpError("is split by arcs and shared among lanes");
  if (getOverPrevious() && !getTurned())
    return emitOpError("starts from the level visited before, but is not turned");
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getDomain())
    return getName() ? verifyBody(*this, *getDomain(), getOver(), getBody())
                     : LogicalResult(emitOpError("is a kernel without a name"));
  if (getName() || getOver())
    return emitOpError("is a kernel without a domain");
  return getBody().getNumArguments() == 0
             ? success()
             : LogicalResult(emitOpError("is inside a kernel, but its body has arguments"));
}

LogicalResult ContributeOp::verify() {
  auto reduce = (*this)->getParentOfType<ReduceOp>();
  if (!reduce)
    return (*this)->getParentOfType<KeepIndexOp>() ? success()
                                                   : LogicalResult(emitOpError("is outside of exec.reduce"));
  const ReduceTraits &kind = graph::traits(reduce.getKind());
  if (kind.witness != static_cast<bool>(getWitness()))
    return emitOpError("needs a witness exactly if it contributes to argmin or argmax");
  if ((reduce.getKind() == graph::ReduceKind::Count) == static_cast<bool>(getValue()))
    return emitOpError("needs a value exactly if it does not contribute to count");
  return success();
}

LogicalResult WouldChangeOp::verify() {
  graph::UpdateKind kind = getKind();
  return kind == graph::UpdateKind::Min || kind == graph::UpdateKind::Max
             ? success()
             : emitOpError("asks about neither min nor max");
}

LogicalResult ImprovesOp::verify() {
  auto reduce = (*this)->getParentOfType<ReduceOp>();
  if (!reduce || !graph::traits(reduce.getKind()).extreme)
    return emitOpError("is outside of an exec.reduce that looks for an extreme");
  return success();
}

LogicalResult FilterOp::verify() {
  if (!takesVertex(getWhere()))
    return emitOpError("has a condition that does not take one vertex");
  return yields(getWhere(), isTruth) ? success()
                                     : LogicalResult(emitOpError("has a condition that yields no truth value"));
}

LogicalResult ForOp::verify() {
  bool adjacency = graph::isList(getDomain());
  if (adjacency && !(getOver() && isa<graph::VertexType>(getOver().getType())))
    return emitOpError("goes over the arcs of a vertex, but has no vertex");
  if (!adjacency && getByPlace())
    return emitOpError("goes by the place of arcs, but not over arcs of a vertex");
  Type vertex = graph::VertexType::get(getContext()), edge = graph::EdgeType::get(getContext());
  if (adjacency && !takes(getBody(), {vertex, edge}))
    return emitOpError("goes over arcs, but its body does not take a vertex and an edge");
  return success();
}

LogicalResult UpdateOp::verify() {
  if ((getKind() == graph::UpdateKind::Combine) != getCombiner().has_value())
    return emitOpError("names a reduction if, and only if, it combines by one");
  return verifyUpdate(*this, getKind(), getSync(), getState(), getIndices(), getValue().getType(), getPart());
}

LogicalResult StartArrayOp::verify() {
  auto type = cast<graph::StateType>(getState().getType());
  if (type.getShape() != graph::Shape::Array)
    return emitOpError("starts a state that is ") << stringifyShape(type.getShape());
  if (getValue().getType() != type.getElement())
    return emitOpError("writes ") << getValue().getType() << " to a state of " << type.getElement();
  return success();
}

LogicalResult UpdateTupleOp::verify() {
  if (!graph::traits(getKind()).selects)
    return emitOpError("must be min or max");
  if (getStates().size() != getValues().size() || getStates().size() < 2)
    return emitOpError("needs one value for each of at least two states");
  graph::Shape shape = getIndices().size() == 2 ? graph::Shape::Dense : graph::Shape::PerVertex;
  for (auto [state, value] : llvm::zip(getStates(), getValues())) {
    auto type = cast<graph::StateType>(state.getType());
    if (getIndices().empty() || type.getShape() != shape || type.getElement() != value.getType())
      return emitOpError("needs states of the values' types, of vertices with one index or of pairs with two");
  }
  return success();
}

LogicalResult ClaimOp::verify() {
  if (getSync() == Sync::Private || getSync() == Sync::Relaxed)
    return emitOpError("is plain or atomic, not ") << stringifySync(getSync());
  return verifyUpdate(*this, graph::UpdateKind::Assign, getSync(), getState(), getIndices(), getDesired().getType());
}

LogicalResult SnapshotOp::verify() {
  auto type = cast<graph::StateType>(getState().getType());
  if (getRow() && getColumn())
    return emitOpError("copies a row or a column, not both");
  if ((getRow() || getColumn()) && type.getShape() != graph::Shape::Dense)
    return emitOpError("copies a row or column of a state that is ") << stringifyShape(type.getShape());
  if (getSwaps() && type.getShape() != graph::Shape::PerVertex)
    return emitOpError("swaps the arrays of a state that is ") << stringifyShape(type.getShape());
  return success();
}

LogicalResult PropagateOp::verify() {
  bool pushes = getDirection() != Direction::Pull, pulls = getDirection() != Direction::Push;
  if (pushes == isAbsent(getPush()))
    return emitOpError("is ") << stringifyDirection(getDirection())
                              << (pushes ? ", but has no push" : ", but has a push");
  if (pulls == isAbsent(getPull()))
    return emitOpError("is ") << stringifyDirection(getDirection())
                              << (pulls ? ", but has no pull" : ", but has a pull");
  for (Region *region : {&getPush(), &getPull(), &getCommit()})
    if (!isAbsent(*region) && !takesVertexAndRound(*region))
      return emitOpError("has a region that does not take a vertex and the round");
  if (!isAbsent(getUntil()) && !yields(getUntil(), isTruth))
    return emitOpError("ends by what is no truth value");
  if (getFrontier().has_value() != getFrontierOptions().has_value())
    return emitOpError("has a form of the frontier without its options, or options without a form");
  if (getCullWarp().has_value() != getCullHistory().has_value())
    return emitOpError("has the size of one of the tables that cull, but not of the other");
  for (std::optional<std::uint64_t> size : {getCullWarp(), getCullHistory()})
    if (size && (*size & (*size - 1)) != 0)
      return emitOpError("has a table of ") << *size << " places, which is no power of two";
  if (getFewEdges().has_value() != (getPhases() == Phases::Hybrid))
    return emitOpError("says what few edges are where this makes no difference, or does not say it");
  if (getPhases() && (!pushes || (getPhases() != Phases::TwoPhase && (getDedup() || getLevels()))))
    return emitOpError("lists the edges of frontiers that it does not push from, or that are needed as vertices");
  if (!pushes && (getClaimBitmap() || getCullWarp() || getRoundIndependent()))
    return emitOpError("only pulls, but says how pushes claim");
  if (getRoundIndependent() && (getDedup() || getLevels()))
    return emitOpError("has rounds that are independent, but needs the order of its frontiers");
  if (getClaimActivates() && !getRoundIndependent())
    return emitOpError("activates by claims, but has rounds that are not independent");
  if (getHandOver().has_value() != getCrossing().has_value())
    return emitOpError("says when it goes over, but not what crosses, or what crosses, but not when");
  if (getHandOver() && (getHandOver()->size() != 2 || !pushes || getLevels()))
    return emitOpError("cannot go over: its rounds do not push, keep their frontiers, or have no two thresholds");
  return success();
}

LogicalResult SidesOp::verify() {
  auto outer = dyn_cast_or_null<ModuleOp>((*this)->getParentOp());
  for (StringRef side : {"cpu", "gpu"}) {
    auto form = outer ? outer.lookupSymbol<ModuleOp>(side) : ModuleOp();
    if (!form || !form.lookupSymbol<graph::AlgorithmOp>(getAlgorithm()))
      return emitOpError("has no '") << getAlgorithm() << "' in a module @" << side << " beside it";
  }
  auto isNegative = [](Attribute each) { return cast<FloatAttr>(each).getValue().isNegative(); };
  if (getWork().size() != 4 || llvm::any_of(getWork(), isNegative))
    return emitOpError("has no four amounts of work");
  if (getBySchedule() && !getGoesOver())
    return emitOpError("is to go over, but has no propagate that does");
  return success();
}

/// Whether a push moves the priority the way that its order goes, wherever it updates it.
static LogicalResult verifyPriorityUpdates(Operation *op, Region &push, Value priority, bool greatestFirst) {
  const auto kind = greatestFirst ? graph::UpdateKind::Max : graph::UpdateKind::Min;
  const WalkResult result = push.walk([&](UpdateOp update) {
    return update.getState() == priority && update.getKind() != kind ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!result.wasInterrupted())
    return success();
  return op->emitOpError(greatestFirst ? "takes the greatest first, but does not update its priority by max"
                                       : "takes the least first, but does not update its priority by min");
}

LogicalResult OrderedOp::verify() {
  if (!takesVertex(getPush()))
    return emitOpError("has a push that does not take one vertex");
  if (!isPriority(getPriority()))
    return emitOpError("is ordered by what is no number of each vertex");
  if (static_cast<std::int64_t>(getDelta()) < 0)
    return emitOpError("has buckets of a negative width");
  if (getFirstEnd() && getEnds().empty())
    return emitOpError("ends with the first of no vertices");
  if (getGreatestFirst() && !getEnds().empty())
    return emitOpError("takes the greatest first, and has an end");
  return verifyPriorityUpdates(*this, getPush(), getPriority(), getGreatestFirst());
}

LogicalResult ClosePairsOp::verify() {
  if (getState().getType().getShape() != graph::Shape::Dense)
    return emitOpError("closes a state that has no value for each pair");
  Type vertex = graph::VertexType::get(getContext());
  if (!takes(getStep(), {vertex, vertex, vertex}))
    return emitOpError("has a step that does not take three vertices");
  Value i = getStep().getArgument(0), j = getStep().getArgument(1), k = getStep().getArgument(2);
  unsigned updates = 0;
  bool reads = true;
  getStep().walk([&](Operation *op) {
    if (auto read = dyn_cast<graph::ReadOp>(op); read && read.getState() == getState()) {
      std::pair<Value, Value> at(read.getIndices()[0], read.getIndices()[1]);
      reads &= at == std::pair(i, j) || at == std::pair(i, k) || at == std::pair(k, j);
    } else if (auto update = dyn_cast<UpdateOp>(op)) {
      bool own = update.getState() == getState() && update.getIndices()[0] == i && update.getIndices()[1] == j;
      updates += own ? 1 : 2;
    }
  });
  if (updates != 1)
    return emitOpError("has a step that is not one update of its own pair");
  return reads ? success() : emitOpError("has a step that reads the state at another pair");
}

LogicalResult AsynchronousOp::verify() {
  if (getChunk() < 8 || getChunk() > 64)
    return emitOpError("has chunks of ") << getChunk() << " vertices, not 8 to 64";
  if (!takesVertex(getPush()))
    return emitOpError("has a region that does not take one vertex");
  const bool takes = getPush().walk([](TakeOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (getLevels() != 0 && (getPriority() || !takes || static_cast<std::int64_t>(getLevels()) < 0))
    return emitOpError("has levels of what it does not take");
  if (!getPriority()) {
    if (getGreatestFirst())
      return emitOpError("takes the greatest first, but has no priority");
    return getDelta() == 0 ? success() : LogicalResult(emitOpError("has levels of a width, but no priority"));
  }
  if (!isPriority(getPriority()))
    return emitOpError("is ordered by what is no number of each vertex");
  if (static_cast<std::int64_t>(getDelta()) < 0)
    return emitOpError("has levels of a negative width");
  return verifyPriorityUpdates(*this, getPush(), getPriority(), getGreatestFirst());
}

Type KeepIndexOp::getKeyType() {
  Type type;
  getKeys().walk([&](ContributeOp contribute) { type = contribute.getValue().getType(); });
  return type;
}

LogicalResult KeepIndexOp::verify() {
  if (getKind() != graph::ReduceKind::ArgMin && getKind() != graph::ReduceKind::ArgMax)
    return emitOpError("is of ") << graph::stringifyReduceKind(getKind()) << ", not argmin or argmax";
  if (!takesVertex(getKeys()))
    return emitOpError("has keys of what is not one vertex");
  unsigned keys = 0;
  bool own = true;
  getKeys().walk([&](ContributeOp contribute) {
    ++keys;
    own &= contribute.getValue() && contribute.getWitness() == getKeys().getArgument(0);
  });
  return keys == 1 && own ? success() : LogicalResult(emitOpError("does not contribute one key, of its vertex"));
}

LogicalResult IndexBestOp::verify() {
  auto index = getIndex().getDefiningOp<KeepIndexOp>();
  Type type = index && getKey() ? index.getKeyType() : Type(graph::VertexType::get(getContext()));
  return getType() == type ? success() : LogicalResult(emitOpError("is of another type than what the index keeps"));
}

LogicalResult NoteChangeOp::verify() {
  return (*this)->getParentOfType<ParallelOp>() || (*this)->getParentOfType<OnceOp>()
             ? success()
             : LogicalResult(emitOpError("is outside of exec.parallel and exec.once"));
}

LogicalResult ReindexNotedOp::verify() {
  return (*this)->getParentOfType<Kernel>() ? LogicalResult(emitOpError("is inside of a kernel")) : success();
}

LogicalResult BucketsOp::verify() {
  auto set = cast<graph::StateType>(getSet().getType()), priority = cast<graph::StateType>(getPriority().getType());
  if (!isa<graph::SetType>(set.getElement()))
    return emitOpError("keeps the members of what is no set");
  if (priority.getShape() != graph::Shape::PerVertex || !priority.getElement().isIntOrIndex() ||
      priority.getElement().isInteger(1))
    return emitOpError("goes by what is no integer of each vertex");
  return success();
}

LogicalResult BucketSelectOp::verify() {
  using Kind = graph::BinaryKind;
  return getKind() == Kind::Le || getKind() == Kind::Lt || getKind() == Kind::Eq
             ? success()
             : LogicalResult(emitOpError("selects by ")
                             << graph::stringifyBinaryKind(getKind()) << ", not le, lt or eq");
}
