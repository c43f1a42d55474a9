// Kernels: one function object for each data-parallel operation, which the runtime calls in every thread.
#pragma once

#include "codegen_cpp/KernelBodyPrinter.h"

namespace gcompile::cuda {

/// Prints the function object of one data-parallel operation, or of one region of an exec.propagate.
class KernelPrinter : public cpp::KernelBodyPrinter {
public:
  /// A member of the function object, and what the host initialises it with.
  struct Field {
    std::string type, name;
    mlir::Value value; // a state, parameter or captured value; null: the graph
    enum class Kind {
      Graph,
      Array,
      Matrix,
      Sized, // an array with its length
      Set,
      Scalar,
      Cell,
      Column,
      Captured,
      Notes, // of changed keys
      ModeRoom,
      ModeCounts,
      Touched // which copies of other parts' vertices, or edges, have changed
    } kind = Kind::Graph;
    bool written = false;
    bool ofEdges = false; // of what is touched

    /// The line that declares it.
    std::string declaration() const;
  };
  /// A scalar that every thread accumulates, and how the parts become one.
  struct Part {
    std::string type, name, first, merge;
    mlir::Value state; // null: the result of a reduction
    cpp::Combining how = graph::UpdateKind::Add;
  };

  /// `region` is the region that the kernel runs; `name` the type's name.
  KernelPrinter(cpp::Program &program, mlir::Operation *op, mlir::Region &region, std::string name);

  /// The definition of the function object.
  cpp::Writer print();

  const std::string &name() const { return typeName_; }
  /// Whether it reads aligned lists where the runtime has them.
  bool readsAligned() const { return readsAligned_; }
  mlir::Operation *operation() const { return op; }
  mlir::Region &body() const { return region; }
  const std::vector<Field> &fields() const { return used; }
  const std::vector<Part> &parts() const { return parts_; }
  /// Of a kernel that goes by segments: where its results are.
  exec::UpdateOp gathered();

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  std::string stateName(mlir::Value state) override;
  std::string graphName() override;
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  std::string claimCall(exec::ClaimOp claim) override;
  std::string leave() override;
  std::string sharedRange(const std::string &range) override;
  std::string sharedStep() override { return sharing ? "lanes" : ""; }
  std::string modeAccumulator(exec::ReduceOp op, const std::string &type, llvm::StringRef wanted) override;
  void countForMode(const std::string &name, mlir::Block &body) override;
  void loop(mlir::Operation *op, graph::Domain domain, mlir::Value over, mlir::Value above, mlir::Value below,
            mlir::Block &body) override;

private:
  /// A function that the runtime calls.
  struct Piece {
    std::string parameters;
    cpp::Writer body;
  };
  /// That of `values`, which are named where print() mentions them.
  Piece piece(llvm::ArrayRef<std::pair<mlir::Value, std::string>> values, llvm::function_ref<void()> print);
  /// A call of the runtime that begins like this, with functions of which it calls each.
  void callWith(const std::string &call, llvm::ArrayRef<Piece> functions);
  /// A loop as a call of the runtime, which evaluates several iterations at once.
  void batchFor(exec::BatchForOp loop);
  void bestFor(exec::BestForOp loop);
  void collect();
  void capture(mlir::Value value);
  Field *field(mlir::Value value);
  /// The memory that all modes of the kernel share; its value is the result of the first. nullptr: there are none.
  Field *modeRoom();
  Part *part(mlir::Value state);
  exec::ForOp splitLoop();
  /// Whether a split kernel asks which edge it is called for.
  bool usesArc();
  std::string signature();
  /// Of an ordered push.
  std::string priorityType();
  /// Whether it names vertices for the next round.
  bool collects() const;
  void accumulateInParts(exec::ReduceOp reduce);
  // Members of the function object.
  void traits(cpp::Writer &text);
  void partsType(cpp::Writer &text);
  void callOperator(cpp::Writer &text);
  /// Those of a kernel that goes by segments, which the runtime calls for each source.
  void gatherBySegments(cpp::Writer &text);
  void expect(cpp::Writer &text);
  /// Those of a kernel by lanes of which only some vertices have lists to walk.
  void asksFirst(cpp::Writer &text);
  void keyOf(exec::KeepIndexOp index, cpp::Writer &text);
  /// That of a closure, which the runtime calls for each step of each pair.
  void stepOfClosure(exec::ClosePairsOp closure, cpp::Writer &text);
  /// Those of a pull that the runtime takes apart.
  void pullByArcs(cpp::Writer &text);
  /// The type of what such a pull adds up, and how its functions take it as their last parameter.
  std::string sumOfArcs(cpp::Writer &text);
  /// What the lanes of a vertex have added to a scalar of the kernel, each by itself.
  std::string ofAllLanes(mlir::Value state, graph::UpdateKind kind);
  /// The member that notes the copy.
  std::string &touchedOf(exec::TouchCopyOp touch) {
    return mlir::isa<graph::EdgeType>(touch.getPlace().getType()) ? touchedEdges : touched;
  }
  /// Whether the loop belongs to a reduction inside of the kernel.
  bool insideReduce(mlir::Operation *at);

  mlir::Operation *op;
  mlir::Region &region;
  std::string typeName_;
  std::vector<Field> all, used;
  std::vector<Part> parts_;
  bool lanes, split, inPropagate, pulling, once, segmented;
  bool testsLevel;                   // it asks whether neighbours are in another level, of which it may have a bitmap
  exec::RelaxOp relaxation;          // what an ordered push consists of, if it does
  exec::PullByArcsOp pull;           // of a pull that the runtime takes apart
  exec::AskedListsOp asked;          // the same of a kernel by lanes
  std::string touched, touchedEdges; // the members that note changed copies, of vertices and of edges
  bool graphUsed = false;
  bool sharing = false;  // the loop that is being printed is shared out among the lanes
  bool aligning = false; // and its list may be aligned
  bool readsAligned_ = false;
};

} // namespace gcompile::cuda
