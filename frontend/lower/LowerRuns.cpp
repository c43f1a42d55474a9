// A called algorithm: its statements stand where it is called, with states of their own.
#include "frontend/lower/LowerInternal.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace gcompile {

void AstToGraph::body(const ast::AlgorithmDecl &decl) {
  llvm::SaveAndRestore<const ast::AlgorithmDecl *> whose(algorithm, &decl);
  statements(decl.body);
}

/// A parameter's value in the call. Where none is given, it is the default.
Value AstToGraph::argument(const ast::ParameterDecl &parameter, const ast::Expr *given, Location where) {
  if (given && parameter.type.shape != ast::Shape::Scalar)
    return env.lookup(given->symbol);
  if (given)
    return computed(parameter, *given, where);
  for (const ast::ParameterDecl &part : parameter.parts)
    env[part.symbol] = argument(part, nullptr, where);
  return computed(parameter, parameter.made ? *parameter.made : *parameter.defaultValue, where);
}

/// A parameter's value from an expression, which is computed for each vertex if the parameter has a value for each.
Value AstToGraph::computed(const ast::ParameterDecl &parameter, const ast::Expr &value, Location where) {
  if (parameter.type.shape == ast::Shape::Scalar)
    return b.create<graph::LetOp>(where, parameter.name, expression(value));
  auto stateType =
      graph::StateType::get(b.getContext(), type(parameter.type.type), static_cast<graph::Shape>(parameter.type.shape));
  auto op = b.create<graph::StateOp>(where, stateType, parameter.name, false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&op.getInit());
  llvm::SaveAndRestore<Value> own(self, block->addArgument(graph::VertexType::get(b.getContext()), where));
  env[parameter.self] = self;
  yield(value);
  return op.getState();
}

void AstToGraph::run(const ast::Stmt &s) {
  const ast::AlgorithmDecl &callee = *program.algorithm(s.callee);
  Location where = loc(s.range);
  for (const ast::EdgePropertyDecl &column : callee.edgeProperties)
    for (const ast::EdgePropertyDecl &own : algorithm->edgeProperties)
      if (own.name == column.name)
        env[column.symbol] = env.lookup(own.symbol);
  for (auto [i, parameter] : llvm::enumerate(callee.parameters)) {
    const ast::Expr *given = i + 1 < s.value->operands.size() ? s.value->operands[i + 1].get() : nullptr;
    env[parameter.symbol] = argument(parameter, given, where);
  }
  {
    llvm::SaveAndRestore<std::string> labels(within, within + callee.name + ".");
    std::pair<const ast::AlgorithmDecl *, std::string> entry(&callee, within);
    if (!llvm::is_contained(called, entry))
      called.push_back(entry);
    body(callee);
  }
  for (const ast::CalledResult &result : s.results)
    env[result.name] = env.lookup(result.output);
}

} // namespace gcompile
