// The code that runs between kernels: the body of `run`.
#pragma once

#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Program.h"

namespace gcompile::omp {

using cpp::Program;

/// Prints the algorithm's body; kernels on the way become functions of the program.
class HostPrinter : public cpp::BodyPrinter {
public:
  explicit HostPrinter(Program &program) : BodyPrinter(program.scope), program(program) {
    for (auto &[value, member] : program.members)
      bind(value, member);
  }

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  cpp::Text setExpression(mlir::Operation *op) override;
  std::string stateName(mlir::Value state) override;
  std::string graphName() override { return "graph_"; }
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  std::string claim(exec::ClaimOp op) override;
  void beforeStatement(mlir::Operation *op) override;

private:
  void propagate(exec::PropagateOp op);
  void sequentialFor(graph::ForOp op);
  void setUpdate(exec::UpdateOp op);
  void snapshot(exec::SnapshotOp op);
  /// The call of a kernel with the host's values as arguments.
  std::string call(const std::string &function, llvm::ArrayRef<mlir::Value> arguments);
  std::string kernelName(llvm::StringRef wanted) { return program.scope.fresh(wanted); }
  void loopBody(mlir::Block &body) override;

  Program &program;
  std::string lastPlace;
  llvm::DenseMap<mlir::Operation *, std::string> calls; // of kernels that are printed already
  mlir::Region *condition = nullptr;                    // of the sequential loop that is being printed
};

} // namespace gcompile::omp
