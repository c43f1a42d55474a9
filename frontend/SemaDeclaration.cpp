// Declarations: what states hold, and how many values.
#include "frontend/SemaImpl.h"

#include <algorithm>
#include <fmt/format.h>

namespace gcompile {

void Sema::checkGraphName(const TypeSpec &spec) {
  if (!spec.graphName.empty() && algorithm && spec.graphName != algorithm->graphName && !algorithm->graphName.empty())
    diags.report(diag::unknown_graph, spec.graphRange, spec.graphName).suggest(algorithm->graphName);
}

/// What the brackets hold is a length, unless it is the graph's name, or one that nothing has.
void Sema::checkLength(TypeSpec &spec) {
  const bool named = spec.shape == Shape::PerVertex && algorithm && !algorithm->graphName.empty() &&
                     spec.graphName != algorithm->graphName && lookup(spec.graphName);
  if (named) {
    spec.shape = Shape::Array;
    spec.graphName.clear();
  }
  if (spec.shape != Shape::Array || function)
    return;
  const Type wanted = makeType(TypeKind::Long);
  checkExpr(spec.length, &wanted);
  const Type &type = spec.length->type;
  if (type.isInteger())
    convert(spec.length, wanted);
  else if (!hasError(type))
    diags.report(diag::bad_array_length, spec.length->range, typeName(type));
}

void Sema::checkDeclaration(Stmt &stmt) {
  TypeSpec &spec = *stmt.typeSpec;
  resolveType(spec.type, spec.range);
  checkLength(spec);
  checkGraphName(spec);
  if (function && (spec.shape != Shape::Scalar || spec.type.kind == TypeKind::VertexSet)) {
    diags.report(diag::property_in_function, spec.range);
    spec.shape = Shape::Scalar;
    spec.type.kind = TypeKind::Error;
  } else if (parallelDepth > 0 && (spec.shape != Shape::Scalar || spec.type.kind == TypeKind::VertexSet)) {
    diags.report(diag::statement_in_parallel, spec.range,
                 spec.shape == Shape::Scalar  ? "a vertex set variable"
                 : spec.shape == Shape::Array ? "a declaration of an array"
                                              : "a declaration of a property");
  }
  if (stmt.output && (function || scopes.size() > 1))
    diags.report(diag::output_inside, stmt.range, stmt.name);
  stmt.symbol = makeSymbol(SymbolKind::Variable, stmt.name, spec.type, stmt.nameRange, spec.shape);
  stmt.symbol->output = stmt.output && checkOutput(stmt);
  stmt.symbol->local = parallelDepth > 0;
  if (stmt.value) {
    usage[stmt.symbol].written = true;
    checkInitialiser(stmt, spec.type);
  }
  declare(stmt.symbol);
}

bool Sema::checkOutput(const Stmt &stmt) {
  const Type &type = stmt.typeSpec->type;
  const std::vector<Type> &parts = type.elements;
  auto foreign =
      std::find_if(parts.begin(), parts.end(), [](const Type &part) { return part.kind == TypeKind::Foreign; });
  bool nested = std::any_of(parts.begin(), parts.end(), [](const Type &part) { return part.kind == TypeKind::Tuple; });
  if (type.kind == TypeKind::VertexSet && algorithm)
    diags.report(
        diag::bad_output_type, stmt.typeSpec->range, "vertex set",
        fmt::format("declare 'output in_{0}: bool[{1}]' and fill it with 'for v in {0} {{ in_{0}[v] = true; }}'",
                    stmt.name, algorithm->graphName));
  else if (type.kind == TypeKind::Foreign)
    diags.report(diag::bad_output_type, stmt.typeSpec->range, "value of the C++ type " + type.name,
                 "declare outputs for its parts, and fill them by functions");
  else if (foreign != parts.end())
    diags.report(diag::bad_output_type, stmt.typeSpec->range, "tuple with a value of the C++ type " + foreign->name,
                 "declare outputs for its parts, and fill them by functions");
  else if (nested)
    diags.report(diag::bad_output_type, stmt.typeSpec->range, "tuple with tuples in it",
                 "results are rows of plain values");
  else
    return true;
  usage[stmt.symbol].read = usage[stmt.symbol].written = true;
  return false;
}

Symbol *Sema::bindSelf(const Range &range) {
  self = makeSymbol(SymbolKind::Iterator, "v", makeType(TypeKind::Vertex), range);
  if (!lookup("v"))
    scopes.back()["v"] = implicit = self;
  return self;
}

void Sema::checkInitialiser(Stmt &stmt, const Type &type) {
  ScopeGuard scope(*this);
  Shape shape = stmt.typeSpec->shape;
  if (shape == Shape::PerVertex) {
    stmt.self = bindSelf(stmt.nameRange);
  } else if (shape == Shape::PerEdge) {
    stmt.selfEdge = makeSymbol(SymbolKind::Iterator, "e", makeType(TypeKind::Edge), stmt.nameRange);
    if (!lookup("e"))
      scopes.back()["e"] = implicit = stmt.selfEdge;
  }
  checkExprAs(stmt.value, type);
  self = implicit = nullptr;
}

} // namespace gcompile
