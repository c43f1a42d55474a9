// What the kernels of every target share.
#pragma once

#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Program.h"

namespace gcompile::cpp {

/// Prints inside a kernel: sets there are ranges made as they are walked, or stored sets that the kernel only reads.
class KernelBodyPrinter : public BodyPrinter {
public:
  explicit KernelBodyPrinter(Program &program) : BodyPrinter(program.scope), program(program) {}

protected:
  Text targetExpression(mlir::Operation *op) override;
  std::string setRange(mlir::Value set) override;
  Text setExpression(mlir::Operation *op) override;

  Program &program;
};

} // namespace gcompile::cpp
