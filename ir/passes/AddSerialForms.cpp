#include "ir/passes/Passes.h"

namespace gcompile {
#define GEN_PASS_DEF_ADDSERIALFORMS
#include "ir/passes/Passes.h.inc"

namespace {
struct AddSerialForms : impl::AddSerialFormsBase<AddSerialForms> {
  void runOnOperation() override {
    auto algorithms = llvm::to_vector(getOperation().getOps<graph::AlgorithmOp>());
    for (graph::AlgorithmOp algorithm : algorithms) {
      mlir::OpBuilder b(algorithm);
      b.setInsertionPointAfter(algorithm);
      auto copy = llvm::cast<graph::AlgorithmOp>(b.clone(*algorithm));
      copy.setSymName((algorithm.getSymName() + "_serial").str());
      copy.setSerialOf(algorithm.getSymName());
    }
  }
};
} // namespace
} // namespace gcompile
