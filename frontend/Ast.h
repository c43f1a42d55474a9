// The abstract syntax tree of a `.gdsl` file, before and after type checking.
//
// The parser's builder (AstBuilder) makes the tree; the checker (Sema) resolves every name to a Symbol, gives every
// expression a Type, makes each implicit conversion explicit as an `ExprKind::Convert` node and classifies each
// pattern. Nothing below depends on ANTLR or MLIR, so every consumer (lowering, printers, a formatter) can include it.
#pragma once

#include "frontend/AstTypes.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gcompile::ast {

/// How many values a name holds: `T`, `T[g]`, `T[g.edges]`, `T[g, g]`, `T[k]`.
enum class Shape { Scalar, PerVertex, PerEdge, Dense, Array };

enum class SymbolKind {
  Graph,        // the algorithm's graph parameter
  EdgeProperty, // declared in graph<...>: `weight`; PerEdge, read-only
  Parameter,    // another parameter of the algorithm (an option of the program), or of a local function; read-only
  Variable,     // `name: T`, `name: T[g]`, ...: mutable state; also `vertex set` variables
  Let,          // `let name = ...`: constant
  Iterator, // a name bound by a pattern: vertex, edge, or level (a vertex set); also `self`-like `v` of an initialiser
  Levels,   // `keep levels NAME` (the default name is `levels`)
  Round,    // `round r`: Int, from 1
  Function, // local or imported function
  Run,      // `let r = bfs(g, root)`: a called algorithm, whose results are `r.depth`, ...
  Result    // a result of a called algorithm; read-only
};

struct Symbol {
  SymbolKind kind;
  std::string name;
  Type type;
  Shape shape = Shape::Scalar;
  bool output = false;
  bool local = false; // a Variable declared inside a data-parallel body: owned by the iteration
  Range range;        // where it is declared
};

enum class ExprKind {
  IntLiteral,
  FloatLiteral,
  BoolLiteral,
  Inf,
  None,
  Self,
  Name,      // symbol
  Index,     // operands[0] is a Name of a non-scalar Variable, Parameter or EdgeProperty; operands[1..] the one or two
             // indices
  Member,    // operands[0] . member
  Unary,     // op: "-" "!"
  Binary,    // op: "+" "-" "*" "/" "%" "==" "!=" "<" "<=" ">" ">=" "&&" "||"; on sets "+" "-" "&"
  In,        // operands[0] in operands[1]: vertex in vertex set
  Call,      // callee or builtin `name`
  TupleExpr, // operands
  TupleElement, // operands[0] . 0, . 1, ...: `index`
  SetLiteral,   // {a, b}: operands
  SetFilter,    // {v in S where C}: pattern, where
  Conditional,  // if c then a else b: operands c, a, b
  Reduce,       // op: "sum" "min" "max" "count" "any" "all" "argmin" "argmax" "mode"; pattern, where, value
  Convert       // inserted by Sema: operands[0] to `type` (bool is never converted)
};

/// What Sema says a Member expression is.
enum class MemberKind {
  Unresolved,
  OutDegree,
  InDegree,
  Degree, // of a vertex: Int
  OutNeighbors,
  InNeighbors, // of a vertex: VertexSet (`neighbors` is OutNeighbors)
  NumVertices,
  NumEdges, // of the graph: Long
  SetSize,
  SetEmpty,  // of a vertex set: Long, Bool
  EdgeValue, // e.weight: `symbol` is the EdgeProperty
  EdgeSource,
  EdgeTarget // e.source, e.target: Vertex
};

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;

enum class PatternKind {
  VertexIn,  // v in S
  Pairs,     // i, j in g
  Edges,     // [e:] u -> v [from S], neither end bound before
  OutOf,     // u -> v with u bound: the edges out of u
  Into,      // u -> v with v bound: the edges into v
  Either,    // u -- v with u (or v) bound: every edge at the bound end; `bound` and `other` say which is which
  EdgesBoth, // u -- v [from S], neither bound: every edge seen from both ends
  LevelIn,   // level in levels [reversed]
  EdgesInto, // [e:] u -> v into S, neither end bound before
  Integers   // i in A .. B
};

/// What a data-parallel statement or reduction ranges over.
struct Pattern {
  Range range;
  bool arrow = false;                  // an edge pattern
  bool undirected = false;             // written with `--`
  std::string edgeName, first, second; // names as written; `second` is empty for `v in S`
  Range edgeRange, firstRange, secondRange;
  ExprPtr set;           // S of `in S`, `from S` or `into S`; null: the whole graph. Integers: A of `in A .. B`
  ExprPtr end;           // Integers: B; null otherwise
  bool into = false;     // it is that of `into S`
  bool reversed = false; // `level in levels reversed`
  // After Sema:
  PatternKind kind = PatternKind::VertexIn;
  Symbol *edge = nullptr, *u = nullptr,
         *v = nullptr;                 // a bound end points to the symbol that binds it, a new one to its own
  bool boundU = false, boundV = false; // which ends were bound before this pattern
};

struct Expr {
  ExprKind kind;
  Range range;
  Type type;
  std::int64_t intValue = 0;
  double floatValue = 0;
  bool boolValue = false;
  bool parenthesised = false;
  std::string text; // the name, member, operator, reduction or literal as written
  unsigned index = 0;
  std::vector<ExprPtr> operands;
  std::unique_ptr<Pattern> pattern;         // Reduce, SetFilter
  ExprPtr where;                            // Reduce, SetFilter: may be null
  ExprPtr value;                            // Reduce: null for `count`; for any/all the tested condition
  Symbol *symbol = nullptr;                 // Name, Call of a local function, Member EdgeValue
  const ForeignFunction *foreign = nullptr; // Call of one
  MemberKind member = MemberKind::Unresolved;

  /// `v.neighbors`, `v.out_neighbors` or `v.in_neighbors`.
  bool isNeighbors() const { return member == MemberKind::OutNeighbors || member == MemberKind::InNeighbors; }
};

/// An output of a called algorithm, and the name that it has in the caller.
struct CalledResult {
  const Symbol *output = nullptr;
  Symbol *name = nullptr;
};

enum class StmtKind { Declare, Let, Assign, For, Propagate, If, While, Repeat, Break, Return, Block };

struct Stmt {
  StmtKind kind;
  Range range;
  std::string label; // `name: for ...`, for schedules

  // Declare: a property or variable. Let: a constant (`value`).
  Symbol *symbol = nullptr;
  std::string name;
  Range nameRange;
  std::unique_ptr<struct TypeSpec> typeSpec; // as written; null for Let
  bool output = false;
  Symbol *self = nullptr;     // Declare PerVertex: the vertex (`v`, also what `self` means) of the initialiser
  Symbol *selfEdge = nullptr; // Declare PerEdge: the edge `e` of the initialiser

  // Assign: op is one of "=" "+=" "-=" "*=" "min=" "max=" "|=" "&=", or a reduction's; several targets: a tuple update.
  std::vector<ExprPtr> targets;
  std::string op;
  const struct FunctionDecl *combiner = nullptr; // the declared reduction that op names
  ExprPtr value; // Declare (may be null), Let, Assign, Return (may be null); Repeat: the count (may be null)

  // For, Propagate
  std::unique_ptr<Pattern> pattern;
  ExprPtr where;
  bool sequential = false;
  ExprPtr condition; // If, While; `until` of Propagate and Repeat
  ExprPtr atMost;    // Propagate: `at most N rounds`
  std::string orderedName, levelsName, roundName;
  Range orderedRange, levelsRange, roundRange;
  Symbol *ordered = nullptr, *levels = nullptr, *round = nullptr;

  // Let of a called algorithm: `value` is the Call, whose operands are the graph and the arguments.
  std::string callee; // empty: of a value
  std::vector<CalledResult> results;

  std::vector<StmtPtr> body;     // For, Propagate, If (then), While, Repeat, Block
  std::vector<StmtPtr> elseBody; // If
};

/// A type as written: `int`, `(int, vertex)`, `vertex set`, with `[g]`, `[g.edges]`, `[g, g]` or `[k]`.
struct TypeSpec {
  Range range;
  Type type;
  Shape shape = Shape::Scalar;
  std::string graphName; // what is named in the brackets: the graph or, where Sema finds no graph, a length
  Range graphRange;
  ExprPtr length; // Array: how many values; also where the brackets hold a name, which may be the graph's
};

struct ParameterDecl {
  Range range;
  std::string name;
  TypeSpec type;
  ExprPtr defaultValue; // may be null: required. For `vertex set`, the graph's name means all vertices
  Symbol *symbol = nullptr;
  Symbol *self = nullptr; // PerVertex: the vertex (`v`, also what `self` means) of the default value
  // `from geo::place`: the function that makes its values of plain parameters, one for each that the function takes.
  std::string maker; // empty: it is a plain one
  Range makerRange;
  std::vector<ParameterDecl> parts; // after Sema; they have the default values
  std::string joint;                // of a part: the parameter's name, where it has several
  ExprPtr made;                     // after Sema: the call, `geo::place(pos_x[self], pos_y[self])`

  bool isRequired() const;
};

enum class Directedness { Any, Directed, Undirected };

struct EdgePropertyDecl {
  Range range;
  std::string name;
  Type type; // int, long, float or double
  Symbol *symbol = nullptr;
};

struct FunctionDecl {
  Range range;
  std::string name;
  std::vector<ParameterDecl> parameters;
  Type result;
  std::vector<StmtPtr> body; // Let, Declare (scalars), Assign, If, While, Return
  ExprPtr neutral;           // of a reduction, which is a function of two values: what changes nothing
  Symbol *symbol = nullptr;
};

struct AlgorithmDecl {
  Range range;
  std::string name;
  std::string graphName;
  Range graphRange;
  Directedness directedness = Directedness::Any;
  std::vector<EdgePropertyDecl> edgeProperties; // columns of the input after the two ids, in this order
  std::vector<ParameterDecl> parameters;        // without the graph
  std::vector<StmtPtr> body;
  Symbol *graph = nullptr;
  bool called = false; // by another algorithm of the file

  /// The parameters that a program takes: plain ones, and the parts of those that a function makes.
  std::vector<const ParameterDecl *> plainParameters() const;
};

/// One directive of a schedule: `direction hybrid(alpha = 15)`, `gather scan + warp`, `asynchronous(chunk = 8)`.
struct ScheduleOption {
  Range range;             // of the name
  std::string name, value; // alpha = 15
};
struct ScheduleValue {
  Range range;      // of the name
  std::string name; // `hybrid`, `scan`, or a number as written; empty: the directive stands alone
  std::vector<ScheduleOption> options;
};
struct ScheduleDirective {
  Range range, nameRange;
  std::string name;                  // direction, frontier, gather, ordered, asynchronous, vertices, ...
  bool by = false;                   // `vertices by degree`
  std::vector<ScheduleValue> values; // joined by `+`
  std::vector<std::vector<ScheduleValue>> alternatives; // `a | b`: the choices after the first
};
struct ScheduleSection {
  Range range;
  std::string target; // a section of the table of directives: cpu, cuda, layout
  std::string label;  // the statement it is for; empty: the whole algorithm
  std::vector<ScheduleDirective> directives;
};
struct ScheduleDecl {
  Range range;
  std::string algorithm;
  std::vector<ScheduleSection> sections;
};

struct ImportDecl {
  Range range;
  std::string path; // as written
};

/// One file.
struct Program {
  std::string file;
  std::vector<ImportDecl> imports;
  std::set<std::string> calledNames;      // of functions, reductions and algorithms, as calls have them
  std::set<std::string> typeNames;        // that are none of the language's
  std::vector<ForeignFunction> foreign;   // of the imported headers: those that calls name
  std::vector<ForeignType> foreignTypes;  // and those that types name
  std::vector<std::string> importedFiles; // every file that was read for them
  std::vector<std::string> importFlags;   // with which a compiler reads them, besides those that the user gives
  std::vector<FunctionDecl> functions, reductions;
  std::vector<AlgorithmDecl> algorithms;
  std::vector<AlgorithmDecl> others; // that are only called: no program is made of them
  std::vector<ScheduleDecl> schedules;
  std::vector<std::unique_ptr<Symbol>> symbols; // owns every Symbol

  /// Null if the file has no such algorithm.
  const AlgorithmDecl *algorithm(const std::string &name) const;
};

} // namespace gcompile::ast
