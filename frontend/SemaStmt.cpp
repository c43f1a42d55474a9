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
  case TypeKind::Tuple:
    return update->ordered;
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

// ---- declarations

void Sema::checkGraphName(const TypeSpec &spec) {
  if (!spec.graphName.empty() && algorithm && spec.graphName != algorithm->graphName && !algorithm->graphName.empty())
    diags.report(diag::unknown_graph, spec.graphRange, spec.graphName).suggest(algorithm->graphName);
}

void Sema::checkDeclaration(Stmt &stmt) {
  TypeSpec &spec = *stmt.typeSpec;
  checkGraphName(spec);
  if (function && (spec.shape != Shape::Scalar || spec.type.kind == TypeKind::VertexSet)) {
    diags.report(diag::property_in_function, spec.range);
    spec.shape = Shape::Scalar;
    spec.type.kind = TypeKind::Error;
  } else if (parallelDepth > 0 && (spec.shape != Shape::Scalar || spec.type.kind == TypeKind::VertexSet)) {
    diags.report(diag::statement_in_parallel, spec.range,
                 spec.shape == Shape::Scalar ? "a vertex set variable" : "a declaration of a property");
  }
  if (stmt.output && (function || scopes.size() > 1))
    diags.report(diag::output_inside, stmt.range, stmt.name);
  stmt.symbol = makeSymbol(SymbolKind::Variable, stmt.name, spec.type, stmt.nameRange, spec.shape);
  stmt.symbol->output = stmt.output && checkOutput(stmt);
  stmt.symbol->local = parallelDepth > 0;
  if (stmt.value) {
    usage[stmt.symbol].written = true;
    checkInitialiser(stmt, spec.type);
  }
  declare(stmt.symbol);
}

bool Sema::checkOutput(const Stmt &stmt) {
  const Type &type = stmt.typeSpec->type;
  const std::vector<Type> &parts = type.elements;
  bool nested = std::any_of(parts.begin(), parts.end(), [](const Type &part) { return part.kind == TypeKind::Tuple; });
  if (type.kind == TypeKind::VertexSet && algorithm)
    diags.report(
        diag::bad_output_type, stmt.typeSpec->range, "vertex set",
        fmt::format("declare 'output in_{0}: bool[{1}]' and fill it with 'for v in {0} {{ in_{0}[v] = true; }}'",
                    stmt.name, algorithm->graphName));
  else if (nested)
    diags.report(diag::bad_output_type, stmt.typeSpec->range, "tuple with tuples in it",
                 "results are rows of plain values");
  else
    return true;
  usage[stmt.symbol].read = usage[stmt.symbol].written = true;
  return false;
}

Symbol *Sema::bindSelf(const Range &range) {
  self = makeSymbol(SymbolKind::Iterator, "v", makeType(TypeKind::Vertex), range);
  if (!lookup("v"))
    scopes.back()["v"] = implicit = self;
  return self;
}

void Sema::checkInitialiser(Stmt &stmt, const Type &type) {
  ScopeGuard scope(*this);
  Shape shape = stmt.typeSpec->shape;
  if (shape == Shape::PerVertex) {
    stmt.self = bindSelf(stmt.nameRange);
  } else if (shape == Shape::PerEdge) {
    stmt.selfEdge = makeSymbol(SymbolKind::Iterator, "e", makeType(TypeKind::Edge), stmt.nameRange);
    if (!lookup("e"))
      scopes.back()["e"] = implicit = stmt.selfEdge;
  }
  checkExprAs(stmt.value, type);
  self = implicit = nullptr;
}

// ---- assignments

Type Sema::checkTarget(ExprPtr &target) {
  target->type = makeType(TypeKind::Error);
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
  if (!updates(stmt.op, type)) {
    diags.report(diag::bad_assignment_operator, stmt.range, stmt.op, typeName(type));
    Type unknown;
    checkExpr(stmt.value, &unknown);
    return;
  }
  checkExpr(stmt.value, &type);
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
          target->operands[0]->symbol->shape == Shape::PerEdge) {
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
