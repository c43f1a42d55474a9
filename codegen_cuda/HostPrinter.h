// The code between kernels: the body of `run`, or of a loop that a kernel runs.
#pragma once

#include "codegen_cpp/HostBodyPrinter.h"
#include "codegen_cuda/Launch.h"

#include <memory>

namespace gcompile::cuda {

/// Prints that code; kernels on the way are collected.
class HostPrinter : public cpp::HostBodyPrinter {
public:
  /// `space` is the namespace of the kernels, `launch` knows where the code runs.
  HostPrinter(cpp::Program &program, std::string space, Launch &launch);

  /// Whether a kernel's threads share the edges of vertices, whichever way they go: the class needs lists of them.
  bool usesBothWays() const { return usesBothWays_; }
  /// Whether the runtime gives a kernel's threads the edges of vertices against their direction.
  bool usesTransposed() const { return usesTransposed_; }
  /// The graphs that the class has beside its own, once all kernels are printed: with the lists both ways, and with
  /// those against the edges' direction.
  std::vector<cpp::Program::Member> graphMembers() const;
  /// The kernels that are printed so far.
  llvm::ArrayRef<std::string> kernels() const { return kernelNames; }

  /// Of what the runtime keeps for an ordered propagate: the template's arguments, and the constructor's.
  static std::string orderParameters(exec::OrderedOp op);
  std::string orderArguments(exec::OrderedOp op);

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  cpp::Text setExpression(mlir::Operation *op) override { return launch.makeSet(op); }
  std::string setVariable(mlir::Value set, const std::string &name, const std::string &text) override {
    return launch.setVariable(set, name, text);
  }
  void setUpdate(exec::UpdateOp op) override { launch.assignSet(op); }
  std::string graphName() override { return launch.graph(); }
  std::string stateName(mlir::Value state) override { return launch.state(state); }
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  std::string endsOfEdges(mlir::Value set) override;
  void sequentialFor(graph::ForOp op) override;
  /// What a sequential loop over a stored set visits.
  virtual std::string membersOfAll(mlir::Value set);

  /// The lists that the runtime gives to the threads of a kernel.
  static Lists listsFor(mlir::Operation *op);
  KernelPrinter kernel(mlir::Operation *op, mlir::Region &region, llvm::StringRef name);
  /// The function object with its members.
  std::string object(const KernelPrinter &kernel);
  /// What the host gives one member of a kernel's function object.
  virtual std::string given(const KernelPrinter &kernel, const KernelPrinter::Field &field);
  /// A call of the runtime as a statement: what the kernel accumulates is added to the members.
  void launchKernel(const std::string &call, const KernelPrinter &kernel);

  Launch &launch;
  std::string space;

private:
  friend class HostLaunch;
  friend class DeviceLaunch;
  friend class LoopPrinter;

  /// A call of the runtime, measured in a profiled program; `active` is the number of elements that it runs over.
  std::string measured(mlir::Operation *op, llvm::StringRef kernel, const std::string &active, const std::string &call);
  /// What a kernel over a set runs over, for a profile.
  std::string countOf(mlir::Operation *op, graph::Domain domain, mlir::Value over);
  /// The vertex whose edges alone a kernel goes over, if its set was made for that.
  mlir::Value onlyMember(mlir::Operation *op, mlir::Value over) const;
  std::string overVertices(mlir::Operation *op, graph::Domain domain, mlir::Value over, const KernelPrinter &kernel);
  void propagate(exec::PropagateOp op);
  /// Lines that begin the rounds at the first one, or where another form of the program has stopped; the variable with
  /// the number of the round.
  std::string begin(exec::PropagateOp op);
  void ordered(exec::OrderedOp op);
  void once(exec::OnceOp op);
  void sweep(exec::SweepOp op);
  void closePairs(exec::ClosePairsOp op);
  void runLoop(exec::DeviceLoopOp op);
  /// The function object that computes the keys of an index; it is printed where the index starts.
  std::string keys(mlir::Value index) { return object(*keyKernels.find(index)->second); }
  std::string set(mlir::Value value);

  std::vector<std::string> kernelNames;
  bool usesBothWays_ = false, usesTransposed_ = false;
  llvm::DenseMap<mlir::Operation *, std::string> calls;                         // of kernels that are printed already
  llvm::DenseMap<mlir::Value, std::string> counts;                              // of modes: what their kernels add to
  llvm::DenseMap<mlir::Value, std::shared_ptr<const KernelPrinter>> keyKernels; // of kept indices
};

} // namespace gcompile::cuda
