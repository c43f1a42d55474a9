#include "ir/analysis/Infinity.h"
#include "ir/passes/Passes.h"

namespace gcompile {
#define GEN_PASS_DEF_MARKINFINITY
#include "ir/passes/Passes.h.inc"

namespace {
struct MarkInfinity : impl::MarkInfinityBase<MarkInfinity> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      InfinityAnalysis infinity(algorithm);
      mark(algorithm, infinity);
    }
  }

  static void mark(graph::AlgorithmOp algorithm, const InfinityAnalysis &infinity) {
    algorithm.walk([&](graph::BinaryOp op) {
      bool adds = op.getKind() == graph::BinaryKind::Add || op.getKind() == graph::BinaryKind::Sub;
      if (adds && llvm::isa<mlir::IntegerType>(op.getType()) &&
          (infinity.mayBeInf(op.getLhs()) || infinity.mayBeInf(op.getRhs())))
        op.setAbsorbing(true);
    });
  }
};
} // namespace
} // namespace gcompile
