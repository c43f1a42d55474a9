// The code that runs between kernels, which is the same on all devices.
#pragma once

#include "codegen_cpp/Parts.h"
#include "codegen_cuda/HostPrinter.h"
#include "codegen_gpus/PartsLaunch.h"

#include <string>

namespace gcompile::gpus {

class HostPrinter : public cuda::HostPrinter {
public:
  HostPrinter(cpp::Program &program, std::string space, PartsLaunch &launch);

  const cpp::KnownCopies &knownCopies() const { return copies; }

  // What the launch asks for.
  std::string membersOf(graph::SetOfOp set) { return members(set); }
  std::string vertexOf(graph::NeighborsOp op) { return index(op.getVertex(), op.getMayBeNone(), op); }
  std::string valueText(mlir::Value value) { return operand(value); }
  std::string givenSet(mlir::Value set) const { return cpp::givenSet(program, set); }
  void add(const std::string &text) { line(text); }

protected:
  void statement(mlir::Operation *op) override;
  std::string given(const cuda::KernelPrinter &kernel, const cuda::KernelPrinter::Field &field) override;
  std::string membersOfAll(mlir::Value set) override;

private:
  void propagate(exec::PropagateOp op);
  void ordered(exec::OrderedOp op);
  /// Sends touched copies to their owners; `worklist` activates what changes there.
  void reduce(exec::ReduceToOwnerOp op, const std::string &worklist);
  /// Combines an array, to which all devices have contributed.
  void combine(exec::CombinePartsOp op);
  /// What a round sends; owners put what becomes active into the worklist.
  void exchange(mlir::Block &block, const std::string &worklist);
  /// The function object that an owner calls for each record; the name of its type, and what its members are given.
  std::string contribution(exec::ReduceToOwnerOp op);

  cpp::KnownCopies copies;
};

} // namespace gcompile::gpus
