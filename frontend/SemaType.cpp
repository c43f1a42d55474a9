// Types: names, conversions.
#include "frontend/SemaImpl.h"

#include <cstdint>
#include <limits>

namespace gcompile {

std::string typeName(const Type &type) {
  switch (type.kind) {
  case TypeKind::Error:
    return "<error>";
  case TypeKind::Void:
    return "nothing";
  case TypeKind::Bool:
    return "bool";
  case TypeKind::Int:
    return "int";
  case TypeKind::Long:
    return "long";
  case TypeKind::Float:
    return "float";
  case TypeKind::Double:
    return "double";
  case TypeKind::Vertex:
    return "vertex";
  case TypeKind::Edge:
    return "edge";
  case TypeKind::VertexSet:
    return "vertex set";
  case TypeKind::Levels:
    return "levels";
  case TypeKind::Graph:
    return "graph";
  case TypeKind::Foreign:
    return type.name;
  case TypeKind::Tuple:
    break;
  }
  std::string result = "(";
  for (std::size_t i = 0; i < type.elements.size(); ++i)
    result += (i ? ", " : "") + typeName(type.elements[i]);
  return result + ")";
}

namespace {

/// Whether a number of type `from` becomes one of type `to` without being asked.
bool widens(TypeKind from, TypeKind to) {
  return from < to && from >= TypeKind::Int && to <= TypeKind::Double; // int < long < float < double
}

void makeFloat(Expr &e) {
  e.type.kind = TypeKind::Float;
  if (e.kind != ExprKind::Convert)
    for (ExprPtr &operand : e.operands)
      makeFloat(*operand);
}

} // namespace

bool Sema::isRealConstant(const Expr &e) {
  switch (e.kind) {
  case ExprKind::FloatLiteral:
    return true;
  case ExprKind::Convert:
    return isRealConstant(*e.operands[0]) || e.operands[0]->kind == ExprKind::IntLiteral;
  case ExprKind::Unary:
    return isRealConstant(*e.operands[0]);
  case ExprKind::Binary:
    return isRealConstant(*e.operands[0]) && isRealConstant(*e.operands[1]);
  default:
    return false;
  }
}

bool Sema::hasError(const Type &type) {
  if (type.kind == TypeKind::Error)
    return true;
  for (const Type &element : type.elements)
    if (hasError(element))
      return true;
  return false;
}

bool Sema::isOrdered(const Type &type) {
  if (type.kind == TypeKind::Tuple) {
    for (const Type &element : type.elements)
      if (!isOrdered(element) && element.kind != TypeKind::Bool)
        return false;
    return true;
  }
  return type.isNumeric() || type.kind == TypeKind::Vertex || type.kind == TypeKind::Edge;
}

bool Sema::needsContext(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Inf:
  case ExprKind::None:
    return true;
  case ExprKind::Unary:
    return e.text == "-" && needsContext(*e.operands[0]);
  case ExprKind::TupleExpr:
    for (const ExprPtr &operand : e.operands)
      if (needsContext(*operand))
        return true;
    return false;
  case ExprKind::Conditional:
    return needsContext(*e.operands[1]) && needsContext(*e.operands[2]);
  case ExprKind::Binary:
    return (e.text == "+" || e.text == "-" || e.text == "*" || e.text == "/") && needsContext(*e.operands[0]) &&
           needsContext(*e.operands[1]);
  default:
    return false;
  }
}

bool Sema::convert(ExprPtr &e, const Type &to) {
  const Type from = e->type;
  if (hasError(from) || hasError(to) || from == to)
    return true;
  if (from.kind == TypeKind::Graph && to.kind == TypeKind::VertexSet) {
    e->type = to; // all vertices
    return true;
  }
  if (e->kind == ExprKind::TupleExpr && to.kind == TypeKind::Tuple && to.elements.size() == e->operands.size()) {
    bool fits = true;
    for (std::size_t i = 0; i < e->operands.size(); ++i)
      fits = convert(e->operands[i], to.elements[i]) && fits;
    e->type = to;
    return fits;
  }
  if (restate(e, to))
    return true;
  if (!from.isNumeric() || !to.isNumeric()) {
    diags.report(diag::type_mismatch, e->range, typeName(to), typeName(from));
    return false;
  }
  if (e->kind == ExprKind::IntLiteral) {
    if (to.kind == TypeKind::Int && (e->intValue > std::numeric_limits<std::int32_t>::max() ||
                                     e->intValue < std::numeric_limits<std::int32_t>::min())) {
      diags.report(diag::literal_out_of_range, e->range, e->text, typeName(to));
      return false;
    }
    if (to.isFloating()) {
      e->kind = ExprKind::FloatLiteral;
      e->floatValue = static_cast<double>(e->intValue);
    }
    e->type = to;
    return true;
  }
  if (to.kind == TypeKind::Float && from.kind == TypeKind::Double && isRealConstant(*e)) {
    makeFloat(*e);
    return true;
  }
  if (!widens(from.kind, to.kind)) {
    Range end = e->range;
    end.line = end.endLine;
    end.column = end.endColumn;
    Range begin = e->range;
    begin.endLine = begin.line;
    begin.endColumn = begin.column;
    diags.report(diag::narrowing, e->range, typeName(from), typeName(to), typeName(to))
        .fix(begin, typeName(to) + "(")
        .fix(end, ")");
    return false;
  }
  auto conversion = std::make_unique<Expr>();
  conversion->kind = ExprKind::Convert;
  conversion->range = e->range;
  conversion->type = to;
  conversion->operands.push_back(std::move(e));
  e = std::move(conversion);
  return true;
}

std::string Sema::describe(const Symbol &symbol) {
  std::string where;
  switch (symbol.shape) {
  case Shape::Scalar:
    break;
  case Shape::PerVertex:
    where = " per vertex";
    break;
  case Shape::PerEdge:
    where = " per edge";
    break;
  case Shape::Dense:
    where = " per pair of vertices";
    break;
  case Shape::Array:
    where = " per index";
    break;
  }
  switch (symbol.kind) {
  case SymbolKind::Graph:
    return "the graph";
  case SymbolKind::EdgeProperty:
    return "an edge property of the input";
  case SymbolKind::Parameter:
    return "a parameter";
  case SymbolKind::Variable:
    return "a variable of type " + typeName(symbol.type) + where;
  case SymbolKind::Let:
    return "a constant";
  case SymbolKind::Iterator:
    return "bound by a pattern";
  case SymbolKind::Levels:
    return "a list of levels";
  case SymbolKind::Round:
    return "the number of the round";
  case SymbolKind::Function:
    return "a function";
  case SymbolKind::Run:
    return "a called algorithm";
  case SymbolKind::Result:
    return "a result of a called algorithm";
  }
  return "";
}

} // namespace gcompile
