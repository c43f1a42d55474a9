// Calls of functions from imported C++ headers: which overload is meant, by the language's conversions.
#include "frontend/Habits.h"
#include "frontend/SemaImpl.h"

#include <algorithm>
#include <optional>
#include <set>

namespace gcompile {

/// How far a value of one type is from another that it converts to; less is better. Reals keep more of an integer than
/// a float does. Nothing where it does not convert.
static std::optional<unsigned> distance(TypeKind from, TypeKind to) {
  if (from == to)
    return 0;
  const bool whole = from == TypeKind::Int || from == TypeKind::Long;
  if ((from == TypeKind::Int && to == TypeKind::Long) || (from == TypeKind::Float && to == TypeKind::Double))
    return 1;
  if (whole && to == TypeKind::Double)
    return 2;
  if (whole && to == TypeKind::Float)
    return 3;
  return std::nullopt;
}

std::optional<unsigned> Sema::distance(const Expr &from, const Type &to) const {
  if (hasError(from.type) || needsContext(from) || from.type == to)
    return 0;
  if (to.kind == TypeKind::Float && from.type.kind == TypeKind::Double && isRealConstant(from))
    return 1;
  if (to.kind == TypeKind::Foreign) {
    const ForeignFunction *made = restatement(TypeKind::Tuple, to);
    std::optional<unsigned> step = made ? distance(from, made->parameters[0]) : std::nullopt;
    return step ? std::optional(*step + 1) : std::nullopt;
  }
  if (from.type.kind == TypeKind::Foreign && to.kind == TypeKind::Tuple) {
    const ForeignFunction *told = restatement(TypeKind::Foreign, from.type);
    return told && told->result == to ? std::optional(1U) : std::nullopt;
  }
  if (from.kind != ExprKind::TupleExpr || to.kind != TypeKind::Tuple || to.elements.size() != from.operands.size())
    return to.kind == TypeKind::Tuple ? std::nullopt : gcompile::distance(from.type.kind, to.kind);
  unsigned most = 0;
  for (std::size_t i = 0; i < to.elements.size(); ++i) {
    std::optional<unsigned> step = distance(*from.operands[i], to.elements[i]);
    if (!step)
      return std::nullopt;
    most = std::max(most, *step);
  }
  return most;
}

std::vector<unsigned> Sema::distances(const Expr &call, const ForeignFunction &function) const {
  std::vector<unsigned> result;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    std::optional<unsigned> step = distance(*call.operands[i], function.parameters[i]);
    if (!step)
      return {};
    result.push_back(*step);
  }
  return result;
}

const ForeignFunction *Sema::restatement(TypeKind from, const Type &type) const {
  auto found = std::find_if(program.foreign.begin(), program.foreign.end(), [&](const ForeignFunction &each) {
    return each.name == "operator as" && each.parameters[0].kind == from &&
           (from == TypeKind::Foreign ? each.parameters[0] : each.result) == type;
  });
  return found == program.foreign.end() ? nullptr : &*found;
}

bool Sema::restate(ExprPtr &e, const Type &to) {
  const bool makes = to.kind == TypeKind::Foreign;
  if (e->type.kind != (makes ? TypeKind::Tuple : TypeKind::Foreign) || (!makes && to.kind != TypeKind::Tuple))
    return false;
  const ForeignFunction *function = restatement(e->type.kind, makes ? to : e->type);
  if (!function || (makes && !distance(*e, function->parameters[0])) || (!makes && function->result != to))
    return false;
  convert(e, function->parameters[0]);
  auto call = std::make_unique<Expr>();
  call->kind = ExprKind::Call;
  call->range = e->range;
  call->type = to;
  call->text = function->name;
  call->foreign = function;
  call->operands.push_back(std::move(e));
  e = std::move(call);
  return true;
}

void Sema::resolveType(Type &type, const Range &range) {
  for (Type &element : type.elements)
    resolveType(element, range);
  if (type.kind != TypeKind::Foreign || type.bytes != 0)
    return;
  const std::string name = std::move(type.name);
  type = Type();
  auto found = std::find_if(program.foreignTypes.begin(), program.foreignTypes.end(),
                            [&](const ForeignType &each) { return each.name == name; });
  if (found == program.foreignTypes.end()) {
    diags.report(diag::unknown_type, range, name).suggest(typeMeant(name));
  } else if (found->refusal.empty()) {
    type = found->type;
  } else {
    diags.report(diag::foreign_type_refused, range, name, found->refusal)
        .note(Range(), found->refusalPlace.empty() ? found->place + ": declared here" : found->refusalPlace + ": here");
    found->refusal.clear(); // it has been said
  }
}

void Sema::compareForeign(Expr &e) {
  const Type &type = e.operands[0]->type;
  auto comparison = std::find_if(program.foreign.begin(), program.foreign.end(), [&](const ForeignFunction &each) {
    return each.name == "operator==" && each.parameters[0] == type;
  });
  if (comparison == program.foreign.end() || !comparison->refusal.empty()) {
    auto error = diags.report(diag::foreign_refused, e.range, e.text,
                              comparison == program.foreign.end() ? "the class is not known" : comparison->refusal);
    if (comparison != program.foreign.end())
      error.note(Range(), comparison->refusalPlace.empty() ? comparison->place + ": declared here"
                                                           : comparison->refusalPlace + ": here");
    return;
  }
  Expr call{ExprKind::Call, e.range, e.type};
  call.text = comparison->name;
  call.operands = std::move(e.operands);
  call.foreign = &*comparison;
  if (e.text == "==") {
    e = std::move(call);
    return;
  }
  e.operands.clear();
  e.kind = ExprKind::Unary; // 'a != b' is '!(a == b)'
  e.text = "!";
  e.operands.push_back(std::make_unique<Expr>(std::move(call)));
}

void Sema::checkCombiner(FunctionDecl &reduction) {
  if (reduction.result.kind == TypeKind::VertexSet) {
    diags.report(diag::bad_parameter_type, reduction.parameters[0].type.range, "a declared reduction",
                 typeName(reduction.result));
    reduction.result.kind = TypeKind::Error;
  }
  if (reduction.result.kind == TypeKind::Error)
    return;
  const std::size_t errors = diags.errorCount();
  checkFunction(reduction);
  const Expr *call = reduction.body[0]->value.get();
  while (call->kind == ExprKind::Convert)
    call = call->operands[0].get();
  if (diags.errorCount() == errors && !call->foreign && calls[&reduction].empty())
    diags.report(diag::bad_combiner, call->range, reduction.name,
                 "a function of an imported header, and '" + call->text + "' is none");
  if (!reduction.neutral)
    return; // which has been reported
  function = &reduction;
  ScopeGuard scope(*this);
  checkExprAs(reduction.neutral, reduction.result);
  function = nullptr;
  if (const std::vector<Call> &called = calls[&reduction]; !called.empty() && diags.errorCount() == errors)
    diags.report(diag::bad_combiner, called[0].range, reduction.name,
                 "functions of imported headers, and '" + called[0].callee->name + "' is one of the program");
}

bool Sema::checkCombination(Stmt &stmt, const Type &type) {
  auto found = reductions.find(stmt.op.substr(0, stmt.op.size() - 1));
  if (found == reductions.end())
    return false;
  const FunctionDecl &reduction = *found->second;
  stmt.combiner = &reduction;
  if (reduction.result != type)
    return hasError(reduction.result);
  const Expr &target = *stmt.targets[0];
  if (type.holdsClass() && insidePropagate && target.kind == ExprKind::Index)
    diags.report(diag::bad_assignment_operator, target.range, stmt.op, typeName(type))
        .note(Range(), "in a 'propagate', a vertex goes on when its value has changed, and values of a class are not "
                       "compared: update them in a 'for'");
  return true;
}

bool Sema::checkForeignCall(Expr &e) {
  std::vector<const ForeignFunction *> named, candidates;
  for (const ForeignFunction &candidate : program.foreign)
    if (candidate.name == e.text)
      named.push_back(&candidate);
  if (named.empty())
    return false;

  // What cannot be said in the language's types has no list of parameters and is never meant.
  for (const ForeignFunction *candidate : named)
    if (candidate->sayable && candidate->parameters.size() == e.operands.size())
      candidates.push_back(candidate);
  const bool only = candidates.size() == 1;
  for (std::size_t i = 0; i < e.operands.size(); ++i)
    checkExpr(e.operands[i], only ? &candidates[0]->parameters[i] : nullptr);
  if (std::any_of(e.operands.begin(), e.operands.end(), [](const ExprPtr &operand) { return hasError(operand->type); }))
    return true;

  const ForeignFunction *best = nullptr;
  std::vector<unsigned> least;
  bool unclear = false;
  for (const ForeignFunction *candidate : candidates) {
    std::vector<unsigned> steps = distances(e, *candidate);
    if (steps.empty() && !e.operands.empty())
      continue;
    auto noWorse = [](const std::vector<unsigned> &a, const std::vector<unsigned> &b) {
      return std::equal(a.begin(), a.end(), b.begin(), [](unsigned x, unsigned y) { return x <= y; });
    };
    if (!best || (noWorse(steps, least) && steps != least)) {
      unclear = best && unclear && !noWorse(steps, least);
      best = candidate;
      least = steps;
    } else if (!noWorse(least, steps) || steps == least) {
      unclear = true;
    }
  }

  if (!best || unclear) {
    std::string types;
    for (const ExprPtr &operand : e.operands)
      types += (types.empty() ? "" : ", ") + typeName(operand->type);
    auto error = diags.report(best ? diag::unclear_foreign : diag::no_foreign, e.range, e.text, types);
    std::set<std::string> said; // a template has a function for each type
    for (const ForeignFunction *candidate : named)
      if (said.insert(candidate->place + candidate->signature).second)
        error.note(Range(), candidate->place + ": " + candidate->signature +
                                (candidate->sayable ? "" : ", which cannot be called: " + candidate->refusal));
    return true;
  }
  if (!best->refusal.empty()) {
    auto error = diags.report(diag::foreign_refused, e.range, e.text, best->refusal);
    error.note(Range(), best->refusalPlace.empty() ? best->place + ": declared here" : best->refusalPlace + ": here");
    return true;
  }
  for (std::size_t i = 0; i < e.operands.size(); ++i)
    convert(e.operands[i], best->parameters[i]);
  e.foreign = best;
  e.type = best->result;
  return true;
}

} // namespace gcompile
