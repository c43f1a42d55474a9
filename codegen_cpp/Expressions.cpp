// Expressions.
#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Types.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::cpp {

std::string BodyPrinter::operand(Value v, Binding least) {
  Text text = value(v);
  return text.binding < least ? "(" + text.text + ")" : text.text;
}

std::string BodyPrinter::operands(ValueRange values) {
  return listed(values, [&](Value v) { return operand(v); });
}

Text BodyPrinter::value(Value v) {
  printed.insert(v);
  if (auto entry = bound.find(v); entry != bound.end())
    return entry->second;
  Operation *op = v.getDefiningOp();
  assert(op && "an argument that no name is bound to");
  return expression(op);
}

std::string BodyPrinter::negated(Value condition) {
  using Kind = graph::BinaryKind;
  if (auto compare = condition.getDefiningOp<graph::BinaryOp>(); compare && !isBound(condition)) {
    // Comparisons of floating-point numbers have no opposite: all fail for NaN.
    bool ordered = !isa<FloatType>(compare.getLhs().getType());
    const char *opposite = compare.getKind() == Kind::Eq              ? " != "
                           : compare.getKind() == Kind::Ne            ? " == "
                           : ordered && compare.getKind() == Kind::Lt ? " >= "
                           : ordered && compare.getKind() == Kind::Le ? " > "
                           : ordered && compare.getKind() == Kind::Gt ? " <= "
                           : ordered && compare.getKind() == Kind::Ge ? " < "
                                                                      : nullptr;
    if (opposite)
      return operand(compare.getLhs(), Binding::Sum) + opposite + operand(compare.getRhs(), Binding::Sum);
  }
  if (auto inverse = condition.getDefiningOp<graph::UnaryOp>();
      inverse && inverse.getKind() == graph::UnaryKind::Not && !isBound(condition))
    return operand(inverse.getOperand());
  return "!" + operand(condition, Binding::Prefix);
}

Value BodyPrinter::yielded(Region &region) { return region.front().back().getOperand(0); }

std::string BodyPrinter::placeLiteral(Operation *op) {
  std::string text = place(op->getLoc());
  return quoted(text.empty() ? "program" : text);
}

std::string BodyPrinter::index(Value i, bool checked, Operation *op) {
  if (!checked)
    return operand(i);
  std::string bound = isa<graph::EdgeType>(i.getType()) ? ".num_arcs()" : ".num_vertices()";
  return "gc::check(" + operand(i) + ", " + graphName() + bound + ", " + placeLiteral(op) + ")";
}

std::string BodyPrinter::placeIn(const std::string &array, Value i, Operation *op) {
  return "gc::place(" + operand(i) + ", " + array + ".size(), " + placeLiteral(op) + ")";
}

std::string BodyPrinter::element(Value state, ValueRange indices, bool checked, Operation *op) {
  std::string name = stateName(state);
  if (indices.empty())
    return name;
  if (cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Array)
    return name + "[" + placeIn(name, indices[0], op) + "]";
  if (indices.size() == 1)
    return name + "[" + index(indices[0], checked, op) + "]";
  return name + "(" + index(indices[0], checked, op) + ", " + index(indices[1], checked, op) + ")";
}

static bool isFloat(Type type) { return isa<FloatType>(type); }

static bool isConstant(Value v) { return v.getDefiningOp<graph::ConstantOp>() != nullptr; }

std::string BodyPrinter::typedOperand(Value v, Binding least) {
  return isConstant(v) && v.getType().isInteger(64) ? "std::int64_t(" + operand(v) + ")" : operand(v, least);
}

Text BodyPrinter::binary(graph::BinaryOp op) {
  using Kind = graph::BinaryKind;
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Type type = lhs.getType();
  auto infix = [&](const char *symbol, Binding binding, Binding right) -> Text {
    return {typedOperand(lhs, binding) + symbol + operand(rhs, right), binding};
  };
  auto call = [&](const std::string &name, const std::string &extra = "") -> Text {
    return {name + "(" + typedOperand(lhs) + ", " + operand(rhs) + extra + ")"};
  };
  switch (op.getKind()) {
  case Kind::Add:
    return op.getAbsorbing() && !isFloat(type) ? call(op.getRaises() ? "gc::raise_inf" : "gc::add_inf")
                                               : infix(" + ", Binding::Sum, Binding::Sum);
  case Kind::Sub:
    return op.getAbsorbing() && !isFloat(type) ? call("gc::sub_inf") : infix(" - ", Binding::Sum, Binding::Product);
  case Kind::Mul:
    return infix(" * ", Binding::Product, Binding::Prefix); // a * (b / c) is not a * b / c
  case Kind::Div:
    if (op.getChecked() && !isFloat(type))
      return call("gc::divide", ", " + placeLiteral(op));
    return infix(" / ", Binding::Product, Binding::Prefix);
  case Kind::Rem:
    if (isFloat(type))
      return call("std::fmod");
    if (op.getChecked())
      return call("gc::remainder", ", " + placeLiteral(op));
    return infix(" % ", Binding::Product, Binding::Prefix);
  case Kind::Min:
    return call("std::min<" + typeName(type) + ">");
  case Kind::Max:
    return call("std::max<" + typeName(type) + ">");
  case Kind::Pow:
    return call(isFloat(type) ? "std::pow" : "gc::power");
  // In parentheses among other operators, whose order C++ and the language do not agree on.
  case Kind::BitAnd:
    if (type.isInteger(1))
      return call("gc::both");
    return {infix(" & ", Binding::Prefix, Binding::Prefix).text, Binding::Conditional};
  case Kind::BitOr:
    return {infix(" | ", Binding::Prefix, Binding::Prefix).text, Binding::Conditional};
  case Kind::BitXor:
    return {infix(" ^ ", Binding::Prefix, Binding::Prefix).text, Binding::Conditional};
  case Kind::ShiftLeft:
    return call("gc::shift_left");
  case Kind::ShiftRight:
    return call("gc::shift_right");
  case Kind::Eq:
    return {infix(" == ", Binding::Sum, Binding::Sum).text, Binding::Equality};
  case Kind::Ne:
    return {infix(" != ", Binding::Sum, Binding::Sum).text, Binding::Equality};
  case Kind::Lt:
    return {infix(" < ", Binding::Sum, Binding::Sum).text, Binding::Relation};
  case Kind::Le:
    return {infix(" <= ", Binding::Sum, Binding::Sum).text, Binding::Relation};
  case Kind::Gt:
    return {infix(" > ", Binding::Sum, Binding::Sum).text, Binding::Relation};
  case Kind::Ge:
    return {infix(" >= ", Binding::Sum, Binding::Sum).text, Binding::Relation};
  }
  llvm_unreachable("every kind is listed");
}

Text BodyPrinter::unary(graph::UnaryOp op) {
  using Kind = graph::UnaryKind;
  auto prefix = [&](char symbol) -> Text {
    // No "--", which is another operator.
    bool clash = symbol == '-' && value(op.getOperand()).minus;
    return {symbol + typedOperand(op.getOperand(), clash ? Binding::Postfix : Binding::Prefix), Binding::Prefix,
            symbol == '-'};
  };
  auto call = [&](const char *name) -> Text { return {name + ("(" + typedOperand(op.getOperand())) + ")"}; };
  switch (op.getKind()) {
  case Kind::Neg:
    return prefix('-');
  case Kind::Not:
    return prefix('!');
  case Kind::Abs:
    return call("std::abs");
  case Kind::Invert:
    return prefix('~');
  case Kind::PopCount:
    return call("gc::popcount");
  case Kind::Sqrt:
    return call("std::sqrt");
  case Kind::Exp:
    return call("std::exp");
  case Kind::Log:
    return call("std::log");
  case Kind::Floor:
    return call("std::floor");
  case Kind::Ceil:
    return call("std::ceil");
  }
  llvm_unreachable("every kind is listed");
}

Text BodyPrinter::conversion(graph::CastOp op) {
  Type from = op.getOperand().getType(), to = op.getType();
  std::string type = typeName(to);
  if (from == to)
    return value(op.getOperand());
  bool narrows = from.isInteger(64) && to.isInteger(32);
  if (narrows || (isFloat(from) && !isFloat(to)))
    return {"gc::to_integer<" + type + ">(" + operand(op.getOperand()) + ")"};
  if (op.getAbsorbing())
    return {"gc::widen_inf<" + type + ">(" + operand(op.getOperand()) + ")"};
  if (op.getOperand().getDefiningOp<graph::NumVerticesOp>())
    return {type + "(" + graphName() + ".num_vertices())"};
  return {type + "(" + operand(op.getOperand()) + ")"};
}

Text BodyPrinter::logic(graph::LogicOp op) {
  bool conjunction = op.getKind() == graph::LogicKind::And;
  // Mixed connectives are always parenthesised, as compilers advise.
  auto side = [&](Value v) {
    Text text = value(v);
    bool mixed = text.binding == (conjunction ? Binding::Or : Binding::And) || text.binding == Binding::Conditional;
    return mixed ? "(" + text.text + ")" : text.text;
  };
  return {side(op.getLhs()) + (conjunction ? " && " : " || ") + side(yielded(op.getRhs())),
          conjunction ? Binding::And : Binding::Or};
}

Text BodyPrinter::expression(Operation *op) {
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](graph::ReadOp o) -> Text {
        std::string text = element(o.getState(), o.getIndices(), o.getChecked(), op);
        return {o.getRelaxed() ? "gc::load(" + text + ")" : text};
      })
      .Case([&](graph::ConstantOp o) -> Text {
        const bool minus = isNegative(o.getValue());
        return {literal(o.getValue()), minus ? Binding::Prefix : Binding::Postfix, minus};
      })
      .Case([&](graph::InfOp o) -> Text { return {infinity(o.getType(), o.getLowest())}; })
      .Case([&](graph::NoneOp o) -> Text { return {"gc::none<" + typeName(o.getType()) + ">()"}; })
      .Case([&](graph::BinaryOp o) { return binary(o); })
      .Case([&](graph::UnaryOp o) { return unary(o); })
      .Case([&](graph::CastOp o) { return conversion(o); })
      .Case([&](graph::LogicOp o) { return logic(o); })
      .Case([&](graph::ConditionalOp o) -> Text {
        Value yes = yielded(o.getWhenTrue()), no = yielded(o.getWhenFalse());
        return {operand(o.getCondition(), Binding::Or) + " ? " +
                    (isConstant(no) ? typedOperand(yes, Binding::Or) : operand(yes, Binding::Or)) + " : " +
                    operand(no, Binding::Or),
                Binding::Conditional};
      })
      .Case([&](exec::ImprovesOp o) { return improves(o); })
      .Case([&](exec::WouldChangeOp o) { return wouldChange(o); })
      .Case([&](graph::HashOp o) -> Text { return {"gc::hash(" + operands(o.getOperands()) + ")"}; })
      .Case([&](graph::CallOp o) -> Text {
        return {besideAlgorithm(op, o.getCallee()) + "<V>(" + operands(o.getOperands()) + ")"};
      })
      .Case([&](graph::ForeignCallOp o) -> Text {
        SmallVector<std::string> arguments; // of exactly the types that the overload takes
        for (Value argument : o.getOperands())
          arguments.push_back(toForeign(argument.getType(), typedOperand(argument, Binding::Conditional)));
        return {fromForeign(o.getResult().getType(), foreignCall(o, arguments))};
      })
      .Case([&](graph::TupleOp o) -> Text { return {typeName(o.getType()) + "(" + operands(o.getOperands()) + ")"}; })
      .Case([&](graph::ElementOp o) -> Text {
        return {"std::get<" + std::to_string(o.getIndex()) + ">(" + operand(o.getTuple()) + ")"};
      })
      .Case([&](graph::DegreeOp o) -> Text {
        const char *name = o.getSide() == graph::Side::Out  ? ".out_degree("
                           : o.getSide() == graph::Side::In ? ".in_degree("
                                                            : ".degree(";
        return {degreesName(o) + name + index(o.getVertex(), o.getMayBeNone(), o) + ")"};
      })
      .Case([&](graph::NumVerticesOp) -> Text { return {"std::int64_t(" + graphName() + ".num_vertices())"}; })
      .Case([&](graph::NumEdgesOp) -> Text { return {graphName() + ".num_edges()"}; })
      .Case([&](graph::EndpointOp o) -> Text {
        if (o.getSide() == graph::Side::Out)
          return {"gc::source(" + graphName() + ", " + index(o.getEdge(), o.getMayBeNone(), o) + ")"};
        return {graphName() + ".target(" + index(o.getEdge(), o.getMayBeNone(), o) + ")"};
      })
      .Case([&](graph::EdgeBetweenOp o) -> Text {
        return {"gc::edge(" + graphName() + ", " + operand(o.getSource()) + ", " + operand(o.getTarget()) + ")"};
      })
      .Case([&](graph::NeighborAtOp o) -> Text {
        const char *name = o.getSide() == graph::Side::In ? "gc::in_neighbor(" : "gc::out_neighbor(";
        return {name + graphName() + ", " + operand(o.getVertex()) + ", " + operand(o.getPlace()) + ")"};
      })
      .Case([&](exec::UpdateOp o) -> Text {
        return {changingUpdate(Combining(o), o.getSync(), target(o), o.getValue())};
      })
      .Case([&](exec::UpdateTupleOp o) -> Text {
        return {
            tupleUpdate(o.getKind(), o.getSync(), o.getStates(), o.getIndices(), o.getValues(), o.getChecked(), op)};
      })
      .Case([&](exec::ReadTogetherOp o) -> Text {
        auto part = [&](Value state) { return element(state, o.getIndex(), false, op); };
        return {"gc::load_together(std::tie(" + listed(o.getStates(), part) + "))"};
      })
      .Case([&](exec::ClaimOp o) -> Text { return {claim(o)}; })
      .Case<graph::AllVerticesOp, graph::SetOfOp, graph::NeighborsOp, graph::SetAlgebraOp, graph::SetFilterOp>(
          [&](auto) { return setExpression(op); })
      .Default([&](Operation *) { return targetExpression(op); });
}

Text BodyPrinter::targetExpression(Operation *) { llvm_unreachable("an operation that this printer does not know"); }

} // namespace gcompile::cpp
