// Sets in a kernel: whether a vertex is a member, and how many there are.
#include "ir/conversion/KernelEmitter.h"

#include "ir/analysis/None.h"

using namespace mlir;

namespace gcompile {

/// None is in no set.
Value KernelEmitter::exists(Value vertex, Location loc) {
  Value none = b.create<graph::NoneOp>(loc, vertex.getType());
  return b.create<graph::BinaryOp>(loc, b.getI1Type(), graph::BinaryKind::Ne, value(vertex), none, false, false);
}

Value KernelEmitter::containsElement(graph::SetOfOp set, Value vertex, Location loc) {
  Value result;
  for (Value element : set.getElements()) {
    Value equal = b.create<graph::BinaryOp>(loc, b.getI1Type(), graph::BinaryKind::Eq, value(vertex), value(element),
                                            false, false);
    result = result ? logic(
                          graph::LogicKind::Or, result, [&] { return equal; }, loc)
                    : equal;
  }
  if (!result)
    result = b.create<graph::ConstantOp>(loc, b.getI1Type(), b.getBoolAttr(false));
  if (mayBeNone(vertex) && llvm::any_of(set.getElements(), mayBeNone))
    result = logic(
        graph::LogicKind::And, exists(vertex, loc), [&] { return result; }, loc);
  return result;
}

Value KernelEmitter::contains(Value set, Value vertex, Location loc) {
  if (set.getDefiningOp<graph::AllVerticesOp>())
    return mayBeNone(vertex) ? exists(vertex, loc)
                             : b.create<graph::ConstantOp>(loc, b.getI1Type(), b.getBoolAttr(true)).getResult();
  if (auto algebra = set.getDefiningOp<graph::SetAlgebraOp>()) {
    auto kind = algebra.getKind() == graph::SetKind::Union ? graph::LogicKind::Or : graph::LogicKind::And;
    auto right = [&] {
      Value inRight = contains(algebra.getRhs(), vertex, loc);
      if (algebra.getKind() == graph::SetKind::Difference)
        inRight = b.create<graph::UnaryOp>(loc, inRight.getType(), graph::UnaryKind::Not, inRight);
      return inRight;
    };
    return logic(kind, contains(algebra.getLhs(), vertex, loc), right, loc);
  }
  if (auto literal = set.getDefiningOp<graph::SetOfOp>())
    return containsElement(literal, vertex, loc);
  if (auto filter = set.getDefiningOp<graph::SetFilterOp>(); filter && inside(filter)) {
    auto where = [&] {
      map.map(filter.getWhere().getArgument(0), value(vertex));
      return value(yielded(filter.getWhere()));
    };
    return logic(graph::LogicKind::And, contains(filter.getSet(), vertex, loc), where, loc);
  }
  return b.create<graph::ContainsOp>(loc, value(set), value(vertex));
}

Value KernelEmitter::size(graph::SetSizeOp op) {
  Location loc = op.getLoc();
  auto counted = b.create<exec::ReduceOp>(loc, b.getI64Type(), graph::ReduceKind::Count, StringAttr(),
                                          graph::DomainAttr(), Value(), exec::Sharing::Serial);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&counted.getBody());
  pattern(graph::Domain::Vertices, op.getSet(), {}, b.getArrayAttr({}), {}, loc,
          [&] { b.create<exec::ContributeOp>(loc, Value(), Value()); });
  return counted.getResult();
}

} // namespace gcompile
