// Elements of properties, and members.
#include "frontend/SemaImpl.h"

#include "frontend/Spelling.h"

#include <fmt/format.h>

namespace gcompile {

void Sema::checkIndex(Expr &e, bool isTarget) {
  e.type.kind = TypeKind::Error;
  Expr &base = *e.operands[0];
  Symbol *symbol = nullptr;
  resolveResult(base);
  if (base.kind != ExprKind::Name) {
    checkExpr(e.operands[0]);
    if (base.isNeighbors() && !isTarget)
      return checkNeighborPlace(e);
    if (base.type.kind != TypeKind::Error)
      diags.report(diag::type_mismatch, base.range, "the name of a property", typeName(base.type));
  } else {
    symbol = lookup(base.text);
    if (!symbol)
      symbol = edgeProperty(base.text);
    if (!symbol)
      checkName(base); // reports
  }
  base.symbol = symbol;
  const std::size_t count = e.operands.size() - 1;
  if (!symbol || symbol->shape == Shape::Scalar) {
    if (symbol) {
      usage[symbol].read |= !isTarget;
      usage[symbol].written |= isTarget;
      if (symbol->type.kind != TypeKind::Error)
        diags.report(diag::not_indexable, e.range, base.text).note(symbol->range, "declared here");
      base.symbol = nullptr;
    }
    Type vertex = makeType(TypeKind::Vertex);
    for (std::size_t i = 1; i <= count; ++i)
      checkExpr(e.operands[i], &vertex);
    return;
  }
  base.type = symbol->type;
  usage[symbol].read |= !isTarget;
  const bool array = symbol->shape == Shape::Array;
  Type index = makeType(array ? TypeKind::Long : symbol->shape == Shape::PerEdge ? TypeKind::Edge : TypeKind::Vertex);
  for (std::size_t i = 1; i <= count; ++i) {
    checkExpr(e.operands[i], &index);
    const Type &type = e.operands[i]->type;
    if (array && type.isInteger())
      convert(e.operands[i], index);
    else if (type != index && type.kind != TypeKind::Error)
      diags
          .report(diag::bad_index_type, e.operands[i]->range, base.text,
                  array                          ? "an integer"
                  : index.kind == TypeKind::Edge ? "an edge"
                                                 : "a vertex",
                  typeName(type))
          .note(symbol->range, "declared here");
  }
  const char *one = array ? "one integer" : index.kind == TypeKind::Edge ? "one edge" : "one vertex";
  const std::size_t wanted = symbol->shape == Shape::Dense ? 2 : 1;
  if (count != wanted && count <= 2)
    diags.report(diag::wrong_index_count, e.range, base.text, wanted == 2 ? "two vertices" : one, count)
        .note(symbol->range, "declared here");
  e.type = symbol->type;
}

void Sema::checkMember(Expr &e) {
  struct Member {
    TypeKind owner;
    const char *name;
    MemberKind kind;
    TypeKind type;
  };
  static const Member members[] = {
      {TypeKind::Vertex, "out_degree", MemberKind::OutDegree, TypeKind::Int},
      {TypeKind::Vertex, "in_degree", MemberKind::InDegree, TypeKind::Int},
      {TypeKind::Vertex, "degree", MemberKind::Degree, TypeKind::Int},
      {TypeKind::Vertex, "neighbors", MemberKind::OutNeighbors, TypeKind::VertexSet},
      {TypeKind::Vertex, "out_neighbors", MemberKind::OutNeighbors, TypeKind::VertexSet},
      {TypeKind::Vertex, "in_neighbors", MemberKind::InNeighbors, TypeKind::VertexSet},
      {TypeKind::Graph, "num_vertices", MemberKind::NumVertices, TypeKind::Long},
      {TypeKind::Graph, "num_edges", MemberKind::NumEdges, TypeKind::Long},
      {TypeKind::VertexSet, "size", MemberKind::SetSize, TypeKind::Long},
      {TypeKind::VertexSet, "empty", MemberKind::SetEmpty, TypeKind::Bool},
      {TypeKind::Edge, "source", MemberKind::EdgeSource, TypeKind::Vertex},
      {TypeKind::Edge, "target", MemberKind::EdgeTarget, TypeKind::Vertex},
  };
  e.type.kind = TypeKind::Error;
  const Expr &base = *e.operands[0];
  if (base.kind == ExprKind::Name && !lookup(base.text) && edgeProperty(e.text)) {
    diags.report(diag::undeclared_name, base.range, base.text)
        .suggest(nearest(base.text, visibleNames()))
        .note(Range(), fmt::format("an edge has a name where its pattern gives it one: '{}: u -> v'", base.text));
    return;
  }
  checkExpr(e.operands[0]);
  const TypeKind owner = e.operands[0]->type.kind;
  if (owner == TypeKind::Error)
    return;
  if (function && (owner == TypeKind::Vertex || owner == TypeKind::Edge)) {
    diags.report(diag::members_outside_algorithm, e.range);
    return;
  }
  if (owner == TypeKind::Edge) {
    e.symbol = edgeProperty(e.text); // a property hides `source` and `target`
    if (e.symbol) {
      e.member = MemberKind::EdgeValue;
      e.type = e.symbol->type;
      return;
    }
  }
  std::vector<std::string> names;
  for (const Member &member : members) {
    if (member.owner != owner)
      continue;
    if (e.text == member.name) {
      e.member = member.kind;
      e.type.kind = member.type;
      return;
    }
    names.push_back(member.name);
  }
  if (owner == TypeKind::Edge && algorithm)
    for (const EdgePropertyDecl &property : algorithm->edgeProperties)
      names.push_back(property.name);
  std::string type = typeName(e.operands[0]->type);
  std::string what = owner == TypeKind::Edge                                     ? "an edge"
                     : owner == TypeKind::Graph                                  ? "the graph"
                     : owner == TypeKind::Vertex || owner == TypeKind::VertexSet ? "a " + type
                                                                                 : "a value of type " + type;
  Range name = e.range; // the member's name ends the expression, on its last line
  name.line = name.endLine;
  name.column = name.endColumn - static_cast<unsigned>(e.text.size());
  Symbol *property = lookup(e.text);
  if (property && property->shape != Shape::Scalar && e.operands[0]->kind == ExprKind::Name) {
    std::string access = fmt::format("{}[{}]", e.text, e.operands[0]->text);
    diags.report(diag::unknown_member, e.range, what, e.text)
        .note(property->range, fmt::format("'{}' is a property: write '{}'", e.text, access))
        .fix(e.range, access);
  } else {
    diags.report(diag::unknown_member, name, what, e.text).suggest(nearest(e.text, names));
  }
}

} // namespace gcompile
