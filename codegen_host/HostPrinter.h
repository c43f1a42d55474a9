// The code that runs between kernels: the body of `run`.
#pragma once

#include "codegen_cpp/HostBodyPrinter.h"

namespace gcompile::host {

using cpp::Program;

/// Prints the algorithm's body; kernels on the way become functions of the program.
class HostPrinter : public cpp::HostBodyPrinter {
public:
  explicit HostPrinter(Program &program);

protected:
  void statement(mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  std::string graphName() override { return "graph_"; }
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  /// The array of a column of the edges.
  std::string columnName(mlir::Value state);
  void sequentialFor(graph::ForOp op) override;

private:
  void propagate(exec::PropagateOp op);
  void snapshot(exec::SnapshotOp op);
  /// The call of a kernel with the host's values as arguments.
  std::string call(const std::string &function, llvm::ArrayRef<mlir::Value> arguments);
  /// The call of something of the runtime that records nothing itself, measured in a profiled program.
  std::string measured(mlir::Operation *op, const std::string &name, const std::string &call,
                       const std::string &returning = "");
  std::string kernelName(llvm::StringRef wanted) { return program.scope.fresh(wanted); }

  bool followsTransposed = false; // some propagate goes against the edges: each says which way the frontier goes
  llvm::DenseMap<mlir::Operation *, std::string> calls;  // of kernels that are printed already
  llvm::DenseMap<mlir::Value, std::string> keyFunctions; // of the indices that are kept
};

} // namespace gcompile::host
