// What machines that hold parts of the graph send to each other for a statement, as exec-distribute has decided it.
#pragma once

#include "ir/exec/ExecDialect.h"

#include <string>
#include <vector>

namespace gcompile {

/// Where the messages of a lowered algorithm come from.
class Messages {
public:
  /// `onDevice`: the parts are GPUs, which fetch the values of all places of others.
  Messages(graph::AlgorithmOp lowered, bool onDevice);

  /// What is sent for the statement at a place of the program and when, a sentence each; none if it has no kernel.
  std::vector<std::string> describe(mlir::Location statement) const;

  /// Whether one thread of each machine runs the kernel of that statement.
  bool isOnOneThread(mlir::Location statement) const;

  /// The states that a checkpoint between two rounds of a statement holds.
  static std::string kept(exec::ResumeOp rounds);

  /// What the host asks the owner of a vertex for.
  static std::string asked(exec::OwnerValueOp value);
  static std::string asked(exec::OwnerComputesOp value);

  /// What each machine has of the graph beside the edges at its own vertices.
  static std::vector<std::string> loaded(graph::AlgorithmOp lowered);

private:
  std::string given(exec::GiveToCopiesOp give, mlir::Operation *kernel) const;
  std::string givenEachRound(exec::PropagateOp propagate) const;
  std::vector<std::string> agreed(mlir::Operation *kernel) const;

  const bool onDevice;
  llvm::DenseMap<mlir::Location, llvm::SmallVector<mlir::Operation *>> operations;
};

} // namespace gcompile
