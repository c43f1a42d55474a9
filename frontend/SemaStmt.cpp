// Statements.
#include "frontend/SemaImpl.h"
#include "ir/graph/ReductionTable.h"

#include "frontend/Spelling.h"

#include <algorithm>

namespace gcompile {

namespace {

const char *statementName(StmtKind kind) {
  switch (kind) {
  case StmtKind::Declare:
    return "a declaration";
  case StmtKind::Let:
    return "'let'";
  case StmtKind::Assign:
    return "an assignment";
  case StmtKind::For:
    return "'for'";
  case StmtKind::Propagate:
    return "'propagate'";
  case StmtKind::If:
    return "'if'";
  case StmtKind::While:
    return "'while'";
  case StmtKind::Repeat:
    return "'repeat'";
  case StmtKind::Break:
    return "'break'";
  case StmtKind::Return:
    return "'return'";
  case StmtKind::Block:
    return "a block";
  }
  return "";
}

/// Whether `op` compares several values, and replaces them, together.
bool updatesTogether(const std::string &op) {
  const UpdateTraits *update = updateWritten(op);
  return update && update->selects;
}

/// Whether `op` can update a value of the type.
bool isTupleOfNumbers(const Type &type) {
  return type.kind == TypeKind::Tuple &&
         std::all_of(type.elements.begin(), type.elements.end(), [](const Type &each) { return each.isNumeric(); });
}

bool updates(const std::string &op, const Type &type) {
  if (op == "=")
    return true;
  const bool subtracts = op == "-=";
  const UpdateTraits *update = updateWritten(subtracts ? "+=" : op);
  switch (type.kind) {
  case TypeKind::Bool:
    return update->truths;
  case TypeKind::Int:
  case TypeKind::Long:
    return update->integers;
  case TypeKind::Float:
  case TypeKind::Double:
    return update->reals;
  case TypeKind::Vertex:
  case TypeKind::Edge:
    return update->ordered;
  case TypeKind::Tuple: // arithmetic is done element by element
    return (update->ordered && !type.holdsClass()) || (update->integers && update->reals && isTupleOfNumbers(type));
  case TypeKind::VertexSet:
    return subtracts || !update->sets.empty();
  default:
    return false;
  }
}

} // namespace

void Sema::checkBlock(std::vector<StmtPtr> &body) {
  ScopeGuard scope(*this);
  checkStatements(body);
}

void Sema::checkStatements(std::vector<StmtPtr> &body) {
  bool left = false;
  for (StmtPtr &stmt : body) {
    if (left) {
      diags.report(diag::unreachable_code, stmt->range);
      left = false;
    }
    checkStatement(*stmt);
    left |= (stmt->kind == StmtKind::Break || stmt->kind == StmtKind::Return) && stmt != body.back();
  }
}

void Sema::checkStatement(Stmt &stmt) {
  checkLabel(stmt);
  bool counts = stmt.kind == StmtKind::For && stmt.pattern->end;
  if (function && !counts && (stmt.kind == StmtKind::For || stmt.kind == StmtKind::Propagate)) {
    diags.report(diag::statement_in_function, stmt.range, statementName(stmt.kind));
    return;
  }
  switch (stmt.kind) {
  case StmtKind::Declare:
    checkDeclaration(stmt);
    break;
  case StmtKind::Let: {
    if (callsAlgorithm(stmt)) {
      checkRun(stmt);
      break;
    }
    checkExpr(stmt.value);
    TypeKind kind = stmt.value->type.kind;
    if (kind == TypeKind::Graph || kind == TypeKind::Levels || kind == TypeKind::Void) {
      diags.report(diag::not_a_value, stmt.value->range, stmt.value->text,
                   kind == TypeKind::Graph ? "the graph" : "a list of levels");
      stmt.value->type.kind = TypeKind::Error;
    }
    stmt.symbol = makeSymbol(SymbolKind::Let, stmt.name, stmt.value->type, stmt.nameRange);
    declare(stmt.symbol);
    break;
  }
  case StmtKind::Assign:
    checkAssignment(stmt);
    break;
  case StmtKind::For:
    checkFor(stmt);
    break;
  case StmtKind::Propagate:
    checkPropagate(stmt);
    break;
  case StmtKind::If:
    checkCondition(stmt.condition);
    checkBlock(stmt.body);
    checkBlock(stmt.elseBody);
    break;
  case StmtKind::While:
    checkCondition(stmt.condition);
    nests.push_back(Nest::Loop);
    checkBlock(stmt.body);
    nests.pop_back();
    break;
  case StmtKind::Repeat: {
    if (stmt.value) {
      checkExpr(stmt.value);
      const Type &type = stmt.value->type;
      if (!type.isInteger() && type.kind != TypeKind::Error)
        diags.report(diag::type_mismatch, stmt.value->range, "an integer number of rounds", typeName(type));
    }
    nests.push_back(Nest::Loop);
    {
      ScopeGuard scope(*this); // `until` sees what the body declares
      checkStatements(stmt.body);
      if (stmt.condition)
        checkCondition(stmt.condition);
    }
    nests.pop_back();
    break;
  }
  case StmtKind::Break:
    checkBreak(stmt);
    break;
  case StmtKind::Return:
    checkReturn(stmt);
    break;
  case StmtKind::Block:
    checkBlock(stmt.body);
    break;
  }
}

void Sema::checkLabel(const Stmt &stmt) {
  if (stmt.label.empty())
    return;
  auto [first, inserted] = labels.emplace(stmt.label, stmt.range);
  if (!inserted)
    diags.report(diag::duplicate_label, stmt.range, stmt.label).note(first->second, "first used here");
}

void Sema::checkCondition(ExprPtr &e) {
  checkExpr(e);
  if (e->type.kind != TypeKind::Bool && e->type.kind != TypeKind::Error)
    diags.report(diag::condition_not_bool, e->range, typeName(e->type));
}

// ---- assignments

Type Sema::checkTarget(ExprPtr &target) {
  target->type = makeType(TypeKind::Error);
  if (target->kind == ExprKind::TupleElement)
    return checkElementTarget(*target);
  Expr *base = target.get();
  resolveResult(*base);
  if (base->kind == ExprKind::Index) {
    checkIndex(*base, true);
    base = base->operands[0].get();
  } else if (base->kind == ExprKind::Member) {
    checkExpr(target);
    if (target->member == MemberKind::EdgeValue)
      diags.report(diag::not_assignable, target->range, target->text, describe(*target->symbol));
    else if (target->type.kind != TypeKind::Error)
      diags.report(diag::not_a_target, target->range);
    return makeType(TypeKind::Error);
  } else if (base->kind == ExprKind::Name) {
    base->symbol = lookup(base->text);
    if (!base->symbol) {
      checkName(*base); // reports
      return makeType(TypeKind::Error);
    }
    base->type = base->symbol->type;
    if (base->symbol->kind == SymbolKind::Variable && base->symbol->shape != Shape::Scalar) {
      checkName(*base); // reports the missing index
      return makeType(TypeKind::Error);
    }
  }
  Symbol *symbol = base->symbol;
  if (!symbol)
    return makeType(TypeKind::Error);
  if (symbol->kind != SymbolKind::Variable) {
    auto builder = diags.report(diag::not_assignable, target->range, symbol->name, describe(*symbol));
    builder.note(symbol->range, "declared here");
    usage[symbol].read = true;
    target->type.kind = TypeKind::Error;
    return target->type;
  }
  usage[symbol].written = true;
  return target->type;
}

/// `t[v].0`, an element of a tuple.
Type Sema::checkElementTarget(Expr &target) {
  if (target.operands[0]->kind == ExprKind::TupleElement) {
    diags.report(diag::not_a_target, target.range).note(Range(), "of a tuple in a tuple, write all of the inner one");
    return target.type;
  }
  const Type tuple = checkTarget(target.operands[0]);
  if (hasError(tuple))
    return target.type;
  if (tuple.kind != TypeKind::Tuple)
    diags.report(diag::unknown_member, target.range, "a value of type " + typeName(tuple), target.text);
  else if (target.index >= tuple.elements.size())
    diags.report(diag::tuple_index, target.range, tuple.elements.size(), target.text);
  else
    target.type = tuple.elements[target.index];
  return target.type;
}

void Sema::checkAssignment(Stmt &stmt) {
  Type type;
  if (stmt.targets.size() == 1) {
    type = checkTarget(stmt.targets[0]);
  } else {
    type.kind = TypeKind::Tuple;
    for (ExprPtr &target : stmt.targets)
      type.elements.push_back(checkTarget(target));
  }
  if (hasError(type)) {
    Type unknown;
    checkExpr(stmt.value, &unknown);
    return;
  }
  const bool joint = stmt.targets.size() > 1;
  const bool known = stmt.op == "=" || stmt.op == "-=" || updateWritten(stmt.op);
  if (!(known ? updates(stmt.op, type) : checkCombination(stmt, type)) ||
      (joint && stmt.op != "=" && !updatesTogether(stmt.op))) {
    diags.report(diag::bad_assignment_operator, stmt.range, stmt.op, typeName(type));
    Type unknown;
    checkExpr(stmt.value, &unknown);
    return;
  }
  checkExpr(stmt.value, &type);
  restate(stmt.value, type);
  const Type &value = stmt.value->type;
  if (stmt.targets.size() > 1 && value.kind != TypeKind::Error &&
      (value.kind != TypeKind::Tuple || value.elements.size() != stmt.targets.size())) {
    diags.report(diag::tuple_target_count, stmt.range, stmt.targets.size(), typeName(value));
    return;
  }
  // A joint minimum or maximum is one decision about one vertex, or about one pair.
  if (stmt.targets.size() > 1 && updatesTogether(stmt.op)) {
    const auto place = [](const Expr &e) {
      std::vector<const Symbol *> names;
      for (std::size_t i = 1; e.kind == ExprKind::Index && i < e.operands.size(); ++i)
        names.push_back(e.operands[i]->kind == ExprKind::Name ? e.operands[i]->symbol : nullptr);
      return names;
    };
    const auto first = place(*stmt.targets[0]);
    for (const ExprPtr &target : stmt.targets) {
      const auto names = place(*target);
      if (names.empty() || names != first || std::count(names.begin(), names.end(), nullptr) != 0 ||
          target->operands[0]->symbol->shape == Shape::PerEdge || target->operands[0]->symbol->shape == Shape::Array) {
        diags.report(diag::joint_index, target->range, stmt.op);
        return;
      }
    }
    if (first.size() == 2 && insidePropagate) {
      diags.report(diag::joint_pairs, stmt.targets[0]->range, stmt.op);
      return;
    }
  }
  convert(stmt.value, type);
}

// ---- loops

void Sema::checkFor(Stmt &stmt) {
  Pattern &pattern = *stmt.pattern;
  rangeOver(pattern, PatternUse::For);
  ScopeGuard scope(*this);
  bind(pattern);
  if (pattern.kind == PatternKind::LevelIn && !stmt.sequential)
    diags.report(diag::levels_parallel, pattern.range);
  if (pattern.kind == PatternKind::Integers && !stmt.sequential)
    diags.report(diag::integers_parallel, pattern.range);
  if (stmt.where)
    checkCondition(stmt.where);
  bool parallel = !stmt.sequential && pattern.kind != PatternKind::Integers;
  nests.push_back(parallel ? Nest::Parallel : Nest::Loop);
  parallelDepth += parallel;
  checkBlock(stmt.body);
  parallelDepth -= parallel;
  nests.pop_back();
}

void Sema::checkPropagate(Stmt &stmt) {
  if (parallelDepth > 0)
    diags.report(diag::statement_in_parallel, stmt.range, statementName(stmt.kind));
  rangeOver(*stmt.pattern, PatternUse::Propagate);
  if (!stmt.orderedName.empty()) {
    stmt.ordered = lookup(stmt.orderedName);
    if (!stmt.ordered) {
      diags.report(diag::undeclared_name, stmt.orderedRange, stmt.orderedName)
          .suggest(nearest(stmt.orderedName, visibleNames()));
    } else {
      usage[stmt.ordered].read = true;
      if (stmt.ordered->type.kind != TypeKind::Error &&
          (stmt.ordered->kind != SymbolKind::Variable || stmt.ordered->shape != Shape::PerVertex ||
           !stmt.ordered->type.isNumeric()))
        diags.report(diag::bad_priority, stmt.orderedRange, stmt.orderedName, describe(*stmt.ordered));
    }
  }
  if (stmt.atMost) {
    checkExpr(stmt.atMost);
    const Type &type = stmt.atMost->type;
    if (!type.isInteger() && type.kind != TypeKind::Error)
      diags.report(diag::type_mismatch, stmt.atMost->range, "an integer number of rounds", typeName(type));
  }
  {
    ScopeGuard scope(*this);
    if (!stmt.roundName.empty()) {
      stmt.round = makeSymbol(SymbolKind::Round, stmt.roundName, makeType(TypeKind::Int), stmt.roundRange);
      declare(stmt.round);
    }
    if (stmt.condition)
      checkCondition(stmt.condition);
    ScopeGuard inner(*this);
    bind(*stmt.pattern);
    if (stmt.where)
      checkCondition(stmt.where);
    nests.push_back(Nest::Parallel);
    ++parallelDepth;
    insidePropagate = true; // it stands in no other
    checkBlock(stmt.body);
    insidePropagate = false;
    --parallelDepth;
    nests.pop_back();
  }
  if (!stmt.levelsName.empty()) {
    stmt.levels = makeSymbol(SymbolKind::Levels, stmt.levelsName, makeType(TypeKind::Levels), stmt.levelsRange);
    declare(stmt.levels);
  }
}

void Sema::checkBreak(Stmt &stmt) {
  if (nests.empty())
    diags.report(diag::break_outside_loop, stmt.range);
  else if (nests.back() == Nest::Parallel)
    diags.report(diag::break_in_parallel, stmt.range);
}

// ---- functions

void Sema::checkReturn(Stmt &stmt) {
  if (!function) {
    if (stmt.value)
      checkExpr(stmt.value);
    diags.report(diag::return_outside_function, stmt.range);
  } else if (!stmt.value) {
    diags.report(diag::return_value_missing, stmt.range, typeName(function->result));
  } else {
    checkExprAs(stmt.value, function->result);
  }
}

bool Sema::alwaysReturns(const std::vector<StmtPtr> &body) {
  return std::any_of(body.begin(), body.end(), [](const StmtPtr &stmt) {
    return stmt->kind == StmtKind::Return ||
           (stmt->kind == StmtKind::If && alwaysReturns(stmt->body) && alwaysReturns(stmt->elseBody)) ||
           (stmt->kind == StmtKind::Block && alwaysReturns(stmt->body));
  });
}

} // namespace gcompile
