// The code between kernels on the host: it holds the program's arrays and sets as objects of the runtime.
#pragma once

#include "codegen_cuda/Launch.h"

namespace gcompile::cuda {

class HostLaunch : public Launch {
public:
  explicit HostLaunch(cpp::Program &program) : program(program) {}

  /// An edge property.
  static std::string columnOf(const cpp::Program &program, mlir::Value column, const std::string &type);

  std::string graph() override { return "graph_.host()"; }
  std::string state(mlir::Value state) override;
  std::string element(mlir::Value state, mlir::ValueRange indices, bool checked, mlir::Operation *op) override;
  std::string graphView() override { return "graph_.view()"; }
  std::string array(mlir::Value state) override;
  std::string matrix(mlir::Value state) override;
  std::string column(mlir::Value column, const std::string &type) override;
  std::string view(const std::string &set) override { return set + ".view()"; }
  std::string alignedLists(Lists lists) override;
  std::string modeRoom() override { return "gc::cuda::ModeTables(graph_.num_arcs()).room()"; }
  std::string cell(const KernelPrinter::Field &cell) override { return cell.name + "_cell.data()"; }
  void beforeCell(const KernelPrinter::Field &cell) override;
  void afterCell(const KernelPrinter::Field &cell) override;
  std::string call(llvm::StringRef function, Lists lists, const std::string &members, const std::string &rest) override;
  std::string callForPairs(const std::string &object) override { return call("for_pairs", Lists::Own, "", object); }
  std::string callSegments(mlir::Operation *op, llvm::StringRef function, const std::string &arguments) override;
  std::string filter(exec::FilterOp op, const std::string &members, const std::string &object) override;
  void snapshot(exec::SnapshotOp op) override;
  void start(Lists lists, mlir::Value from) override;
  std::string frontierEmpty() override { return "frontier_.empty()"; }
  std::string propagate() override { return "frontier_.propagate"; }
  std::string alphaOf(Lists lists, const std::string &alpha) override {
    return "gc::cuda::alpha_beyond_cache(" + std::string(memberOf(lists)) + ", " + alpha + ")";
  }
  std::string runOrdered(exec::OrderedOp op, const std::string &push) override;
  std::string notes(mlir::Value index) override;
  std::string best(mlir::Value index) override;
  std::string reindex(mlir::Value index, const std::string &keys) override;
  cpp::Text makeSet(mlir::Operation *op) override;
  std::string setVariable(mlir::Value set, const std::string &name, const std::string &text) override;
  void assignSet(exec::UpdateOp op) override;
  cpp::Text contains(graph::ContainsOp op) override;
  cpp::Text size(graph::SetSizeOp op) override;

private:
  cpp::Program &program;
};

} // namespace gcompile::cuda
