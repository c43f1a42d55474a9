// Lowering of one algorithm's statements to the exec dialect. GraphToExec.cpp walks the sequential part; the
// data-parallel statements are in LowerLoops.cpp, propagate in LowerPropagate.cpp.
#pragma once

#include "ir/analysis/Legality.h"
#include "ir/conversion/KernelEmitter.h"
#include "ir/conversion/Passes.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/StringMap.h"

namespace gcompile {

class GraphToExec {
public:
  /// `root`: an algorithm or a local function. The effect tables of all its statements are made at once, before
  /// anything changes.
  GraphToExec(mlir::Operation *root, bool serial, const InfinityAnalysis *infinity, const GraphToExecOptions &options);

  /// Lowers every statement of a block of sequential code in place. Returns failure after an error was reported.
  mlir::LogicalResult block(mlir::Block &block);

private:
  // Sequential code (GraphToExec.cpp).
  mlir::LogicalResult operation(mlir::Operation *op);
  void state(graph::StateOp op);
  void update(graph::UpdateOp op);

  // Loops and reductions (LowerLoops.cpp).
  mlir::LogicalResult loop(graph::ForOp op);
  void reduce(graph::ReduceOp op);
  /// A set of one vertex, in front of a kernel over its edges, which a vertex that is none does not have.
  mlir::Value setOfExisting(mlir::Value vertex, mlir::Location loc);
  void filter(graph::SetFilterOp op);
  void sequentialLoop(graph::ForOp op);
  void commit(mlir::StringRef name, mlir::Value over, llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> copies,
              mlir::Location loc);
  mlir::FailureOr<bool> pulls(const EffectTable &table) const;

  // Propagate (LowerPropagate.cpp).
  mlir::LogicalResult propagate(graph::PropagateOp op);
  mlir::LogicalResult ordered(graph::PropagateOp op, const EffectTable &table);      // LowerOrdered.cpp
  mlir::LogicalResult asynchronous(graph::PropagateOp op, const EffectTable &table); // LowerAsynchronous.cpp
  mlir::LogicalResult rounds(graph::PropagateOp op, const EffectTable &table);
  mlir::LogicalResult applySchedule(graph::PropagateOp op, exec::PropagateOp loop, const EffectTable &table, Form form,
                                    bool copied, bool waits);
  void edgeKernel(graph::PropagateOp op, mlir::Region &kernel, KernelPlan &plan, bool pull);

  /// Where an ordered propagate may end, and what its vertices had before: a copy, or a constant for all of them.
  struct Beyond {
    struct End {
      mlir::Value vertex;
      bool checked;
    };
    struct State {
      mlir::Value state, copy;
      mlir::Operation *constant;
    };
    llvm::SmallVector<End> ends;
    bool first = false;
    llvm::SmallVector<State> before;
  };
  Beyond rememberBeyond(graph::PropagateOp op, const EffectTable &table);
  /// Gives the vertices whose priority is greater than where it ended what they had before.
  void restoreBeyond(graph::PropagateOp op, const Beyond &beyond);

  /// Notes that these arguments of the algorithm may have no negative value.
  void requireNonnegative(llvm::ArrayRef<unsigned> terms);
  /// Notes on a loop in the order of a priority what that grows by, which the width of its levels is chosen from.
  void markWidth(mlir::Operation *loop, const PriorityOrder &order);
  // What depends on who wins a claim (Undetermined.cpp).
  /// Marks the outputs that may differ from run to run, as another winner of a claim leaves other values, there or in
  /// what is computed from them, or decided by them.
  void findUndetermined();
  bool isReplayed(graph::PropagateOp op) const;
  bool isDerived(mlir::Operation *reader) const;
  bool isDerived(const EffectTable &table, llvm::ArrayRef<mlir::Value> parts) const;
  bool isDerived(const EffectTable &table, const Write &write, bool values) const;
  bool addVariables(const EffectTable &table);
  bool runsByDerived(mlir::Operation *op);
  llvm::ArrayRef<mlir::Operation *> branchesToLeave(mlir::Operation *loop);

  // Names and small things (GraphToExec.cpp).
  std::string unique(const std::string &name);
  std::string nameFor(mlir::Operation *op, const char *verb, llvm::ArrayRef<mlir::Value> states);
  static std::string stateName(mlir::Value state);
  exec::Sharing schedule(mlir::Region &body) const;
  exec::Sharing simpleSchedule() const { return serial ? exec::Sharing::Serial : exec::Sharing::Static; }
  /// Notes on a kernel over the ends of edges, or the edges of one vertex, that its statement, over `domain`, goes
  /// against them.
  static void markDirection(exec::Kernel kernel, graph::Domain domain) {
    if (domain == graph::Domain::EdgesInto || domain == graph::Domain::Into)
      kernel.setTransposed(true);
  }
  /// A further state of the type of `state`, declared at the top of the algorithm, without initial values.
  mlir::Value shadowState(mlir::Value state, const std::string &suffix);
  mlir::ArrayAttr names(llvm::ArrayRef<mlir::Attribute> list) { return b.getArrayAttr(list); }

  mlir::Operation *root;
  mlir::OpBuilder b;
  bool serial;
  GraphToExecOptions options;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<EffectTable>> tables;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> branches; // see branchesToLeave()
  llvm::DenseSet<mlir::Value> undetermined;             // states that depend on who wins a claim
  llvm::DenseSet<mlir::Value> unsettled;                // of these, the ones of which even what is claimed does
  llvm::DenseSet<mlir::Operation *> undeterminedVisits; // propagates whose active vertices do
  llvm::DenseSet<mlir::Operation *> replayed;           // claims that the serial form lets the same iterations win
  llvm::StringMap<unsigned> used;
  exec::ParallelOp initialiser; // the kernel that initialises the states declared just before
};

} // namespace gcompile
