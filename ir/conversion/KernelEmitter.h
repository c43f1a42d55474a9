// Turns the body of a data-parallel statement into the body of a kernel: loops over adjacency, conditions placed as far
// out as they may go, updates with their synchronisation, claims and activation.
#pragma once

#include "ir/analysis/Legality.h"
#include "ir/exec/ExecDialect.h"
#include "mlir/IR/IRMapping.h"

namespace gcompile {

/// How one statement's kernel treats shared state. Decided by the lowering of the statement, obeyed by the emitter.
struct KernelPlan {
  const EffectTable *table = nullptr;
  bool serial = false;           // one thread: nothing needs synchronisation
  std::optional<unsigned> outer; // the statement's argument that one thread handles alone
  llvm::DenseMap<mlir::Value, mlir::Value>
      next; // state -> where its writes go (and reads of an iteration's own writes)
  llvm::DenseMap<mlir::Value, mlir::Value> before; // state -> the copy that reads of other elements use
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, mlir::Value>>
      slices;                                    // dense state -> copies of one row, one column
  llvm::SmallVector<mlir::Operation *> deferred; // same-value writes that the commit region makes
  bool activates = false;                        // a propagate: changed vertices enter the next frontier
  llvm::SmallVector<mlir::Value> together;       // states that are read as one at the kernel's own vertex
  const HandingOn *sums = nullptr;               // asynchronous sums of what is taken at the kernel's own vertex
  bool guardHolds = false; // pull: the claim's guard was tested outside the edge loop, so the claim is won
  const llvm::DenseSet<mlir::Operation *> *replayed = nullptr; // serial: these claims follow the parallel run
};

class KernelEmitter {
public:
  /// `root`: the operation whose regions are turned into a kernel; values defined outside of it are used as they are.
  KernelEmitter(mlir::OpBuilder &builder, const KernelPlan &plan, mlir::Operation *root)
      : b(builder), plan(plan), root(root) {}

  mlir::IRMapping map;

  /// Emits what `value` needs that is not there yet, and gives the value in the kernel.
  mlir::Value value(mlir::Value v);
  /// Reads the plan's states that are read as one, at the vertex that stands for argument 0.
  void readTogether(mlir::Value vertex, mlir::Location loc);
  /// Opens a test for edges of the vertex, and takes what it has not handed on.
  void take(graph::Side side, mlir::Value vertex, mlir::Location loc);
  /// Emits every statement of a block.
  void block(mlir::Block &source);

  /// The loops of a pattern inside a kernel, then `contents` innermost. `arguments` are the pattern's arguments in each
  /// of its regions; conditions are emitted in the outermost loop whose variables they use.
  void pattern(graph::Domain domain, mlir::Value over, llvm::ArrayRef<mlir::Region *> regions, mlir::ArrayAttr names,
               llvm::SmallVector<mlir::Value> conditions, mlir::Location loc, llvm::function_ref<void()> contents);

  /// Emits `if (c1 && c2 ...)` around the following insertions for the conditions that use none of `pending`, and
  /// removes them from the list.
  void openConditions(llvm::SmallVectorImpl<mlir::Value> &conditions, llvm::ArrayRef<mlir::Region *> regions,
                      llvm::ArrayRef<unsigned> pending, mlir::Location loc);

  /// One adjacency loop: out_of, into or either of `vertex`, with bounds taken from the conditions; binds argument
  /// numbers `other` and `edge` of the regions. Leaves the insertion point inside the loop.
  void adjacency(graph::Domain domain, mlir::Value vertex, unsigned other, unsigned edge,
                 llvm::ArrayRef<mlir::Region *> regions, mlir::ArrayAttr names,
                 llvm::SmallVectorImpl<mlir::Value> &conditions, mlir::Location loc);

  /// The contributions of a reduction: its pattern's loops; with `outer`, the kernel's own vertex stands for the
  /// outermost loop and is argument 0 of the regions.
  void contributions(graph::ReduceOp op, mlir::Value outer);

  /// `v` stands for an argument of the regions.
  void bind(llvm::ArrayRef<mlir::Region *> regions, unsigned argument, mlir::Value v);

private:
  // KernelEmitter.cpp
  void operation(mlir::Operation *op);
  bool inside(mlir::Operation *op) const { return root->isAncestor(op); }
  void contents(mlir::Block &source);
  void region(mlir::Region &from, mlir::Region &to);
  llvm::SmallVector<mlir::Value> values(mlir::ValueRange list);
  /// `left && right` or `left || right`. What `right` emits runs only where `left` does not decide.
  mlir::Value logic(graph::LogicKind kind, mlir::Value left, llvm::function_ref<mlir::Value()> right,
                    mlir::Location loc);

  // KernelLoops.cpp
  llvm::SmallVector<mlir::Value> parts(mlir::Value v) const;
  bool uses(mlir::Value v, llvm::ArrayRef<mlir::Region *> regions, llvm::ArrayRef<unsigned> arguments) const;
  bool mayFail(mlir::Value v) const;
  bool readsOwnWrites(mlir::Value v) const;
  void takeBounds(llvm::SmallVectorImpl<mlir::Value> &conditions, llvm::ArrayRef<mlir::Region *> regions,
                  unsigned inner, mlir::Value &above, mlir::Value &below);

  // KernelState.cpp
  void declare(graph::StateOp op);
  mlir::Value read(graph::ReadOp op);
  bool followsOwnWrite(graph::ReadOp op) const;
  mlir::Value writeTarget(mlir::Value state);
  exec::Sync sync(const Write &write) const;
  bool changesForSure(const Write &write) const;
  void update(mlir::Operation *op);
  void claim(const Write &write, mlir::Block &source);
  void activate(mlir::Location loc, const Write &write);

  // KernelReductions.cpp
  mlir::Value reduce(graph::ReduceOp op);

  // KernelSets.cpp
  mlir::Value contains(mlir::Value set, mlir::Value vertex, mlir::Location loc);
  mlir::Value containsElement(graph::SetOfOp set, mlir::Value vertex, mlir::Location loc);
  mlir::Value exists(mlir::Value vertex, mlir::Location loc);
  mlir::Value size(graph::SetSizeOp op);

  mlir::OpBuilder &b;
  const KernelPlan &plan;
  mlir::Operation *root;
  llvm::DenseSet<mlir::Operation *> done;
  mlir::Value asOne; // the values of the states that are read as one
};

} // namespace gcompile
