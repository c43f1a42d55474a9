// Expressions.
#include "frontend/SemaImpl.h"

#include "frontend/Habits.h"
#include "frontend/Spelling.h"

#include <limits>

namespace gcompile {

void Sema::checkExprAs(ExprPtr &e, const Type &to) {
  checkExpr(e, &to);
  convert(e, to);
}

void Sema::checkExpr(ExprPtr &e, const Type *expected) {
  switch (e->kind) {
  case ExprKind::IntLiteral:
    e->type.kind = e->intValue <= std::numeric_limits<std::int32_t>::max() ? TypeKind::Int : TypeKind::Long;
    break;
  case ExprKind::FloatLiteral:
    e->type.kind = TypeKind::Double;
    break;
  case ExprKind::BoolLiteral:
    e->type.kind = TypeKind::Bool;
    break;
  case ExprKind::Inf:
  case ExprKind::None:
    checkInf(*e, expected);
    break;
  case ExprKind::Self:
    e->type.kind = self ? TypeKind::Vertex : TypeKind::Error;
    e->symbol = self;
    if (!self)
      diags.report(diag::self_outside_initialiser, e->range);
    break;
  case ExprKind::Name:
    checkName(*e);
    break;
  case ExprKind::Index:
    checkIndex(*e, false);
    break;
  case ExprKind::Member:
    resolveResult(*e);
    e->kind == ExprKind::Name ? checkName(*e) : checkMember(*e);
    break;
  case ExprKind::Unary:
    checkUnary(e, expected);
    break;
  case ExprKind::Binary:
    checkBinary(e, expected);
    break;
  case ExprKind::In:
    checkExprAs(e->operands[0], makeType(TypeKind::Vertex));
    checkExprAs(e->operands[1], makeType(TypeKind::VertexSet));
    e->type.kind = TypeKind::Bool;
    break;
  case ExprKind::Call:
    checkCall(e, expected);
    break;
  case ExprKind::TupleExpr:
    checkTuple(*e, expected);
    break;
  case ExprKind::TupleElement: {
    checkExpr(e->operands[0]);
    const Type &tuple = e->operands[0]->type;
    if (tuple.kind == TypeKind::Error)
      break;
    if (tuple.kind != TypeKind::Tuple)
      diags.report(diag::unknown_member, e->range, "a value of type " + typeName(tuple), e->text);
    else if (e->index >= tuple.elements.size())
      diags.report(diag::tuple_index, e->range, tuple.elements.size(), e->text);
    else
      e->type = tuple.elements[e->index];
    break;
  }
  case ExprKind::SetLiteral:
    for (ExprPtr &operand : e->operands)
      checkExprAs(operand, makeType(TypeKind::Vertex));
    e->type.kind = TypeKind::VertexSet;
    break;
  case ExprKind::SetFilter:
    checkFilter(*e);
    break;
  case ExprKind::Conditional:
    checkConditional(*e, expected);
    break;
  case ExprKind::Reduce:
    checkReduction(*e, expected);
    break;
  case ExprKind::Convert: // only made by the checker
    break;
  }
}

void Sema::checkName(Expr &e) {
  e.type.kind = TypeKind::Error;
  e.symbol = lookup(e.text);
  if (!e.symbol)
    e.symbol = edgeProperty(e.text);
  if (!e.symbol) {
    if (algorithm && algorithm->graphName.empty())
      return; // it may be the graph, whose absence is reported already
    if (functions.count(e.text)) {
      diags.report(diag::not_a_value, e.range, e.text, "a function");
      return;
    }
    std::string meant = nameMeant(e.text);
    diags.report(diag::undeclared_name, e.range, e.text)
        .suggest(meant.empty() ? nearest(e.text, visibleNames()) : meant);
    return;
  }
  usage[e.symbol].read = true;
  if (e.symbol->kind == SymbolKind::Run) {
    diags.report(diag::not_a_value, e.range, e.text, describe(*e.symbol))
        .note(e.symbol->range, "its results are read as '" + e.text + ".NAME'");
    return;
  }
  if (e.symbol->shape != Shape::Scalar) {
    const Shape shape = e.symbol->shape;
    const char *owner = shape == Shape::PerVertex ? "vertex"
                        : shape == Shape::PerEdge ? "edge"
                        : shape == Shape::Array   ? "index"
                                                  : "pair of vertices";
    diags.report(diag::needs_index, e.range, e.text, owner).note(e.symbol->range, "declared here");
    return;
  }
  e.type = e.symbol->type;
}

void Sema::checkInf(Expr &e, const Type *expected) {
  e.type.kind = TypeKind::Error;
  if (!expected) {
    diags.report(diag::untyped_inf, e.range, e.text);
    return;
  }
  if (hasError(*expected))
    return;
  bool fits = e.kind == ExprKind::Inf ? expected->isNumeric()
                                      : expected->kind == TypeKind::Vertex || expected->kind == TypeKind::Edge;
  if (fits)
    e.type = *expected;
  else
    diags.report(diag::bad_inf, e.range, e.text, typeName(*expected));
}

void Sema::checkUnary(ExprPtr &e, const Type *expected) {
  ExprPtr &operand = e->operands[0];
  Type boolean = makeType(TypeKind::Bool);
  checkExpr(operand, e->text == "!" ? &boolean : expected);
  const Type &type = operand->type;
  if (type.kind == TypeKind::Error)
    return;
  bool fits = e->text == "!" ? type.kind == TypeKind::Bool : e->text == "~" ? type.isInteger() : type.isNumeric();
  if (!fits) {
    diags.report(diag::bad_operand, e->range, e->text, typeName(type));
    return;
  }
  if (operand->kind == ExprKind::IntLiteral && e->text == "-") { // so that -2147483648 is an int
    ExprPtr literal = std::move(operand);
    literal->range = e->range;
    literal->text = "-" + literal->text;
    literal->intValue = -literal->intValue;
    if (literal->intValue >= std::numeric_limits<std::int32_t>::min())
      literal->type.kind = TypeKind::Int;
    e = std::move(literal);
    return;
  }
  e->type = type;
}

void Sema::checkTogether(ExprPtr &a, ExprPtr &b, const Type *expected) {
  if (needsContext(*a) && !needsContext(*b)) {
    checkExpr(b, expected);
    Type known = b->type;
    checkExpr(a, &known);
  } else {
    checkExpr(a, needsContext(*a) ? expected : nullptr);
    Type known = a->type;
    checkExpr(b, needsContext(*b) ? &known : expected);
  }
}

Type Sema::unify(ExprPtr &a, ExprPtr &b, bool report, const Range *range) {
  Type left = a->type, right = b->type;
  if (hasError(left) || hasError(right))
    return makeType(TypeKind::Error);
  if (left == right)
    return left;
  Type common = left;
  bool possible = true;
  if (left.isNumeric() && right.isNumeric()) {
    // A literal takes the type of the other side where it can: `x * 0.5` is a float if x is.
    common = left.kind < right.kind ? right : left;
    if (common.kind == TypeKind::Double && (left.kind == TypeKind::Float || right.kind == TypeKind::Float)) {
      ExprPtr &wide = left.kind == TypeKind::Double ? a : b;
      if (isRealConstant(*wide))
        common.kind = TypeKind::Float;
    }
  } else if (left.kind == TypeKind::Tuple && right.kind == TypeKind::Tuple &&
             left.elements.size() == right.elements.size()) {
    // Literal tuples meet element by element; others must agree.
    if (a->kind == ExprKind::TupleExpr && b->kind == ExprKind::TupleExpr) {
      for (std::size_t i = 0; i < left.elements.size(); ++i)
        common.elements[i] = unify(a->operands[i], b->operands[i], report, range);
      a->type = b->type = common;
      return hasError(common) ? makeType(TypeKind::Error) : common;
    }
    common = a->kind == ExprKind::TupleExpr ? right : left;
  } else if (left.kind == TypeKind::Graph && right.kind == TypeKind::VertexSet) {
    common = right;
  } else if (!(left.kind == TypeKind::VertexSet && right.kind == TypeKind::Graph)) {
    possible = false;
  }
  if (!possible) {
    if (report)
      diags.report(diag::types_do_not_meet, range ? *range : b->range, typeName(left), typeName(right));
    return makeType(TypeKind::Error);
  }
  bool fits = convert(a, common);
  return convert(b, common) && fits ? common : makeType(TypeKind::Error);
}

void Sema::checkBinary(ExprPtr &e, const Type *expected) {
  const std::string &op = e->text;
  e->type.kind = TypeKind::Error;
  if (op == "&&" || op == "||") {
    for (ExprPtr &operand : e->operands) {
      checkExpr(operand);
      if (operand->type.kind != TypeKind::Bool && operand->type.kind != TypeKind::Error)
        diags.report(diag::condition_not_bool, operand->range, typeName(operand->type));
    }
    e->type.kind = TypeKind::Bool;
    return;
  }
  bool shift = op == "<<" || op == ">>";
  bool comparison = !shift && (op[0] == '<' || op[0] == '>' || op == "==" || op == "!=");
  checkTogether(e->operands[0], e->operands[1], comparison ? nullptr : expected);
  if (hasError(e->operands[0]->type) || hasError(e->operands[1]->type)) {
    if (comparison)
      e->type.kind = TypeKind::Bool;
    return;
  }
  if (comparison)
    checkComparison(*e);
  else
    checkArithmetic(*e);
}

void Sema::checkComparison(Expr &e) {
  e.type.kind = TypeKind::Bool;
  std::string left = typeName(e.operands[0]->type), right = typeName(e.operands[1]->type);
  std::size_t errors = diags.errorCount();
  Type common = unify(e.operands[0], e.operands[1], false);
  bool equality = e.text == "==" || e.text == "!=";
  if (equality && common.kind == TypeKind::Foreign)
    return compareForeign(e);
  bool fits = !hasError(common) && (isOrdered(common) || (equality && common.kind == TypeKind::Bool));
  if (!fits && diags.errorCount() == errors)
    diags.report(diag::bad_operands, e.range, e.text, left, right);
}

void Sema::checkArithmetic(Expr &e) {
  Type left = e.operands[0]->type, right = e.operands[1]->type;
  auto isSet = [](const Type &type) { return type.kind == TypeKind::VertexSet || type.kind == TypeKind::Graph; };
  if (isSet(left) && isSet(right) && (e.text == "+" || e.text == "-" || e.text == "&")) {
    e.type.kind = TypeKind::VertexSet;
    for (ExprPtr &operand : e.operands) {
      if (e.text == "&" && operand->kind == ExprKind::Binary && operand->text != "&" && !operand->parenthesised)
        diags.report(diag::unclear_order, operand->range, operand->text);
      convert(operand, e.type);
    }
    return;
  }
  bool whole = e.text != "+" && e.text != "-" && e.text != "*" && e.text != "/";
  bool fits = whole ? left.isInteger() && right.isInteger() : left.isNumeric() && right.isNumeric();
  if (!fits) {
    auto error = diags.report(diag::bad_operands, e.range, e.text, typeName(left), typeName(right));
    if (left.kind == TypeKind::Bool && right.kind == TypeKind::Bool &&
        (e.text == "&" || e.text == "|" || e.text == "^"))
      error.note(Range(), fmt::format("of flags it is '{}'", e.text == "&" ? "&&" : e.text == "|" ? "||" : "!="));
    return;
  }
  const Expr &divisor = *e.operands[1];
  if ((e.text == "/" || e.text == "%") && left.isInteger() && divisor.kind == ExprKind::IntLiteral &&
      divisor.intValue == 0)
    diags.report(diag::division_by_zero, divisor.range);
  e.type = unify(e.operands[0], e.operands[1]);
}

void Sema::checkTuple(Expr &e, const Type *expected) {
  if (expected && expected->kind == TypeKind::Foreign)
    if (const ForeignFunction *made = restatement(TypeKind::Tuple, *expected))
      expected = &made->parameters[0];
  bool matches = expected && expected->kind == TypeKind::Tuple && expected->elements.size() == e.operands.size();
  e.type.kind = TypeKind::Tuple;
  e.type.elements.clear();
  Type unknown;
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    const Type *wanted = matches ? &expected->elements[i] : expected && hasError(*expected) ? &unknown : nullptr;
    checkExpr(e.operands[i], wanted);
    e.type.elements.push_back(e.operands[i]->type);
    TypeKind kind = e.operands[i]->type.kind;
    if (kind == TypeKind::VertexSet || kind == TypeKind::Graph || kind == TypeKind::Levels || kind == TypeKind::Void) {
      diags.report(diag::type_mismatch, e.operands[i]->range, "a single value", typeName(e.operands[i]->type));
      e.type.elements.back().kind = TypeKind::Error;
    }
  }
  if (hasError(e.type))
    e.type = makeType(TypeKind::Error);
}

void Sema::checkConditional(Expr &e, const Type *expected) {
  checkCondition(e.operands[0]);
  checkTogether(e.operands[1], e.operands[2], expected);
  e.type = unify(e.operands[1], e.operands[2], true, &e.range);
  TypeKind kind = e.type.kind;
  if (kind == TypeKind::VertexSet || kind == TypeKind::Graph || kind == TypeKind::Levels) {
    diags.report(diag::conditional_value, e.range, kind == TypeKind::Levels ? "list of levels" : "vertex set");
    e.type.kind = TypeKind::Error;
  }
}

} // namespace gcompile
