// The code of the host that runs the kernels: the body of `run`.
#pragma once

#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Program.h"
#include "codegen_cuda/KernelPrinter.h"

namespace gcompile::cuda {

/// Prints the algorithm's body; kernels on the way are collected.
class HostPrinter : public cpp::BodyPrinter {
public:
  /// `space` is the namespace of the kernels.
  HostPrinter(cpp::Program &program, std::string space) : BodyPrinter(program.scope), program(program), space(space) {
    for (auto &[value, member] : program.members)
      bind(value, member);
  }

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  cpp::Text setExpression(mlir::Operation *op) override;
  std::string stateName(mlir::Value state) override;
  std::string graphName() override { return "graph_.host()"; }
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  void beforeStatement(mlir::Operation *op) override;
  void loopBody(mlir::Block &body) override;

private:
  KernelPrinter kernel(mlir::Operation *op, mlir::Region &region, llvm::StringRef name);
  /// The function object with its members.
  std::string object(const KernelPrinter &kernel);
  /// A call of the runtime as a statement: what the kernel accumulates is added to the members.
  void launch(const std::string &call, const KernelPrinter &kernel);
  std::string overVertices(mlir::Operation *op, graph::Domain domain, mlir::Value over, const KernelPrinter &kernel);
  void propagate(exec::PropagateOp op);
  void ordered(exec::OrderedOp op);
  void sequentialFor(graph::ForOp op);
  void setUpdate(exec::UpdateOp op);
  void snapshot(exec::SnapshotOp op);
  void once(exec::OnceOp op);
  std::string set(mlir::Value value);

  cpp::Program &program;
  std::string space, lastPlace;
  llvm::DenseMap<mlir::Operation *, std::string> calls; // of kernels that are printed already
  mlir::Region *condition = nullptr;                    // of the sequential loop that is being printed
};

} // namespace gcompile::cuda
