// One algorithm calls another: `let r = bfs(g, root);`, whose results are then `r.depth[v]`.
#include "frontend/SemaImpl.h"

#include "frontend/Spelling.h"

#include <algorithm>
#include <functional>

namespace gcompile {

const AlgorithmDecl *Program::algorithm(const std::string &name) const {
  for (const std::vector<AlgorithmDecl> *list : {&algorithms, &others})
    for (const AlgorithmDecl &decl : *list)
      if (decl.name == name)
        return &decl;
  return nullptr;
}

namespace {

/// The call in `bfs(g, root)` and `bfs(g, root).depth`; null where the value is something else.
Expr *callIn(Expr &value) {
  Expr *e = value.kind == ExprKind::Member ? value.operands[0].get() : &value;
  return e->kind == ExprKind::Call ? e : nullptr;
}

/// All `let`s with a call, in the order of the program.
void addCalls(const std::vector<StmtPtr> &body, std::vector<const Expr *> &calls) {
  for (const StmtPtr &stmt : body) {
    if (stmt->kind == StmtKind::Let)
      if (const Expr *call = callIn(*stmt->value))
        calls.push_back(call);
    addCalls(stmt->body, calls);
    addCalls(stmt->elseBody, calls);
  }
}

std::vector<const Stmt *> outputsOf(const AlgorithmDecl &decl) {
  std::vector<const Stmt *> outputs;
  for (const StmtPtr &stmt : decl.body)
    if (stmt->kind == StmtKind::Declare && stmt->output && stmt->symbol)
      outputs.push_back(stmt.get());
  return outputs;
}

const char *word(Directedness directedness) {
  return directedness == Directedness::Directed ? "a directed graph" : "an undirected graph";
}

} // namespace

std::vector<AlgorithmDecl *> Sema::calledFirst() {
  std::vector<AlgorithmDecl *> order, path;
  std::function<void(AlgorithmDecl &)> visit = [&](AlgorithmDecl &decl) {
    if (std::find(order.begin(), order.end(), &decl) != order.end())
      return;
    path.push_back(&decl);
    std::vector<const Expr *> made;
    addCalls(decl.body, made);
    for (const Expr *call : made) {
      auto callee = std::find_if(program.algorithms.begin(), program.algorithms.end(),
                                 [&](const AlgorithmDecl &other) { return other.name == call->text; });
      if (callee == program.algorithms.end())
        continue;
      callee->called = &*callee != &decl;
      if (auto first = std::find(path.begin(), path.end(), &*callee); first != path.end()) {
        std::string cycle;
        for (auto at = first; at != path.end(); ++at)
          cycle += (*at)->name + " -> ";
        diags.report(diag::recursive_algorithm, call->range, cycle + callee->name);
      } else {
        visit(*callee);
      }
    }
    path.pop_back();
    order.push_back(&decl);
  };
  for (AlgorithmDecl &decl : program.algorithms)
    visit(decl);
  return order;
}

bool Sema::callsAlgorithm(const Stmt &stmt) const {
  const Expr *call = callIn(*stmt.value);
  return call && !functions.count(call->text) && program.algorithm(call->text);
}

void Sema::checkRun(Stmt &stmt) {
  std::string result;
  if (stmt.value->kind == ExprKind::Member) {
    result = stmt.value->text;
    stmt.value = std::move(stmt.value->operands[0]);
  }
  Expr &call = *stmt.value;
  const AlgorithmDecl &callee = *program.algorithm(call.text);
  call.type = makeType(TypeKind::Void);
  bool placed = !function && parallelDepth == 0;
  if (!placed)
    diags.report(diag::algorithm_call_place, stmt.range, function ? "a function" : "a data-parallel statement");
  if (placed && checkRunGraph(call, callee))
    checkRunArguments(call, callee);
  stmt.callee = callee.name;

  std::vector<std::string> names;
  for (const Stmt *output : outputsOf(callee)) {
    names.push_back(output->name);
    if (!result.empty() && result != output->name)
      continue;
    const Symbol &of = *output->symbol;
    std::string name = result.empty() ? stmt.name + "." + of.name : stmt.name;
    Symbol *symbol = makeSymbol(SymbolKind::Result, name, of.type, stmt.nameRange, of.shape);
    stmt.results.push_back({&of, symbol});
    if (result.empty())
      scopes.back()[name] = symbol; // no name of the program has a dot
    else
      stmt.symbol = symbol;
  }
  bool calledByItself = callee.graph == nullptr || &callee == algorithm; // which is reported, its results are not known
  bool known = result.empty() || stmt.symbol;
  if (!known && !calledByItself)
    diags.report(diag::unknown_member, call.range, "the result of '" + callee.name + "'", result)
        .suggest(nearest(result, names));
  if (!known || calledByItself)
    stmt.symbol = makeSymbol(SymbolKind::Let, stmt.name, Type(), stmt.nameRange);
  else if (!stmt.symbol)
    stmt.symbol = makeSymbol(SymbolKind::Run, stmt.name, call.type, stmt.nameRange);
  declare(stmt.symbol);
}

bool Sema::checkRunGraph(const Expr &call, const AlgorithmDecl &callee) {
  const Expr *first = call.operands.empty() ? nullptr : call.operands[0].get();
  if (!first || first->kind != ExprKind::Name || first->text != algorithm->graphName) {
    auto error = diags.report(diag::called_on_graph, first ? first->range : call.range, callee.name,
                              "its first argument must be the graph");
    if (!algorithm->graphName.empty())
      error.suggest(algorithm->graphName);
    return false;
  }
  call.operands[0]->symbol = algorithm->graph;
  call.operands[0]->type = makeType(TypeKind::Graph);
  if (callee.directedness != Directedness::Any && callee.directedness != algorithm->directedness) {
    diags.report(diag::called_on_graph, first->range, callee.name, std::string("it needs ") + word(callee.directedness))
        .note(callee.range, "'" + callee.name + "' is here");
    return false;
  }
  for (const EdgePropertyDecl &column : callee.edgeProperties) {
    const Symbol *own = edgeProperty(column.name);
    if (own && own->type == column.type)
      continue;
    diags
        .report(diag::called_on_graph, first->range, callee.name,
                fmt::format("its edges need '{}: {}'", column.name, typeName(column.type)))
        .note(column.range, "declared here");
    return false;
  }
  return true;
}

void Sema::checkRunArguments(Expr &call, const AlgorithmDecl &callee) {
  std::size_t given = call.operands.size() - 1, most = callee.parameters.size(), least = 0;
  for (std::size_t i = 0; i < most; ++i)
    if (callee.parameters[i].isRequired())
      least = i + 1;
  for (std::size_t i = 0; i < std::min(given, most); ++i) {
    const TypeSpec &wanted = callee.parameters[i].type;
    ExprPtr &argument = call.operands[i + 1];
    if (wanted.shape == Shape::Scalar) {
      checkExprAs(argument, wanted.type);
      continue;
    }
    resolveResult(*argument);
    Symbol *property = argument->kind == ExprKind::Name ? lookup(argument->text) : nullptr;
    std::string type = typeName(wanted.type) + "[" + algorithm->graphName + "]";
    if (!property) {
      checkExpr(argument, &wanted.type);
      if (argument->type.kind != TypeKind::Error)
        diags.report(diag::type_mismatch, argument->range, "the name of a property of type " + type,
                     typeName(argument->type));
    } else {
      argument->symbol = property;
      argument->type = property->type;
      usage[property].read = true;
      if (property->type.kind != TypeKind::Error && (property->shape != wanted.shape || property->type != wanted.type))
        diags.report(diag::type_mismatch, argument->range, "a property of type " + type, describe(*property));
    }
  }
  if (given < least || given > most) {
    std::string count = least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
    diags
        .report(diag::wrong_argument_count, call.range, call.text,
                fmt::format("the graph and {} argument{}", count, most == 1 ? "" : "s"), given)
        .note(callee.range, "'" + callee.name + "' is here");
  }
}

void Sema::resolveResult(Expr &e) {
  if (e.kind != ExprKind::Member || e.operands[0]->kind != ExprKind::Name)
    return;
  Symbol *run = lookup(e.operands[0]->text);
  if (!run || run->kind != SymbolKind::Run)
    return;
  usage[run].read = true;
  std::string name = run->name + "." + e.text;
  if (!lookup(name)) {
    // Reported here, and once: the name of a result that is not known has no type.
    std::vector<std::string> names;
    for (const std::string &visible : visibleNames())
      if (visible.rfind(run->name + ".", 0) == 0)
        names.push_back(visible.substr(run->name.size() + 1));
    diags.report(diag::unknown_member, e.range, "a called algorithm", e.text)
        .suggest(nearest(e.text, names))
        .note(run->range, "called here");
    Symbol *unknown = makeSymbol(SymbolKind::Result, name, Type(), e.range);
    scopes.back()[name] = unknown;
  }
  e.kind = ExprKind::Name;
  e.text = name;
  e.operands.clear();
}

} // namespace gcompile
