// The checker's state, shared by the Sema*.cpp files. Private to frontend/.
#pragma once

#include "frontend/Sema.h"
#include "ir/schedule/Directives.h"

#include <map>
#include <unordered_map>

namespace gcompile {

using namespace ast;

inline Type makeType(TypeKind kind) {
  Type type;
  type.kind = kind;
  return type;
}

/// Whether `-Wunused-...` looks at a name: a leading `_` says that it is meant to be unused.
inline bool mayBeUnused(const std::string &name) { return !name.empty() && name[0] == '_'; }

class Sema {
public:
  Sema(Program &program, Diagnostics &diags) : program(program), diags(diags) {}
  void run();

private:
  // ---- Sema.cpp: declarations, scopes, what is left unused
  using Scope = std::map<std::string, Symbol *>;
  /// Opens a scope for its own lifetime.
  struct ScopeGuard {
    explicit ScopeGuard(Sema &sema) : sema(sema) { sema.scopes.emplace_back(); }
    ~ScopeGuard() { sema.scopes.pop_back(); }
    ScopeGuard(const ScopeGuard &) = delete;
    ScopeGuard &operator=(const ScopeGuard &) = delete;
    Sema &sema;
  };
  struct Usage {
    bool read = false, written = false;
  };

  void declareFunctions();
  void declareReductions();
  void checkFunction(FunctionDecl &function);
  /// A declared reduction: its function, which takes and gives values of its type, and its neutral element.
  void checkCombiner(FunctionDecl &reduction);
  /// Reports every function that calls itself, by itself or through others: each cycle once, at its first call.
  void checkRecursion();
  void checkAlgorithm(AlgorithmDecl &decl);
  void checkParameter(ParameterDecl &parameter, const std::string &owner);
  void checkDefault(ParameterDecl &parameter);
  /// A parameter whose values a function makes: finds the function, and makes a plain parameter of each of its own.
  void checkMaker(ParameterDecl &parameter);
  /// What the function of a parameter takes, as parameters without symbols; reports if there is no such function.
  bool findMaker(ParameterDecl &parameter);
  void giveDefaults(ParameterDecl &parameter);
  /// Reports a type that names another graph than the algorithm's.
  void checkGraphName(const TypeSpec &spec);
  void checkLength(TypeSpec &spec);
  void checkUnused(std::size_t firstSymbol);
  Symbol *makeSymbol(SymbolKind kind, const std::string &name, const Type &type, const Range &range,
                     Shape shape = Shape::Scalar);
  /// Puts a symbol into the innermost scope; reports a name that is already visible.
  void declare(Symbol *symbol);
  Symbol *lookup(const std::string &name) const;
  /// All names visible here, for suggestions.
  std::vector<std::string> visibleNames() const;
  /// An edge property of the graph; null if there is none.
  Symbol *edgeProperty(const std::string &name) const;

  // ---- SemaSchedule.cpp
  void checkSchedules();
  void checkDirective(const ScheduleSection &section, const ScheduleDirective &directive);
  /// One of a directive's values: whether the section has it, and its options.
  void checkScheduleValue(const ScheduleSection &section, const schedule::Directive &row, const ScheduleValue &value);

  // ---- SemaStmt.cpp
  void checkBlock(std::vector<StmtPtr> &body);
  void checkStatements(std::vector<StmtPtr> &body);
  void checkStatement(Stmt &stmt);
  void checkDeclaration(Stmt &stmt);
  /// Whether a result of the declared type can be printed; reports if not.
  bool checkOutput(const Stmt &stmt);
  void checkInitialiser(Stmt &stmt, const Type &type);
  /// Makes the vertex of a per-vertex initialiser: `self`, and `v` where that is no other name.
  Symbol *bindSelf(const Range &range);
  void checkAssignment(Stmt &stmt);
  /// The declared reduction that updates a value of the type as the statement says; reports if it cannot.
  bool checkCombination(Stmt &stmt, const Type &type);
  Type checkElementTarget(Expr &target);
  Type checkTarget(ExprPtr &target);
  void checkFor(Stmt &stmt);
  void checkPropagate(Stmt &stmt);
  void checkReturn(Stmt &stmt);
  void checkBreak(Stmt &stmt);
  void checkCondition(ExprPtr &e);
  void checkLabel(const Stmt &stmt);
  /// Whether every path through the statements ends in a `return`.
  static bool alwaysReturns(const std::vector<StmtPtr> &body);

  // ---- SemaExpr.cpp: each sets the type of an expression. `expected` gives `inf` and `none` their type; null: unknown
  void checkExpr(ExprPtr &e, const Type *expected = nullptr);
  /// checkExpr, then conversion to `to`.
  void checkExprAs(ExprPtr &e, const Type &to);
  void checkName(Expr &e);
  void checkInf(Expr &e, const Type *expected);
  void checkUnary(ExprPtr &e, const Type *expected);
  void checkBinary(ExprPtr &e, const Type *expected);
  void checkArithmetic(Expr &e);
  void checkComparison(Expr &e);
  void checkIndex(Expr &e, bool isTarget);
  void checkMember(Expr &e);
  void checkTuple(Expr &e, const Type *expected);
  void checkConditional(Expr &e, const Type *expected);
  /// Checks two operands, the one that is not `inf` or `none` first, so that it gives the other one its type.
  void checkTogether(ExprPtr &a, ExprPtr &b, const Type *expected);
  /// Converts both to their common type and returns it; Error (reported or not) if there is none.
  Type unify(ExprPtr &a, ExprPtr &b, bool report = true, const Range *range = nullptr);

  // ---- SemaBuiltin.cpp
  void checkCall(ExprPtr &e, const Type *expected);
  void checkConversion(ExprPtr &e, TypeKind to);
  bool checkBuiltin(Expr &e, const Type *expected);
  /// `v.neighbors[i]`.
  void checkNeighborPlace(Expr &e);
  bool checkArgumentCount(const Expr &e, std::size_t least, std::size_t most);

  // ---- SemaForeign.cpp: functions of imported C++ headers
  /// Resolves a call of one and reports what is wrong with it. False if no header has such a function.
  bool checkForeignCall(Expr &e);
  /// Makes `a == b` or `a != b` of two values of a class a call of what the class defines; reports if it cannot.
  void compareForeign(Expr &e);
  /// Finds the C++ types of the imported headers in a type; reports those that they do not have, or that the program
  /// cannot use there.
  void resolveType(Type &type, const Range &range);
  /// How far each argument is from the parameter's type; empty if one does not convert, or if there is none.
  std::vector<unsigned> distances(const Expr &call, const ForeignFunction &function) const;
  /// That of one value; nothing where it does not convert.
  std::optional<unsigned> distance(const Expr &from, const Type &to) const;
  /// What gives a class of C++ as the tuple of its members, or the class from a tuple; null: there is nothing.
  const ForeignFunction *restatement(TypeKind from, const Type &type) const;
  /// Makes a class of C++ from a tuple of its members, or the tuple, where that is wanted. False: it is not.
  bool restate(ExprPtr &e, const Type &to);

  // ---- SemaRun.cpp: one algorithm calls another
  /// Whether a `let` names an algorithm's results: `bfs(g, root)` or `bfs(g, root).depth`.
  bool callsAlgorithm(const Stmt &stmt) const;
  /// The algorithms, each after those that it calls. Reports one that calls itself, by itself or through others.
  std::vector<AlgorithmDecl *> calledFirst();
  void checkRun(Stmt &stmt);
  /// Whether the callee can run on the caller's graph; reports if not.
  bool checkRunGraph(const Expr &call, const AlgorithmDecl &callee);
  void checkRunArguments(Expr &call, const AlgorithmDecl &callee);
  /// Turns `r.depth` into a name where `r` is a called algorithm; reports a result that it does not have.
  void resolveResult(Expr &e);

  // ---- SemaPattern.cpp
  enum class PatternUse { For, Propagate, Expression };
  /// Checks the set of a pattern in the scope around it, then binds its new names in the innermost scope, which the
  /// caller opens: call rangeOver before opening it and bind after.
  void rangeOver(Pattern &pattern, PatternUse use);
  /// The bounds of `i in A .. B`.
  void rangeOverIntegers(Pattern &pattern);
  void bind(Pattern &pattern);
  Symbol *bindNew(const std::string &name, const Range &range, const Type &type);
  void bindEnds(Pattern &pattern);
  void checkReduction(Expr &e, const Type *expected);
  void checkArgExtreme(Expr &e);
  void checkFilter(Expr &e);

  // ---- SemaType.cpp
  /// Converts `e` to `to` where the language does that by itself; otherwise reports. True if it fits.
  bool convert(ExprPtr &e, const Type &to);
  static bool isOrdered(const Type &type);
  /// Whether an expression of type double is made of literals only, so that it may as well be a float.
  static bool isRealConstant(const Expr &e);
  static bool hasError(const Type &type);
  /// Whether an expression takes its type from where it stands: `inf`, `none` and what is made of nothing else.
  static bool needsContext(const Expr &e);
  static std::string describe(const Symbol &symbol);

  Program &program;
  Diagnostics &diags;
  std::vector<Scope> scopes;
  std::map<std::string, FunctionDecl *> functions, reductions;
  struct Call {
    const FunctionDecl *callee;
    Range range;
  };
  std::map<const FunctionDecl *, std::vector<Call>> calls; // of functions in functions
  AlgorithmDecl *algorithm = nullptr;                      // being checked
  FunctionDecl *function = nullptr;                        // being checked
  Symbol *self = nullptr;                                  // the vertex of the initialiser being checked
  Symbol *implicit = nullptr;                              // its `v` or `e`, which a pattern inside it may bind anew
  std::map<std::string, Range> labels;
  std::unordered_map<const Symbol *, Usage> usage;
  enum class Nest { Loop, Parallel };
  bool insidePropagate = false;
  std::vector<Nest> nests; // around the statement being checked, outermost first
  unsigned parallelDepth = 0;
};

} // namespace gcompile
