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
  void sequence(mlir::Operation *op, mlir::Block &body) override;

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
  /// Stages that stand in a row, of which one is printed.
  struct Frame {
    mlir::Block *block;              // where they stand
    std::size_t stage;               // the number of the one that is printed
    Writer around = {};              // what is printed so far of the stage that they stand in
    std::vector<std::size_t> stages; // their numbers; of the algorithm's own, without the first
  };

  /// What is printed so far of the stage at hand stays, and one begins that stands in the block.
  void nextStage(mlir::Block &block);
  /// There are stages in a loop or choice, and the program is not a serial one.
  bool hasStages(mlir::Operation *op);
  /// Has a stage run where a statement stands, and leaves the loop around that if the stage says so.
  void runStage(std::size_t stage, mlir::Operation *op);
  /// How the innermost loop around a statement is left where the statement is printed.
  std::string leaving(mlir::Operation *op);

  std::vector<Frame> frames; // of the program's stages, from the algorithm's own inwards
  std::string lastPlace;
};

} // namespace gcompile::cpp
