// What the code between kernels shares on every target.
#pragma once

#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Program.h"

namespace gcompile::cpp {

/// Prints the body of `run`: states are members of the program's class, sets are objects of the runtime.
class HostBodyPrinter : public BodyPrinter {
public:
  explicit HostBodyPrinter(Program &program) : BodyPrinter(program.scope), program(program) {
    for (auto &[value, member] : program.members)
      bind(value, member);
  }

  std::string roundsOf(mlir::Operation *loop) override { return hasStages(loop) ? program.turns : ""; }

protected:
  void statement(mlir::Operation *op) override;
  Text targetExpression(mlir::Operation *op) override;
  Text setExpression(mlir::Operation *op) override;
  std::string setVariable(mlir::Value set, const std::string &name, const std::string &text) override;
  std::string endsOfEdges(mlir::Value set) override;
  std::string stateName(mlir::Value state) override;
  void beforeStatement(mlir::Operation *op) override;
  void loopBody(mlir::Operation *loop, mlir::Block &body) override;

  virtual void setUpdate(exec::UpdateOp op);
  /// Of `s = s - t` and the like, which change the set where it is: the difference. Null for other updates.
  graph::SetAlgebraOp inPlace(exec::UpdateOp op);
  /// A loop of the host, one iteration after the other.
  virtual void sequentialFor(graph::ForOp op) = 0;
  /// The vertices of a set as a braced list.
  std::string members(graph::SetOfOp set);
  /// Makes the frontier hold the initial set of a propagate.
  void startFrontier(mlir::Value from);

  Program &program;

private:
  /// What is printed so far becomes a stage of its own.
  void nextStage();
  /// The body of a loop has stages, and the program is not a serial one.
  bool hasStages(mlir::Operation *loop);

  mlir::Operation *loopOfStage = nullptr; // if what is printed is a stage in a loop
  Writer aroundStages;                    // then what is printed around that
  std::string lastPlace;
};

} // namespace gcompile::cpp
