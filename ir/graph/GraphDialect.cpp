#include "ir/graph/GraphDialect.h"
#include "ir/graph/Walk.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ir/graph/GraphEnums.cpp.inc"

#include "ir/graph/GraphDialect.cpp.inc"

#include "ir/graph/GraphInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/graph/GraphTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/graph/GraphAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "ir/graph/GraphOps.cpp.inc"

using namespace mlir;

namespace gcompile::graph {

StringAttr labelOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringAttr>(op)
      .Case<ForOp, PropagateOp, WhileOp, RepeatOp>([](auto statement) { return statement.getLabelAttr(); })
      .Default([](Operation *) { return StringAttr(); });
}

ScheduleAttr scheduleOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, ScheduleAttr>(op)
      .Case<AlgorithmOp, ForOp, PropagateOp, WhileOp, RepeatOp>([](auto o) { return o.getScheduleAttr(); })
      .Default([](Operation *) { return ScheduleAttr(); });
}

void setSchedule(Operation *op, ScheduleAttr schedule) {
  llvm::TypeSwitch<Operation *>(op).Case<AlgorithmOp, ForOp, PropagateOp, WhileOp, RepeatOp>(
      [&](auto o) { o.setScheduleAttr(schedule); });
}

Type writtenType(StateType state, std::int64_t part) {
  if (part < 0)
    return state.getElement();
  auto tuple = dyn_cast<TupleType>(state.getElement());
  return tuple && static_cast<std::size_t>(part) < tuple.size() ? tuple.getType(static_cast<std::size_t>(part))
                                                                : Type();
}

std::string freshStateName(AlgorithmOp algorithm, StringRef wanted) {
  llvm::StringSet<> taken;
  walkHolders(algorithm, [&](StateOp op) { taken.insert(op.getName()); });
  std::string name = wanted.str();
  for (unsigned i = 2; taken.contains(name); ++i)
    name = (wanted + "_" + Twine(i)).str();
  return name;
}

std::string nameOf(Value state) {
  if (auto op = state.getDefiningOp<StateOp>())
    return op.getName().str();
  auto argument = cast<BlockArgument>(state);
  auto algorithm = cast<AlgorithmOp>(argument.getOwner()->getParentOp());
  return cast<DictionaryAttr>(algorithm.getArguments()[argument.getArgNumber()]).getAs<StringAttr>("name").str();
}

void GraphDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/graph/GraphTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/graph/GraphAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/graph/GraphOps.cpp.inc"
      >();
}

/// Checks that `indices` fit the state's shape: none for a scalar, a vertex, an edge, or two vertices.
static LogicalResult verifyIndices(Operation *op, StateType state, OperandRange indices) {
  SmallVector<Type> wanted;
  auto vertex = VertexType::get(op->getContext());
  switch (state.getShape()) {
  case Shape::Scalar:
    break;
  case Shape::PerVertex:
    wanted = {vertex};
    break;
  case Shape::PerEdge:
    wanted = {EdgeType::get(op->getContext())};
    break;
  case Shape::Dense:
    wanted = {vertex, vertex};
    break;
  case Shape::Array:
    wanted = {IntegerType::get(op->getContext(), 64)};
    break;
  }
  if (!llvm::equal(indices.getTypes(), wanted))
    return op->emitOpError("has indices that do not fit a state of shape ") << stringifyShape(state.getShape());
  return success();
}

LogicalResult StateOp::verify() {
  if (getLength() && getState().getType().getShape() != Shape::Array)
    return emitOpError("has a length, but is ") << stringifyShape(getState().getType().getShape());
  return success();
}

LogicalResult ReadOp::verify() {
  if (getValue().getType() != getState().getType().getElement())
    return emitOpError("reads ") << getValue().getType() << " from a state of " << getState().getType().getElement();
  return verifyIndices(*this, getState().getType(), getIndices());
}

LogicalResult UpdateOp::verify() {
  if (getValue().getType() != writtenType(getState().getType(), getPart()))
    return emitOpError("writes ") << getValue().getType() << " to a state of " << getState().getType().getElement();
  if (getPart() >= 0 && getKind() == UpdateKind::Assign)
    return emitOpError("assigns a part of a tuple, which is assigned as a whole");
  if ((getKind() == UpdateKind::Combine) != getCombiner().has_value())
    return emitOpError("names a reduction if, and only if, it combines by one");
  return verifyIndices(*this, getState().getType(), getIndices());
}

LogicalResult UpdateTupleOp::verify() {
  if (!traits(getKind()).selects)
    return emitOpError("must be min or max");
  if (getStates().size() != getValues().size() || getStates().size() < 2)
    return emitOpError("needs one value for each of at least two states");
  Shape shape = getIndices().size() == 2 ? Shape::Dense : Shape::PerVertex;
  for (auto [state, value] : llvm::zip(getStates(), getValues())) {
    auto type = cast<StateType>(state.getType());
    if (getIndices().empty() || type.getShape() != shape || type.getElement() != value.getType())
      return emitOpError("needs states of the values' types, of vertices with one index or of pairs with two");
  }
  return success();
}

LogicalResult BinaryOp::verify() {
  bool compares = isComparison(getKind());
  if (compares ? !getResult().getType().isInteger(1) : getResult().getType() != getLhs().getType())
    return emitOpError("has a result of the wrong type");
  if (getRaises() && !(getKind() == BinaryKind::Add && getAbsorbing() && isa<IntegerType>(getType())))
    return emitOpError("raises, but is no absorbing sum of integers");
  return success();
}

/// The types of the arguments that a pattern's regions take.
static SmallVector<Type> domainArguments(MLIRContext *context, Domain domain) {
  Type vertex = VertexType::get(context), edge = EdgeType::get(context);
  switch (domain) {
  case Domain::Vertices:
    return {vertex};
  case Domain::Pairs:
    return {vertex, vertex};
  case Domain::Edges:
  case Domain::EdgesBoth:
  case Domain::EdgesInto:
    return {vertex, vertex, edge};
  case Domain::OutOf:
  case Domain::Into:
  case Domain::Either:
    return {vertex, edge};
  case Domain::Levels:
    return {SetType::get(context)};
  }
  llvm_unreachable("every domain is listed");
}

/// Checks a pattern's operand and the arguments of its regions (an empty region is absent).
static LogicalResult verifyDomain(Operation *op, Domain domain, Value over, ArrayRef<Region *> regions,
                                  ArrayRef<Type> extra = {}) {
  Type wanted;
  switch (domain) {
  case Domain::Pairs:
    break;
  case Domain::Vertices:
  case Domain::Edges:
  case Domain::EdgesBoth:
  case Domain::EdgesInto:
    wanted = SetType::get(op->getContext());
    break;
  case Domain::OutOf:
  case Domain::Into:
  case Domain::Either:
    wanted = VertexType::get(op->getContext());
    break;
  case Domain::Levels:
    wanted = LevelsType::get(op->getContext());
    break;
  }
  if ((over ? over.getType() : Type()) != wanted)
    return op->emitOpError("ranges over the wrong kind of operand for domain ") << stringifyDomain(domain);
  SmallVector<Type> arguments = domainArguments(op->getContext(), domain);
  arguments.append(extra.begin(), extra.end());
  for (Region *region : regions)
    if (!region->empty() && !llvm::equal(region->getArgumentTypes(), arguments))
      return op->emitOpError("has a region whose arguments do not fit domain ") << stringifyDomain(domain);
  return success();
}

LogicalResult ForOp::verify() {
  if (getDomain() == Domain::Levels && !getSequential())
    return emitOpError("over levels must be sequential");
  return verifyDomain(*this, getDomain(), getOver(), {&getWhere(), &getBody()});
}

LogicalResult PropagateOp::verify() {
  if (!rangesOverEdges(getDomain()))
    return emitOpError("must range over edges, edges_both or edges_into");
  if (getHandOver().has_value() != getCrossing().has_value())
    return emitOpError("says when it goes over, but not what crosses, or what crosses, but not when");
  return verifyDomain(*this, getDomain(), getFrom(), {&getWhere(), &getBody()}, IntegerType::get(getContext(), 32));
}

LogicalResult ReduceOp::verify() {
  if ((getKind() == ReduceKind::Count) != getValue().empty())
    return emitOpError("needs a value region exactly if it is not count");
  return verifyDomain(*this, getDomain(), getOver(), {&getWhere(), &getValue()});
}

} // namespace gcompile::graph
