// Patterns of the parse tree, and the clauses that may follow them.
#include "frontend/AstBuilderImpl.h"

#include <algorithm>

namespace gcompile {

std::unique_ptr<Pattern> AstBuilder::pattern(P::PatternContext *context) {
  if (auto *edge = context->edgePattern())
    return edgePattern(edge);
  auto result = std::make_unique<Pattern>();
  result->range = rangeOf(context);
  P::NameContext *first;
  if (auto *vertex = context->vertexPattern()) {
    first = vertex->name();
    result->set = expr(vertex->expr(0));
    if (vertex->RANGE())
      result->end = expr(vertex->expr(1));
  } else {
    P::PairPatternContext *pair = context->pairPattern();
    first = pair->name(0);
    result->second = textOf(pair->name(1));
    result->secondRange = rangeOf(pair->name(1));
    result->set = expr(pair->expr());
  }
  result->first = textOf(first);
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
    result->edgeName = textOf(names[0]);
    result->edgeRange = rangeOf(names[0]);
  }
  P::NameContext *first = names[names.size() - 2], *second = names.back();
  result->first = textOf(first);
  result->firstRange = rangeOf(first);
  result->second = textOf(second);
  result->secondRange = rangeOf(second);
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
        found.ordered = textOf(c->name());
        found.orderedRange = rangeOf(c->name());
      }
    } else if (auto *c = dynamic_cast<P::KeepClauseContext *>(context)) {
      if (accept(c, "keep levels", isPropagate)) {
        found.keep = true;
        found.levels = c->name() ? textOf(c->name()) : "levels";
        found.keepRange = c->name() ? rangeOf(c->name()) : tokenRange(c->LEVELS()->getSymbol());
      }
    } else if (auto *c = dynamic_cast<P::RoundClauseContext *>(context)) {
      if (accept(c, "round", isPropagate)) {
        found.round = textOf(c->name());
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

} // namespace gcompile
