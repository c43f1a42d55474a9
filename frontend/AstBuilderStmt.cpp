// Statements of the parse tree.
#include "frontend/AstBuilderImpl.h"

namespace gcompile {

StmtPtr AstBuilder::make(StmtKind kind, antlr4::ParserRuleContext *context, P::LabelContext *label) {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = kind;
  stmt->range = rangeOf(context);
  if (label)
    stmt->label = textOf(label->name());
  return stmt;
}

std::vector<StmtPtr> AstBuilder::block(P::BlockContext *context) {
  std::vector<StmtPtr> result;
  for (P::StatementContext *s : context->statement())
    result.push_back(statement(s));
  return result;
}

StmtPtr AstBuilder::statement(P::StatementContext *context) {
  auto *only = part<antlr4::ParserRuleContext>(context, 0);
  switch (only->getRuleIndex()) {
  case P::RuleDeclaration:
    return declaration(static_cast<P::DeclarationContext *>(only));
  case P::RuleLetStatement:
    return let(static_cast<P::LetStatementContext *>(only));
  case P::RuleAssignment:
    return assignment(static_cast<P::AssignmentContext *>(only));
  case P::RuleForStatement:
    return forStatement(static_cast<P::ForStatementContext *>(only));
  case P::RulePropagateStatement:
    return propagate(static_cast<P::PropagateStatementContext *>(only));
  case P::RuleIfStatement:
    return ifStatement(static_cast<P::IfStatementContext *>(only));
  case P::RuleRepeatStatement:
    return repeat(static_cast<P::RepeatStatementContext *>(only));
  case P::RuleWhileStatement: {
    auto *c = static_cast<P::WhileStatementContext *>(only);
    StmtPtr stmt = make(StmtKind::While, c, c->label());
    stmt->condition = expr(c->condition()->expr());
    stmt->body = block(c->block());
    return stmt;
  }
  case P::RuleBreakStatement:
    return make(StmtKind::Break, only);
  case P::RuleReturnStatement: {
    auto *c = static_cast<P::ReturnStatementContext *>(only);
    StmtPtr stmt = make(StmtKind::Return, c);
    if (c->expr())
      stmt->value = expr(c->expr());
    return stmt;
  }
  default:
    StmtPtr stmt = make(StmtKind::Block, only);
    stmt->body = block(static_cast<P::BlockContext *>(only));
    return stmt;
  }
}

StmtPtr AstBuilder::declaration(P::DeclarationContext *context) {
  StmtPtr stmt = make(StmtKind::Declare, context);
  stmt->name = textOf(context->name());
  stmt->nameRange = rangeOf(context->name());
  stmt->output = context->OUTPUT() != nullptr;
  stmt->typeSpec = std::make_unique<TypeSpec>(typeSpec(context->type()));
  if (context->expr())
    stmt->value = expr(context->expr());
  return stmt;
}

StmtPtr AstBuilder::let(P::LetStatementContext *context) {
  StmtPtr stmt = make(StmtKind::Let, context);
  stmt->name = textOf(context->name());
  stmt->nameRange = rangeOf(context->name());
  stmt->value = expr(context->expr());
  return stmt;
}

StmtPtr AstBuilder::assignment(P::AssignmentContext *context) {
  StmtPtr stmt = make(StmtKind::Assign, context);
  for (antlr4::tree::ParseTree *child : part<P::TargetContext>(context, 0)->children)
    if (auto *target = dynamic_cast<P::LvalueContext *>(child))
      stmt->targets.push_back(lvalue(target));
  stmt->op = textOf(part<P::AssignOpContext>(context, 1)); // without what stands between its tokens
  stmt->value = expr(part<P::ExprContext>(context, 2));
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

} // namespace gcompile
