#include "ir/analysis/Infinity.h"
#include "ir/passes/Passes.h"

namespace gcompile {
#define GEN_PASS_DEF_MARKINFINITY
#include "ir/passes/Passes.h.inc"

namespace {
struct MarkInfinity : impl::MarkInfinityBase<MarkInfinity> {
  void runOnOperation() override {
    for (mlir::Operation &op : *getOperation().getBody())
      if (llvm::isa<graph::AlgorithmOp, graph::FuncOp>(op))
        mark(&op, InfinityAnalysis(&op));
  }

  static void mark(mlir::Operation *root, const InfinityAnalysis &infinity) {
    root->walk([&](graph::BinaryOp op) {
      bool adds = op.getKind() == graph::BinaryKind::Add || op.getKind() == graph::BinaryKind::Sub;
      if (adds && llvm::isa<mlir::IntegerType>(op.getType()) &&
          (infinity.mayBeInf(op.getLhs()) || infinity.mayBeInf(op.getRhs())))
        op.setAbsorbing(true);
    });
    root->walk([&](graph::UpdateOp op) {
      if (op.getKind() == graph::UpdateKind::Add && llvm::isa<mlir::IntegerType>(op.getValue().getType()) &&
          (infinity.mayBeInf(op.getState()) || infinity.mayBeInf(op.getValue())))
        op.setKind(graph::UpdateKind::AddInf);
    });
    root->walk([&](graph::ReduceOp op) {
      if (op.getKind() == graph::ReduceKind::Sum && llvm::isa<mlir::IntegerType>(op.getType()) &&
          infinity.mayBeInf(op.getResult()))
        op.setKind(graph::ReduceKind::SumInf);
    });
    root->walk([&](graph::CastOp op) {
      if (llvm::isa<mlir::IntegerType>(op.getOperand().getType()) && infinity.mayBeInf(op.getOperand()))
        op.setAbsorbing(true);
    });
  }
};
} // namespace
} // namespace gcompile
