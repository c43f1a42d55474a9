// Declarations, statements and patterns of the parse tree.
#include "frontend/AstBuilderImpl.h"

#include "frontend/Spelling.h"

#include <algorithm>
#include <map>

namespace gcompile {

Range rangeOf(antlr4::ParserRuleContext *context) {
  Range range = tokenRange(context->getStart());
  if (antlr4::Token *stop = context->getStop()) {
    Range end = tokenRange(stop);
    range.endLine = end.endLine;
    range.endColumn = end.endColumn;
  }
  return range;
}

std::string withoutSeparators(std::string digits) {
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  return digits;
}

namespace {

/// A number without its `_`; any other word as it is.
std::string scheduleWord(const std::string &word) {
  bool number = !word.empty() && (word[0] == '-' || (word[0] >= '0' && word[0] <= '9'));
  return number ? withoutSeparators(word) : word;
}

} // namespace

StmtPtr AstBuilder::make(StmtKind kind, antlr4::ParserRuleContext *context, P::LabelContext *label) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = kind;
  stmt->range = rangeOf(context);
  if (label)
    stmt->label = label->name()->getText();
  return stmt;
}

// ---- declarations

std::unique_ptr<Program> AstBuilder::program(P::ProgramContext *tree) {
  auto result = std::make_unique<Program>();
  for (P::TopLevelContext *item : tree->topLevel()) {
    if (auto *import = item->importDecl()) {
      std::string path = import->STRING()->getText();
      result->imports.push_back({rangeOf(import), path.substr(1, path.size() - 2)});
    } else if (auto *decl = item->functionDecl()) {
      result->functions.push_back(function(decl));
    } else if (auto *decl = item->algorithmDecl()) {
      result->algorithms.push_back(algorithm(decl));
    } else {
      result->schedules.push_back(schedule(item->scheduleDecl()));
    }
  }
  return result;
}

FunctionDecl AstBuilder::function(P::FunctionDeclContext *context) {
  FunctionDecl result;
  result.range = rangeOf(context->name());
  result.name = context->name()->getText();
  for (P::ParameterContext *p : context->parameterList()->parameter()) {
    if (p->graphType())
      diags.report(diag::graph_parameter_misplaced, rangeOf(p));
    else
      result.parameters.push_back(parameter(p));
  }
  result.result = typeName(context->typeName());
  result.body = block(context->block());
  return result;
}

AlgorithmDecl AstBuilder::algorithm(P::AlgorithmDeclContext *context) {
  AlgorithmDecl result;
  result.range = rangeOf(context->name());
  result.name = context->name()->getText();
  std::vector<P::ParameterContext *> parameters = context->parameterList()->parameter();
  if (parameters.empty() || !parameters[0]->graphType()) {
    diags.report(diag::graph_parameter_missing,
                 parameters.empty() ? rangeOf(context->parameterList()) : rangeOf(parameters[0]), result.name);
  }
  for (P::ParameterContext *p : parameters) {
    if (!p->graphType()) {
      result.parameters.push_back(parameter(p));
    } else if (p == parameters[0]) {
      result.graphName = p->name()->getText();
      result.graphRange = rangeOf(p->name());
      if (p->expr())
        diags.report(diag::clause_not_allowed, rangeOf(p->expr()), "a default value", "the graph parameter");
      graphAttributes(p->graphType(), result);
    } else {
      diags.report(diag::graph_parameter_misplaced, rangeOf(p));
    }
  }
  result.body = block(context->block());
  return result;
}

void AstBuilder::graphAttributes(P::GraphTypeContext *context, AlgorithmDecl &algorithm) {
  std::string directedness;
  for (P::GraphAttributeContext *attribute : context->graphAttribute()) {
    std::string name = attribute->name()->getText();
    if (attribute->typeName()) {
      EdgePropertyDecl property;
      property.range = rangeOf(attribute->name());
      property.name = name;
      property.type = typeName(attribute->typeName());
      if (!property.type.isNumeric() && property.type.kind != TypeKind::Error) {
        diags.report(diag::bad_property_type, rangeOf(attribute->typeName()), attribute->typeName()->getText());
        property.type.kind = TypeKind::Error;
      }
      algorithm.edgeProperties.push_back(std::move(property));
    } else if (name == "directed" || name == "undirected") {
      if (name == directedness)
        diags.report(diag::repeated_clause, rangeOf(attribute), name);
      else if (!directedness.empty())
        diags.report(diag::range_order, rangeOf(attribute), directedness, name);
      directedness = name;
      algorithm.directedness = name == "directed" ? Directedness::Directed : Directedness::Undirected;
    } else {
      diags.report(diag::unknown_graph_attribute, rangeOf(attribute), name)
          .suggest(nearest(name, {"directed", "undirected"}));
    }
  }
}

ParameterDecl AstBuilder::parameter(P::ParameterContext *context) {
  ParameterDecl result;
  result.range = rangeOf(context->name());
  result.name = context->name()->getText();
  result.type = typeSpec(context->type());
  if (context->expr())
    result.defaultValue = expr(context->expr());
  return result;
}

// ---- schedules

ScheduleDecl AstBuilder::schedule(P::ScheduleDeclContext *context) {
  ScheduleDecl result;
  result.range = rangeOf(context->name());
  result.algorithm = context->name()->getText();
  for (P::ScheduleSectionContext *s : context->scheduleSection()) {
    ScheduleSection section;
    section.range = rangeOf(s->name(0));
    section.target = s->name(0)->getText();
    if (s->name().size() > 1)
      section.label = s->name(1)->getText();
    for (P::DirectiveContext *d : s->directive()) {
      ScheduleDirective directive;
      directive.range = rangeOf(d);
      directive.nameRange = rangeOf(d->name());
      directive.name = d->name()->getText();
      directive.by = d->BY() != nullptr;
      bool firstAlternative = true;
      for (P::AlternativeContext *a : d->alternative()) {
        std::vector<ScheduleValue> values;
        for (P::ScheduleValueContext *v : a->scheduleValue())
          values.push_back(scheduleValue(v));
        if (firstAlternative)
          directive.values = std::move(values);
        else
          directive.alternatives.push_back(std::move(values));
        firstAlternative = false;
      }
      section.directives.push_back(std::move(directive));
    }
    result.sections.push_back(std::move(section));
  }
  return result;
}

ScheduleValue AstBuilder::scheduleValue(P::ScheduleValueContext *context) {
  ScheduleValue value;
  value.range = rangeOf(context->scheduleWord());
  value.name = scheduleWord(context->scheduleWord()->getText());
  for (P::OptionContext *option : context->option())
    value.options.push_back(
        {rangeOf(option->name()), option->name()->getText(), scheduleWord(option->scheduleWord()->getText())});
  return value;
}

// ---- types

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

// ---- statements

std::vector<StmtPtr> AstBuilder::block(P::BlockContext *context) {
  std::vector<StmtPtr> result;
  for (P::StatementContext *s : context->statement())
    result.push_back(statement(s));
  return result;
}

StmtPtr AstBuilder::statement(P::StatementContext *context) {
  if (auto *c = context->declaration())
    return declaration(c);
  if (auto *c = context->letStatement())
    return let(c);
  if (auto *c = context->assignment())
    return assignment(c);
  if (auto *c = context->forStatement())
    return forStatement(c);
  if (auto *c = context->propagateStatement())
    return propagate(c);
  if (auto *c = context->ifStatement())
    return ifStatement(c);
  if (auto *c = context->repeatStatement())
    return repeat(c);
  if (auto *c = context->whileStatement()) {
    StmtPtr stmt = make(StmtKind::While, c, c->label());
    stmt->condition = expr(c->condition()->expr());
    stmt->body = block(c->block());
    return stmt;
  }
  if (auto *c = context->breakStatement())
    return make(StmtKind::Break, c);
  if (auto *c = context->returnStatement()) {
    StmtPtr stmt = make(StmtKind::Return, c);
    if (c->expr())
      stmt->value = expr(c->expr());
    return stmt;
  }
  StmtPtr stmt = make(StmtKind::Block, context);
  stmt->body = block(context->block());
  return stmt;
}

StmtPtr AstBuilder::declaration(P::DeclarationContext *context) {
  StmtPtr stmt = make(StmtKind::Declare, context);
  stmt->name = context->name()->getText();
  stmt->nameRange = rangeOf(context->name());
  stmt->output = context->OUTPUT() != nullptr;
  stmt->typeSpec = std::make_unique<TypeSpec>(typeSpec(context->type()));
  if (context->expr())
    stmt->value = expr(context->expr());
  return stmt;
}

StmtPtr AstBuilder::let(P::LetStatementContext *context) {
  StmtPtr stmt = make(StmtKind::Let, context);
  stmt->name = context->name()->getText();
  stmt->nameRange = rangeOf(context->name());
  stmt->value = expr(context->expr());
  return stmt;
}

StmtPtr AstBuilder::assignment(P::AssignmentContext *context) {
  StmtPtr stmt = make(StmtKind::Assign, context);
  for (P::LvalueContext *target : context->target()->lvalue())
    stmt->targets.push_back(lvalue(target));
  stmt->op = context->assignOp()->getText();
  stmt->value = expr(context->expr());
  return stmt;
}

StmtPtr AstBuilder::forStatement(P::ForStatementContext *context) {
  StmtPtr stmt = make(StmtKind::For, context, context->label());
  stmt->pattern = pattern(context->forHeader()->pattern());
  Clauses found = clauses(context->forHeader()->clause(), Place::For);
  stmt->sequential = found.sequential;
  stmt->pattern->reversed = found.reversed;
  stmt->where = std::move(found.where);
  addSet(*stmt->pattern, found);
  stmt->body = block(context->block());
  return stmt;
}

StmtPtr AstBuilder::propagate(P::PropagateStatementContext *context) {
  StmtPtr stmt = make(StmtKind::Propagate, context, context->label());
  stmt->pattern = pattern(context->propagateHeader()->pattern());
  Clauses found = clauses(context->propagateHeader()->clause(), Place::Propagate);
  stmt->where = std::move(found.where);
  stmt->condition = std::move(found.until);
  stmt->atMost = std::move(found.atMost);
  stmt->orderedName = found.ordered;
  stmt->orderedRange = found.orderedRange;
  if (found.keep) {
    stmt->levelsName = found.levels;
    stmt->levelsRange = found.keepRange;
  }
  stmt->roundName = found.round;
  stmt->roundRange = found.roundRange;
  addSet(*stmt->pattern, found);
  if (context->expr()) {
    if (stmt->condition)
      diags.report(diag::repeated_clause, tokenRange(context->UNTIL()->getSymbol()), "until");
    stmt->condition = expr(context->expr());
  }
  stmt->body = block(context->block());
  return stmt;
}

StmtPtr AstBuilder::ifStatement(P::IfStatementContext *context) {
  StmtPtr result = make(StmtKind::If, context);
  Stmt *stmt = result.get();
  for (;;) { // `else if` chains may be long: no recursion
    stmt->condition = expr(context->condition()->expr());
    stmt->body = block(context->block(0));
    P::IfStatementContext *next = context->ifStatement();
    if (!next) {
      if (context->block().size() > 1)
        stmt->elseBody = block(context->block(1));
      return result;
    }
    stmt->elseBody.push_back(make(StmtKind::If, next));
    stmt = stmt->elseBody.back().get();
    context = next;
  }
}

StmtPtr AstBuilder::repeat(P::RepeatStatementContext *context) {
  StmtPtr stmt = make(StmtKind::Repeat, context, context->label());
  for (P::ExprContext *e : context->expr()) {
    bool isCount = e->getStart()->getTokenIndex() < context->block()->getStart()->getTokenIndex();
    (isCount ? stmt->value : stmt->condition) = expr(e);
  }
  stmt->body = block(context->block());
  return stmt;
}

// ---- patterns

std::unique_ptr<Pattern> AstBuilder::pattern(P::PatternContext *context) {
  if (auto *edge = context->edgePattern())
    return edgePattern(edge);
  auto result = std::make_unique<Pattern>();
  result->range = rangeOf(context);
  P::NameContext *first, *second = nullptr;
  if (auto *vertex = context->vertexPattern()) {
    first = vertex->name();
    result->set = expr(vertex->expr());
  } else {
    P::PairPatternContext *pair = context->pairPattern();
    first = pair->name(0);
    second = pair->name(1);
    result->second = second->getText();
    result->secondRange = rangeOf(second);
    result->set = expr(pair->expr());
  }
  result->first = first->getText();
  result->firstRange = rangeOf(first);
  return result;
}

std::unique_ptr<Pattern> AstBuilder::edgePattern(P::EdgePatternContext *context) {
  auto result = std::make_unique<Pattern>();
  result->range = rangeOf(context);
  result->arrow = true;
  result->undirected = context->LINE() != nullptr;
  std::vector<P::NameContext *> names = context->name();
  if (context->COLON()) {
    result->edgeName = names[0]->getText();
    result->edgeRange = rangeOf(names[0]);
  }
  result->first = names[names.size() - 2]->getText();
  result->firstRange = rangeOf(names[names.size() - 2]);
  result->second = names[names.size() - 1]->getText();
  result->secondRange = rangeOf(names[names.size() - 1]);
  return result;
}

Clauses AstBuilder::clauses(const std::vector<P::ClauseContext *> &contexts, Place place) {
  Clauses found;
  std::vector<std::string> seen;
  auto accept = [&](P::ClauseContext *context, const char *name, bool allowed) {
    static const char *places[] = {"a 'for' statement", "a 'propagate' statement", "a reduction", "a set filter"};
    Range range = tokenRange(context->getStart());
    if (!allowed) {
      diags.report(diag::clause_not_allowed, range, name, places[static_cast<int>(place)]);
      return false;
    }
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      diags.report(diag::repeated_clause, range, name);
      return false;
    }
    seen.push_back(name);
    return true;
  };
  bool isFor = place == Place::For, isPropagate = place == Place::Propagate;
  for (P::ClauseContext *context : contexts) {
    if (auto *c = dynamic_cast<P::FromClauseContext *>(context)) {
      if (accept(c, "from", place != Place::Filter))
        addSet(found, c, c->expr(), false);
    } else if (auto *c = dynamic_cast<P::IntoClauseContext *>(context)) {
      if (accept(c, "into", place != Place::Filter))
        addSet(found, c, c->expr(), true);
    } else if (auto *c = dynamic_cast<P::WhereClauseContext *>(context)) {
      if (accept(c, "where", true))
        found.where = expr(c->expr());
    } else if (auto *c = dynamic_cast<P::SequentiallyClauseContext *>(context)) {
      found.sequential |= accept(c, "sequentially", isFor);
    } else if (auto *c = dynamic_cast<P::ReversedClauseContext *>(context)) {
      found.reversed |= accept(c, "reversed", isFor);
    } else if (auto *c = dynamic_cast<P::OrderedClauseContext *>(context)) {
      if (accept(c, "ordered by", isPropagate)) {
        found.ordered = c->name()->getText();
        found.orderedRange = rangeOf(c->name());
      }
    } else if (auto *c = dynamic_cast<P::KeepClauseContext *>(context)) {
      if (accept(c, "keep levels", isPropagate)) {
        found.keep = true;
        found.levels = c->name() ? c->name()->getText() : "levels";
        found.keepRange = c->name() ? rangeOf(c->name()) : tokenRange(c->LEVELS()->getSymbol());
      }
    } else if (auto *c = dynamic_cast<P::RoundClauseContext *>(context)) {
      if (accept(c, "round", isPropagate)) {
        found.round = c->name()->getText();
        found.roundRange = rangeOf(c->name());
      }
    } else if (auto *c = dynamic_cast<P::UntilClauseContext *>(context)) {
      if (accept(c, "until", isPropagate))
        found.until = expr(c->expr());
    } else if (auto *c = dynamic_cast<P::AtMostClauseContext *>(context)) {
      if (accept(c, "at most", isPropagate))
        found.atMost = expr(c->expr());
    }
  }
  return found;
}

void AstBuilder::addSet(Clauses &clauses, P::ClauseContext *clause, P::ExprContext *set, bool into) {
  Range range = tokenRange(clause->getStart());
  if (clauses.set)
    diags.report(diag::range_order, range, clauses.into ? "into" : "from", into ? "into" : "from");
  clauses.set = expr(set);
  clauses.setRange = range;
  clauses.into = into;
}

void AstBuilder::addSet(Pattern &pattern, Clauses &clauses) {
  if (!clauses.set)
    return;
  const char *name = clauses.into ? "into" : "from";
  if (!pattern.arrow) {
    diags.report(diag::clause_not_allowed, clauses.setRange, name, "a pattern with 'in'");
    return;
  }
  if (clauses.into && pattern.undirected)
    diags.report(diag::into_both_ways, clauses.setRange, pattern.first, pattern.second);
  pattern.set = std::move(clauses.set);
  pattern.into = clauses.into && !pattern.undirected;
}

std::unique_ptr<ast::Program> buildAst(GdslParser::ProgramContext *tree, Diagnostics &diags) {
  return AstBuilder(diags).program(tree);
}

} // namespace gcompile
