// Declarations and scopes.
#include "frontend/SemaImpl.h"

#include "frontend/Constants.h"
#include "frontend/Spelling.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gcompile {

void check(Program &program, Diagnostics &diags) { Sema(program, diags).run(); }

void Sema::run() {
  declareFunctions();
  declareReductions();
  std::map<std::string, Range> names;
  for (const auto *declared : {&functions, &reductions})
    for (const auto &[name, decl] : *declared)
      names.emplace(name, decl->range);
  for (AlgorithmDecl &decl : program.algorithms) {
    auto [first, inserted] = names.emplace(decl.name, decl.range);
    if (!inserted)
      diags.report(diag::redeclared_name, decl.range, decl.name).note(first->second, "first declared here");
  }
  for (FunctionDecl &decl : program.functions)
    checkFunction(decl);
  for (FunctionDecl &decl : program.reductions)
    checkCombiner(decl);
  checkRecursion();
  for (AlgorithmDecl *decl : calledFirst())
    checkAlgorithm(*decl);
  checkSchedules();
}

// ---- scopes

Symbol *Sema::makeSymbol(SymbolKind kind, const std::string &name, const Type &type, const Range &range, Shape shape) {
  auto symbol = std::make_unique<Symbol>();
  symbol->kind = kind;
  symbol->name = name;
  symbol->type = type;
  symbol->shape = shape;
  symbol->range = range;
  program.symbols.push_back(std::move(symbol));
  return program.symbols.back().get();
}

void Sema::declare(Symbol *symbol) {
  const Range *earlier = nullptr;
  if (Symbol *other = lookup(symbol->name)) {
    earlier = &other->range;
    usage[other].read = usage[other].written = true; // which of the two is meant is not known
  } else if (auto found = functions.find(symbol->name); found != functions.end())
    earlier = &found->second->range;
  else if (auto reduction = reductions.find(symbol->name); reduction != reductions.end())
    earlier = &reduction->second->range;
  if (earlier) {
    diags.report(diag::redeclared_name, symbol->range, symbol->name).note(*earlier, "first declared here");
    usage[symbol].written = true;
    symbol->type.kind = TypeKind::Error; // nothing more is said about it
  }
  scopes.back()[symbol->name] = symbol;
}

Symbol *Sema::lookup(const std::string &name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end())
      return found->second;
  return nullptr;
}

std::vector<std::string> Sema::visibleNames() const {
  std::vector<std::string> names;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    for (const auto &entry : *scope)
      names.push_back(entry.first);
  return names;
}

Symbol *Sema::edgeProperty(const std::string &name) const {
  if (algorithm)
    for (const EdgePropertyDecl &property : algorithm->edgeProperties)
      if (property.name == name)
        return property.symbol;
  return nullptr;
}

// ---- declarations

void Sema::declareFunctions() {
  static const std::vector<std::string> builtins = {"abs",   "min",  "max", "sqrt", "exp",      "log",
                                                    "floor", "ceil", "pow", "hash", "popcount", "edge"};
  for (FunctionDecl &decl : program.functions) {
    resolveType(decl.result, decl.range);
    for (ParameterDecl &parameter : decl.parameters) // who calls it may come before it
      resolveType(parameter.type.type, parameter.type.range);
    decl.symbol = makeSymbol(SymbolKind::Function, decl.name, decl.result, decl.range);
    if (std::find(builtins.begin(), builtins.end(), decl.name) != builtins.end()) {
      diags.report(diag::builtin_redefined, decl.range, decl.name);
      continue;
    }
    auto [first, inserted] = functions.emplace(decl.name, &decl);
    if (!inserted)
      diags.report(diag::redeclared_name, decl.range, decl.name).note(first->second->range, "first declared here");
  }
}

void Sema::declareReductions() {
  for (FunctionDecl &decl : program.reductions) {
    resolveType(decl.result, decl.parameters[0].type.range);
    for (ParameterDecl &parameter : decl.parameters)
      parameter.type.type = decl.result;
    decl.symbol = makeSymbol(SymbolKind::Function, decl.name, decl.result, decl.range);
    auto found = functions.find(decl.name);
    auto [first, inserted] = reductions.emplace(decl.name, &decl);
    if (!inserted || found != functions.end())
      diags.report(diag::redeclared_name, decl.range, decl.name)
          .note((inserted ? found : first)->second->range, "first declared here");
  }
}

void Sema::checkParameter(ParameterDecl &parameter, const std::string &owner) {
  TypeSpec &spec = parameter.type;
  resolveType(spec.type, spec.range);
  TypeKind kind = spec.type.kind;
  bool made = !parameter.maker.empty(); // of plain values
  bool allowed = function
                     ? spec.shape == Shape::Scalar && kind != TypeKind::VertexSet
                     : (spec.shape == Shape::Scalar || spec.shape == Shape::PerVertex) && kind != TypeKind::Edge &&
                           (made ? kind != TypeKind::VertexSet : kind != TypeKind::Tuple && kind != TypeKind::Foreign);
  if (!allowed && kind != TypeKind::Error) {
    std::string written = typeName(spec.type);
    if (spec.shape != Shape::Scalar)
      written += spec.shape == Shape::PerVertex ? "[g]"
                 : spec.shape == Shape::PerEdge ? "[g.edges]"
                 : spec.shape == Shape::Array   ? "[k]"
                                                : "[g, g]";
    auto error = diags.report(diag::bad_parameter_type, spec.range, "a parameter of " + owner, written);
    if (!function && !made && (kind == TypeKind::Tuple || kind == TypeKind::Foreign))
      error.note(Range(), fmt::format("a function may make it of plain values: '{}: {} from FUNCTION'", parameter.name,
                                      written));
    spec.type.kind = TypeKind::Error;
    spec.shape = Shape::Scalar;
  }
  checkGraphName(spec);
  parameter.symbol = makeSymbol(SymbolKind::Parameter, parameter.name, spec.type, parameter.range, spec.shape);
  if (made && !function)
    return checkMaker(parameter);
  if (made)
    diags.report(diag::clause_not_allowed, parameter.makerRange, "from", "a function's parameter");
  if (!parameter.defaultValue)
    return;
  if (function)
    diags.report(diag::clause_not_allowed, parameter.defaultValue->range, "a default value", "a function's parameter");
  else
    checkDefault(parameter);
}

/// Whether an expression is the vertex of an initialiser, or the number of its edges.
static bool isOfVertex(const Expr &e, const Symbol *vertex) {
  if (e.kind == ExprKind::Convert)
    return isOfVertex(*e.operands[0], vertex);
  if (e.kind == ExprKind::Member)
    return e.operands[0]->symbol == vertex &&
           (e.member == MemberKind::Degree || e.member == MemberKind::OutDegree || e.member == MemberKind::InDegree);
  return e.symbol == vertex;
}

void Sema::checkDefault(ParameterDecl &parameter) {
  std::size_t errors = diags.errorCount();
  {
    ScopeGuard scope(*this);
    if (parameter.type.shape == Shape::PerVertex)
      parameter.self = bindSelf(parameter.range);
    checkExprAs(parameter.defaultValue, parameter.type.type);
    self = implicit = nullptr;
  }
  if (diags.errorCount() != errors)
    return;
  if (parameter.self && isOfVertex(*parameter.defaultValue, parameter.self))
    return;
  foldConstants(*parameter.defaultValue);
  std::vector<const Expr *> pending = {parameter.defaultValue.get()};
  while (!pending.empty()) {
    const Expr *e = pending.back();
    pending.pop_back();
    switch (e->kind) {
    case ExprKind::IntLiteral:
    case ExprKind::FloatLiteral:
    case ExprKind::BoolLiteral:
    case ExprKind::Inf:
    case ExprKind::None:
    case ExprKind::SetLiteral:
      break;
    case ExprKind::Unary:
      if (e->text == "-" && e->operands[0]->kind == ExprKind::Inf)
        break;
      [[fallthrough]];
    case ExprKind::Name:
      if (e->symbol && e->symbol->kind == SymbolKind::Graph)
        break;
      [[fallthrough]];
    default: {
      auto builder = diags.report(diag::default_not_constant, e->range);
      if (parameter.self)
        builder.note(Range(), "a value for each vertex may also be 'self', or the number of the vertex's edges: "
                              "'v.degree', 'v.out_degree' or 'v.in_degree'");
      return;
    }
    }
    for (const ExprPtr &operand : e->operands)
      pending.push_back(operand.get());
  }
}

void Sema::checkFunction(FunctionDecl &decl) {
  function = &decl;
  std::size_t firstSymbol = program.symbols.size();
  if (decl.result.kind == TypeKind::VertexSet) {
    diags.report(diag::bad_parameter_type, decl.range, "the result of a function", typeName(decl.result));
    decl.result.kind = decl.symbol->type.kind = TypeKind::Error;
  }
  {
    ScopeGuard scope(*this);
    for (ParameterDecl &parameter : decl.parameters) {
      checkParameter(parameter, "a function");
      declare(parameter.symbol);
    }
    checkStatements(decl.body);
  }
  if (!alwaysReturns(decl.body))
    diags.report(diag::missing_return, decl.range, decl.name);
  checkUnused(firstSymbol);
  function = nullptr;
}

void Sema::checkRecursion() {
  std::set<const FunctionDecl *> reported;
  for (const FunctionDecl &start : program.functions) {
    if (reported.count(&start))
      continue;
    // The shortest way back, breadth first: `from` says through which call a function was reached.
    std::map<const FunctionDecl *, const FunctionDecl *> from;
    std::vector<const FunctionDecl *> queue = {&start};
    for (std::size_t i = 0; i < queue.size() && !from.count(&start); ++i)
      for (const Call &call : calls[queue[i]])
        if (from.emplace(call.callee, queue[i]).second)
          queue.push_back(call.callee);
    if (!from.count(&start))
      continue;
    std::string cycle = start.name;
    const FunctionDecl *first = &start; // the function that `start` calls
    for (const FunctionDecl *caller = from[&start]; caller != &start; caller = from[caller]) {
      cycle = caller->name + " -> " + cycle;
      reported.insert(first = caller);
    }
    for (const Call &call : calls[&start])
      if (call.callee == first) {
        diags.report(diag::recursive_function, call.range, start.name + " -> " + cycle);
        break;
      }
  }
}

void Sema::checkAlgorithm(AlgorithmDecl &decl) {
  algorithm = &decl;
  labels.clear();
  std::size_t firstSymbol = program.symbols.size();
  {
    ScopeGuard scope(*this);
    if (!decl.graphName.empty()) {
      decl.graph = makeSymbol(SymbolKind::Graph, decl.graphName, makeType(TypeKind::Graph), decl.graphRange);
      declare(decl.graph);
    }
    for (EdgePropertyDecl &property : decl.edgeProperties) {
      if (Symbol *other = edgeProperty(property.name))
        diags.report(diag::redeclared_name, property.range, property.name).note(other->range, "first declared here");
      property.symbol =
          makeSymbol(SymbolKind::EdgeProperty, property.name, property.type, property.range, Shape::PerEdge);
    }
    for (ParameterDecl &parameter : decl.parameters) {
      checkParameter(parameter, "an algorithm");
      declare(parameter.symbol);
    }
    checkStatements(decl.body);
  }
  checkUnused(firstSymbol);
  algorithm = nullptr;
}

void Sema::checkUnused(std::size_t firstSymbol) {
  for (std::size_t i = firstSymbol; i < program.symbols.size(); ++i) {
    const Symbol &symbol = *program.symbols[i];
    Usage used = usage[&symbol];
    if (symbol.output && !used.written)
      diags.report(diag::unwritten_output, symbol.range, symbol.name);
    if (used.read || symbol.output || mayBeUnused(symbol.name) || symbol.type.kind == TypeKind::Error)
      continue;
    bool named = symbol.kind == SymbolKind::Result && symbol.name.find('.') == std::string::npos;
    if (symbol.kind == SymbolKind::Let || symbol.kind == SymbolKind::Run || named)
      diags.report(diag::unused_let, symbol.range, symbol.name);
    else if (symbol.kind == SymbolKind::Variable)
      diags.report(diag::unused_variable, symbol.range, symbol.name);
    else if (symbol.kind == SymbolKind::Parameter)
      diags.report(diag::unused_parameter, symbol.range, symbol.name);
  }
}

} // namespace gcompile
