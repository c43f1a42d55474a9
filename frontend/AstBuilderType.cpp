// Types and shapes of the parse tree.
#include "frontend/AstBuilderImpl.h"

#include "frontend/Habits.h"

#include <algorithm>

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
  antlr4::ParserRuleContext *word = context->qualifiedName();
  if (!word)
    word = context->numericType();
  std::string text = word->getText();
  auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto &entry) { return entry.first == text; });
  if (found == kinds.end()) {
    if (imports && !context->SET()) { // a header may have it
      type.kind = TypeKind::Foreign;
      type.name = text;
      typeNames.insert(text);
    } else {
      diags.report(diag::unknown_type, rangeOf(word), text).suggest(typeMeant(text));
    }
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
  ExprPtr first = expr(shape->expr(0));
  auto named = [&](const Expr &e) {
    spec.graphName = e.text;
    spec.graphRange = e.range;
  };
  if (shape->COMMA()) {
    spec.shape = Shape::Dense;
    ExprPtr second = expr(shape->expr(1));
    if (first->kind == ExprKind::Name)
      named(*first);
    if (first->kind != ExprKind::Name || second->kind != ExprKind::Name || second->text != first->text)
      diags.report(diag::bad_shape, rangeOf(shape), first->kind == ExprKind::Name ? first->text : "g");
  } else if (first->kind == ExprKind::Member && first->text == "edges" && first->operands[0]->kind == ExprKind::Name) {
    spec.shape = Shape::PerEdge;
    named(*first->operands[0]);
  } else {
    spec.shape = Shape::Array;
    if (first->kind == ExprKind::Name && !first->parenthesised) { // the graph's, until Sema finds another meaning
      spec.shape = Shape::PerVertex;
      named(*first);
    }
    spec.length = std::move(first);
  }
  if (spec.type.kind == TypeKind::VertexSet) {
    diags.report(diag::set_cannot_have_shape, spec.range, "a vertex set");
    spec.shape = Shape::Scalar;
    spec.graphName.clear(); // it may be a length
    spec.type.kind = TypeKind::Error;
  }
  return spec;
}

} // namespace gcompile
