// The code that runs between kernels, which is the same on all ranks.
#pragma once

#include "codegen_cpp/HostBodyPrinter.h"
#include "codegen_mpi/KernelPrinter.h"

#include <string>

namespace gcompile::mpi {

class HostPrinter : public cpp::HostBodyPrinter {
public:
  explicit HostPrinter(cpp::Program &program);

  /// The states whose copies a member of their own brings up to date.
  const cpp::KnownCopies &knownCopies() const { return copies; }

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  cpp::Text setExpression(mlir::Operation *op) override;
  std::string graphName() override { return "graph_"; }
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  void sequentialFor(graph::ForOp op) override;
  std::string setRange(mlir::Value set) override;
  std::string roundsOf(mlir::Operation *loop) override { return rounds.lookup(loop); }

private:
  void propagate(exec::PropagateOp op);
  /// Prints the function of a kernel, and returns its call.
  template <class Op> std::string kernel(Op op, mlir::Region &region, const std::string &wanted);

  void resume(exec::ResumeOp op);

  cpp::KnownCopies copies;
  llvm::DenseMap<mlir::Operation *, std::string> rounds; // of statements where a run can be resumed: the variable
  llvm::DenseMap<mlir::Operation *, std::string> calls;  // of kernels that are printed already
};

} // namespace gcompile::mpi
