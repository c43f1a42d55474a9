#include "ir/analysis/Levels.h"
#include "ir/passes/KernelParts.h"
#include "ir/passes/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_LEVELVALUES
#include "ir/passes/Passes.h.inc"

namespace {

std::optional<std::int64_t> integerConstant(Value value) {
  auto constant = withoutLet(value).getDefiningOp<graph::ConstantOp>();
  auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return integer ? std::optional(integer.getInt()) : std::nullopt;
}

struct LevelValues : impl::LevelValuesBase<LevelValues> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      InfinityAnalysis infinity(algorithm);
      algorithm.walk([&](graph::PropagateOp propagate) { rewrite(propagate, EffectTable(propagate, infinity)); });
    }
  }

  /// A vertex becomes active only by the claim, which gives it its source's value + 1 at once, and no active vertex is
  /// written: by induction all vertices that round r claims get the value of the initial set + r.
  static void rewrite(graph::PropagateOp propagate, const EffectTable &table) {
    const Write *claim = table.claim();
    if (!claim || propagate.getOrdered() || !table.frontierExcludesWritten())
      return;
    for (const Write &write : table.writes()) {
      if (write.rule != WriteRule::UnderClaim || write.kind != graph::UpdateKind::Assign || write.owner != 1u ||
          write.op->getBlock() != claim->op->getBlock() || write.states.size() != 1)
        continue;
      Value state = write.states[0];
      auto sum = withoutLet(write.values[0]).getDefiningOp<graph::BinaryOp>();
      bool alone = llvm::count_if(table.writes(),
                                  [&](const Write &other) { return llvm::is_contained(other.states, state); }) == 1;
      if (!sum || !alone || sum.getKind() != graph::BinaryKind::Add || !isa<IntegerType>(sum.getType()))
        continue;
      auto atSource = [&](Value value) {
        auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
        return read && read.getState() == state && table.statement().argument(read.getIndices()[0]) == 0u;
      };
      bool byOne = (atSource(sum.getLhs()) && integerConstant(sum.getRhs()) == 1) ||
                   (atSource(sum.getRhs()) && integerConstant(sum.getLhs()) == 1);
      auto initial = initialConstant(propagate, state);
      // Up to an initial 0 the sum is no greater than the number of the round: it cannot overflow.
      if (!byOne || !initial || *initial > 0)
        continue;
      OpBuilder b(write.op);
      Location loc = sum.getLoc();
      Value value = propagate.getBody().getArgument(3);
      if (sum.getType().isInteger(64))
        value = b.create<graph::CastOp>(loc, sum.getType(), value);
      if (*initial != 0)
        value = b.create<graph::BinaryOp>(
            loc, sum.getType(), graph::BinaryKind::Add, value,
            b.create<graph::ConstantOp>(loc, sum.getType(), b.getIntegerAttr(sum.getType(), *initial)), false, false);
      cast<graph::UpdateOp>(write.op).getValueMutable().assign(value);
      eraseUnused(write.values[0]);
    }
  }
};
} // namespace
} // namespace gcompile
