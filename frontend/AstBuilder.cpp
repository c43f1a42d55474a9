// Declarations of the parse tree: programs, functions, algorithms and their parameters.
#include "frontend/AstBuilderImpl.h"

#include "frontend/Spelling.h"

#include <algorithm>
#include <map>

namespace gcompile {

std::string textOf(antlr4::ParserRuleContext *context) {
  // Most have one token; a context of several goes through a stream of its own for each.
  return context->getStart() && context->getStart() == context->getStop() ? context->getStart()->getText()
                                                                          : context->getText();
}

Range rangeOf(antlr4::ParserRuleContext *context) {
  Range start = tokenRange(context->getStart());
  antlr4::Token *stop = context->getStop();
  return stop ? spanning(start, tokenRange(stop)) : start;
}

Range spanning(Range first, const Range &last) {
  first.endLine = last.endLine;
  first.endColumn = last.endColumn;
  return first;
}

std::string withoutSeparators(std::string digits) {
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  return digits;
}

std::unique_ptr<Program> AstBuilder::program(P::ProgramContext *tree) {
  auto result = std::make_unique<Program>();
  for (P::TopLevelContext *item : tree->topLevel())
    imports |= item->importDecl() != nullptr;
  for (P::TopLevelContext *item : tree->topLevel()) {
    if (auto *import = item->importDecl()) {
      std::string path = import->STRING()->getText();
      result->imports.push_back({rangeOf(import), path.substr(1, path.size() - 2)});
    } else if (auto *decl = item->functionDecl()) {
      result->functions.push_back(function(decl));
    } else if (auto *decl = item->reductionDecl()) {
      result->reductions.push_back(combiner(decl));
    } else if (auto *decl = item->algorithmDecl()) {
      result->algorithms.push_back(algorithm(decl));
    } else {
      result->schedules.push_back(schedule(item->scheduleDecl()));
    }
  }
  result->calledNames = std::move(calledNames);
  result->typeNames = std::move(typeNames);
  return result;
}

FunctionDecl AstBuilder::function(P::FunctionDeclContext *context) {
  FunctionDecl result;
  result.range = rangeOf(context->name());
  result.name = textOf(context->name());
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

/// `reduction r: T = f, ..., neutral n;` as the function `r(a: T, b: T) -> T { return f(a, b); }` and the value n.
FunctionDecl AstBuilder::combiner(P::ReductionDeclContext *context) {
  FunctionDecl result;
  result.name = context->IDENTIFIER()->getText();
  result.range = tokenRange(context->IDENTIFIER()->getSymbol());
  result.result = typeName(context->typeName());
  ExprPtr call = make(ExprKind::Call, rangeOf(context->callee()));
  call->text = callee(context->callee());
  for (const char *name : {"a", "b"}) {
    ParameterDecl parameter;
    parameter.range = result.range;
    parameter.name = name;
    parameter.type.range = rangeOf(context->typeName());
    parameter.type.type = result.result;
    result.parameters.push_back(std::move(parameter));
    call->operands.push_back(make(ExprKind::Name, call->range));
    call->operands.back()->text = name;
  }
  result.body.push_back(make(StmtKind::Return, context->callee()));
  result.body.back()->value = std::move(call);

  std::map<std::string, unsigned> promises = {{"associative", 0}, {"commutative", 0}, {"neutral", 0}};
  for (P::PromiseContext *promise : context->promise()) {
    const std::string word = promise->getStart()->getText();
    if (++promises[word] > 1)
      diags.report(diag::repeated_clause, rangeOf(promise), word);
    if (promise->expr())
      result.neutral = expr(promise->expr());
  }
  for (const auto &[word, times] : promises)
    if (times == 0)
      diags.report(diag::bad_combiner, result.range, result.name,
                   word == "neutral" ? "'neutral' and the value that changes nothing"
                                     : "to be declared '" + word + "': iterations come in no order");
  return result;
}

AlgorithmDecl AstBuilder::algorithm(P::AlgorithmDeclContext *context) {
  AlgorithmDecl result;
  result.range = rangeOf(context->name());
  result.name = textOf(context->name());
  std::vector<P::ParameterContext *> parameters = context->parameterList()->parameter();
  if (parameters.empty() || !parameters[0]->graphType()) {
    diags.report(diag::graph_parameter_missing,
                 parameters.empty() ? rangeOf(context->parameterList()) : rangeOf(parameters[0]), result.name);
  }
  for (P::ParameterContext *p : parameters) {
    if (!p->graphType()) {
      result.parameters.push_back(parameter(p));
    } else if (p == parameters[0]) {
      result.graphName = textOf(p->name());
      result.graphRange = rangeOf(p->name());
      if (p->expr())
        diags.report(diag::clause_not_allowed, rangeOf(p->expr()), "a default value", "the graph parameter");
      if (p->callee())
        diags.report(diag::clause_not_allowed, rangeOf(p->callee()), "from", "the graph parameter");
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
    std::string name = textOf(attribute->name());
    if (attribute->typeName()) {
      EdgePropertyDecl property;
      property.range = rangeOf(attribute->name());
      property.name = name;
      property.type = typeName(attribute->typeName());
      if (!property.type.isNumeric() && property.type.kind != TypeKind::Error) {
        diags.report(diag::bad_property_type, rangeOf(attribute->typeName()), textOf(attribute->typeName()));
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
  result.name = textOf(context->name());
  result.type = typeSpec(context->type());
  if (auto *maker = context->callee()) {
    result.maker = callee(maker);
    result.makerRange = rangeOf(maker);
  }
  if (context->expr())
    result.defaultValue = expr(context->expr());
  return result;
}

std::unique_ptr<ast::Program> buildAst(GdslParser::ProgramContext *tree, Diagnostics &diags) {
  return AstBuilder(diags).program(tree);
}

} // namespace gcompile
