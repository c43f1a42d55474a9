// Calls: built-in functions, conversions, local functions.
#include "frontend/SemaImpl.h"

#include "frontend/Habits.h"
#include "frontend/Spelling.h"

namespace gcompile {

namespace {

constexpr std::size_t anyNumber = ~std::size_t(0);

std::string countOf(std::size_t least, std::size_t most) {
  auto arguments = [](std::size_t n) { return fmt::format("{} argument{}", n, n == 1 ? "" : "s"); };
  if (most == anyNumber)
    return arguments(least) + " or more";
  return arguments(least);
}

} // namespace

bool Sema::checkArgumentCount(const Expr &e, std::size_t least, std::size_t most) {
  if (e.operands.size() >= least && e.operands.size() <= most)
    return true;
  diags.report(diag::wrong_argument_count, e.range, e.text, countOf(least, most), e.operands.size());
  return false;
}

void Sema::checkCall(ExprPtr &e, const Type *expected) {
  static const std::map<std::string, TypeKind> conversions = {
      {"int", TypeKind::Int}, {"long", TypeKind::Long}, {"float", TypeKind::Float}, {"double", TypeKind::Double}};
  e->type.kind = TypeKind::Error;
  if (auto conversion = conversions.find(e->text); conversion != conversions.end())
    return checkConversion(e, conversion->second);

  auto found = functions.find(e->text);
  if (found == functions.end()) {
    if (checkBuiltin(*e, expected) || checkForeignCall(*e))
      return;
    Type unknown;
    for (ExprPtr &operand : e->operands)
      checkExpr(operand, &unknown);
    if (program.algorithm(e->text)) {
      diags.report(diag::algorithm_in_expression, e->range, e->text);
      return;
    }
    std::vector<std::string> names = {"abs", "min",  "max",      "sqrt", "exp", "log",  "floor", "ceil",
                                      "pow", "hash", "popcount", "edge", "int", "long", "float", "double"};
    for (const auto &entry : functions)
      names.push_back(entry.first);
    Range name = e->range;
    name.endLine = name.line;
    name.endColumn = name.column + static_cast<unsigned>(e->text.size());
    diags.report(diag::unknown_function, name, e->text)
        .suggest(nameMeant(e->text) == "!" ? "!" : nearest(e->text, names));
    return;
  }

  FunctionDecl &callee = *found->second;
  e->symbol = callee.symbol;
  if (function)
    calls[function].push_back({&callee, e->range});
  if (!checkArgumentCount(*e, callee.parameters.size(), callee.parameters.size())) {
    Type unknown;
    for (ExprPtr &operand : e->operands)
      checkExpr(operand, &unknown);
    return;
  }
  for (std::size_t i = 0; i < e->operands.size(); ++i)
    checkExprAs(e->operands[i], callee.parameters[i].type.type);
  e->type = callee.result;
}

void Sema::checkConversion(ExprPtr &e, TypeKind to) {
  if (!checkArgumentCount(*e, 1, 1))
    return;
  Type target = makeType(to);
  ExprPtr &operand = e->operands[0];
  checkExpr(operand, needsContext(*operand) ? &target : nullptr);
  if (operand->type.kind == TypeKind::Error)
    return;
  if (!operand->type.isNumeric()) {
    auto builder = diags.report(diag::bad_operand, e->range, e->text, typeName(operand->type));
    if (operand->type.kind == TypeKind::Bool)
      builder.note(operand->range, "write 'if ... then 1 else 0'");
    return;
  }
  if (operand->type == target) { // nothing to do
    ExprPtr inner = std::move(operand);
    e = std::move(inner);
    return;
  }
  e->kind = ExprKind::Convert;
  e->type = target;
}

void Sema::checkNeighborPlace(Expr &e) {
  if (e.operands.size() != 2) {
    diags.report(diag::wrong_index_count, e.range, e.operands[0]->text, "one place", e.operands.size() - 1);
    return;
  }
  checkExprAs(e.operands[1], makeType(TypeKind::Long));
  e.type = makeType(TypeKind::Vertex);
}

bool Sema::checkBuiltin(Expr &e, const Type *expected) {
  const std::string &name = e.text;
  auto checkNumbers = [&] {
    bool good = true;
    for (ExprPtr &operand : e.operands) {
      checkExpr(operand, expected);
      if (operand->type.kind == TypeKind::Error) {
        good = false;
      } else if (!operand->type.isNumeric()) {
        diags.report(diag::bad_operand, operand->range, name, typeName(operand->type));
        good = false;
      }
    }
    return good;
  };

  if (name == "abs") {
    if (checkArgumentCount(e, 1, 1) && checkNumbers())
      e.type = e.operands[0]->type;
    return true;
  }
  if (name == "popcount") {
    if (!checkArgumentCount(e, 1, 1) || !checkNumbers())
      return true;
    if (e.operands[0]->type.isInteger())
      e.type = e.operands[0]->type;
    else
      diags.report(diag::bad_operand, e.operands[0]->range, name, typeName(e.operands[0]->type));
    return true;
  }
  if (name == "min" || name == "max") {
    if (!checkArgumentCount(e, 2, anyNumber))
      return true;
    // Variables give literals their type where they can, and both give `inf` and `none` theirs.
    Type common;
    bool known = false, good = true;
    auto isLiteral = [](const Expr &operand) {
      return operand.kind == ExprKind::IntLiteral || isRealConstant(operand);
    };
    for (int pass = 0; pass < 3; ++pass)
      for (ExprPtr &operand : e.operands) {
        if (pass != (needsContext(*operand) ? 2 : isLiteral(*operand) ? 1 : 0))
          continue;
        checkExpr(operand, pass == 2 && known ? &common : expected);
        const Type &type = operand->type;
        bool fits = known && common.kind == TypeKind::Float && isRealConstant(*operand);
        if (hasError(type)) {
          good = false;
        } else if (!isOrdered(type)) {
          diags.report(diag::bad_operand, operand->range, name, typeName(type));
          good = false;
        } else if (!known || (common.isNumeric() && type.isNumeric() && common.kind < type.kind && !fits)) {
          common = type;
          known = true;
        }
      }
    if (!good)
      return true;
    for (ExprPtr &operand : e.operands)
      good = convert(operand, common) && good;
    if (good)
      e.type = common;
    return true;
  }
  if (name == "sqrt" || name == "exp" || name == "log" || name == "floor" || name == "ceil" || name == "pow") {
    std::size_t count = name == "pow" ? 2 : 1;
    if (!checkArgumentCount(e, count, count) || !checkNumbers())
      return true;
    bool single = false, wide = false; // float only if every argument is
    for (ExprPtr &operand : e.operands) {
      single |= operand->type.kind == TypeKind::Float;
      wide |=
          operand->type.kind != TypeKind::Float && operand->kind != ExprKind::IntLiteral && !isRealConstant(*operand);
    }
    Type type = makeType(single && !wide ? TypeKind::Float : TypeKind::Double);
    for (ExprPtr &operand : e.operands)
      convert(operand, type);
    e.type = type;
    return true;
  }
  if (name == "hash") {
    if (!checkArgumentCount(e, 1, anyNumber))
      return true;
    for (ExprPtr &operand : e.operands) {
      checkExpr(operand);
      const Type &type = operand->type;
      if (type.isInteger())
        convert(operand, makeType(TypeKind::Long));
      else if (type.kind != TypeKind::Vertex && type.kind != TypeKind::Edge && type.kind != TypeKind::Error)
        diags.report(diag::bad_operand, operand->range, name, typeName(type));
    }
    e.type = makeType(TypeKind::Long);
    return true;
  }
  if (name == "edge") {
    if (!checkArgumentCount(e, 2, 2))
      return true;
    for (ExprPtr &operand : e.operands)
      checkExprAs(operand, makeType(TypeKind::Vertex));
    if (function)
      diags.report(diag::members_outside_algorithm, e.range);
    else
      e.type = makeType(TypeKind::Edge);
    return true;
  }
  return false;
}

} // namespace gcompile
