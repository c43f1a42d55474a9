// Kernels on a rank: one member function for each, with a loop over the vertices that the rank owns, which its threads
// share.
#pragma once

#include "codegen_cpp/KernelBodyPrinter.h"
#include "codegen_cpp/Parts.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gcompile::mpi {

/// The call that sends touched copies to their owners; `worklist` activates what changes there.
cpp::Writer printedReduction(cpp::BodyPrinter &printer, const cpp::Program &program, const cpp::KnownCopies &copies,
                             exec::ReduceToOwnerOp op, const std::string &worklist);

/// Declares the variable that knows the rounds of a statement where a run can be resumed; `active` are its active
/// vertices, "" for a loop without these.
void declareRounds(cpp::BodyPrinter &printer, const cpp::Program &program, exec::ResumeOp op,
                   const std::string &variable, const std::string &active);

/// The type of a state's elements.
mlir::Type elementOf(mlir::Value state);

class KernelPrinter : public cpp::KernelBodyPrinter {
public:
  /// `region` is the region that the kernel runs; `function` is the kernel's name.
  KernelPrinter(cpp::Program &program, mlir::Operation *op, mlir::Region &region, std::string function,
                const cpp::KnownCopies &copies);

  /// The values of the host that the function takes, in order.
  llvm::ArrayRef<mlir::Value> parameters() const { return captured; }
  const std::string &name() const { return function; }
  /// The set among them that is to have the vertices at which this rank has some of the edges; null if none is.
  mlir::Value dividedSet() const { return divided && !mlir::isa<exec::OrderedOp>(op) ? setOf() : mlir::Value(); }
  /// The function, once.
  cpp::Writer print();

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  std::string stateName(mlir::Value state) override;
  std::string graphName() override;
  std::string listsName() override;
  std::string sharedUpdates() override;
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;

private:
  /// A member under a name of its own: its array, its value, or the part of a scalar or an array that this thread
  /// accumulates.
  struct Alias {
    mlir::Value value;
    std::string name;
    bool used = false;
    bool privately = false;
    graph::UpdateKind kind = graph::UpdateKind::Add;
    std::string whole = ""; // of an accumulated one: what this rank accumulates,
    std::string parts = ""; // and what gives each thread its own
  };

  void collect();
  /// In a profiled program the line that records the kernel's call.
  std::string record();
  /// Whether it is a kernel of a propagate's rounds.
  bool isRound() const;
  std::string countOf(mlir::Value over);
  /// A function of ranks_ about the vertices that a kernel over all goes over.
  std::string ofRank(const char *own, const char *divided) const;
  void capture(mlir::Value value);
  Alias *alias(mlir::Value value);
  std::string declaration(const Alias &alias);
  /// Declares what the rank and its threads accumulate, and what is done with it behind the loop.
  void accumulate(const Alias &alias);
  static bool isArray(mlir::Value state);
  /// The set that the kernel goes over; null for another kernel.
  mlir::Value setOf() const;
  /// Whether it is a kernel of the pairs of own vertices with all.
  bool isOverPairs() const;
  /// The loop over the own vertices, or the members of a set, around `body`; threads share it as `sharing` says.
  /// With `orderedSums`, in blocks: what is added is the same however they share it.
  void loopOver(mlir::Value set, exec::Sharing sharing, std::uint64_t grain, llvm::function_ref<void()> body,
                bool orderedSums = false);
  /// Makes the loop one over a block of `count` indices: the first one, and the one behind the last.
  std::pair<std::string, std::string> rangeOfBlock(const std::string &count);
  /// Declares what each thread, or each block, adds up, and returns its element for the one at work.
  std::string partsOfSums(const std::string &parts, const std::string &type, const std::string &neutral);
  /// The loop over the vertices of a list: the frontier, or a bucket.
  void loopOverList(const std::string &list);
  /// The kernel's loop over the parts of a segment of in-arcs and the own vertices that these lead to, in a loop over
  /// the segments.
  void segmentLoop(exec::ParallelOp op);
  void domain();
  void reduce(exec::ReduceOp op);
  void filter(exec::FilterOp op);
  /// What tells whether a kernel over these vertices is worth several threads.
  std::string wide(mlir::Value over);
  /// The kernel's name for a set whose members this rank and its copies know, by the member for these.
  std::string membership(const std::string &copies);
  /// The name of what a thread declares by `call` at its begin, unless it has it already.
  std::string ofThread(std::string &name, const std::string &wanted, const std::string &call);
  void ordered(exec::OrderedOp op);
  void activate(exec::ActivateOp activation);
  void touch(exec::TouchCopyOp copy);
  /// The threads' work: the loop, with what is declared for it.
  void work(cpp::Writer &whole, llvm::ArrayRef<std::string> declarations);
  /// What all ranks make of their parts, which are called `part`.
  std::string ofAllRanks(const std::string &part, const std::string &combination) const;
  std::string levelWidth(exec::OrderedOp op);

  mlir::Operation *op;
  mlir::Region &region;
  std::string function, result = "void", worklist = "frontier_";
  bool threads;     // false: one runs it
  bool divided;     // it runs for all vertices at which this rank has some of the edges
  std::string mine; // this thread's share
  bool takesShare = false, updatesByShare = false, usesGraph = false;
  std::string condition;                       // when it is worth several threads
  std::string edges;                           // of a profiled program: those that the kernel looks at
  std::string blocks, ownBlock;                // where sums are ordered: the blocks, and the one at work
  std::map<std::int64_t, std::string> touched; // where a thread notes the vertices that it updates, by list,
  std::string touchedArcs, next;               // and edges, and what it activates
  std::string first;                           // the rank's first vertex, or that of its row
  std::string lists;                           // of edges that are divided
  const cpp::KnownCopies &copies;
  llvm::StringMap<std::string> memberships; // the kernel's names for sets that copies know
  std::vector<mlir::Value> captured;
  std::vector<Alias> aliases;
  // Besides the loop, in the order in which it stands in the function:
  cpp::Writer before;                // in front of the threads' work
  cpp::Writer beforeStep;            // the same inside of a loop around it
  std::string around;                // the head of a loop around it
  std::vector<std::string> begin;    // at a thread's begin,
  std::string blockHead;             // the head of the loop over blocks, if sums are ordered
  std::vector<std::string> ownParts; // what the thread, or the block, accumulates
  cpp::Writer accumulatorOfReduction;
  std::vector<std::string> endOfBlock, end;
  cpp::Writer exchange; // behind the work of all, in that loop
  std::vector<std::string> combined, after;
};

} // namespace gcompile::mpi
