// Statements and expressions that the printers of every target share.
#pragma once

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Inlining.h"
#include "codegen_cpp/Names.h"
#include "codegen_cpp/Writer.h"
#include "ir/exec/ExecDialect.h"

#include "llvm/ADT/DenseSet.h"

#include <string>
#include <vector>

namespace gcompile::cpp {

/// How tightly the outermost operator of an expression binds; decides where parentheses are needed.
enum class Binding { Conditional, Or, And, Equality, Relation, Sum, Product, Prefix, Postfix };

/// The text of an expression.
struct Text {
  std::string text;
  Binding binding = Binding::Postfix;
  bool minus = false; // it begins with a minus sign
};

/// Prints the operations of a block as C++ statements. Values are bound to names, or written at their only use.
class BodyPrinter {
public:
  explicit BodyPrinter(const NameScope &outer) : names(&outer), scope(&names) {}
  virtual ~BodyPrinter() = default;

  /// Prints every operation of the block but its yield; with `after`, only those after it.
  void block(mlir::Block &block, mlir::Operation *after = nullptr);
  /// The text of a value.
  Text value(mlir::Value value);
  /// As value(), in parentheses if its operator binds less tightly than `least`.
  std::string operand(mlir::Value value, Binding least = Binding::Conditional);
  /// As operand(), where the operand gives what it stands in its type: the literal of a long, an int in C++, says so.
  std::string typedOperand(mlir::Value value, Binding least = Binding::Conditional);
  /// All operands of a call.
  std::string operands(mlir::ValueRange values);
  /// The negation of a condition.
  std::string negated(mlir::Value condition);
  /// The yielded value of a region whose other operations are printed already or written inside it.
  mlir::Value yielded(mlir::Region &region);

  /// A name that is new in the current scope.
  std::string fresh(llvm::StringRef wanted) { return scope->fresh(wanted); }
  /// Gives a value a name that is new in the current scope.
  std::string declare(mlir::Value value, llvm::StringRef wanted);
  void bind(mlir::Value value, std::string text) { bound[value] = {std::move(text), Binding::Postfix}; }
  bool isBound(mlir::Value value) const { return bound.contains(value); }

  /// The variable that knows the rounds of a loop where a run can be resumed; "": none does.
  virtual std::string roundsOf(mlir::Operation *) { return ""; }

  /// What is printed.
  Writer out;
  void line(const std::string &text) { out.line(text); }
  /// What `print` prints, apart from the rest.
  Writer printedBy(llvm::function_ref<void()> print);

  /// Opens a C++ scope for names; braces are the caller's.
  class ScopeGuard {
  public:
    explicit ScopeGuard(BodyPrinter &p) : printer(p), inner(p.scope), outer(p.scope) {
      if (!p.oneScope)
        p.scope = &inner;
    }
    ~ScopeGuard() { printer.scope = outer; }

  private:
    BodyPrinter &printer;
    NameScope inner;
    NameScope *outer;
  };
  /// A block with a scope of its own for names.
  class Scope {
  public:
    Scope(BodyPrinter &printer, const std::string &head, std::string tail = "")
        : braces(printer.out.block(head, std::move(tail))), names(printer) {}

    /// As Writer::Block's.
    void close(const std::string &tail) { braces.close(tail); }

  private:
    Writer::Block braces;
    ScopeGuard names;
  };

protected:
  /// Whether names are new wherever they stand in what is printed: it has members that are named as they are needed.
  bool oneScope = false;

  /// One statement that is not an expression. The base prints what is common to all targets.
  virtual void statement(mlir::Operation *op);
  /// An expression of the target alone: kernels called for their value, frontier tests.
  virtual Text targetExpression(mlir::Operation *op);
  /// The declaration of a variable for a set.
  virtual std::string setVariable(mlir::Value set, const std::string &name, const std::string &text);
  /// A set-typed operation.
  virtual Text setExpression(mlir::Operation *op) = 0;
  /// The name under which a state, or a slice of a dense one, is visible.
  virtual std::string stateName(mlir::Value state) = 0;
  /// The graph's name.
  virtual std::string graphName() = 0;
  /// That with the lists of edges over which loops go.
  virtual std::string listsName() { return graphName(); }
  /// That with the degree of a vertex.
  virtual std::string degreesName(graph::DegreeOp) { return graphName(); }
  /// Where the functions are that update one value among other threads: `atomic_...` and `claim`.
  virtual std::string sharedUpdates() { return "gc::"; }
  /// Called before the first line of each statement.
  virtual void beforeStatement(mlir::Operation *) {}

  /// One element of a state.
  virtual std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op);
  std::string index(mlir::Value index, bool checked, mlir::Operation *op);
  /// A place in an array, which is tested when the program runs.
  std::string placeIn(const std::string &array, mlir::Value index, mlir::Operation *op);
  /// What an update writes to: an element, or a part of the tuple there.
  template <class Update> std::string target(Update op) {
    std::string whole = element(op.getState(), op.getIndices(), op.getChecked(), op);
    return op.getPart() < 0 ? whole : "std::get<" + std::to_string(op.getPart()) + ">(" + whole + ")";
  }
  /// An update as an expression whose value is whether the element changed.
  std::string changingUpdate(const Combining &how, exec::Sync sync, const std::string &target, mlir::Value value);
  void update(const Combining &how, exec::Sync sync, mlir::Value state, const std::string &target, mlir::Value value);
  /// `target += v`, in the shortest way.
  std::string addition(const std::string &target, mlir::Value v);
  std::string tupleUpdate(graph::UpdateKind kind, exec::Sync sync, mlir::OperandRange states, mlir::OperandRange at,
                          mlir::OperandRange values, bool checked, mlir::Operation *op);
  /// The function that claims an element, up to the element.
  virtual std::string claimCall(exec::ClaimOp op);
  virtual std::string claim(exec::ClaimOp op);

  /// The sequential loop of `op` over a domain around `body`.
  virtual void loop(mlir::Operation *op, graph::Domain domain, mlir::Value over, mlir::Value above, mlir::Value below,
                    mlir::Block &body);
  /// The list of neighbours that the loop goes over, as a range.
  virtual std::string neighbors(mlir::Operation *op, graph::Domain domain, mlir::Value over, bool mayBeNone,
                                mlir::Value above, mlir::Value below);
  /// What ends the part of the code that an exec.require stands in.
  virtual std::string leave() { return "continue;"; }
  /// A set as the range of a loop.
  virtual std::string setRange(mlir::Value set) { return operand(set); }
  /// A set of the host as a loop over the edges at its members takes it, which only refers to it.
  virtual std::string endsOfEdges(mlir::Value set) { return operand(set); }
  /// The part of a range that this thread walks, where several share the loop.
  virtual std::string sharedRange(const std::string &range) { return range; }
  /// The object that knows this thread's rank among those that share the loop and their number; "" if none do.
  virtual std::string sharedStep() { return ""; }
  void sequentialReduce(exec::ReduceOp op);
  void contribute(exec::ContributeOp op);
  /// Declares the accumulator of a reduction and returns its name.
  std::string accumulator(exec::ReduceOp op);
  /// The type of the accumulator of a reduction.
  static std::string accumulatorType(exec::ReduceOp op);
  /// Declares the accumulator of a mode over values of the type and returns its name.
  virtual std::string modeAccumulator(exec::ReduceOp op, const std::string &type, llvm::StringRef wanted);
  /// Prints what adds the values of a mode to its accumulator.
  virtual void countForMode(const std::string &accumulator, mlir::Block &body);

  /// What a loop runs in each turn, or a choice in one of its branches.
  virtual void sequence(mlir::Operation *, mlir::Block &body) { block(body); }
  /// The region in a block behind `head`.
  void braced(const std::string &head, mlir::Region &region);
  /// A literal place for runtime errors: "\"bfs.gdsl:9\"".
  static std::string placeLiteral(mlir::Operation *op);

  NameScope names;
  NameScope *scope;
  Inlining inlining;
  llvm::DenseMap<mlir::Value, Text> bound;
  llvm::DenseSet<mlir::Value> printed; // the values that the code mentions
  /// The accumulators of the reductions around the current place.
  llvm::DenseMap<mlir::Operation *, std::string> accumulators;
  /// Of the edge of a loop over a list of arcs by position: the position after the last.
  llvm::DenseMap<mlir::Value, std::string> listEnds;

  /// A loop that is none in the code: each call makes one of its turns.
  mlir::Operation *flat = nullptr;

  /// A contribution that is what a function returns.
  mlir::Operation *term = nullptr;

  /// The part of a range between two bounds, if there are any, that this thread walks.
  std::string bounded(std::string range, mlir::Value above, mlir::Value below);
  /// A loop, open, over those elements of a range that pass the test. `item`: how the element is declared.
  /// `declareEnds(inTest)`: declares what stands for the ends of an arc, in the test and in the loop.
  Writer::Block matchingLoop(const std::string &item, const std::string &range, exec::SelectOp select,
                             llvm::function_ref<void(bool)> declareEnds) {
    return matchingLoop(item, "gc::matching(" + range, item, select, declareEnds);
  }
  /// The same with the call up to the test, and the test's parameters.
  Writer::Block matchingLoop(const std::string &item, const std::string &call, const std::string &parameters,
                             exec::SelectOp select, llvm::function_ref<void(bool)> declareEnds);
  /// Computes an expression into a variable.
  void materialise(mlir::Operation *op);

private:
  /// The loops over each kind of domain, open, with their variables declared.
  Writer::Block listLoop(mlir::Operation *at, graph::Domain domain, mlir::Value over, mlir::Value above,
                         mlir::Value below, mlir::Block &body);
  Writer::Block selectLoop(mlir::Operation *at, graph::Domain domain, mlir::Value over, mlir::Value above,
                           mlir::Value below, mlir::Block &body, exec::SelectOp select);
  std::string arcs(mlir::Operation *at, graph::Domain domain, mlir::Value over, mlir::Value above, mlir::Value below);
  Writer::Block vertexLoop(mlir::Value over, mlir::Value above, mlir::Value below, mlir::Block &body);
  Writer::Block pairLoop(mlir::Block &body);
  Writer::Block edgeLoop(graph::Domain domain, mlir::Value over, mlir::Block &body);
  Writer::Block levelLoop(graph::ForOp at, mlir::Value over, mlir::Block &body);
  void materialiseLogic(graph::LogicOp op);
  void materialiseConditional(graph::ConditionalOp op);
  void localState(graph::StateOp op);
  graph::IfOp elseIf(mlir::Region &otherwise);
  void ifStatement(graph::IfOp op);
  void whileStatement(graph::WhileOp op);
  void repeatStatement(graph::RepeatOp op);
  Text expression(mlir::Operation *op);
  Text improves(exec::ImprovesOp op);
  Text wouldChange(exec::WouldChangeOp op);
  Text binary(graph::BinaryOp op);
  Text unary(graph::UnaryOp op);
  Text conversion(graph::CastOp op);
  Text logic(graph::LogicOp op);

  mlir::Operation *skip = nullptr; // an update that the declaration of its state contains
};

} // namespace gcompile::cpp
