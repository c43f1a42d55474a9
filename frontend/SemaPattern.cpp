// Patterns, and the expressions that range over one.
#include "frontend/SemaImpl.h"

#include <algorithm>

namespace gcompile {

void Sema::rangeOverIntegers(Pattern &pattern) {
  pattern.kind = PatternKind::Integers;
  if (pattern.reversed)
    diags.report(diag::reversed_needs_levels, pattern.range);
  checkTogether(pattern.set, pattern.end, nullptr);
  bool whole = true;
  for (const Expr *bound : {pattern.set.get(), pattern.end.get()}) {
    whole &= bound->type.isInteger();
    if (!bound->type.isInteger() && !hasError(bound->type))
      diags.report(diag::type_mismatch, bound->range, "an integer", typeName(bound->type));
  }
  if (whole)
    unify(pattern.set, pattern.end);
  else
    pattern.set->type = pattern.end->type = makeType(TypeKind::Error);
}

void Sema::rangeOver(Pattern &pattern, PatternUse use) {
  if (use == PatternUse::Propagate) {
    if (!pattern.arrow)
      diags.report(diag::propagate_pattern, pattern.range);
    for (const auto &[name, range] :
         {std::pair(pattern.first, pattern.firstRange), std::pair(pattern.second, pattern.secondRange)})
      if (Symbol *bound = pattern.arrow ? lookup(name) : nullptr)
        diags.report(diag::propagate_pattern, range).note(bound->range, fmt::format("'{}' is bound here", name));
  }
  if (pattern.end) {
    rangeOverIntegers(pattern);
    return;
  }
  pattern.kind = !pattern.arrow       ? (pattern.second.empty() ? PatternKind::VertexIn : PatternKind::Pairs)
                 : pattern.undirected ? PatternKind::EdgesBoth
                 : pattern.into       ? PatternKind::EdgesInto
                                      : PatternKind::Edges;
  if (pattern.reversed && (pattern.arrow || !pattern.second.empty()))
    diags.report(diag::reversed_needs_levels, pattern.range);
  if (!pattern.set)
    return;
  if (function) { // no graph to range over
    diags.report(diag::members_outside_algorithm, pattern.range);
    pattern.set->type.kind = TypeKind::Error;
    return;
  }
  checkExpr(pattern.set);
  TypeKind kind = pattern.set->type.kind;
  if (kind == TypeKind::Graph) {
    pattern.set.reset(); // null: all vertices
  } else if (pattern.kind == PatternKind::Pairs) {
    if (kind != TypeKind::Error)
      diags.report(diag::pairs_need_graph, pattern.set->range, pattern.first, pattern.second,
                   algorithm ? algorithm->graphName : "g");
    return;
  } else if (kind == TypeKind::Levels && !pattern.arrow) {
    if (use == PatternUse::For)
      pattern.kind = PatternKind::LevelIn;
    else
      diags.report(diag::levels_in_expression, pattern.set->range, "an expression");
  } else if (kind != TypeKind::VertexSet && kind != TypeKind::Error) {
    auto builder = diags.report(diag::not_a_range, pattern.set->range,
                                pattern.into    ? "into"
                                : pattern.arrow ? "from"
                                                : "in",
                                typeName(pattern.set->type));
    if (kind == TypeKind::Vertex && pattern.set->kind == ExprKind::Name)
      builder.suggest("{" + pattern.set->text + "}");
    pattern.set->type.kind = TypeKind::Error;
  }
  bool poisoned = pattern.set && pattern.set->type.kind == TypeKind::Error;
  if (pattern.reversed && pattern.kind != PatternKind::LevelIn && !pattern.arrow && !poisoned)
    diags.report(diag::reversed_needs_levels, pattern.range);
}

Symbol *Sema::bindNew(const std::string &name, const Range &range, const Type &type) {
  Symbol *symbol = makeSymbol(SymbolKind::Iterator, name, type, range);
  if (Symbol *other = lookup(name); other && other != implicit) {
    bool inPattern = scopes.back().count(name) != 0;
    auto builder =
        inPattern ? diags.report(diag::names_repeated, range, name) : diags.report(diag::name_bound, range, name);
    builder.note(other->range, "first bound here");
    usage[other].read = true;
  }
  scopes.back()[name] = symbol;
  return symbol;
}

void Sema::bind(Pattern &pattern) {
  Type vertex = makeType(TypeKind::Vertex);
  if (pattern.arrow) {
    bindEnds(pattern);
    return;
  }
  Type type = vertex;
  if (pattern.kind == PatternKind::LevelIn)
    type.kind = TypeKind::VertexSet;
  else if (pattern.kind == PatternKind::Integers)
    type = pattern.set->type;
  else if (pattern.set && pattern.set->type.kind == TypeKind::Error)
    type.kind = TypeKind::Error;
  pattern.u = bindNew(pattern.first, pattern.firstRange, type);
  if (!pattern.second.empty())
    pattern.v = bindNew(pattern.second, pattern.secondRange, vertex);
}

void Sema::bindEnds(Pattern &pattern) {
  if (function)
    diags.report(diag::members_outside_algorithm, pattern.range);
  Type vertex = makeType(TypeKind::Vertex);
  // An end that is bound already restricts the pattern.
  auto end = [&](const std::string &name, const Range &range, bool &bound) -> Symbol * {
    Symbol *symbol = scopes.back().count(name) ? nullptr : lookup(name);
    if (!symbol)
      return bindNew(name, range, vertex);
    usage[symbol].read = true;
    if (symbol->type.kind == TypeKind::Error)
      return symbol;
    if (symbol->type.kind != TypeKind::Vertex || symbol->shape != Shape::Scalar) {
      diags.report(diag::end_not_a_vertex, range, name, describe(*symbol)).note(symbol->range, "declared here");
      return makeSymbol(SymbolKind::Iterator, name, vertex, range);
    }
    bound = true;
    return symbol;
  };
  if (!pattern.edgeName.empty())
    pattern.edge = bindNew(pattern.edgeName, pattern.edgeRange, makeType(TypeKind::Edge));
  pattern.u = end(pattern.first, pattern.firstRange, pattern.boundU);
  pattern.v = end(pattern.second, pattern.secondRange, pattern.boundV);
  if (pattern.boundU && pattern.boundV) {
    diags.report(diag::both_ends_bound, pattern.range, pattern.first, pattern.second)
        .note(pattern.u->range, fmt::format("'{}' is bound here", pattern.first))
        .note(pattern.v->range, fmt::format("'{}' is bound here", pattern.second));
    return;
  }
  if (!pattern.boundU && !pattern.boundV)
    return; // Edges, EdgesBoth or EdgesInto
  if (pattern.set)
    diags.report(diag::from_with_bound_end, pattern.set->range, pattern.into ? "into" : "from",
                 pattern.into ? pattern.second : pattern.first);
  if (pattern.undirected) {
    pattern.kind = PatternKind::Either;
    if (pattern.boundV) {
      std::swap(pattern.u, pattern.v);
      std::swap(pattern.boundU, pattern.boundV);
    }
  } else {
    pattern.kind = pattern.boundU ? PatternKind::OutOf : PatternKind::Into;
  }
}

void Sema::checkFilter(Expr &e) {
  e.type.kind = TypeKind::VertexSet;
  rangeOver(*e.pattern, PatternUse::Expression);
  ScopeGuard scope(*this);
  bind(*e.pattern);
  if (e.where)
    checkCondition(e.where);
}

void Sema::checkReduction(Expr &e, const Type *expected) {
  const std::string &op = e.text;
  e.type.kind = TypeKind::Error;
  if (!e.pattern)
    return; // it could not be read, which is reported already
  Pattern &pattern = *e.pattern;
  rangeOver(pattern, PatternUse::Expression);
  ScopeGuard scope(*this);
  bind(pattern);
  if (e.where)
    checkCondition(e.where);

  if (op == "count") {
    e.type.kind = TypeKind::Long;
    if (e.value) {
      Type unknown;
      checkExpr(e.value, &unknown);
      diags.report(diag::unexpected_reduction_value, e.value->range);
    }
    return;
  }
  if (op == "any" || op == "all") {
    e.type.kind = TypeKind::Bool;
    if (e.value) {
      checkCondition(e.value);
    } else if (op == "all") {
      diags.report(diag::missing_reduction_value, e.range, op, op);
    } else { // `any(v in S where C)`: is there one?
      e.value = std::make_unique<Expr>();
      e.value->kind = ExprKind::BoolLiteral;
      e.value->range = e.range;
      e.value->type.kind = TypeKind::Bool;
      e.value->boolValue = true;
      e.value->text = "true";
    }
    return;
  }
  if (!e.value) {
    if (!op.empty())
      diags.report(diag::missing_reduction_value, e.range, op, op);
    return;
  }
  bool isArg = op == "argmin" || op == "argmax";
  checkExpr(e.value, isArg || op.empty() ? nullptr : expected);
  const Type &type = e.value->type;
  if (op.empty() || hasError(type))
    return;
  if (op == "sum") {
    if (type.isInteger()) {
      e.type.kind = TypeKind::Long;
      convert(e.value, e.type);
    } else if (type.isFloating()) {
      e.type = type;
    } else if (type.kind == TypeKind::Tuple && std::all_of(type.elements.begin(), type.elements.end(),
                                                           [](const Type &each) { return each.isNumeric(); })) {
      e.type = type; // a sum of each
      for (Type &each : e.type.elements)
        each.kind = each.isInteger() ? TypeKind::Long : each.kind;
      if (e.value->kind == ExprKind::TupleExpr)
        convert(e.value, e.type);
    } else {
      diags.report(diag::bad_reduction_type, e.value->range, op, typeName(type));
    }
  } else if (op == "mode") {
    if (type.isInteger() || type.kind == TypeKind::Vertex)
      e.type = type;
    else
      diags.report(diag::bad_reduction_type, e.value->range, op, typeName(type));
  } else if (!isOrdered(type)) {
    diags.report(diag::bad_reduction_type, e.value->range, op, typeName(type));
  } else if (isArg) {
    checkArgExtreme(e);
  } else {
    e.type = type;
  }
}

void Sema::checkArgExtreme(Expr &e) {
  const Pattern &pattern = *e.pattern;
  switch (pattern.kind) {
  case PatternKind::VertexIn:
    e.type.kind = TypeKind::Vertex;
    break;
  case PatternKind::Pairs:
    diags.report(diag::argument_pairs, pattern.range, e.text);
    break;
  case PatternKind::LevelIn:
    break; // reported with the pattern
  default:
    if (!pattern.edgeName.empty())
      e.type.kind = TypeKind::Edge;
    else if (pattern.boundU || pattern.boundV)
      e.type.kind = TypeKind::Vertex; // the end that the pattern binds
    else
      diags.report(diag::argument_not_named, pattern.range, e.text, pattern.first, pattern.undirected ? "--" : "->",
                   pattern.second);
  }
}

} // namespace gcompile
