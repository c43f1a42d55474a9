// Loops of kernels that one kernel can run: a function object for each, which the runtime calls in every thread, or on
// the host.
#pragma once

#include "codegen_cuda/HostPrinter.h"

namespace gcompile::cuda {

/// Prints a loop as code of the host, but for what it calls and where it finds what the program keeps.
class LoopPrinter : public HostPrinter {
public:
  /// `host` prints the code around the loop, `space` is the namespace of the kernels.
  LoopPrinter(HostPrinter &host, cpp::Program &program, const std::string &space, mlir::Operation *loop);

  /// The definition of the function object.
  std::string print();
  /// After print(), for the host: the function object with its members, the scalars that the loop changes, and what
  /// gives them the values of `scalars`.
  std::string onHost() const;
  std::string scalars() const;
  std::string assignments() const;

protected:
  std::string stateName(mlir::Value state) override;
  /// The graph of whoever runs the loop; kernels have the device's.
  std::string graphName() override { return "device.graph()"; }
  std::string graphView() override;
  std::string arrayOf(mlir::Value state, bool written) override;
  std::string matrixOf(mlir::Value state, bool written) override;
  std::string columnOf(mlir::Value column, const std::string &type) override;
  std::string call(llvm::StringRef function, const std::string &lists, const std::string &rest) override;
  std::string callSegments(mlir::Operation *op, llvm::StringRef function, const std::string &arguments) override;
  void snapshot(exec::SnapshotOp op) override;

private:
  /// A member of the function object.
  struct Field {
    mlir::Value value;
    std::string type, name, given; // by the host
    bool written = true;           // of an array
  };
  /// A scalar that the loop changes.
  struct Scalar {
    mlir::Value state;
    std::string type, name, member;
  };
  Field &field(mlir::Value value, const std::string &type, const std::string &given);
  std::string memberOf(mlir::Value state) const { return program.members.find(state)->second; }

  mlir::Operation *loop;
  std::string space, typeName_;
  std::vector<Field> fields;
  std::vector<Scalar> changed;
  bool graphUsed = false, overPairs = false;
};

} // namespace gcompile::cuda
