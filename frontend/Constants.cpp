#include "frontend/Constants.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>

namespace gcompile {

using namespace ast;

namespace {

bool isNumber(const Expr &e) { return e.kind == ExprKind::IntLiteral || e.kind == ExprKind::FloatLiteral; }

double realOf(const Expr &e) { return e.kind == ExprKind::IntLiteral ? static_cast<double>(e.intValue) : e.floatValue; }

void makeInteger(Expr &e, std::uint64_t bits) {
  e.intValue = e.type.kind == TypeKind::Int ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits);
  e.kind = ExprKind::IntLiteral;
  e.text = std::to_string(e.intValue);
  e.operands.clear();
}

void makeReal(Expr &e, double value) {
  e.floatValue = e.type.kind == TypeKind::Float ? static_cast<double>(static_cast<float>(value)) : value;
  if (!std::isfinite(e.floatValue))
    return;
  e.kind = ExprKind::FloatLiteral;
  e.text = e.type.kind == TypeKind::Float ? fmt::format("{}", static_cast<float>(e.floatValue))
                                          : fmt::format("{}", e.floatValue);
  e.operands.clear();
}

/// What is too great or too small for the type is no literal.
void foldToInteger(Expr &e, bool fromInteger, std::int64_t integer, double real) {
  const double limit = e.type.kind == TypeKind::Int ? 0x1p31 : 0x1p63;
  if (!fromInteger && std::abs(real) < limit)
    makeInteger(e, static_cast<std::uint64_t>(static_cast<std::int64_t>(real)));
  else if (fromInteger && (e.type.kind == TypeKind::Long || integer == static_cast<std::int32_t>(integer)))
    makeInteger(e, static_cast<std::uint64_t>(integer));
}

void foldIntegers(Expr &e, std::int64_t a, std::int64_t b) {
  const std::uint64_t x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const bool divides = b != 0 && !(b == -1 && a == std::numeric_limits<std::int64_t>::min());
  if (e.text == "+")
    makeInteger(e, x + y);
  else if (e.text == "-")
    makeInteger(e, x - y);
  else if (e.text == "*")
    makeInteger(e, x * y);
  else if (e.text == "/" && divides)
    makeInteger(e, static_cast<std::uint64_t>(a / b));
  else if (e.text == "%" && divides)
    makeInteger(e, static_cast<std::uint64_t>(a % b));
  else if (e.text == "&")
    makeInteger(e, x & y);
  else if (e.text == "|")
    makeInteger(e, x | y);
  else if (e.text == "^")
    makeInteger(e, x ^ y);
  else if (e.text == "<<")
    makeInteger(e, y < (e.type.kind == TypeKind::Int ? 32 : 64) ? x << y : 0);
  else if (e.text == ">>") // the bits of an int are those of a long with its sign in front
    makeInteger(e, static_cast<std::uint64_t>(a >> (y < 64 ? b : 63)));
}

void foldReals(Expr &e, double a, double b) {
  if (e.text == "+")
    makeReal(e, a + b);
  else if (e.text == "-")
    makeReal(e, a - b);
  else if (e.text == "*")
    makeReal(e, a * b);
  else if (e.text == "/")
    makeReal(e, a / b);
}

} // namespace

void foldConstants(Expr &e) {
  for (ExprPtr &operand : e.operands)
    foldConstants(*operand);
  for (const ExprPtr &operand : e.operands)
    if (!isNumber(*operand))
      return;
  if (!e.type.isNumeric() || e.operands.empty())
    return;
  // The literals go when their value takes their place.
  const Expr &first = *e.operands[0];
  const bool integers = first.kind == ExprKind::IntLiteral;
  const std::int64_t integer = first.intValue;
  const double real = realOf(first);
  if (e.kind == ExprKind::Convert && e.type.isFloating())
    makeReal(e, real);
  else if (e.kind == ExprKind::Convert)
    foldToInteger(e, integers, integer, real);
  else if (e.kind == ExprKind::Unary && e.text == "-" && integers)
    makeInteger(e, -static_cast<std::uint64_t>(integer));
  else if (e.kind == ExprKind::Unary && e.text == "~")
    makeInteger(e, ~static_cast<std::uint64_t>(integer));
  else if (e.kind == ExprKind::Unary && e.text == "-")
    makeReal(e, -real);
  else if (e.kind == ExprKind::Binary && e.type.isInteger())
    foldIntegers(e, integer, e.operands[1]->intValue);
  else if (e.kind == ExprKind::Binary)
    foldReals(e, real, realOf(*e.operands[1]));
}

} // namespace gcompile
