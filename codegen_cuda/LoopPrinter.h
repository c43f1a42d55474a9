// Loops of kernels that one kernel can run: a function object for each, which the runtime calls in every thread, or on
// the host.
#pragma once

#include "codegen_cuda/HostPrinter.h"

namespace gcompile::cuda {

/// Prints a loop as code of the host, but for what it calls and where it finds what the program keeps.
class LoopPrinter : public HostPrinter {
public:
  /// `host` prints the code around the loop, `space` is the namespace of the kernels.
  LoopPrinter(HostPrinter &host, cpp::Program &program, const std::string &space, exec::DeviceLoopOp whole);

  /// The definition of the function object.
  std::string print();
  /// After print(), for the host: the function object with its members, the scalars that the loop changes, and what
  /// gives them the values of `scalars`.
  std::string onHost() const;
  std::string scalars() const;
  std::string assignments() const;
  /// The host's sets, and what is declared in front of the call.
  std::string sets() const;
  const std::string &before() const { return before_; }
  /// Whether a propagate is in it, which needs the host's frontier.
  bool propagates() const { return propagates_; }

protected:
  std::string stateName(mlir::Value state) override;
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  cpp::Text targetExpression(mlir::Operation *op) override;
  std::string filter(exec::FilterOp op, const std::string &members, const std::string &object) override;
  cpp::Text setExpression(mlir::Operation *op) override;
  std::string setVariable(mlir::Value set, const std::string &name, const std::string &text) override;
  void setUpdate(exec::UpdateOp op) override;
  /// The graph of whoever runs the loop; kernels have the device's.
  std::string graphName() override { return "device.graph()"; }
  std::string graphView() override;
  std::string arrayOf(mlir::Value state, bool written) override;
  std::string matrixOf(mlir::Value state, bool written) override;
  std::string columnOf(mlir::Value column, const std::string &type) override;
  std::string viewOf(const std::string &set) override { return "device.view(" + set + ")"; }
  std::string modeRoom() override;
  std::string cellOf(const KernelPrinter::Field &cell) override;
  void beforeCell(const KernelPrinter::Field &cell) override;
  void afterCell(const KernelPrinter::Field &cell) override;
  std::string call(llvm::StringRef function, const std::string &graph, const std::string &members,
                   const std::string &rest) override;
  std::string callSegments(mlir::Operation *op, llvm::StringRef function, const std::string &arguments) override;
  void snapshot(exec::SnapshotOp op) override;
  void start(const std::string &lists, mlir::Value from) override;
  std::string frontierCall(llvm::StringRef function) override;
  std::string runOrdered(exec::OrderedOp op, const std::string &push) override;

private:
  /// A member of the function object.
  struct Field {
    std::string type, name, given; // by the host
  };
  /// A scalar that the loop changes.
  struct Scalar {
    mlir::Value state;
    std::string type, name, member;
  };
  /// A set of vertices, which the loop knows by its number.
  struct Set {
    mlir::Value value; // a state of the host, or a set; null: an operation of the loop makes it
    std::string name, given;
  };
  /// The lists of another graph than the program's as the first argument of a call.
  std::string listsArgument(const std::string &graph);
  /// A call of the device, up to the set that it starts from; one vertex is made a set there.
  std::string startCall(llvm::StringRef function, const std::string &given, mlir::Value from);
  std::string field(llvm::StringRef wanted, const std::string &type, const std::string &given);
  std::string set(mlir::Value value, llvm::StringRef wanted, const std::string &given);
  /// Where the set that an operation makes goes: to the state that it is assigned to, or to one of its own.
  std::string target(mlir::Operation *op);
  /// Whether the text of a value, as it will be printed here, asks for the state.
  bool asksFor(mlir::Value value, mlir::Value state);
  std::string memberOf(mlir::Value state) const { return program.members.find(state)->second; }

  HostPrinter &host;
  exec::DeviceLoopOp whole;
  mlir::Operation *loop; // that it holds
  std::string space, typeName_;
  std::vector<Field> fields;
  std::vector<Scalar> changed;
  std::vector<Set> sets_;
  llvm::DenseMap<mlir::Operation *, std::string> targets; // of what is assigned as it is made
  llvm::DenseMap<mlir::Value, std::string> cells;
  std::string before_, modes;
  bool graphUsed = false, overPairs = false, propagates_ = false, orders = false;
};

} // namespace gcompile::cuda
