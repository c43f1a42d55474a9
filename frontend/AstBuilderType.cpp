// Types and shapes of the parse tree.
#include "frontend/AstBuilderImpl.h"

#include "frontend/Spelling.h"

#include <algorithm>
#include <map>

namespace gcompile {

Type AstBuilder::typeName(P::TypeNameContext *context) {
  Type type;
  if (!context->typeName().empty()) {
    type.kind = TypeKind::Tuple;
    for (P::TypeNameContext *element : context->typeName()) {
      type.elements.push_back(typeName(element));
      TypeKind kind = type.elements.back().kind;
      if (kind == TypeKind::VertexSet)
        diags.report(diag::set_cannot_have_shape, rangeOf(element), "a vertex set");
    }
    return type;
  }
  static const std::vector<std::pair<std::string, TypeKind>> kinds = {
      {"bool", TypeKind::Bool},     {"int", TypeKind::Int},       {"long", TypeKind::Long}, {"float", TypeKind::Float},
      {"double", TypeKind::Double}, {"vertex", TypeKind::Vertex}, {"edge", TypeKind::Edge}};
  antlr4::ParserRuleContext *word = context->name();
  if (!word)
    word = context->numericType();
  std::string text = word->getText();
  auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto &entry) { return entry.first == text; });
  if (found == kinds.end()) {
    // Other languages' names first.
    static const std::map<std::string, std::string> aliases = {
        {"integer", "int"},   {"int32", "int"},   {"int64", "long"},     {"boolean", "bool"},
        {"float32", "float"}, {"real", "double"}, {"float64", "double"}, {"node", "vertex"}};
    std::vector<std::string> names;
    for (const auto &entry : kinds)
      names.push_back(entry.first);
    auto alias = aliases.find(text);
    diags.report(diag::unknown_type, rangeOf(word), text)
        .suggest(alias != aliases.end() ? alias->second : nearest(text, names));
    return type;
  }
  type.kind = found->second;
  if (context->SET()) {
    if (type.kind == TypeKind::Vertex) {
      type.kind = TypeKind::VertexSet;
    } else {
      diags.report(diag::bad_set_type, rangeOf(context), text);
      type.kind = TypeKind::Error;
    }
  }
  return type;
}

TypeSpec AstBuilder::typeSpec(P::TypeContext *context) {
  TypeSpec spec;
  spec.range = rangeOf(context);
  spec.type = typeName(context->typeName());
  P::ShapeContext *shape = context->shape();
  if (!shape)
    return spec;
  spec.graphName = shape->name(0)->getText();
  spec.graphRange = rangeOf(shape->name(0));
  if (shape->DOT())
    spec.shape = Shape::PerEdge;
  else
    spec.shape = shape->COMMA() ? Shape::Dense : Shape::PerVertex;
  if ((shape->DOT() && shape->name(1)->getText() != "edges") ||
      (shape->COMMA() && shape->name(1)->getText() != spec.graphName))
    diags.report(diag::bad_shape, rangeOf(shape), spec.graphName);
  if (spec.type.kind == TypeKind::VertexSet) {
    diags.report(diag::set_cannot_have_shape, spec.range, "a vertex set");
    spec.shape = Shape::Scalar;
    spec.type.kind = TypeKind::Error;
  }
  return spec;
}

} // namespace gcompile
