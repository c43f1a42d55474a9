// Kernels: one member function for each data-parallel operation.
#pragma once

#include "codegen_cpp/KernelBodyPrinter.h"

#include <optional>

namespace gcompile::host {

using cpp::Program;

/// Prints the function of one data-parallel operation, or of one region of an exec.propagate.
class KernelPrinter : public cpp::KernelBodyPrinter {
public:
  /// `region` is the region that the kernel runs; `function` is the kernel's name.
  KernelPrinter(Program &program, mlir::Operation *op, mlir::Region &region, std::string function);

  /// The values of the host that the function takes, in order.
  llvm::ArrayRef<mlir::Value> parameters() const { return captured; }
  const std::string &name() const { return function; }

  /// The function, once.
  cpp::Writer parallel(exec::ParallelOp op);
  cpp::Writer reduce(exec::ReduceOp op);
  cpp::Writer filter(exec::FilterOp op);
  cpp::Writer push(exec::PropagateOp op);
  cpp::Writer pull(exec::PropagateOp op);
  cpp::Writer commit(exec::PropagateOp op);
  cpp::Writer ordered(exec::OrderedOp op);
  cpp::Writer asynchronous(exec::AsynchronousOp op);
  cpp::Writer closePairs(exec::ClosePairsOp op);
  cpp::Writer keysOf(exec::KeepIndexOp op);

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  std::string stateName(mlir::Value state) override;
  std::string graphName() override;
  std::string degreesName(graph::DegreeOp op) override;
  std::string neighbors(mlir::Operation *op, graph::Domain domain, mlir::Value over, bool mayBeNone, mlir::Value above,
                        mlir::Value below) override;
  /// The graph along whose edges the kernel goes, for what the runtime does with a vertex's list of arcs.
  std::string followedGraph();
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  std::string modeAccumulator(exec::ReduceOp op, const std::string &type, llvm::StringRef wanted) override;
  std::string claim(exec::ClaimOp op) override;
  std::string sharedUpdates() override;
  void loop(mlir::Operation *op, graph::Domain domain, mlir::Value over, mlir::Value above, mlir::Value below,
            mlir::Block &body) override;

private:
  /// A member made visible inside the parallel region under a name of its own.
  struct Alias {
    mlir::Value value;
    std::string name;
    bool used = false, written = false;
    bool privately = false; // a scalar, or an array, with one copy a thread
    cpp::Combining how = graph::UpdateKind::Add;
    std::string parts = ""; // of an array: what gives each thread its own
  };
  /// A loop that threads share: in a team inside of the one over a thread's parts.
  struct SharedLoop {
    std::optional<cpp::Writer::Block> parts, blocks; // blocks: of vertices whose lists are unpacked
    cpp::Writer::Block loop;
  };
  /// A thread's parts of what is shared, and from where to where such a part goes.
  struct SharedParts {
    std::optional<cpp::Writer::Block> loop;
    std::string first, last;
  };
  /// The function around the kernel's loop.
  struct Frame {
    std::string result = "void";
    std::string condition;           // when it is worth several threads
    std::string around = "";         // the head of a loop around the parallel region
    std::vector<std::string> before; // lines before the parallel region,
    cpp::Writer accumulator;         // a thread's own part of a reduction, at its begin,
    std::vector<std::string> start;  // what else is there,
    std::vector<std::string> finish; // at its end,
    std::vector<std::string> after;  // and behind it
  };

  void collect(mlir::Region &region);
  void capture(mlir::Value value);
  Alias *alias(mlir::Value value);
  /// The line that declares it, and that of a thread's own copy.
  std::string declaration(const Alias &alias);
  static std::string privateCopy(const Alias &alias);
  static bool isArray(mlir::Value state);
  /// The loop over the kernel's domain with its body; `set` is the parameter with the set, if there is one.
  void domainLoop(graph::Domain domain, mlir::Value over, exec::Sharing schedule, std::uint64_t grain,
                  llvm::function_ref<void()> body);
  /// The kernel's loop over the parts of a segment of in-arcs and the vertices that these lead to. Returns the head of
  /// the loop over the segments, in which the kernel is to be.
  std::string segmentLoop(exec::ParallelOp o);
  /// Whether a kernel over the set, or all vertices, is worth several threads.
  std::string wide(mlir::Value over);
  /// A loop over the members of `set`, which has slots, up to the declaration of `v`.
  SharedLoop slotLoop(const std::string &set, mlir::BlockArgument v, exec::Sharing schedule, std::uint64_t grain);
  void declareRows(mlir::BlockArgument vertex);
  /// The kernel's share, by which what threads do to the same element is done: it knows whether others work, too.
  std::string byShare();
  /// The names of states, as arguments.
  std::string stateNames(mlir::OperandRange states);
  /// What a hint has fetched at the neighbours of later vertices, as an argument; empty for any other operation.
  std::string fetchedAtNeighbors(mlir::Operation &op);
  /// The vertices that a push goes over, with what is fetched for them.
  std::string activeVertices();
  /// A push that goes from one end of arcs to the other, and does nothing else.
  void eachArc(exec::ForOp loop);
  /// A pull that looks for the first active neighbour of each vertex v of those that wait.
  void eachFirst(exec::ForOp loop, const std::string &unvisited, const std::string &v);
  /// This thread's count of edges.
  const std::string &edgeCount();
  /// A loop whose turns add to a sum, as a call that adds to several.
  void partialSums(exec::ForOp loop);
  /// The width of the priority's levels: `given`, or a call that chooses it where that is 0.
  std::string levelWidth(graph::StateType priority, std::int64_t given, std::optional<std::uint64_t> growsBy);
  /// A set as an argument, by the name of the function's parameter.
  std::string setArgument(mlir::Value set);
  [[nodiscard]] SharedParts sharedParts(const std::string &size, exec::Sharing schedule, std::uint64_t grain,
                                        bool turns = false);
  /// A loop over `index` of `type` below `size`, which the threads share in grains.
  [[nodiscard]] SharedLoop sharedLoop(const std::string &type, const std::string &index, const std::string &size,
                                      exec::Sharing schedule, std::uint64_t grain, bool turns = false);
  /// A thread's loop over such elements that follow each other.
  [[nodiscard]] cpp::Writer::Block innerLoop(const std::string &type, const std::string &index,
                                             const std::string &first, const std::string &last);
  /// What the kernel adds to while it takes several vertices at once; nothing if it takes one after the other.
  cpp::List vectorisedSums();
  /// A loop over all vertices in blocks whose lists are unpacked.
  [[nodiscard]] SharedLoop unpackedLoop(mlir::BlockArgument v, exec::Unpack what, exec::Sharing schedule,
                                        std::uint64_t grain);
  /// Whether something of the vertex has been unpacked.
  bool isUnpacked(exec::Unpack what, mlir::Value vertex);
  /// In a profiled program the line that records the kernel's call.
  std::string record();
  /// What the kernel runs over, for that line.
  std::string countOf(graph::Domain domain, mlir::Value over);
  /// The whole function around the loop that is printed.
  cpp::Writer assemble(const Frame &frame);
  /// What threads accumulate each for itself: the declarations of `parts`, what each thread gives to them at its end,
  /// and what is done with them after all.
  struct Accumulated {
    std::vector<std::string> parts, ends, combined;
  };
  Accumulated accumulatedParts();
  /// The parallel region of the function, with what all threads see declared.
  void parallelRegion(cpp::Writer &whole, const Frame &frame, const Accumulated &accumulated);

  mlir::Operation *op;
  mlir::Region &region;
  std::string function;
  bool threads;     // false: plain serial code
  std::string mine; // this thread's share
  bool takesShare = false, updatesByShare = false;
  std::vector<mlir::Value> captured;
  std::vector<Alias> aliases;
  std::vector<std::string> threadLocals;        // what a thread declares besides them
  std::string active;                           // of a push that threads share: the vertex with its list
  std::pair<std::string, std::string> position; // the set whose members a kernel visits, and the index into it
  std::string worklist;                         // ordered, asynchronous: where activated vertices go
  std::string lists;                            // the block with what is unpacked
  std::string edges;                            // of a profiled program: this thread's count
  std::string transposed;                       // the kernel's name for the transposed graph, if it mentions it
  bool usesGraph = false, usesCurrent = false, usesNext = false;
  bool pulling = false;
  mlir::Operation *callEnds = nullptr; // a break that a call makes needless
};

} // namespace gcompile::host
