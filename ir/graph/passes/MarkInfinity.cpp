#include "ir/analysis/Infinity.h"
#include "ir/graph/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace gcompile {
#define GEN_PASS_DEF_MARKINFINITY
#include "ir/graph/Passes.h.inc"

namespace {
struct MarkInfinity : impl::MarkInfinityBase<MarkInfinity> {
  void runOnOperation() override {
    for (mlir::Operation &op : getOperation().getOps())
      if (llvm::isa<graph::AlgorithmOp, graph::FuncOp, graph::ReductionOp>(op))
        markAll(op, InfinityAnalysis(&op));
  }

  static void markAll(mlir::Operation &algorithm, const InfinityAnalysis &infinity) {
    algorithm.walk([&](mlir::Operation *op) {
      llvm::TypeSwitch<mlir::Operation *>(op).Case<graph::BinaryOp, graph::UpdateOp, graph::ReduceOp, graph::CastOp>(
          [&](auto one) { mark(one, infinity); });
    });
  }

  static void mark(graph::BinaryOp op, const InfinityAnalysis &infinity) {
    bool adds = op.getKind() == graph::BinaryKind::Add || op.getKind() == graph::BinaryKind::Sub;
    if (adds && llvm::isa<mlir::IntegerType>(op.getType()) &&
        (infinity.mayBeInf(op.getLhs()) || infinity.mayBeInf(op.getRhs())))
      op.setAbsorbing(true);
  }

  static void mark(graph::UpdateOp op, const InfinityAnalysis &infinity) {
    if (op.getKind() == graph::UpdateKind::Add && llvm::isa<mlir::IntegerType>(op.getValue().getType()) &&
        (infinity.mayBeInf(op.getState()) || infinity.mayBeInf(op.getValue())))
      op.setKind(graph::UpdateKind::AddInf);
  }

  static void mark(graph::ReduceOp op, const InfinityAnalysis &infinity) {
    if (op.getKind() == graph::ReduceKind::Sum && llvm::isa<mlir::IntegerType>(op.getType()) &&
        infinity.mayBeInf(op.getResult()))
      op.setKind(graph::ReduceKind::SumInf);
  }

  static void mark(graph::CastOp op, const InfinityAnalysis &infinity) {
    mlir::Type from = op.getOperand().getType(), to = op.getType();
    bool widens = llvm::isa<mlir::IntegerType>(from) &&
                  (llvm::isa<mlir::FloatType>(to) || to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth());
    if (widens && infinity.mayBeInf(op.getOperand()))
      op.setAbsorbing(true);
  }
};
} // namespace
} // namespace gcompile
