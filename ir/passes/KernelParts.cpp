#include "ir/passes/KernelParts.h"

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
  return b.create<graph::ConstantOp>(loc, type, cast<TypedAttr>(b.getZeroAttr(type)));
}

void eraseUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !op->use_empty() ||
      !isa<graph::BinaryOp, graph::UnaryOp, graph::ReadOp, graph::LetOp, graph::CastOp, graph::ConstantOp, graph::InfOp,
           graph::DegreeOp, graph::NumVerticesOp, graph::NumEdgesOp>(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand);
}

Operation *enclosingLoop(Operation *op) {
  Operation *parent = op->getParentOp();
  while (!isa<graph::ForOp, graph::WhileOp, graph::RepeatOp>(parent))
    parent = parent->getParentOp();
  return parent;
}

} // namespace gcompile
