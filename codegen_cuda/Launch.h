// What differs between the places that run the code between kernels: the host, or a loop on the device.
#pragma once

#include "codegen_cuda/KernelPrinter.h"

namespace gcompile::cuda {

class HostPrinter;

/// The graph whose lists of arcs the runtime gives to a kernel's threads: the program's, one with the edges of both
/// ways, one with the edges turned.
enum class Lists { None, Own, BothWays, Transposed };
/// The member that is that graph.
const char *memberOf(Lists lists);

/// How that code finds what the program keeps, makes sets, and calls the runtime. The texts are expressions but where
/// the function prints lines itself.
class Launch {
public:
  virtual ~Launch() = default;

  // What the program keeps.

  /// The graph, as who runs the code looks at it.
  virtual std::string graph() = 0;
  /// A scalar, or a state that is a set.
  virtual std::string state(mlir::Value state) = 0;
  /// One element of another state.
  virtual std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) = 0;

  // What a kernel is given.

  virtual std::string graphView() = 0;
  virtual std::string array(mlir::Value state) = 0;
  virtual std::string matrix(mlir::Value state) = 0;
  virtual std::string column(mlir::Value column, const std::string &type) = 0;
  virtual std::string view(const std::string &set) = 0;
  /// The aligned lists of one of the graphs.
  virtual std::string alignedLists(Lists lists) = 0;
  /// The tables for the modes of a kernel.
  virtual std::string modeRoom() = 0;
  /// What notes the changed copies of other parts' vertices, or edges, in programs that run in parts.
  virtual std::string touched(bool /*ofEdges*/) { llvm_unreachable("a program that does not run in parts"); }
  /// A scalar that the kernel's threads share, and the lines before and after the kernel that move its value.
  virtual std::string cell(const KernelPrinter::Field &cell) = 0;
  virtual void beforeCell(const KernelPrinter::Field &cell) = 0;
  virtual void afterCell(const KernelPrinter::Field &cell) = 0;

  // Calls of the runtime.

  /// For lists of arcs, and the members of a set ("": all).
  virtual std::string call(llvm::StringRef function, Lists lists, const std::string &members,
                           const std::string &rest) = 0;
  /// Whether there is such a call for the edges of one vertex.
  virtual bool goesAlongOneList() const { return true; }
  /// For all pairs of vertices.
  virtual std::string callForPairs(const std::string &object) = 0;
  /// Of the member with the segments that a kernel, or exec.segments_pay, goes by.
  virtual std::string callSegments(mlir::Operation *op, llvm::StringRef function, const std::string &arguments) = 0;
  virtual std::string filter(exec::FilterOp op, const std::string &members, const std::string &object) = 0;
  /// Lines that copy a state.
  virtual void snapshot(exec::SnapshotOp op) = 0;
  /// Lines that have the frontier hold the initial set of a propagate, whose rounds go along `lists`.
  virtual void start(Lists lists, mlir::Value from) = 0;
  /// What asks whether the frontier is empty, and the function that runs rounds from it.
  virtual std::string frontierEmpty() = 0;
  virtual std::string propagate() = 0;
  /// What `alpha` is in rounds that go along `lists`, whose pulls ask best sources first.
  virtual std::string alphaOf(Lists lists, const std::string &alpha) = 0;
  /// The call that runs an ordered propagate.
  virtual std::string runOrdered(exec::OrderedOp op, const std::string &push) = 0;

  // Kept indices.

  /// What kernels note for it.
  virtual std::string notes(mlir::Value index) = 0;
  /// Its best vertex with the key.
  virtual std::string best(mlir::Value index) = 0;
  /// The call that has it follow what is noted; `keys` computes keys.
  virtual std::string reindex(mlir::Value index, const std::string &keys) = 0;

  // Sets.

  virtual cpp::Text makeSet(mlir::Operation *op) = 0;
  virtual std::string setVariable(mlir::Value set, const std::string &name, const std::string &text) = 0;
  /// Lines that change a state that is a set.
  virtual void assignSet(exec::UpdateOp op) = 0;
  virtual cpp::Text contains(graph::ContainsOp op) = 0;
  virtual cpp::Text size(graph::SetSizeOp op) = 0;

protected:
  /// What prints the code, from its construction on.
  HostPrinter *printer = nullptr;
  friend class HostPrinter;
};

} // namespace gcompile::cuda
