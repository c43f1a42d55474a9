// The parts of the lowering from the syntax tree to the `graph` dialect: types and places, expressions, statements.
#pragma once

#include "frontend/Ast.h"
#include "ir/graph/GraphDialect.h"
#include "llvm/ADT/DenseMap.h"

#include <array>

namespace gcompile {

class LoweringBase {
public:
  LoweringBase(mlir::OpBuilder &builder, mlir::StringAttr file) : b(builder), file(file) {}

protected:
  mlir::Type type(const ast::Type &t);
  mlir::Location loc(const ast::Range &range);

  mlir::OpBuilder &b;
  mlir::StringAttr file;
  bool undirected = false; // the algorithm declares its graph so: `u -- v` is `u -> v`
  llvm::DenseMap<const ast::Symbol *, mlir::Value> env;
  mlir::Value self; // what `self` means in the initialiser at hand

private:
  /// What loc() gave last: an expression and what stands around it ask for the same.
  struct Located {
    ast::Range range;
    mlir::LocationAttr location;
  };
  std::array<Located, 4> located;
  unsigned turn = 0;
};

class ExpressionLowering : public LoweringBase {
public:
  using LoweringBase::LoweringBase;

protected:
  mlir::Value expression(const ast::Expr &e);

  /// A pattern's operand, its domain and the names of its arguments.
  struct Range {
    graph::Domain domain;
    mlir::Value over;
    llvm::SmallVector<const ast::Symbol *> arguments; // null: not named in the program
    llvm::SmallVector<mlir::Attribute> names;
  };
  Range range(const ast::Pattern &pattern);

  /// Fills `region` with one block that takes the range's arguments (and `extra` ones) and the given contents.
  void fill(mlir::Region &region, const Range &range, mlir::Location where, llvm::function_ref<void()> contents,
            const ast::Symbol *round = nullptr, bool hasRound = false);
  void yield(const ast::Expr &value);

  mlir::Value read(mlir::Value state, llvm::ArrayRef<mlir::Value> indices, mlir::Location where);

private:
  mlir::Value member(const ast::Expr &e);
  mlir::Value binary(const ast::Expr &e);
  mlir::Value call(const ast::Expr &e);
  mlir::Value reduce(const ast::Expr &e);
  mlir::Value sumOfElement(const ast::Expr &e, const Range &range, unsigned i);
  mlir::Value convert(mlir::Value value, mlir::Type to, mlir::Location where);
};

class AstToGraph : public ExpressionLowering {
public:
  AstToGraph(mlir::OpBuilder &builder, mlir::StringAttr file, const ast::Program &program)
      : ExpressionLowering(builder, file), program(program) {}

protected:
  void statements(const std::vector<ast::StmtPtr> &list);

  mlir::Value computed(const ast::ParameterDecl &parameter, const ast::Expr &value, mlir::Location where);

  /// All statements of an algorithm: those of its own, and of the algorithms that it calls.
  void body(const ast::AlgorithmDecl &decl);

  const ast::Program &program;
  /// The called algorithms, and how the labels of their statements begin: `bfs.`, `outer.bfs.`.
  std::vector<std::pair<const ast::AlgorithmDecl *, std::string>> called;

private:
  /// The label of a statement, for schedules, or null. Those of a called algorithm begin with its name.
  mlir::StringAttr labelOf(const ast::Stmt &s) {
    return s.label.empty() && within.empty() ? mlir::StringAttr() : b.getStringAttr(within + s.label);
  }
  void statement(const ast::Stmt &s);
  void run(const ast::Stmt &s);
  mlir::Value argument(const ast::ParameterDecl &parameter, const ast::Expr *given, mlir::Location where);
  void declare(const ast::Stmt &s);
  void assign(const ast::Stmt &s);
  void assignOne(const ast::Stmt &s, const ast::Expr &target, graph::UpdateKind kind, bool subtracts);
  mlir::Value place(const ast::Expr &target, llvm::SmallVectorImpl<mlir::Value> &indices);
  mlir::Value withElement(mlir::Value tuple, unsigned index, mlir::Value value, mlir::Location where);
  mlir::Value negated(mlir::Value value, mlir::Location where);
  void forEach(const ast::Stmt &s);
  void countUp(const ast::Stmt &s);
  void propagate(const ast::Stmt &s);
  void moveUntilIntoBody(graph::RepeatOp repeat);

  std::string within;                            // `bfs.` in the statements of the called algorithm `bfs`
  const ast::AlgorithmDecl *algorithm = nullptr; // whose statements are lowered
};

} // namespace gcompile
