// A serial interpreter of the `graph` dialect as the front end makes it: one operation after the other, as the language
// reference describes them. It knows nothing of kernels, directions, frontiers or synchronisation, and is what compiled
// programs are tested against.
#pragma once

#include "ir/interpreter/ForeignCode.h"
#include "ir/interpreter/Winners.h"
#include "ir/interpreter/WriteRules.h"
#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace gcompile::interpreter {

/// A graph as a list of arcs, ascending by (source, target). An undirected graph has both arcs of each edge.
struct Graph {
  struct Arc {
    std::uint64_t source, target;
  };
  bool directed = true;
  std::uint64_t numVertices = 0;
  std::int64_t numEdges = 0;
  std::vector<Arc> arcs;
  std::vector<std::vector<std::uint64_t>> out, in; // numbers of arcs, by vertex
  std::vector<std::vector<Value>> columns;         // edge properties of the program's graph type, one value per arc
};

/// A program failed while it ran: "FILE:LINE: WHAT".
struct RuntimeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The iterations of a data-parallel statement come in no order: these are two that the interpreter can take.
enum class Order { Forward, Backward };

/// An output of an algorithm after it ran: its values by vertex, arc or pair of vertices, or the only one.
struct Output {
  graph::StateOp state;
  std::vector<Value> values;
};

/// What another execution left in its outputs, by name: claims are won as they tell (Winners.h).
using Outcome = std::map<std::string, std::vector<Value>>;

/// An element of an output that tells who won a claim, which nobody who could win it in its round has won.
struct OverdueClaim {
  std::uint64_t element; // its place in the output
  std::int32_t round;    // from 1; 0: the statement has none
  bool withAnotherValue; // what the outcome has there is not what stood there before the claim
};

class Interpreter {
public:
  /// `foreign` has the functions of C++ that the algorithm calls, if it calls some.
  Interpreter(const Graph &graph, Order order = Order::Forward, const Outcome *outcome = nullptr,
              const ForeignCode *foreign = nullptr)
      : graph(graph), order(order), outcome(outcome), foreign(foreign) {}

  /// Runs an algorithm. `parameters` are in its order, without the graph's columns; one of the type `T[g]` is a tuple
  /// of its values, by vertex. Throws RuntimeError.
  std::vector<Output> run(graph::AlgorithmOp algorithm, const std::vector<Value> &parameters);
  /// What a declared reduction makes of two values, and its neutral element; before and after a run too.
  Value combine(graph::ReductionOp reduction, const Value &a, const Value &b);
  Value neutral(graph::ReductionOp reduction);
  /// By output, what the outcome should hold by the end of an earlier round, or does not hold at all.
  const std::map<std::string, std::vector<OverdueClaim>> &overdue() const { return overdueClaims; }

private:
  enum class Flow { Next, Break, Return };
  using Arguments = std::vector<Value>;

  /// A data-parallel statement that is running.
  struct Running {
    explicit Running(mlir::Operation *statement) : statement(statement), rules(statement) {}

    mlir::Operation *statement;
    WriteRules rules;
    llvm::DenseMap<mlir::Value, std::vector<Value>> before; // the states it writes, as they were when it began
    /// What the iteration at hand has assigned, or written to the element that it owns, and as what it spelt it.
    struct Own {
      llvm::SmallVector<mlir::Value> indices;
      Value value;
    };
    std::map<std::pair<const void *, std::uint64_t>, Own> own;
    VertexSet changed; // the vertices at which an update has changed something in this round
    /// What could be claimed in this round, but not as the outcome tells.
    struct Due {
      Value open; // what stands there until it is claimed
      graph::StateOp told;
      std::uint64_t element;
    };
    std::map<std::pair<const void *, std::uint64_t>, Due> due;
  };

  // Statements
  Flow run(mlir::Block &block);
  Flow run(mlir::Operation *op);
  Flow runIf(graph::IfOp op);
  Flow runWhile(graph::WhileOp op);
  Flow runRepeat(graph::RepeatOp op);
  Flow runSequential(graph::ForOp op);
  void runParallel(graph::ForOp op);
  void runPropagate(graph::PropagateOp op);
  void keepNearest(graph::PropagateOp op, const llvm::DenseMap<mlir::Value, std::vector<Value>> &start);
  void iteration(Running &statement, mlir::Region &where, mlir::Region &body, const Arguments &arguments);
  Value start(mlir::Type element);
  void declare(graph::StateOp op);
  std::uint64_t lengthOf(graph::StateOp op);
  void update(graph::UpdateOp op);
  void updateTuple(graph::UpdateTupleOp op);
  bool wins(const WriteRules::Claim &claim);
  void endRound(Running &statement, std::int32_t round);

  // State
  std::uint64_t element(mlir::Value state, mlir::ValueRange indices, mlir::Operation *op);
  Value read(mlir::Value state, mlir::ValueRange indices, mlir::Operation *op);
  void write(mlir::Operation *op, graph::UpdateKind kind, mlir::Value state, mlir::ValueRange indices, Value value,
             std::int64_t part);
  void store(mlir::Value state, std::uint64_t i, Value value);
  Value combined(mlir::Operation *op, graph::UpdateKind kind, const Value &old, const Value &value, std::int64_t part);
  bool isLocal(mlir::Value state) const;

  // Expressions (Expressions.cpp)
  const Value &get(mlir::Value value);
  Value evaluate(mlir::Operation *op);
  Value yielded(mlir::Region &region, const Arguments &arguments = {});
  bool holds(mlir::Region &where, const Arguments &arguments);
  Value reduce(graph::ReduceOp op);
  Value call(mlir::Region &function, const Arguments &arguments);
  std::vector<Arguments> range(graph::Domain domain, mlir::Value over);
  std::vector<Arguments> edges(std::uint64_t u, graph::Domain side);
  VertexSet neighbors(std::uint64_t v, graph::Side side);
  std::uint64_t vertex(mlir::Value value, mlir::Operation *op);
  std::uint64_t arc(mlir::Value value, mlir::Operation *op);
  void bind(mlir::Region &region, const Arguments &arguments);

  const Graph &graph;
  Order order;
  const Outcome *outcome;
  const ForeignCode *foreign;
  std::optional<Winners> winners; // where there is an outcome
  llvm::DenseMap<mlir::Value, Value> values;
  llvm::DenseMap<mlir::Value, std::vector<Value>> memory;
  Running *running = nullptr;
  std::map<std::string, std::vector<OverdueClaim>> overdueClaims;
  std::set<std::pair<std::string, std::size_t>> overdueElements; // those of them
  Value returned;
};

[[noreturn]] void failAt(mlir::Operation *op, const std::string &what);

} // namespace gcompile::interpreter
