#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "ir/graph/GraphDialect.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_MARKRAISING
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether a value is a parameter, or an element of one, that was checked to have no negative value.
bool isNonnegative(Value value) {
  if (auto let = value.getDefiningOp<graph::LetOp>())
    return isNonnegative(let.getValue());
  if (auto read = value.getDefiningOp<graph::ReadOp>())
    value = read.getState();
  if (auto ordered = value.getDefiningOp<exec::ByTargetOp>())
    value = ordered.getColumn();
  auto argument = dyn_cast<BlockArgument>(value);
  auto algorithm = argument ? dyn_cast<graph::AlgorithmOp>(argument.getOwner()->getParentOp()) : graph::AlgorithmOp();
  return algorithm && cast<DictionaryAttr>(algorithm.getArguments()[argument.getArgNumber()]).contains("nonnegative");
}

struct MarkRaising : impl::MarkRaisingBase<MarkRaising> {
  void runOnOperation() override {
    getOperation().walk([](graph::BinaryOp sum) {
      if (sum.getKind() != graph::BinaryKind::Add || !sum.getAbsorbing() || !isa<IntegerType>(sum.getType()))
        return;
      if (!isNonnegative(sum.getRhs()) && isNonnegative(sum.getLhs())) {
        Value lhs = sum.getLhs();
        sum.getLhsMutable().assign(sum.getRhs());
        sum.getRhsMutable().assign(lhs);
      }
      sum.setRaises(isNonnegative(sum.getRhs()));
    });
  }
};

} // namespace
} // namespace gcompile
