// The code of the host that runs the kernels: the body of `run`.
#pragma once

#include "codegen_cpp/HostBodyPrinter.h"
#include "codegen_cuda/KernelPrinter.h"

namespace gcompile::cuda {

/// Prints the algorithm's body; kernels on the way are collected.
class HostPrinter : public cpp::HostBodyPrinter {
public:
  /// `space` is the namespace of the kernels.
  HostPrinter(cpp::Program &program, std::string space);

  /// Whether a kernel's threads share the edges of vertices, whichever way they go: the class needs lists of them.
  bool usesBothWays() const { return usesBothWays_; }
  /// Whether the runtime gives a kernel's threads the edges of vertices against their direction.
  bool usesTransposed() const { return usesTransposed_; }

  /// Of what the runtime keeps for an ordered propagate: the template's arguments, and the constructor's.
  static std::string orderParameters(exec::OrderedOp op);
  std::string orderArguments(exec::OrderedOp op);

protected:
  /// How a kernel gets at what the program keeps.
  virtual std::string graphView() { return "graph_.view()"; }
  virtual std::string arrayOf(mlir::Value state, bool written);
  virtual std::string matrixOf(mlir::Value state, bool written);
  virtual std::string columnOf(mlir::Value column, const std::string &type);
  virtual std::string viewOf(const std::string &set) { return set + ".view()"; }
  /// The tables for the modes of a kernel.
  virtual std::string modeRoom() { return "gc::cuda::ModeTables(graph_.num_arcs()).room()"; }
  /// What a kernel is given for a scalar of the host that its threads share, and what stands before and after it.
  virtual std::string cellOf(const KernelPrinter::Field &cell) { return cell.name + "_cell.data()"; }
  virtual void beforeCell(const KernelPrinter::Field &cell);
  virtual void afterCell(const KernelPrinter::Field &cell);
  /// A call of the runtime, for the lists of arcs of a graph ("": for none) and the members of a set ("": all).
  virtual std::string call(llvm::StringRef function, const std::string &graph, const std::string &members,
                           const std::string &rest);
  /// A call of the member with the segments that a kernel, or exec.segments_pay, goes by.
  virtual std::string callSegments(mlir::Operation *op, llvm::StringRef function, const std::string &arguments);
  virtual void snapshot(exec::SnapshotOp op);
  /// Has the frontier hold the initial set of a propagate, whose rounds go along the lists of this graph.
  virtual void start(const std::string &lists, mlir::Value from);
  /// What is called for a member of the frontier.
  virtual std::string frontierCall(llvm::StringRef function) { return "frontier_." + function.str(); }

  /// The call that runs an ordered propagate.
  virtual std::string runOrdered(exec::OrderedOp op, const std::string &push);

  std::vector<std::string> kernelNames; // of those printed so far

  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  virtual std::string filter(exec::FilterOp, const std::string &members, const std::string &object) {
    return call("filter", "graph_", members, object);
  }
  std::string graphName() override { return "graph_.host()"; }
  std::string endsOfEdges(mlir::Value set) override;
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  void sequentialFor(graph::ForOp op) override;

private:
  KernelPrinter kernel(mlir::Operation *op, mlir::Region &region, llvm::StringRef name);
  /// The function object with its members.
  std::string object(const KernelPrinter &kernel);
  /// A call of the runtime as a statement: what the kernel accumulates is added to the members.
  void launch(const std::string &call, const KernelPrinter &kernel);
  /// A call of the runtime, measured in a profiled program; `active` is the number of elements that it runs over.
  std::string measured(mlir::Operation *op, llvm::StringRef kernel, const std::string &active, const std::string &call);
  /// What a kernel over a set runs over, for a profile.
  std::string countOf(graph::Domain domain, mlir::Value over);
  std::string overVertices(mlir::Operation *op, graph::Domain domain, mlir::Value over, const KernelPrinter &kernel);
  void propagate(exec::PropagateOp op);
  void ordered(exec::OrderedOp op);
  void once(exec::OnceOp op);
  void sweep(exec::SweepOp op);
  void runLoop(exec::DeviceLoopOp op);
  std::string set(mlir::Value value);

  std::string space;
  bool usesBothWays_ = false, usesTransposed_ = false;
  llvm::DenseMap<mlir::Operation *, std::string> calls; // of kernels that are printed already
  llvm::DenseMap<mlir::Value, std::string> counts;      // of modes: what their kernels add to
};

} // namespace gcompile::cuda
