#include "frontend/lower/LowerInternal.h"
#include "ir/analysis/None.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace gcompile {

/// Whether no integer divided by `divisor` fails or overflows: it is a literal other than 0 and -1.
static bool isHarmlessDivisor(Value divisor) {
  auto literal = divisor.getDefiningOp<graph::ConstantOp>();
  auto integer = literal ? dyn_cast<IntegerAttr>(literal.getValueAttr()) : nullptr;
  return integer && !integer.getValue().isZero() && !integer.getValue().isAllOnes();
}

Value ExpressionLowering::read(Value state, ArrayRef<Value> indices, Location where) {
  auto element = cast<graph::StateType>(state.getType()).getElement();
  return b.create<graph::ReadOp>(where, element, state, indices, llvm::any_of(indices, mayBeNone), false);
}

ExpressionLowering::Range ExpressionLowering::range(const ast::Pattern &p) {
  Range r;
  Location where = loc(p.range);
  auto set = [&]() -> Value { return p.set ? expression(*p.set) : b.create<graph::AllVerticesOp>(where).getResult(); };
  auto argument = [&](const ast::Symbol *symbol, const std::string &name) {
    r.arguments.push_back(symbol);
    r.names.push_back(b.getStringAttr(name));
  };
  auto edge = [&] { argument(p.edge, p.edgeName.empty() ? "e" : p.edgeName); };
  // The end that the pattern is bound to may be a variable.
  auto bound = [&](const ast::Symbol *symbol) {
    Value end = env.lookup(symbol);
    return isa<graph::StateType>(end.getType()) ? read(end, {}, where) : end;
  };
  switch (p.kind) {
  case ast::PatternKind::VertexIn:
    r.domain = graph::Domain::Vertices;
    r.over = set();
    argument(p.u, p.first);
    break;
  case ast::PatternKind::Pairs:
    r.domain = graph::Domain::Pairs;
    argument(p.u, p.first);
    argument(p.v, p.second);
    break;
  case ast::PatternKind::Edges:
  case ast::PatternKind::EdgesBoth:
    r.domain = p.kind == ast::PatternKind::Edges || undirected ? graph::Domain::Edges : graph::Domain::EdgesBoth;
    r.over = set();
    argument(p.u, p.first);
    argument(p.v, p.second);
    edge();
    break;
  case ast::PatternKind::EdgesInto:
    // In an undirected graph these are the edges out of the vertices, unless the edge is asked for: its two arcs
    // differ.
    r.domain = undirected && !p.edge ? graph::Domain::Edges : graph::Domain::EdgesInto;
    r.over = set();
    argument(p.v, p.second);
    argument(p.u, p.first);
    edge();
    break;
  case ast::PatternKind::OutOf:
    r.domain = graph::Domain::OutOf;
    r.over = bound(p.u);
    argument(p.v, p.v->name);
    edge();
    break;
  case ast::PatternKind::Into:
    r.domain = graph::Domain::Into;
    r.over = bound(p.v);
    argument(p.u, p.u->name);
    edge();
    break;
  case ast::PatternKind::Either:
    r.domain = undirected ? graph::Domain::OutOf : graph::Domain::Either;
    r.over = bound(p.u);
    argument(p.v, p.v->name);
    edge();
    break;
  case ast::PatternKind::LevelIn:
    r.domain = graph::Domain::Levels;
    r.over = expression(*p.set);
    argument(p.u, p.first);
    break;
  case ast::PatternKind::Integers:
    llvm_unreachable("a loop over integers is a `while`");
  }
  return r;
}

void ExpressionLowering::fill(Region &region, const Range &range, Location where, llvm::function_ref<void()> contents,
                              const ast::Symbol *round, bool hasRound) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region);
  Type vertex = graph::VertexType::get(b.getContext()), edge = graph::EdgeType::get(b.getContext());
  SmallVector<Type> types;
  switch (range.domain) {
  case graph::Domain::Vertices:
    types = {vertex};
    break;
  case graph::Domain::Pairs:
    types = {vertex, vertex};
    break;
  case graph::Domain::Edges:
  case graph::Domain::EdgesBoth:
  case graph::Domain::EdgesInto:
    types = {vertex, vertex, edge};
    break;
  case graph::Domain::OutOf:
  case graph::Domain::Into:
  case graph::Domain::Either:
    types = {vertex, edge};
    break;
  case graph::Domain::Levels:
    types = {graph::SetType::get(b.getContext())};
    break;
  }
  for (auto [symbol, type] : llvm::zip(range.arguments, types)) {
    Value argument = block->addArgument(type, where);
    if (symbol)
      env[symbol] = argument;
  }
  if (hasRound) {
    Value argument = block->addArgument(b.getI32Type(), where);
    if (round)
      env[round] = argument;
  }
  contents();
}

void ExpressionLowering::yield(const ast::Expr &value) {
  Value v = expression(value);
  b.create<graph::YieldOp>(loc(value.range), v);
}

Value ExpressionLowering::convert(Value value, Type to, Location where) {
  if (value.getType() == to)
    return value;
  if (auto constant = value.getDefiningOp<graph::ConstantOp>())
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue())) {
      Attribute folded = isa<FloatType>(to) ? Attribute(b.getFloatAttr(to, static_cast<double>(integer.getInt())))
                                            : Attribute(b.getIntegerAttr(to, integer.getInt()));
      if (constant->use_empty())
        constant->erase();
      return b.create<graph::ConstantOp>(where, to, cast<TypedAttr>(folded));
    }
  return b.create<graph::CastOp>(where, to, value, false);
}

Value ExpressionLowering::member(const ast::Expr &e) {
  Location where = loc(e.range);
  const ast::Expr &base = *e.operands[0];
  switch (e.member) {
  case ast::MemberKind::NumVertices:
    return b.create<graph::NumVerticesOp>(where);
  case ast::MemberKind::NumEdges:
    return b.create<graph::NumEdgesOp>(where);
  case ast::MemberKind::OutDegree:
    return b.create<graph::DegreeOp>(where, graph::Side::Out, expression(base));
  case ast::MemberKind::InDegree:
    return b.create<graph::DegreeOp>(where, undirected ? graph::Side::Out : graph::Side::In, expression(base));
  case ast::MemberKind::Degree:
    return b.create<graph::DegreeOp>(where, undirected ? graph::Side::Out : graph::Side::Both, expression(base));
  case ast::MemberKind::OutNeighbors:
    return b.create<graph::NeighborsOp>(where, graph::Side::Out, expression(base));
  case ast::MemberKind::InNeighbors:
    return b.create<graph::NeighborsOp>(where, undirected ? graph::Side::Out : graph::Side::In, expression(base));
  case ast::MemberKind::SetSize:
    return b.create<graph::SetSizeOp>(where, expression(base));
  case ast::MemberKind::SetEmpty: {
    Value size = b.create<graph::SetSizeOp>(where, expression(base));
    Value zero = b.create<graph::ConstantOp>(where, b.getI64Type(), b.getI64IntegerAttr(0));
    return b.create<graph::BinaryOp>(where, b.getI1Type(), graph::BinaryKind::Eq, size, zero, false, false);
  }
  case ast::MemberKind::EdgeValue:
    return read(env.lookup(e.symbol), {expression(base)}, where);
  case ast::MemberKind::EdgeSource:
    return b.create<graph::EndpointOp>(where, graph::Side::Out, expression(base));
  case ast::MemberKind::EdgeTarget:
    return b.create<graph::EndpointOp>(where, graph::Side::In, expression(base));
  case ast::MemberKind::Unresolved:
    break;
  }
  llvm_unreachable("members are resolved");
}

Value ExpressionLowering::binary(const ast::Expr &e) {
  Location where = loc(e.range);
  const ast::Expr &left = *e.operands[0], &right = *e.operands[1];
  if (e.text == "&&" || e.text == "||") {
    Value lhs = expression(left);
    auto op = b.create<graph::LogicOp>(where, b.getI1Type(),
                                       e.text == "&&" ? graph::LogicKind::And : graph::LogicKind::Or, lhs);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&op.getRhs());
    yield(right);
    return op;
  }
  Value lhs = expression(left), rhs = expression(right);
  if (e.type.kind == ast::TypeKind::VertexSet) {
    auto kind = e.text == "+"   ? graph::SetKind::Union
                : e.text == "-" ? graph::SetKind::Difference
                                : graph::SetKind::Intersection;
    return b.create<graph::SetAlgebraOp>(where, kind, lhs, rhs);
  }
  graph::BinaryKind kind = llvm::StringSwitch<graph::BinaryKind>(e.text)
                               .Case("+", graph::BinaryKind::Add)
                               .Case("-", graph::BinaryKind::Sub)
                               .Case("*", graph::BinaryKind::Mul)
                               .Case("/", graph::BinaryKind::Div)
                               .Case("%", graph::BinaryKind::Rem)
                               .Case("&", graph::BinaryKind::BitAnd)
                               .Case("|", graph::BinaryKind::BitOr)
                               .Case("^", graph::BinaryKind::BitXor)
                               .Case("<<", graph::BinaryKind::ShiftLeft)
                               .Case(">>", graph::BinaryKind::ShiftRight)
                               .Case("==", graph::BinaryKind::Eq)
                               .Case("!=", graph::BinaryKind::Ne)
                               .Case("<", graph::BinaryKind::Lt)
                               .Case("<=", graph::BinaryKind::Le)
                               .Case(">", graph::BinaryKind::Gt)
                               .Case(">=", graph::BinaryKind::Ge);
  bool divides = kind == graph::BinaryKind::Div || kind == graph::BinaryKind::Rem;
  bool checked = divides && isa<IntegerType>(rhs.getType()) && !isHarmlessDivisor(rhs);
  Type result = graph::isComparison(kind) ? b.getI1Type() : lhs.getType();
  return b.create<graph::BinaryOp>(where, result, kind, lhs, rhs, false, checked);
}

Value ExpressionLowering::call(const ast::Expr &e) {
  Location where = loc(e.range);
  SmallVector<Value> arguments;
  for (const auto &operand : e.operands)
    arguments.push_back(expression(*operand));
  if (const ast::ForeignFunction *foreign = e.foreign) {
    SmallVector<StringRef> believed(foreign->believed.begin(), foreign->believed.end());
    StringAttr hostOnly = foreign->hostOnly.empty() ? StringAttr() : b.getStringAttr(foreign->hostOnly);
    SmallVector<StringRef> forms(foreign->deviceForms.begin(), foreign->deviceForms.end());
    return b.create<graph::ForeignCallOp>(
        where, type(e.type), b.getStringAttr(foreign->name), b.getStrArrayAttr(believed), hostOnly,
        forms.empty() ? ArrayAttr() : b.getStrArrayAttr(forms), foreign->keepsFinite, arguments);
  }
  if (e.symbol)
    return b.create<graph::CallOp>(where, type(e.type), FlatSymbolRefAttr::get(b.getContext(), e.symbol->name),
                                   arguments);
  if (e.text == "hash")
    return b.create<graph::HashOp>(where, b.getI64Type(), arguments);
  if (e.text == "edge")
    return b.create<graph::EdgeBetweenOp>(where, arguments[0], arguments[1]);
  if (e.text == "min" || e.text == "max" || e.text == "pow") {
    auto kind = e.text == "min"   ? graph::BinaryKind::Min
                : e.text == "max" ? graph::BinaryKind::Max
                                  : graph::BinaryKind::Pow;
    Value result = arguments.front();
    for (Value argument : ArrayRef<Value>(arguments).drop_front())
      result = b.create<graph::BinaryOp>(where, result.getType(), kind, result, argument, false, false);
    return result;
  }
  graph::UnaryKind kind = llvm::StringSwitch<graph::UnaryKind>(e.text)
                              .Case("abs", graph::UnaryKind::Abs)
                              .Case("popcount", graph::UnaryKind::PopCount)
                              .Case("sqrt", graph::UnaryKind::Sqrt)
                              .Case("exp", graph::UnaryKind::Exp)
                              .Case("log", graph::UnaryKind::Log)
                              .Case("floor", graph::UnaryKind::Floor)
                              .Case("ceil", graph::UnaryKind::Ceil);
  return b.create<graph::UnaryOp>(where, arguments.front().getType(), kind, arguments.front());
}

/// Of a sum of tuples, that of their elements number `i`.
Value ExpressionLowering::sumOfElement(const ast::Expr &e, const Range &r, unsigned i) {
  Location where = loc(e.range);
  Type element = type(e.type.elements[i]);
  auto op = b.create<graph::ReduceOp>(where, element, graph::ReduceKind::Sum, r.domain, r.over, false,
                                      b.getArrayAttr(r.names));
  if (e.where)
    fill(op.getWhere(), r, where, [&] { yield(*e.where); });
  fill(op.getValue(), r, where, [&] {
    if (e.value->kind == ast::ExprKind::TupleExpr)
      return yield(*e.value->operands[i]);
    Value tuple = expression(*e.value);
    Type own = cast<TupleType>(tuple.getType()).getType(i);
    Value value = b.create<graph::ElementOp>(where, own, tuple, i);
    b.create<graph::YieldOp>(where, own == element ? value : convert(value, element, where));
  });
  return op;
}

Value ExpressionLowering::reduce(const ast::Expr &e) {
  Location where = loc(e.range);
  Range r = range(*e.pattern);
  auto kind = *graph::symbolizeReduceKind(e.text);
  bool edge = graph::traits(kind).witness && e.type.kind == ast::TypeKind::Edge;
  if (e.type.kind == ast::TypeKind::Tuple && kind == graph::ReduceKind::Sum) {
    SmallVector<Value> sums;
    for (unsigned i = 0; i < e.type.elements.size(); ++i) // each ranges over a set of its own: passes take them apart
      sums.push_back(sumOfElement(e, i == 0 ? r : range(*e.pattern), i));
    return b.create<graph::TupleOp>(where, type(e.type), sums);
  }
  auto op = b.create<graph::ReduceOp>(where, type(e.type), kind, r.domain, r.over, edge, b.getArrayAttr(r.names));
  // `count(P : C)` with a condition for a value counts where it holds.
  if (e.where)
    fill(op.getWhere(), r, where, [&] { yield(*e.where); });
  if (e.value && kind != graph::ReduceKind::Count)
    fill(op.getValue(), r, where, [&] { yield(*e.value); });
  return op;
}

Value ExpressionLowering::expression(const ast::Expr &e) {
  const bool variable = e.kind == ast::ExprKind::Name && e.symbol->kind != ast::SymbolKind::Graph;
  if (Value value = variable ? env.lookup(e.symbol) : Value(); value && !isa<graph::StateType>(value.getType()))
    return value;
  Location where = loc(e.range);
  switch (e.kind) {
  case ast::ExprKind::IntLiteral:
    if (e.type.isFloating())
      return b.create<graph::ConstantOp>(where, type(e.type),
                                         b.getFloatAttr(type(e.type), static_cast<double>(e.intValue)));
    return b.create<graph::ConstantOp>(where, type(e.type), b.getIntegerAttr(type(e.type), e.intValue));
  case ast::ExprKind::FloatLiteral:
    return b.create<graph::ConstantOp>(where, type(e.type), b.getFloatAttr(type(e.type), e.floatValue));
  case ast::ExprKind::BoolLiteral:
    return b.create<graph::ConstantOp>(where, b.getI1Type(), b.getBoolAttr(e.boolValue));
  case ast::ExprKind::Inf:
    return b.create<graph::InfOp>(where, type(e.type), false);
  case ast::ExprKind::None:
    return b.create<graph::NoneOp>(where, type(e.type));
  case ast::ExprKind::Self:
    return self;
  case ast::ExprKind::Name: {
    if (e.symbol->kind == ast::SymbolKind::Graph)
      return b.create<graph::AllVerticesOp>(where);
    return read(env.lookup(e.symbol), {}, where);
  }
  case ast::ExprKind::Index: {
    if (const ast::Expr &base = *e.operands[0]; base.isNeighbors()) {
      auto side = undirected || base.member == ast::MemberKind::OutNeighbors ? graph::Side::Out : graph::Side::In;
      Value vertex = expression(*base.operands[0]);
      return b.create<graph::NeighborAtOp>(where, side, vertex, expression(*e.operands[1]));
    }
    SmallVector<Value> indices;
    for (const auto &operand : llvm::drop_begin(e.operands))
      indices.push_back(expression(*operand));
    return read(env.lookup(e.operands[0]->symbol), indices, where);
  }
  case ast::ExprKind::Member:
    return member(e);
  case ast::ExprKind::Unary: {
    Value operand = expression(*e.operands[0]);
    Type numberType = operand.getType(); // the operation goes where its constant is negated
    if (auto constant = operand.getDefiningOp<graph::ConstantOp>(); constant && e.text == "-") {
      Attribute negated;
      if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
        negated = b.getIntegerAttr(numberType, -integer.getInt());
      else
        negated = b.getFloatAttr(numberType, -cast<FloatAttr>(constant.getValue()).getValueAsDouble());
      constant->erase();
      return b.create<graph::ConstantOp>(where, numberType, cast<TypedAttr>(negated));
    }
    if (auto infinity = operand.getDefiningOp<graph::InfOp>(); infinity && e.text == "-") {
      infinity->erase();
      return b.create<graph::InfOp>(where, numberType, true);
    }
    return b.create<graph::UnaryOp>(where, operand.getType(),
                                    e.text == "-"   ? graph::UnaryKind::Neg
                                    : e.text == "~" ? graph::UnaryKind::Invert
                                                    : graph::UnaryKind::Not,
                                    operand);
  }
  case ast::ExprKind::Binary:
    return binary(e);
  case ast::ExprKind::In: {
    Value vertex = expression(*e.operands[0]);
    return b.create<graph::ContainsOp>(where, expression(*e.operands[1]), vertex);
  }
  case ast::ExprKind::Call:
    return call(e);
  case ast::ExprKind::Conditional: {
    Value condition = expression(*e.operands[0]);
    auto op = b.create<graph::ConditionalOp>(where, type(e.type), condition);
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&op.getWhenTrue());
    yield(*e.operands[1]);
    b.createBlock(&op.getWhenFalse());
    yield(*e.operands[2]);
    return op;
  }
  case ast::ExprKind::TupleExpr: {
    SmallVector<Value> elements;
    for (const auto &operand : e.operands)
      elements.push_back(expression(*operand));
    return b.create<graph::TupleOp>(where, type(e.type), elements);
  }
  case ast::ExprKind::TupleElement:
    return b.create<graph::ElementOp>(where, type(e.type), expression(*e.operands[0]), e.index);
  case ast::ExprKind::SetLiteral: {
    SmallVector<Value> elements;
    for (const auto &operand : e.operands)
      elements.push_back(expression(*operand));
    return b.create<graph::SetOfOp>(where, elements);
  }
  case ast::ExprKind::SetFilter: {
    Range r = range(*e.pattern);
    if (!e.where)
      return r.over;
    auto op = b.create<graph::SetFilterOp>(where, r.over);
    op.setNamesAttr(b.getArrayAttr(r.names));
    fill(op.getWhere(), r, where, [&] { yield(*e.where); });
    return op;
  }
  case ast::ExprKind::Reduce:
    return reduce(e);
  case ast::ExprKind::Convert:
    return convert(expression(*e.operands[0]), type(e.type), where);
  }
  llvm_unreachable("every kind of expression is listed");
}

} // namespace gcompile
