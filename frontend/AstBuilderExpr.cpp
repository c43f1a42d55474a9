// Expressions of the parse tree.
#include "frontend/AstBuilderImpl.h"

#include "frontend/Spelling.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace gcompile {

ExprPtr AstBuilder::make(ExprKind kind, const Range &range) {
  auto e = std::make_unique<Expr>();
  e->kind = kind;
  e->range = range;
  return e;
}

ExprPtr AstBuilder::lvalue(P::LvalueContext *context) {
  ExprPtr result = name(part<P::NameContext>(context, 0));
  if (context->children.size() == 1)
    return result;
  if (!context->expr().empty()) {
    Range range = spanning(result->range, tokenRange(context->RBRACKET()->getSymbol()));
    ExprPtr index = make(ExprKind::Index, range);
    index->operands.push_back(std::move(result));
    for (P::ExprContext *e : context->expr())
      index->operands.push_back(expr(e));
    if (index->operands.size() > 3)
      diags.report(diag::too_many_indices, range, index->operands.size() - 1);
    result = std::move(index);
  }
  if (context->DOT().size() > DepthLimit::limit)
    throw NestedTooDeeply(rangeOf(context));
  bool first = true; // the name that all of it begins with
  for (antlr4::tree::ParseTree *child : context->children) {
    auto *number = dynamic_cast<antlr4::tree::TerminalNode *>(child);
    if (auto *member = dynamic_cast<P::NameContext *>(child); member && !std::exchange(first, false)) {
      ExprPtr access = make(ExprKind::Member, spanning(result->range, rangeOf(member)));
      access->text = member->getText();
      access->operands.push_back(std::move(result));
      result = std::move(access);
    } else if (number && (number->getSymbol()->getType() == P::INTEGER || number->getSymbol()->getType() == P::REAL)) {
      const Range range = spanning(result->range, tokenRange(number->getSymbol()));
      result = elements(std::move(result), range, number->getText());
    }
  }
  return result;
}

/// `t.0`; the lexer reads the end of `t.0.1` as the number 0.1.
ExprPtr AstBuilder::elements(ExprPtr base, const Range &range, const std::string &text) {
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = std::min(text.find('.', begin), text.size());
    std::string digits = text.substr(begin, end - begin);
    ExprPtr e = make(ExprKind::TupleElement, range);
    e->text = digits;
    auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), e->index);
    if (error != std::errc() || rest != digits.data() + digits.size())
      e->index = ~0u; // Sema says that there is no such element
    e->operands.push_back(std::move(base));
    base = std::move(e);
    begin = end + 1;
  }
  return base;
}

ExprPtr AstBuilder::name(P::NameContext *context) {
  ExprPtr e = make(ExprKind::Name, rangeOf(context));
  e->text = textOf(context);
  return e;
}

ExprPtr AstBuilder::expr(P::ExprContext *context) {
  Range range = rangeOf(context);
  auto with = [&](ExprKind kind, std::string text, const std::vector<P::ExprContext *> &operands) {
    ExprPtr e = make(kind, range);
    e->text = std::move(text);
    for (P::ExprContext *operand : operands)
      e->operands.push_back(expr(operand));
    return e;
  };
  if (auto *c = dynamic_cast<P::LiteralExprContext *>(context))
    return literal(c);
  if (auto *c = dynamic_cast<P::NameExprContext *>(context))
    return name(c->name());
  if (auto *c = dynamic_cast<P::BinaryExprContext *>(context)) {
    auto *op = dynamic_cast<antlr4::tree::TerminalNode *>(c->children[1]);
    bool in = op->getSymbol()->getType() == P::IN;
    return with(in ? ExprKind::In : ExprKind::Binary, op->getText(), c->expr());
  }
  if (auto *c = dynamic_cast<P::UnaryExprContext *>(context))
    return with(ExprKind::Unary, c->MINUS() ? "-" : c->NOT() ? "!" : "~", {c->expr()});
  if (auto *c = dynamic_cast<P::TupleExprContext *>(context)) {
    if (c->expr().size() == 1) {
      ExprPtr inner = expr(c->expr(0));
      inner->parenthesised = true;
      return inner;
    }
    return with(ExprKind::TupleExpr, "", c->expr());
  }
  if (auto *c = dynamic_cast<P::CallExprContext *>(context))
    return call(c);
  if (auto *c = dynamic_cast<P::IndexExprContext *>(context)) {
    if (c->expr().size() > 3)
      diags.report(diag::too_many_indices, range, c->expr().size() - 1);
    return with(ExprKind::Index, "", c->expr());
  }
  if (auto *c = dynamic_cast<P::MemberExprContext *>(context))
    return member(c);
  if (auto *c = dynamic_cast<P::ReduceExprContext *>(context))
    return reduction(range, c->name(), edgePattern(c->edgePattern()), c->clause(),
                     c->expr() ? expr(c->expr()) : nullptr);
  if (auto *c = dynamic_cast<P::SetExprContext *>(context))
    return set(c, with(ExprKind::SetLiteral, "", c->expr()));
  auto *conditional = dynamic_cast<P::ConditionalExprContext *>(context);
  return with(ExprKind::Conditional, "", conditional->expr());
}

ExprPtr AstBuilder::set(P::SetExprContext *context, ExprPtr literal) {
  bool isFilter = literal->operands.size() == 1 && literal->operands[0]->kind == ExprKind::In &&
                  literal->operands[0]->operands[0]->kind == ExprKind::Name;
  if (!isFilter) {
    if (!context->clause().empty())
      diags.report(diag::bad_filter, literal->range);
    return literal;
  }
  Expr &in = *literal->operands[0];
  ExprPtr e = make(ExprKind::SetFilter, literal->range);
  e->pattern = std::make_unique<Pattern>();
  e->pattern->range = in.range;
  e->pattern->first = in.operands[0]->text;
  e->pattern->firstRange = in.operands[0]->range;
  e->pattern->set = std::move(in.operands[1]);
  e->where = clauses(context->clause(), Place::Filter).where;
  return e;
}

namespace {

/// The reductions, which are no reserved words.
const std::vector<std::string> &reductionNames() {
  static const std::vector<std::string> names = {"sum", "min",    "max",    "count", "any",
                                                 "all", "argmin", "argmax", "mode"};
  return names;
}

bool isReduction(const std::string &name) {
  return std::find(reductionNames().begin(), reductionNames().end(), name) != reductionNames().end();
}

} // namespace

std::string AstBuilder::callee(P::CalleeContext *context) {
  std::string text;
  std::vector<std::string> arguments;
  if (auto *plain = context->qualifiedName())
    text = plain->getText();
  for (P::NameContext *name : context->name())
    text += (text.empty() ? "" : "::") + name->getText();
  auto add = [&](antlr4::ParserRuleContext *argument, bool isClass) {
    const std::string word = argument->getText();
    arguments.push_back(word == "vertex" || word == "edge" ? "gdsl::" + word : (isClass ? "::" : "") + word);
  };
  std::vector<P::TemplateArgumentContext *> rest;
  if (auto *said = context->templateArguments())
    rest = said->templateArgument();
  if (auto *said = context->numericArguments()) {
    add(said->numericType(), false);
    rest = said->templateArgument();
  }
  for (P::TemplateArgumentContext *argument : rest)
    add(argument, argument->qualifiedName() != nullptr);
  if (!arguments.empty())
    text += fmt::format("<{}>", fmt::join(arguments, ", "));
  calledNames.insert(text);
  return text;
}

ExprPtr AstBuilder::call(P::CallExprContext *context) {
  ExprPtr e = make(ExprKind::Call, rangeOf(context));
  P::QualifiedNameContext *name = context->callee() ? context->callee()->qualifiedName() : nullptr;
  if (context->callee()) {
    e->text = callee(context->callee());
  } else {
    e->text = textOf(context->numericType());
    calledNames.insert(e->text);
  }
  for (P::ExprContext *operand : context->expr())
    e->operands.push_back(expr(operand));
  ExprPtr value;
  bool ranges = context->COLON() || !context->clause().empty();
  if (context->COLON()) {
    value = std::move(e->operands.back());
    e->operands.pop_back();
  }

  // `v in S` and `i, j in g` were read as arguments.
  std::vector<ExprPtr> &arguments = e->operands;
  Expr *in = arguments.empty() ? nullptr : arguments.back().get();
  bool isPattern = in && in->kind == ExprKind::In && in->operands[0]->kind == ExprKind::Name &&
                   (arguments.size() == 1 || (arguments.size() == 2 && arguments[0]->kind == ExprKind::Name));
  if (!ranges && !(isPattern && isReduction(e->text)))
    return e;
  if (!isPattern || !name || name->name().size() != 1) {
    diags.report(diag::bad_pattern, arguments[0]->range, e->text);
    return reduction(e->range, nullptr, nullptr, {}, nullptr);
  }
  auto pattern = std::make_unique<Pattern>();
  pattern->range = spanning(arguments[0]->range, in->range);
  const Expr &first = arguments.size() == 1 ? *in->operands[0] : *arguments[0];
  pattern->first = first.text;
  pattern->firstRange = first.range;
  if (arguments.size() == 2) {
    pattern->second = in->operands[0]->text;
    pattern->secondRange = in->operands[0]->range;
  }
  pattern->set = std::move(in->operands[1]);
  return reduction(e->range, name->name(0), std::move(pattern), context->clause(), std::move(value));
}

ExprPtr AstBuilder::reduction(const Range &range, P::NameContext *op, std::unique_ptr<Pattern> pattern,
                              const std::vector<P::ClauseContext *> &clauseContexts, ExprPtr value) {
  ExprPtr e = make(ExprKind::Reduce, range);
  if (!op)
    return e; // nothing to look at: the checker gives it the error type
  e->text = op->getText();
  if (!isReduction(e->text)) {
    diags.report(diag::unknown_reduction, rangeOf(op), e->text).suggest(nearest(e->text, reductionNames()));
    e->text.clear();
  }
  e->pattern = std::move(pattern);
  Clauses found = clauses(clauseContexts, Place::Reduction);
  e->where = std::move(found.where);
  addSet(*e->pattern, found);
  e->value = std::move(value);
  return e;
}

ExprPtr AstBuilder::member(P::MemberExprContext *context) {
  ExprPtr base = expr(context->expr());
  Range range = rangeOf(context);
  if (context->name()) {
    ExprPtr e = make(ExprKind::Member, range);
    e->text = textOf(context->name());
    e->operands.push_back(std::move(base));
    return e;
  }
  antlr4::tree::TerminalNode *number = context->INTEGER() ? context->INTEGER() : context->REAL();
  return elements(std::move(base), range, number->getText());
}

ExprPtr AstBuilder::literal(P::LiteralExprContext *context) {
  ExprPtr e = make(ExprKind::BoolLiteral, rangeOf(context));
  e->text = textOf(context);
  std::string digits = withoutSeparators(e->text);
  const char *end = digits.data() + digits.size();
  if (context->INTEGER()) {
    e->kind = ExprKind::IntLiteral;
    if (std::from_chars(digits.data(), end, e->intValue).ec != std::errc())
      diags.report(diag::integer_out_of_range, e->range, e->text);
  } else if (context->REAL()) {
    e->kind = ExprKind::FloatLiteral;
    if (std::from_chars(digits.data(), end, e->floatValue).ec != std::errc())
      diags.report(diag::real_out_of_range, e->range, e->text);
  } else if (context->INF()) {
    e->kind = ExprKind::Inf;
  } else if (context->NONE()) {
    e->kind = ExprKind::None;
  } else if (context->SELF()) {
    e->kind = ExprKind::Self;
  } else {
    e->boolValue = context->TRUE() != nullptr;
  }
  return e;
}

} // namespace gcompile
