#include "ir/graph/Passes.h"

namespace gcompile {
#define GEN_PASS_DEF_ADDSERIALFORMS
#include "ir/graph/Passes.h.inc"

namespace {
struct AddSerialForms : impl::AddSerialFormsBase<AddSerialForms> {
  void runOnOperation() override {
    auto algorithms = llvm::to_vector(getOperation().getOps<graph::AlgorithmOp>());
    for (graph::AlgorithmOp algorithm : algorithms) {
      mlir::OpBuilder b(algorithm);
      b.setInsertionPointAfter(algorithm);
      auto copy = llvm::cast<graph::AlgorithmOp>(b.clone(*algorithm));
      std::string name = (algorithm.getSymName() + "_serial").str();
      while (mlir::SymbolTable::lookupSymbolIn(getOperation(), name))
        name += '_'; // the program has an algorithm or a function of that name
      copy.setSymName(name);
      copy.setSerialOf(algorithm.getSymName());
    }
  }
};
} // namespace
} // namespace gcompile
