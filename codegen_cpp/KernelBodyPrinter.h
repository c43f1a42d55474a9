// What the kernels of every target share.
#pragma once

#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Program.h"

namespace gcompile::cpp {

/// The argument by which the runtime knows the step of a closure, with a comma before it; empty for an unknown one.
std::string closingArgument(exec::ClosePairsOp op);

/// Prints inside a kernel: sets there are ranges made as they are walked, or stored sets that the kernel only reads.
class KernelBodyPrinter : public BodyPrinter {
public:
  explicit KernelBodyPrinter(Program &program) : BodyPrinter(program.scope), program(program) {}

protected:
  Text targetExpression(mlir::Operation *op) override;
  std::string setRange(mlir::Value set) override;
  Text setExpression(mlir::Operation *op) override;

  /// The step of a closure, as a function that makes of the elements that it reads the next one.
  struct ClosureStep {
    std::string parameters;
    Writer body;
  };
  ClosureStep closureStep(exec::ClosePairsOp op);
  /// An element of the closure's state, as its step calls it.
  std::string closureOperand(exec::ClosePairsOp op, mlir::ValueRange indices);

  Program &program;

private:
  /// The operands of the step of a closure.
  struct Operands {
    std::string own, column, row;
    bool usesColumn = false, usesRow = false;
  };
  Operands operands_;
};

} // namespace gcompile::cpp
