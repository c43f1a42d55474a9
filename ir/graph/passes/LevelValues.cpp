#include "ir/analysis/Levels.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_LEVELVALUES
#include "ir/graph/Passes.h.inc"

namespace {

struct LevelValues : impl::LevelValuesBase<LevelValues> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      InfinityAnalysis infinity(algorithm);
      graph::walkHolders(algorithm,
                         [&](graph::PropagateOp propagate) { rewrite(propagate, EffectTable(propagate, infinity)); });
    }
  }

  static void rewrite(graph::PropagateOp propagate, const EffectTable &table) {
    for (const Write &write : table.writes()) {
      std::optional<std::int64_t> initial = growsByRound(propagate, table, write);
      if (!initial)
        continue;
      OpBuilder b(write.op);
      if (write.rule != WriteRule::UnderClaim) { // a claim ends a pull early, which the number of the round would not
        cast<graph::UpdateOp>(write.op).setGrowsByRound(true);
        continue;
      }
      Location loc = withoutLet(write.values[0]).getLoc();
      Type type = write.values[0].getType();
      Value value = propagate.getBody().getArgument(3);
      if (type.isInteger(64))
        value = b.create<graph::CastOp>(loc, type, value);
      if (*initial != 0)
        value = b.create<graph::BinaryOp>(loc, type, graph::BinaryKind::Add, value,
                                          b.create<graph::ConstantOp>(loc, type, b.getIntegerAttr(type, *initial)),
                                          false, false);
      cast<graph::UpdateOp>(write.op).getValueMutable().assign(value);
      eraseUnused(write.values[0]);
    }
  }
};
} // namespace
} // namespace gcompile
