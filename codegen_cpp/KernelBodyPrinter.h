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
  std::string neighbors(mlir::Operation *at, graph::Domain domain, mlir::Value over, bool mayBeNone, mlir::Value above,
                        mlir::Value below) override;
  Text setExpression(mlir::Operation *op) override;

  /// Declares a pointer to the row of `vertex` of each state of pairs that the region reads or writes there. `type`
  /// gives the pointer's, "" for what is no member.
  void declareRows(mlir::Region &region, mlir::BlockArgument vertex, llvm::function_ref<std::string(mlir::Value)> type);
  /// A pair's element in such a row, or in a copy of one row or one column; "" if it is in none.
  std::string pairElement(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *at);

  /// The step of a closure, as a function that makes of the elements that it reads the next one.
  struct ClosureStep {
    std::string parameters;
    Writer body;
  };
  ClosureStep closureStep(exec::ClosePairsOp op);
  /// An element of the closure's state, as its step calls it.
  std::string closureOperand(exec::ClosePairsOp op, mlir::ValueRange indices);

  Program &program;
  std::string sources; // of a kernel that goes by segments: those in the segment of the arcs into the vertex

private:
  /// The operands of the step of a closure.
  struct Operands {
    std::string own, column, row;
    bool usesColumn = false, usesRow = false;
  };
  Operands operands_;
  /// A row of a dense state, for the vertex of the outer loop.
  struct Row {
    mlir::Value state, vertex;
    std::string name;
  };
  std::vector<Row> rows;
};

} // namespace gcompile::cpp
