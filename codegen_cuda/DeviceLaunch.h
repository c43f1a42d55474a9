// The code between kernels in a loop that a kernel runs: it asks `device` for what the host would do, knows sets by
// their numbers, and holds the rest in members of its function object.
#pragma once

#include "codegen_cuda/Launch.h"

namespace gcompile::cuda {

class DeviceLaunch : public Launch {
public:
  /// A member of the function object, and what the host initialises it with.
  struct Field {
    std::string type, name, given;
  };
  /// A scalar that the loop changes.
  struct Scalar {
    mlir::Value state;
    std::string type, name, member;
  };
  /// A set of vertices.
  struct Set {
    mlir::Value value; // a state of the host, or a set; null: an operation of the loop makes it
    std::string name, given;
  };

  /// `host` prints the code around the loop.
  DeviceLaunch(cpp::Program &program, HostPrinter &host) : program(program), host(host) {}
  /// Makes what the loop uses of the host visible in it.
  void enter(mlir::Operation *loop);

  // What the loop needs, once it is printed.

  const std::vector<Field> &fields() const { return fields_; }
  const std::vector<Scalar> &scalars() const { return changed; }
  /// In the order of their numbers: those of the host come first.
  std::vector<Set> sets() const;
  /// What the host declares in front of the call.
  const cpp::Writer &before() const { return before_; }
  bool usesGraph() const { return graphUsed; }
  bool goesOverPairs() const { return overPairs; }
  /// Whether a propagate is in it, which needs the host's frontier; whether one of them is ordered.
  bool propagates() const { return propagates_; }
  bool orders() const { return orders_; }
  /// How many kept indices only the loop uses.
  unsigned ownIndices() const { return ownIndices_; }

  std::string graph() override { return "device.graph()"; }
  std::string state(mlir::Value state) override;
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  std::string graphView() override;
  std::string array(mlir::Value state) override;
  std::string matrix(mlir::Value state) override;
  std::string column(mlir::Value column, const std::string &type) override;
  std::string view(const std::string &set) override { return "device.view(" + set + ")"; }
  std::string alignedLists(Lists lists) override;
  std::string modeRoom() override;
  std::string cell(const KernelPrinter::Field &cell) override;
  void beforeCell(const KernelPrinter::Field &cell) override;
  void afterCell(const KernelPrinter::Field &cell) override;
  std::string call(llvm::StringRef function, Lists lists, const std::string &members, const std::string &rest) override;
  std::string callForPairs(const std::string &object) override;
  std::string callSegments(mlir::Operation *op, llvm::StringRef function, const std::string &arguments) override;
  std::string filter(exec::FilterOp op, const std::string &members, const std::string &object) override;
  void snapshot(exec::SnapshotOp op) override;
  void start(Lists lists, mlir::Value from) override;
  std::string frontierEmpty() override { return "device.frontier_empty()"; }
  std::string propagate() override { return "device.propagate"; }
  std::string alphaOf(Lists, const std::string &alpha) override { return alpha; } // such graphs are small
  std::string runOrdered(exec::OrderedOp op, const std::string &push) override;
  std::string notes(mlir::Value index) override { return ask("notes", {this->index(index)}); }
  std::string best(mlir::Value index) override { return ask("best", {this->index(index)}); }
  std::string reindex(mlir::Value index, const std::string &keys) override {
    return ask("reindex", {this->index(index), keys});
  }
  cpp::Text makeSet(mlir::Operation *op) override;
  std::string setVariable(mlir::Value set, const std::string &name, const std::string &text) override;
  void assignSet(exec::UpdateOp op) override;
  cpp::Text contains(graph::ContainsOp op) override;
  cpp::Text size(graph::SetSizeOp op) override;

private:
  /// A call of `device`; arguments that are "" do not count.
  static std::string ask(llvm::StringRef function, llvm::ArrayRef<std::string> arguments);
  /// The lists of another graph than the program's as the first argument of a call.
  std::string given(Lists lists);
  /// The name and the arguments of a call that starts from a set, after `given`; one vertex is made a set there.
  std::string startCall(llvm::StringRef function, const std::string &given, mlir::Value from, const std::string &last);
  /// A kept index.
  std::string index(mlir::Value value);
  std::string field(llvm::StringRef wanted, const std::string &type, const std::string &given);
  std::string set(mlir::Value value, llvm::StringRef wanted, const std::string &given);
  /// Where the set that an operation makes goes: to the state that it is assigned to, or to one of its own.
  std::string target(mlir::Operation *op);
  /// Whether the text of a value, as it will be printed here, asks for the state.
  bool asksFor(mlir::Value value, mlir::Value state);
  std::string memberFor(mlir::Value state) const { return program.members.find(state)->second; }

  cpp::Program &program;
  HostPrinter &host;
  mlir::Operation *loop = nullptr;
  std::vector<Field> fields_;
  std::vector<Scalar> changed;
  std::vector<Set> sets_;
  llvm::DenseMap<mlir::Operation *, std::string> targets; // of what is assigned as it is made
  llvm::DenseMap<mlir::Value, std::string> cells, indices;
  std::string modes;
  cpp::Writer before_;
  bool graphUsed = false, overPairs = false, propagates_ = false, orders_ = false;
  unsigned ownIndices_ = 0;
};

} // namespace gcompile::cuda
