#include "frontend/lower/LowerInternal.h"
#include "ir/analysis/None.h"
#include "ir/graph/Reductions.h"

using namespace mlir;

namespace gcompile {

void AstToGraph::statements(const std::vector<ast::StmtPtr> &list) {
  for (const auto &s : list)
    statement(*s);
}

void AstToGraph::declare(const ast::Stmt &s) {
  Location where = loc(s.range);
  auto shape = static_cast<graph::Shape>(s.symbol->shape);
  auto stateType = graph::StateType::get(b.getContext(), type(s.symbol->type), shape);
  Value length = shape == graph::Shape::Array ? expression(*s.typeSpec->length) : Value();
  auto op = b.create<graph::StateOp>(where, stateType, s.symbol->name, s.symbol->output && within.empty());
  if (length)
    op.getLengthMutable().assign(length);
  env[s.symbol] = op.getState();
  if (!s.value)
    return;
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&op.getInit());
  Type vertex = graph::VertexType::get(b.getContext());
  Value outerSelf = self;
  if (shape == graph::Shape::PerVertex) {
    self = block->addArgument(vertex, where);
    if (s.self)
      env[s.self] = self;
  } else if (shape == graph::Shape::PerEdge) {
    self = block->addArgument(graph::EdgeType::get(b.getContext()), where);
    if (s.selfEdge)
      env[s.selfEdge] = self;
  } else if (shape == graph::Shape::Dense) {
    block->addArgument(vertex, where);
    block->addArgument(vertex, where);
  }
  yield(*s.value);
  self = outerSelf;
}

/// The state that an assignment is to, and where in it.
Value AstToGraph::place(const ast::Expr &target, SmallVectorImpl<Value> &indices) {
  if (target.kind == ast::ExprKind::Name)
    return env.lookup(target.symbol);
  for (const auto &operand : llvm::drop_begin(target.operands))
    indices.push_back(expression(*operand));
  return env.lookup(target.operands[0]->symbol);
}

/// The opposite of a number that nothing else uses.
Value AstToGraph::negated(Value value, Location where) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  if (!constant || !isa<IntegerAttr>(constant.getValue()))
    return b.create<graph::UnaryOp>(where, value.getType(), graph::UnaryKind::Neg, value);
  auto opposite = b.getIntegerAttr(value.getType(), -cast<IntegerAttr>(constant.getValue()).getInt());
  Value result = b.create<graph::ConstantOp>(where, value.getType(), opposite);
  constant->erase();
  return result;
}

/// A tuple with another value for one of its elements.
Value AstToGraph::withElement(Value tuple, unsigned index, Value value, Location where) {
  auto types = cast<TupleType>(tuple.getType());
  SmallVector<Value> elements;
  for (auto [i, element] : llvm::enumerate(types.getTypes()))
    elements.push_back(i == index ? value : Value(b.create<graph::ElementOp>(where, element, tuple, i)));
  return b.create<graph::TupleOp>(where, types, elements);
}

void AstToGraph::assignOne(const ast::Stmt &s, const ast::Expr &whole, graph::UpdateKind kind, bool subtracts) {
  Location where = loc(s.range);
  const bool isElement = whole.kind == ast::ExprKind::TupleElement;
  const ast::Expr &target = isElement ? *whole.operands[0] : whole;
  std::int64_t part = isElement ? static_cast<std::int64_t>(whole.index) : -1;
  SmallVector<Value> indices;
  Value state = place(target, indices);
  const bool checked = llvm::any_of(indices, mayBeNone), assigns = kind == graph::UpdateKind::Assign;
  auto tuple = dyn_cast<TupleType>(cast<graph::StateType>(state.getType()).getElement());
  if (!isElement && tuple && !assigns && !s.combiner &&
      !graph::traits(kind).selects) { // element by element, the values first
    SmallVector<Value> values;
    if (s.value->kind == ast::ExprKind::TupleExpr) {
      for (const auto &element : s.value->operands)
        values.push_back(expression(*element));
    } else {
      Value all = expression(*s.value);
      for (auto [i, element] : llvm::enumerate(tuple.getTypes()))
        values.push_back(b.create<graph::ElementOp>(where, element, all, i));
    }
    for (auto [i, value] : llvm::enumerate(values))
      b.create<graph::UpdateOp>(where, kind, state, indices, subtracts ? negated(value, where) : value, checked,
                                /*grows_by_round=*/false, static_cast<std::int64_t>(i), FlatSymbolRefAttr());
    return;
  }
  Value value = expression(*s.value);
  if (target.type.kind == ast::TypeKind::VertexSet && !assigns) {
    auto algebra = subtracts ? graph::SetKind::Difference : *graph::symbolizeSetKind(updateWritten(s.op)->sets);
    value = b.create<graph::SetAlgebraOp>(where, algebra, read(state, {}, where), value);
    kind = graph::UpdateKind::Assign;
  } else if (subtracts) {
    value = negated(value, where);
  } else if (isElement && assigns) {
    value = withElement(read(state, indices, where), whole.index, value, where);
    part = -1;
  }
  FlatSymbolRefAttr combiner;
  if (s.combiner)
    combiner = FlatSymbolRefAttr::get(b.getContext(), s.combiner->name);
  b.create<graph::UpdateOp>(where, kind, state, indices, value, checked, /*grows_by_round=*/false, part, combiner);
}

void AstToGraph::assign(const ast::Stmt &s) {
  Location where = loc(s.range);
  const bool subtracts = s.op == "-=";
  if (s.combiner)
    return assignOne(s, *s.targets[0], graph::UpdateKind::Combine, false);
  const UpdateTraits &update = *updateWritten(subtracts ? "+=" : s.op);
  auto kind = static_cast<graph::UpdateKind>(update.kind);
  if (s.targets.size() == 1)
    return assignOne(s, *s.targets[0], kind, subtracts);

  // Several targets: the values first, then either one joint min or max, or one assignment each.
  SmallVector<Value> values;
  if (s.value->kind == ast::ExprKind::TupleExpr) {
    for (const auto &element : s.value->operands)
      values.push_back(expression(*element));
  } else {
    Value tuple = expression(*s.value);
    for (auto [i, element] : llvm::enumerate(cast<TupleType>(tuple.getType()).getTypes()))
      values.push_back(b.create<graph::ElementOp>(where, element, tuple, i));
  }
  SmallVector<Value> states;
  SmallVector<SmallVector<Value>> indices(s.targets.size());
  for (auto [target, index] : llvm::zip(s.targets, indices))
    states.push_back(place(target->kind == ast::ExprKind::TupleElement ? *target->operands[0] : *target, index));
  if (update.selects) {
    b.create<graph::UpdateTupleOp>(where, kind, states, indices[0], values, llvm::any_of(indices[0], mayBeNone));
    return;
  }
  for (auto [target, state, index, value] : llvm::zip(s.targets, states, indices, values)) {
    Value whole = value;
    if (target->kind == ast::ExprKind::TupleElement)
      whole = withElement(read(state, index, where), target->index, value, where);
    b.create<graph::UpdateOp>(where, kind, state, index, whole, llvm::any_of(index, mayBeNone),
                              /*grows_by_round=*/false, /*part=*/-1, FlatSymbolRefAttr());
  }
}

/// `for i in A .. B sequentially { BODY }` is `next = A; while next < B { let i = next; BODY; next += 1; }`, where B
/// was evaluated before.
void AstToGraph::countUp(const ast::Stmt &s) {
  Location where = loc(s.pattern->range);
  const std::string &name = s.pattern->first;
  Type integer = type(s.pattern->u->type);
  auto stateType = graph::StateType::get(b.getContext(), integer, graph::Shape::Scalar);
  auto state = b.create<graph::StateOp>(where, stateType, name + "_next", false);
  Value next = state.getState();
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&state.getInit());
  yield(*s.pattern->set);
  b.setInsertionPointAfter(state);
  Value end = expression(*s.pattern->end);
  if (!end.getDefiningOp<graph::ConstantOp>())
    end = b.create<graph::LetOp>(where, name + "_end", end);
  auto op = b.create<graph::WhileOp>(loc(s.range), labelOf(s), graph::ScheduleAttr());
  b.createBlock(&op.getCondition());
  Value more =
      b.create<graph::BinaryOp>(where, b.getI1Type(), graph::BinaryKind::Lt, read(next, {}, where), end, false, false);
  b.create<graph::YieldOp>(where, more);
  b.createBlock(&op.getBody());
  env[s.pattern->u] = b.create<graph::LetOp>(where, name, read(next, {}, where));
  if (s.where) {
    auto branch = b.create<graph::IfOp>(loc(s.where->range), expression(*s.where));
    OpBuilder::InsertionGuard inside(b);
    b.createBlock(&branch.getThenRegion());
    statements(s.body);
  } else {
    statements(s.body);
  }
  Value one = b.create<graph::ConstantOp>(where, integer, cast<TypedAttr>(b.getIntegerAttr(integer, 1)));
  b.create<graph::UpdateOp>(where, graph::UpdateKind::Add, next, ValueRange(), one, false, /*grows_by_round=*/false,
                            /*part=*/-1, FlatSymbolRefAttr());
}

void AstToGraph::forEach(const ast::Stmt &s) {
  if (s.pattern->kind == ast::PatternKind::Integers)
    return countUp(s);
  Location where = loc(s.range);
  Range r = range(*s.pattern);
  auto op = b.create<graph::ForOp>(where, r.domain, r.over, s.sequential, s.pattern->reversed, labelOf(s),
                                   b.getArrayAttr(r.names), graph::ScheduleAttr());
  if (s.where)
    fill(op.getWhere(), r, where, [&] { yield(*s.where); });
  fill(op.getBody(), r, where, [&] { statements(s.body); });
}

void AstToGraph::propagate(const ast::Stmt &s) {
  Location where = loc(s.range);
  Range r = range(*s.pattern);
  r.names.push_back(b.getStringAttr(s.roundName.empty() ? "round" : s.roundName));
  Value ordered = s.ordered ? env.lookup(s.ordered) : Value();
  Value atMost = s.atMost ? expression(*s.atMost) : Value();
  Type levels = s.levels ? graph::LevelsType::get(b.getContext()) : Type();
  auto op = b.create<graph::PropagateOp>(where, levels, r.domain, r.over, ordered, atMost, labelOf(s),
                                         b.getArrayAttr(r.names), graph::ScheduleAttr(), ArrayAttr(), ArrayAttr());
  if (s.where)
    fill(
        op.getWhere(), r, where, [&] { yield(*s.where); }, s.round, true);
  fill(
      op.getBody(), r, where, [&] { statements(s.body); }, s.round, true);
  if (s.condition) {
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&op.getUntil());
    Value round = block->addArgument(b.getI32Type(), where);
    if (s.round)
      env[s.round] = round;
    yield(*s.condition);
  }
  if (s.levels)
    env[s.levels] = op.getLevels();
}

/// Whether `until` reads what the body declares.
static bool usesBodyOf(graph::RepeatOp repeat) {
  bool uses = false;
  repeat.getUntil().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      uses |= repeat.getBody().isAncestor(operand.getParentRegion());
  });
  return uses;
}

/// Turns `{ BODY } until C` into `{ BODY if C { break } }`, where C sees the names of the body.
void AstToGraph::moveUntilIntoBody(graph::RepeatOp repeat) {
  Block &body = repeat.getBody().front(), &until = repeat.getUntil().front();
  auto yield = cast<graph::YieldOp>(until.back());
  Value condition = yield.getValues()[0];
  Location where = yield.getLoc();
  yield.erase();
  body.getOperations().splice(body.end(), until.getOperations());
  until.erase();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&body);
  auto leave = b.create<graph::IfOp>(where, condition);
  b.createBlock(&leave.getThenRegion());
  b.create<graph::BreakOp>(where);
}

void AstToGraph::statement(const ast::Stmt &s) {
  Location where = loc(s.range);
  switch (s.kind) {
  case ast::StmtKind::Declare:
    return declare(s);
  case ast::StmtKind::Let:
    if (!s.callee.empty())
      return run(s);
    env[s.symbol] = b.create<graph::LetOp>(where, s.symbol->name, expression(*s.value));
    return;
  case ast::StmtKind::Assign:
    return assign(s);
  case ast::StmtKind::For:
    return forEach(s);
  case ast::StmtKind::Propagate:
    return propagate(s);
  case ast::StmtKind::If: {
    auto op = b.create<graph::IfOp>(where, expression(*s.condition));
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&op.getThenRegion());
    statements(s.body);
    if (!s.elseBody.empty()) {
      b.createBlock(&op.getElseRegion());
      statements(s.elseBody);
    }
    return;
  }
  case ast::StmtKind::While: {
    auto op = b.create<graph::WhileOp>(where, labelOf(s), graph::ScheduleAttr());
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&op.getCondition());
    yield(*s.condition);
    b.createBlock(&op.getBody());
    statements(s.body);
    return;
  }
  case ast::StmtKind::Repeat: {
    auto op =
        b.create<graph::RepeatOp>(where, s.value ? expression(*s.value) : Value(), labelOf(s), graph::ScheduleAttr());
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&op.getBody());
    statements(s.body);
    if (s.condition) {
      b.createBlock(&op.getUntil());
      yield(*s.condition);
      if (usesBodyOf(op))
        moveUntilIntoBody(op);
    }
    return;
  }
  case ast::StmtKind::Break:
    b.create<graph::BreakOp>(where);
    return;
  case ast::StmtKind::Return:
    b.create<graph::ReturnOp>(where, expression(*s.value));
    return;
  case ast::StmtKind::Block:
    return statements(s.body);
  }
}

} // namespace gcompile
